//! The wire types of askback: everything that crosses a process boundary.
//!
//! The server, the client, the description of the API and the TypeScript types follow from these types. Requests and outcomes
//! are embedded as the core reads and writes them; everything else is a serde struct or enum with a derived schema. [`AskerApi`]
//! and [`PersonApi`] are the calls. This crate does no I/O.

mod answer;
mod api;
mod body;
mod claim;
mod error;
mod event;
mod health;
pub mod limits;
mod problem;
mod query;
mod record;
pub mod schema;
mod script;
mod token;
mod verdict;

pub use answer::{
    AnswerBody, AnswerItem, CancelBody, Changed, ClaimedSurface, DeclineBody, DeliveryBody, DismissBody, Dismissed,
};
pub use api::{ApiFuture, AskerApi, EventStream, HubApi, PersonApi};
pub use body::{read_body, read_json};
pub use claim::claim_of_client;
pub use error::ApiError;
pub use event::{AuditEvent, Change, Ended, EndedHead, EventName, StreamEvent};
pub use health::Health;
pub use problem::{ProblemCode, ProblemDetails, ProblemItem};
pub use query::{
    API_VERSION, AskAgain, AskQuery, AuditQuery, ListQuery, RoomQuery, ScriptQuery, WaitQuery, path, with_query,
};
pub use record::{Asked, Page, Record, RequestRef, Unattended, UnattendedList, read_state, state_json};
pub use script::{Script, ScriptBody, ScriptRequest, ScriptStatus};
pub use token::{
    IssuedToken, Login, LoginLink, LoginLinkBody, Me, Session, SessionBody, TokenBody, TokenInfo, TokenList,
};
pub use verdict::{ProposalBody, ProposedAction, Verdict};
