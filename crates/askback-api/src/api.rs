//! The API as traits: the calls of askers and of people on a hub in this process or behind a connection.
//!
//! An implementation retries transient errors, and each call takes effect once.

use crate::answer::{AnswerBody, CancelBody, DeclineBody, DeliveryBody, DismissBody};
use crate::error::ApiError;
use crate::event::{AuditEvent, StreamEvent};
use crate::query::{AskQuery, AuditQuery, ListQuery, RoomQuery, ScriptQuery};
use crate::record::{Asked, Page, Record, RequestRef, UnattendedList};
use crate::script::{Script, ScriptBody};
use crate::token::{IssuedToken, LoginLink, LoginLinkBody, Me, TokenBody, TokenList};
use askback_core::{BoxFuture, Outcome, Request, RequestId, Status};
use std::sync::Arc;
use std::time::Duration;

/// The future of a call.
pub type ApiFuture<'a, T> = BoxFuture<'a, Result<T, ApiError>>;

/// The calls that every valid token allows.
pub trait HubApi: Send + Sync {
    /// Reads the caller's token and the audience of a room.
    fn me(&self, query: RoomQuery) -> ApiFuture<'_, Me>;

    /// Reads a request and its state.
    fn show<'a>(&'a self, id: &'a RequestId) -> ApiFuture<'a, Record>;

    /// Lists requests, the newest first.
    fn list(&self, query: ListQuery) -> ApiFuture<'_, Page<Record>>;

    /// Waits for the outcome, without a limit if `at_most` is `None`. Returns `None` if the request is still pending then.
    fn wait<'a>(&'a self, request: RequestRef<'a>, at_most: Option<Duration>) -> ApiFuture<'a, Option<Outcome>>;

    /// Cancels a request.
    fn cancel<'a>(&'a self, request: RequestRef<'a>, body: CancelBody) -> ApiFuture<'a, Outcome>;

    /// Follows the events from now on, or after the event with this number.
    fn events(&self, query: RoomQuery, after: Option<u64>) -> ApiFuture<'_, Box<dyn EventStream>>;
}

/// The calls of an asker, which can never answer (S1).
pub trait AskerApi: HubApi {
    /// Connects to the hub without asking anything.
    fn connect(&self) -> ApiFuture<'_, ()>;

    /// Asks. The request is persisted once this returns.
    fn ask(&self, request: Arc<Request>, query: AskQuery) -> ApiFuture<'_, Asked>;

    /// Lists the requests that this asker made in its room, the newest first.
    fn list_own(&self, status: Option<Status>, limit: usize) -> ApiFuture<'_, Page<Record>>;

    /// Reports whether an outcome reaches its asker (S5). Returns whether the report changed anything.
    fn deliver<'a>(&'a self, id: &'a RequestId, body: DeliveryBody) -> ApiFuture<'a, bool>;

    /// Submits an answer that a person gave in the dialog of the asker's own client, if the hub accepts such answers (S1).
    fn answer_in_dialog<'a>(&'a self, request: RequestRef<'a>, body: AnswerBody) -> ApiFuture<'a, Outcome>;

    /// Declines for a person who declined in the dialog of the asker's own client, under the same condition.
    fn decline_in_dialog<'a>(&'a self, request: RequestRef<'a>, body: DeclineBody) -> ApiFuture<'a, Outcome>;

    /// Starts a script, or finds the one that was started before.
    fn start_script(&self, body: ScriptBody, query: ScriptQuery) -> ApiFuture<'_, Script>;

    /// Returns the state of a script once it has ended, or after this time.
    fn wait_for_script<'a>(&'a self, id: &'a RequestId, at_most: Duration) -> ApiFuture<'a, Script>;

    /// Stops a script.
    fn stop_script<'a>(&'a self, id: &'a RequestId) -> ApiFuture<'a, Script>;

    /// Reports whether the end of a script reaches its asker. Returns whether the report changed anything.
    fn deliver_script<'a>(&'a self, id: &'a RequestId, body: DeliveryBody) -> ApiFuture<'a, bool>;
}

/// The calls of a person.
pub trait PersonApi: HubApi {
    /// Answers a request.
    fn answer<'a>(&'a self, request: RequestRef<'a>, body: AnswerBody) -> ApiFuture<'a, Outcome>;

    /// Declines to answer a request.
    fn decline<'a>(&'a self, request: RequestRef<'a>, body: DeclineBody) -> ApiFuture<'a, Outcome>;

    /// Cancels pending requests that no asker waits for. Returns their number.
    fn dismiss(&self, body: DismissBody) -> ApiFuture<'_, u64>;

    /// Lists pending requests that no asker waits for.
    fn unattended(&self, query: RoomQuery) -> ApiFuture<'_, UnattendedList>;

    /// Reads the audit log, the oldest first.
    fn audit(&self, query: AuditQuery) -> ApiFuture<'_, Page<AuditEvent>>;

    /// Issues a token.
    fn issue_token(&self, body: TokenBody) -> ApiFuture<'_, IssuedToken>;

    /// Lists the valid tokens.
    fn tokens(&self) -> ApiFuture<'_, TokenList>;

    /// Revokes a token, and all tokens that it has issued.
    fn revoke_token(&self, number: u64) -> ApiFuture<'_, ()>;

    /// Makes a link that logs a browser in, once.
    fn login_link(&self, body: LoginLinkBody) -> ApiFuture<'_, LoginLink>;
}

/// A stream of events.
pub trait EventStream: Send {
    /// Returns the next event. Cancel-safe: dropping the future loses no event.
    fn next(&mut self) -> ApiFuture<'_, StreamEvent>;
}
