//! The hub of askback: the durable life of a request.
//!
//! A request that was acknowledged survives anything; one answer counts, once; whoever waits wakes as soon as it is
//! durable; a process that died comes back with the id, or with its key, and finds its answer. [`Hub`] is the handle.

mod clock;
mod error;
mod gauge;
mod hub;
mod keyring;
pub mod limits;
mod log;
mod mutex;
mod on_drop;
mod outbox;
mod query;
mod recent;
mod record;
mod request_key;
mod room;
mod run_to_end;
mod set_changes;
pub mod signal;
pub mod store;
#[cfg(test)]
mod testing;
mod token;
mod waiters;

pub use askback_yjs::message::{empty_awareness, verdict};
pub use askback_yjs::{DecodeError, Proposal, ProposalError, Proposals};
pub use clock::{Clock, SystemClock};
pub use error::{HubError, StoreError};
pub use hub::{Ask, Asked, AskerPresence, Attendance, Hub, HubOptions, Listed, PersonPresence, Signature, new_id};
pub use jiff::Timestamp;
pub use limits::{HubLimits, TokenLimits};
pub use log::Events;
pub use outbox::{Dispatch, Settled};
pub use query::{AuditQuery, Counts, Cursor, Page, Query, Unattended};
pub use record::{Event, Record};
pub use room::member::{Member, RoomError};
pub use room::{Room, Scope, folder_room};
pub use run_to_end::RunToEnd;
pub use token::{NewToken, Permit, Purpose, Role, Secret, SessionKind, Token};
