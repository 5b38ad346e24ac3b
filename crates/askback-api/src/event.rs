//! What happens on a hub: lines of the audit log, and the events of a stream.

use crate::record::Record;
use crate::schema;
use askback_core::{Json, Name, RequestId, Room, Status, Surface};
use jiff::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// What happened to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventName {
    /// It was asked.
    #[serde(rename = "request.created")]
    Created,
    /// It was answered.
    #[serde(rename = "request.answered")]
    Answered,
    /// It was declined.
    #[serde(rename = "request.declined")]
    Declined,
    /// It was cancelled.
    #[serde(rename = "request.cancelled")]
    Cancelled,
    /// Its time ran out.
    #[serde(rename = "request.expired")]
    Expired,
}

impl EventName {
    /// Every event, with the status that the request has then.
    pub const ALL: [(Self, &'static str, Status); 5] = [
        (Self::Created, "request.created", Status::Pending),
        (Self::Answered, "request.answered", Status::Answered),
        (Self::Declined, "request.declined", Status::Declined),
        (Self::Cancelled, "request.cancelled", Status::Cancelled),
        (Self::Expired, "request.expired", Status::Expired),
    ];

    /// The event that gives a request this status.
    pub fn of(status: Status) -> Self {
        match status {
            Status::Pending => Self::Created,
            Status::Answered => Self::Answered,
            Status::Declined => Self::Declined,
            Status::Cancelled => Self::Cancelled,
            Status::Expired => Self::Expired,
        }
    }

    /// Its name in JSON and in a stream.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(event, ..)| *event == self).map_or("", |(_, name, _)| name)
    }

    /// The event of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, other, _)| *other == name).map(|(event, ..)| *event)
    }
}

fn event_names(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"enum": EventName::ALL.map(|(_, name, _)| name)})
}

/// A line of the audit log (L6): what, when, by whom, on which surface, and the request or the outcome itself.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Event", deny_unknown_fields)]
pub struct AuditEvent {
    /// Its number: one more than that of the event before it.
    #[schemars(range(min = 1))]
    pub number: u64,
    /// What happened.
    #[schemars(schema_with = "event_names")]
    pub event: EventName,
    /// When.
    pub at: Timestamp,
    /// The asker, the answerer, or the hub.
    pub by: String,
    /// Where; a request is made on no surface.
    #[schemars(schema_with = "schema::text_or_null")]
    pub surface: Option<Surface>,
    /// The request's id.
    #[schemars(schema_with = "schema::id")]
    pub id: RequestId,
    /// The room it was asked in.
    #[schemars(schema_with = "schema::text")]
    pub room: Room,
    /// The name of the token that asked.
    #[schemars(schema_with = "schema::text")]
    pub asker: Name,
    /// The request, of an event that created it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::request")]
    pub request: Option<Json>,
    /// The outcome, of an event that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::outcome")]
    pub outcome: Option<Json>,
}

/// An event of a stream.
#[derive(Debug, Clone)]
pub struct StreamEvent {
    /// Its number, to come back with.
    pub number: u64,
    /// What happened.
    pub change: Change,
}

/// What an event of a stream tells.
#[derive(Debug, Clone)]
pub enum Change {
    /// A request was made.
    Created(Box<Record>),
    /// A request has ended.
    Ended(Ended),
}

/// The end of a request, as a stream tells it to a reader that need not have the request.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EndedHead {
    /// The request's id.
    pub id: RequestId,
    /// How it ended.
    pub status: Status,
    /// Who ended it.
    pub answered_by: String,
    /// Where.
    pub surface: Surface,
}

/// The end of a request: its head, and the whole outcome for a reader that has the request.
#[derive(Debug, Clone)]
pub struct Ended {
    /// What can be read without the request.
    pub head: EndedHead,
    /// The outcome.
    pub outcome: Json,
}

impl StreamEvent {
    /// Reads the data of an event; nothing if it is none that this version knows.
    pub fn read(number: u64, name: &str, data: &[u8]) -> Option<Self> {
        let change = match EventName::parse(name)? {
            EventName::Created => Change::Created(serde_json::from_slice(data).ok()?),
            EventName::Answered | EventName::Declined | EventName::Cancelled | EventName::Expired => {
                let outcome: Json = serde_json::from_slice(data).ok()?;
                let head = crate::body::read_json(&outcome).ok()?;
                Change::Ended(Ended { head, outcome })
            }
        };
        Some(Self { number, change })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // L3
    #[test]
    fn event_is_read_by_its_name() {
        let ended =
            br#"{"id":"019a8b3c-0000-7000-8000-000000000000","status":"answered","answeredBy":"a","surface":"page"}"#;
        let event = StreamEvent::read(7, "request.answered", ended).unwrap();
        assert!(matches!(event.change, Change::Ended(Ended { ref head, .. }) if head.status == Status::Answered));
        assert!(StreamEvent::read(7, "request.created", ended).is_none());
        assert!(StreamEvent::read(7, "request.other", ended).is_none());
        for (event, name, status) in EventName::ALL {
            assert_eq!((EventName::parse(name), event.name(), EventName::of(status)), (Some(event), name, event));
        }
    }
}
