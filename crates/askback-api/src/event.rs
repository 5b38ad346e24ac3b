//! The events of a hub: lines of the audit log, and the event stream.

use crate::record::Record;
use crate::schema;
use askback_core::{Json, Name, OutcomeJson, RequestId, Room, Status, Surface};
use jiff::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The type of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventName {
    /// The request was made.
    #[serde(rename = "request.created")]
    Created,
    /// The request was answered.
    #[serde(rename = "request.answered")]
    Answered,
    /// The request was declined.
    #[serde(rename = "request.declined")]
    Declined,
    /// The request was cancelled.
    #[serde(rename = "request.cancelled")]
    Cancelled,
    /// The request expired.
    #[serde(rename = "request.expired")]
    Expired,
}

impl EventName {
    /// Every event with its name and the status that it gives the request.
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

    /// The name in JSON and in a stream.
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

/// A line of the audit log (L6): the event, its time, actor and surface, and the request or the outcome itself.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Event", deny_unknown_fields)]
pub struct AuditEvent {
    /// The event's number: one more than that of the event before it.
    #[schemars(range(min = 1))]
    pub number: u64,
    /// The type of the event.
    #[schemars(schema_with = "event_names")]
    pub event: EventName,
    /// The time of the event.
    pub at: Timestamp,
    /// The actor: the asker, the answerer, or the hub.
    pub by: String,
    /// The surface; null for a new request, which has none.
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
    /// The request, if the event created it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::request")]
    pub request: Option<Json>,
    /// The outcome, if the event ended the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::outcome")]
    pub outcome: Option<Value>,
}

/// An event of a stream.
#[derive(Debug, Clone)]
pub struct StreamEvent {
    /// The event's number, with which a client resumes the stream.
    pub number: u64,
    /// The change of the request.
    pub change: Change,
}

/// The change that an event reports.
#[derive(Debug, Clone)]
pub enum Change {
    /// A request was made.
    Created(Box<Record>),
    /// A request has ended.
    Ended(Ended),
}

/// The part of an outcome that can be read without the request.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EndedHead {
    /// The request's id.
    pub id: RequestId,
    /// The final status.
    pub status: Status,
    /// The name of the actor that ended it.
    pub answered_by: String,
    /// The surface on which it was ended.
    pub surface: Surface,
}

/// The end of a request.
#[derive(Debug, Clone)]
pub struct Ended {
    /// The part that can be read without the request.
    pub head: EndedHead,
    /// The whole outcome, for a reader that has the request. `None` if this version cannot read it.
    pub outcome: Option<Box<OutcomeJson>>,
}

impl StreamEvent {
    /// Reads the data of an event. Returns `None` for an event that this version does not know.
    pub fn read(number: u64, name: &str, data: &[u8]) -> Option<Self> {
        let change = match EventName::parse(name)? {
            EventName::Created => Change::Created(serde_json::from_slice(data).ok()?),
            EventName::Answered | EventName::Declined | EventName::Cancelled | EventName::Expired => {
                let head = serde_json::from_slice(data).ok()?;
                Change::Ended(Ended { head, outcome: serde_json::from_slice(data).ok() })
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
