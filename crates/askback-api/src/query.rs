//! The paths and the query parameters of calls.

use askback_core::{Name, RequestId, Room, Status};
use jiff::Timestamp;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

/// The version of the API. It changes with every incompatible change.
pub const API_VERSION: u32 = 1;

/// The paths of the API. A segment in braces is a parameter.
pub mod path {
    /// Asking, and listing requests.
    pub const REQUESTS: &str = "/api/v1/requests";
    /// Dismissing requests that no asker waits for.
    pub const DISMISS: &str = "/api/v1/requests/dismiss";
    /// Pending requests that no asker waits for.
    pub const UNATTENDED: &str = "/api/v1/requests/unattended";
    /// Waiting for an outcome.
    pub const OUTCOME: &str = "/api/v1/requests/{id}";
    /// A request and its state.
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

    /// A path with its parameter filled in.
    pub fn with(path: &str, value: &(impl ToString + ?Sized)) -> String {
        match (path.split_once('{'), path.split_once('}')) {
            (Some((before, _)), Some((_, after))) => format!("{before}{}{after}", super::escape(&value.to_string())),
            _ => path.to_owned(),
        }
    }
}

/// Percent-encodes a value for a path or a query.
fn escape(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// A path with its query parameters. Parameters without a value and flags that are false are left out.
pub fn with_query(path: &str, query: &impl Serialize) -> String {
    let fields = match serde_json::to_value(query) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let values = fields.into_iter().filter_map(|(name, value)| match value {
        Value::Null | Value::Bool(false) => None,
        Value::String(text) => Some(format!("{name}={}", escape(&text))),
        value => Some(format!("{name}={value}")),
    });
    let query: Vec<String> = values.collect();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{}", query.join("&")) }
}

/// The effect of a request without a key that equals an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AskAgain {
    /// A new request.
    #[default]
    Anew,
    /// The earlier request, while it is pending or its outcome has not been delivered (S5).
    Attach,
    /// The same as `Attach`, for an asker that passes the outcome on and reports its delivery itself.
    AttachAndDeliverLater,
}

/// Parameters of `POST /requests`.
#[derive(Debug, Clone, Default)]
pub struct AskQuery {
    /// The id of the request; the hub chooses one unless given.
    pub id: Option<RequestId>,
    /// The time of the first attempt to ask, if the request arrives late.
    pub asked_at: Option<Timestamp>,
    /// The effect if it equals an earlier request.
    pub again: AskAgain,
}

impl Serialize for AskQuery {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (attach, later) = (self.again != AskAgain::Anew, self.again == AskAgain::AttachAndDeliverLater);
        json!({"id": self.id, "askedAt": self.asked_at, "attach": attach, "deliverLater": later}).serialize(serializer)
    }
}

/// Parameters of `GET /requests`.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ListQuery {
    /// Only requests with this status.
    pub status: Option<Status>,
    /// Only requests of this room.
    pub room: Option<Room>,
    /// Only requests of this asker.
    pub asker: Option<Name>,
    /// The start of the page: `next` of the page before it.
    pub cursor: Option<String>,
    /// The maximum number of items on the page.
    pub limit: Option<usize>,
}

/// Parameters of `GET /audit`.
#[derive(Debug, Clone, Default, Serialize)]
pub struct AuditQuery {
    /// Only events of this room.
    pub room: Option<Room>,
    /// Only events caused by this person, agent or hub.
    pub by: Option<Name>,
    /// Only changes to this status.
    pub status: Option<Status>,
    /// Only events of this request.
    pub id: Option<RequestId>,
    /// Only events at this time or later.
    pub from: Option<Timestamp>,
    /// Only events before this time.
    pub until: Option<Timestamp>,
    /// Only events after the one with this number.
    pub after: Option<u64>,
    /// The start of the page; takes precedence over `after`.
    pub cursor: Option<String>,
    /// The maximum number of items on the page.
    pub limit: Option<usize>,
}

/// Parameters of a call that may name a room.
#[derive(Debug, Clone, Default, Serialize)]
pub struct RoomQuery {
    /// Only this room.
    pub room: Option<Room>,
}

/// Parameters of `POST /scripts`.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ScriptQuery {
    /// The id of the script; the hub chooses one unless given.
    pub id: Option<RequestId>,
    /// Whether to attach to a running script with the same code, or to one whose end was not delivered (S5).
    pub attach: bool,
}

/// Parameters of a call that waits.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct WaitQuery {
    /// The seconds to wait, at most.
    pub wait: u64,
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
        assert_eq!(with_query("/x", &query), "/x?room=a%26b&limit=5");
        assert_eq!(with_query("/x", &ListQuery::default()), "/x");
        let again = AskQuery { again: AskAgain::AttachAndDeliverLater, ..AskQuery::default() };
        assert_eq!(with_query("/x", &again), "/x?attach=true&deliverLater=true");
    }
}
