//! The API as traits: what an asker and a person can do on a hub, whether it is in this process or behind a connection.
//!
//! Every call is made once, however often it has to be sent: an implementation retries what may be retried.

use crate::answer::{AnswerBody, CancelBody, DeclineBody, DeliveryBody, DismissBody};
use crate::error::ApiError;
use crate::event::{AuditEvent, StreamEvent};
use crate::query::{AskQuery, AuditQuery, ListQuery, RoomQuery, ScriptQuery};
use crate::record::{Asked, Page, Record, RequestRef, UnattendedList};
use crate::script::{Script, ScriptBody};
use crate::token::{IssuedToken, LoginLink, LoginLinkBody, Me, TokenBody, TokenList};
use askback_core::{Outcome, Request, RequestId, Status};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// A call under way.
pub type ApiFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, ApiError>> + Send + 'a>>;

/// What every holder of a token can do.
pub trait HubApi: Send + Sync {
    /// Says whose token this is, and who would notice a request in a room.
    fn me(&self, query: RoomQuery) -> ApiFuture<'_, Me>;

    /// Reads a request with everything that is known of it.
    fn show<'a>(&'a self, id: &'a RequestId) -> ApiFuture<'a, Record>;

    /// Lists requests, the newest first.
    fn list(&self, query: ListQuery) -> ApiFuture<'_, Page<Record>>;

    /// Waits for the outcome: nothing if the request is still pending after this time, and for as long as it takes if there is none.
    fn wait<'a>(&'a self, request: RequestRef<'a>, at_most: Option<Duration>) -> ApiFuture<'a, Option<Outcome>>;

    /// Cancels a request.
    fn cancel<'a>(&'a self, request: RequestRef<'a>, body: CancelBody) -> ApiFuture<'a, Outcome>;

    /// Follows what happens from now on, or after an event.
    fn events(&self, query: RoomQuery, after: Option<u64>) -> ApiFuture<'_, Box<dyn EventStream>>;
}

/// What an asker can do. It can never answer (S1).
pub trait AskerApi: HubApi {
    /// Reaches the hub. Nothing is asked yet.
    fn connect(&self) -> ApiFuture<'_, ()>;

    /// Asks. What comes back is durable.
    fn ask(&self, request: Arc<Request>, query: AskQuery) -> ApiFuture<'_, Asked>;

    /// Lists the requests that this asker made in its room, the newest first.
    fn list_own(&self, status: Option<Status>, limit: usize) -> ApiFuture<'_, Page<Record>>;

    /// Reports whether an outcome reaches its asker; tells whether that was news (S5).
    fn deliver<'a>(&'a self, id: &'a RequestId, body: DeliveryBody) -> ApiFuture<'a, bool>;

    /// Takes an answer that a person gave in the dialog of the asker's own client, where such answers count (S1).
    fn answer_in_dialog<'a>(&'a self, request: RequestRef<'a>, body: AnswerBody) -> ApiFuture<'a, Outcome>;

    /// The same of a person who declined there.
    fn decline_in_dialog<'a>(&'a self, request: RequestRef<'a>, body: DeclineBody) -> ApiFuture<'a, Outcome>;

    /// Starts a script, or finds the one that is meant.
    fn start_script(&self, body: ScriptBody, query: ScriptQuery) -> ApiFuture<'_, Script>;

    /// How far a script has come: as soon as it has ended, and otherwise after this time.
    fn wait_for_script<'a>(&'a self, id: &'a RequestId, at_most: Duration) -> ApiFuture<'a, Script>;

    /// Stops a script.
    fn stop_script<'a>(&'a self, id: &'a RequestId) -> ApiFuture<'a, Script>;

    /// Reports whether the end of a script reaches its asker.
    fn deliver_script<'a>(&'a self, id: &'a RequestId, body: DeliveryBody) -> ApiFuture<'a, bool>;
}

/// What a person can do.
pub trait PersonApi: HubApi {
    /// Answers a request.
    fn answer<'a>(&'a self, request: RequestRef<'a>, body: AnswerBody) -> ApiFuture<'a, Outcome>;

    /// Declines to answer a request.
    fn decline<'a>(&'a self, request: RequestRef<'a>, body: DeclineBody) -> ApiFuture<'a, Outcome>;

    /// Cancels what nobody has waited for; tells how many they were.
    fn dismiss(&self, body: DismissBody) -> ApiFuture<'_, u64>;

    /// Pending requests that nobody waits for.
    fn unattended(&self, query: RoomQuery) -> ApiFuture<'_, UnattendedList>;

    /// Reads the audit log, the oldest first.
    fn audit(&self, query: AuditQuery) -> ApiFuture<'_, Page<AuditEvent>>;

    /// Issues a token.
    fn issue_token(&self, body: TokenBody) -> ApiFuture<'_, IssuedToken>;

    /// Lists the tokens that are valid.
    fn tokens(&self) -> ApiFuture<'_, TokenList>;

    /// Revokes a token, and whatever it has issued.
    fn revoke_token(&self, number: u64) -> ApiFuture<'_, ()>;

    /// Makes a link that logs a browser in, once.
    fn login_link(&self, body: LoginLinkBody) -> ApiFuture<'_, LoginLink>;
}

/// Events as they happen.
pub trait EventStream: Send {
    /// The next event. Dropped in the middle, nothing is lost.
    fn next(&mut self) -> ApiFuture<'_, StreamEvent>;
}
