//! What a call carries in its address: paths, and what stands behind the question mark.

use askback_core::{Name, RequestId, Room, Status};
use jiff::Timestamp;

/// The number of the API, which changes when a client of the old one would not understand the new one.
pub const API_VERSION: u32 = 1;

/// The paths of the API. A part in braces stands for a value.
pub mod path {
    /// Asking, and listing requests.
    pub const REQUESTS: &str = "/api/v1/requests";
    /// Dismissing requests that nobody waits for.
    pub const DISMISS: &str = "/api/v1/requests/dismiss";
    /// Pending requests that nobody waits for.
    pub const UNATTENDED: &str = "/api/v1/requests/unattended";
    /// Waiting for an outcome.
    pub const OUTCOME: &str = "/api/v1/requests/{id}";
    /// A request with everything that is known of it.
    pub const REQUEST: &str = "/api/v1/requests/{id}/request";
    /// Answering.
    pub const ANSWER: &str = "/api/v1/requests/{id}/answer";
    /// Declining.
    pub const DECLINE: &str = "/api/v1/requests/{id}/decline";
    /// Cancelling.
    pub const CANCEL: &str = "/api/v1/requests/{id}/cancel";
    /// Reporting the delivery of an outcome.
    pub const DELIVERY: &str = "/api/v1/requests/{id}/delivery";
    /// Starting a script.
    pub const SCRIPTS: &str = "/api/v1/scripts";
    /// Waiting for a script.
    pub const SCRIPT: &str = "/api/v1/scripts/{id}";
    /// Stopping a script.
    pub const STOP_SCRIPT: &str = "/api/v1/scripts/{id}/stop";
    /// Reporting the delivery of a script's end.
    pub const SCRIPT_DELIVERY: &str = "/api/v1/scripts/{id}/delivery";
    /// The stream of events.
    pub const EVENTS: &str = "/api/v1/events";
    /// The audit log.
    pub const AUDIT: &str = "/api/v1/audit";
    /// The caller's own token.
    pub const ME: &str = "/api/v1/me";
    /// Issuing and listing tokens.
    pub const TOKENS: &str = "/api/v1/tokens";
    /// Revoking a token.
    pub const TOKEN: &str = "/api/v1/tokens/{number}";
    /// Making a login link.
    pub const LOGIN_LINKS: &str = "/api/v1/login-links";
    /// Redeeming a login link.
    pub const SESSIONS: &str = "/api/v1/sessions";
    /// Ending a browser's session.
    pub const LOGOUT: &str = "/api/v1/logout";
    /// The description of the API.
    pub const OPENAPI: &str = "/api/v1/openapi.json";

    /// A path with a value in the place of its braces.
    pub fn with(path: &str, value: &(impl ToString + ?Sized)) -> String {
        match (path.split_once('{'), path.split_once('}')) {
            (Some((before, _)), Some((_, after))) => format!("{before}{}{after}", super::escape(&value.to_string())),
            _ => path.to_owned(),
        }
    }
}

/// Escapes a value for a path or a query.
pub fn escape(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// Parameters of a call, written one after the other.
#[derive(Debug, Default)]
struct Written(String);

impl Written {
    fn put(mut self, name: &str, value: Option<impl ToString>) -> Self {
        if let Some(value) = value {
            self.0.push(if self.0.is_empty() { '?' } else { '&' });
            self.0.push_str(&format!("{name}={}", escape(&value.to_string())));
        }
        self
    }

    fn flag(self, name: &str, is_set: bool) -> Self {
        self.put(name, is_set.then_some(true))
    }
}

/// What asking the same again means, where the request has no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AskAgain {
    /// Another request.
    #[default]
    Anew,
    /// The same request, while it is pending or its outcome has not been delivered (S5).
    Attach,
    /// The same, for an asker that hands the outcome on and reports its delivery itself.
    AttachAndDeliverLater,
}

/// Parameters of `POST /requests`.
#[derive(Debug, Clone, Default)]
pub struct AskQuery {
    /// The id that the request is to have.
    pub id: Option<RequestId>,
    /// When it was asked first, where it took a while to get here.
    pub asked_at: Option<Timestamp>,
    /// What asking the same again means.
    pub again: AskAgain,
}

impl AskQuery {
    /// As it stands in an address.
    pub fn to_query(&self) -> String {
        Written::default()
            .put("id", self.id.as_ref())
            .put("askedAt", self.asked_at)
            .flag("attach", self.again != AskAgain::Anew)
            .flag("deliverLater", self.again == AskAgain::AttachAndDeliverLater)
            .0
    }
}

/// Parameters of `GET /requests`.
#[derive(Debug, Clone, Default)]
pub struct ListQuery {
    /// Only requests that have come this far.
    pub status: Option<Status>,
    /// Only what is asked in this room.
    pub room: Option<Room>,
    /// Only what this asker asked.
    pub asker: Option<Name>,
    /// Where the page begins: `next` of the page before it.
    pub cursor: Option<String>,
    /// The most that is on the page.
    pub limit: Option<usize>,
}

impl ListQuery {
    /// As it stands in an address.
    pub fn to_query(&self) -> String {
        Written::default()
            .put("status", self.status.map(Status::name))
            .put("room", self.room.as_ref())
            .put("asker", self.asker.as_ref())
            .put("cursor", self.cursor.as_ref())
            .put("limit", self.limit)
            .0
    }
}

/// Parameters of `GET /audit`.
#[derive(Debug, Clone, Default)]
pub struct AuditQuery {
    /// Only what happened in this room.
    pub room: Option<Room>,
    /// Only what this person, agent or hub did.
    pub by: Option<Name>,
    /// Only changes to this status.
    pub status: Option<Status>,
    /// Only of this request.
    pub id: Option<RequestId>,
    /// Only what happened then or later.
    pub from: Option<Timestamp>,
    /// Only what happened before.
    pub until: Option<Timestamp>,
    /// Only what comes after the event of this number.
    pub after: Option<u64>,
    /// Where the page begins; counts before `after`.
    pub cursor: Option<String>,
    /// The most that is on the page.
    pub limit: Option<usize>,
}

impl AuditQuery {
    /// As it stands in an address.
    pub fn to_query(&self) -> String {
        Written::default()
            .put("room", self.room.as_ref())
            .put("by", self.by.as_ref())
            .put("status", self.status.map(Status::name))
            .put("id", self.id.as_ref())
            .put("from", self.from)
            .put("until", self.until)
            .put("after", self.after)
            .put("cursor", self.cursor.as_ref())
            .put("limit", self.limit)
            .0
    }
}

/// Parameters of a call that may name a room, and of one that may start after an event.
#[derive(Debug, Clone, Default)]
pub struct RoomQuery {
    /// Only what is asked in this room.
    pub room: Option<Room>,
}

impl RoomQuery {
    /// As it stands in an address.
    pub fn to_query(&self) -> String {
        Written::default().put("room", self.room.as_ref()).0
    }
}

/// Parameters of `POST /scripts`.
#[derive(Debug, Clone, Default)]
pub struct ScriptQuery {
    /// The id that the script is to have.
    pub id: Option<RequestId>,
    /// Whether the same code that was started before is meant, if nobody has heard how it ended (S5).
    pub attach: bool,
}

impl ScriptQuery {
    /// As it stands in an address.
    pub fn to_query(&self) -> String {
        Written::default().put("id", self.id.as_ref()).flag("attach", self.attach).0
    }
}

/// The parameter that makes a call wait, in seconds.
pub fn wait_query(seconds: u64) -> String {
    Written::default().put("wait", Some(seconds)).0
}

#[cfg(test)]
mod tests {
    use super::*;

    // L3
    #[test]
    fn values_are_escaped_where_they_stand() {
        assert_eq!(path::with(path::ANSWER, "a/b c"), "/api/v1/requests/a%2Fb%20c/answer");
        assert_eq!(path::with(path::REQUESTS, "x"), path::REQUESTS);
        let query = ListQuery { room: Room::parse("a&b").ok(), limit: Some(5), ..ListQuery::default() };
        assert_eq!(query.to_query(), "?room=a%26b&limit=5");
        assert_eq!(ListQuery::default().to_query(), "");
        let again = AskQuery { again: AskAgain::AttachAndDeliverLater, ..AskQuery::default() };
        assert_eq!(again.to_query(), "?attach=true&deliverLater=true");
    }
}
