//! Requests and their state, as a hub returns them.

use crate::schema;
use askback_core::{Json, Limits, Name, Outcome, OutcomeJson, Request, RequestId, Room, State, Status};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A request and its state on the hub.
// Cheap to clone.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(into = "RecordBody", try_from = "RecordBody")]
pub struct Record {
    /// The request's id.
    pub id: RequestId,
    /// The room it was asked in.
    pub room: Room,
    /// The name of the asker's token.
    pub asker: Name,
    /// The time at which it was asked.
    pub created_at: Timestamp,
    /// Its deadline.
    pub expires_at: Option<Timestamp>,
    /// Whether its asker is waiting for the outcome (L9).
    pub is_waited_for: bool,
    /// The time at which its asker was last seen waiting, if it is not waiting now.
    pub last_waited_at: Option<Timestamp>,
    /// The request itself.
    pub request: Arc<Request>,
    /// The outcome, once the request has ended.
    pub outcome: Option<Arc<Outcome>>,
}

/// A request's id and content: enough to read its outcome.
#[derive(Debug, Clone, Copy)]
pub struct RequestRef<'a> {
    /// The id.
    pub id: &'a RequestId,
    /// The request itself.
    pub request: &'a Request,
}

impl Record {
    /// The status of the request.
    pub fn status(&self) -> Status {
        self.outcome.as_ref().map_or(Status::Pending, |outcome| outcome.status())
    }

    /// Its id and content.
    pub fn as_ref(&self) -> RequestRef<'_> {
        RequestRef { id: &self.id, request: &self.request }
    }

    /// The asker's name, and the request's claim beside it (S9).
    pub fn asker_and_claim(&self) -> String {
        askback_core::show::asker(self.asker.as_str(), self.request.from())
    }

    /// A summary of the request on one line.
    pub fn title(&self) -> String {
        self.request.summary()
    }
}

/// A record as JSON has it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
struct RecordBody {
    /// The request's id.
    #[schemars(schema_with = "schema::id")]
    id: RequestId,
    /// Its status.
    #[schemars(schema_with = "schema::status")]
    status: Status,
    /// The room it was asked in.
    #[schemars(schema_with = "schema::text")]
    room: Room,
    /// The name of the asker's token.
    #[schemars(schema_with = "schema::text")]
    asker: Name,
    /// The time at which it was asked.
    created_at: Timestamp,
    /// Its deadline.
    expires_at: Option<Timestamp>,
    /// Whether its asker is waiting for the outcome.
    waiting: bool,
    /// The time at which its asker was last seen waiting, if it is not waiting now.
    last_waited_at: Option<Timestamp>,
    /// The request itself.
    #[schemars(schema_with = "schema::request")]
    request: Json,
    /// The outcome; null while the request is pending.
    #[schemars(schema_with = "schema::outcome_or_null")]
    outcome: Option<OutcomeJson>,
}

impl From<Record> for RecordBody {
    fn from(record: Record) -> Self {
        Self {
            status: record.status(),
            request: record.request.to_json(),
            outcome: record.outcome.as_ref().map(|outcome| outcome.to_json(&record.request)),
            id: record.id,
            room: record.room,
            asker: record.asker,
            created_at: record.created_at,
            expires_at: record.expires_at,
            waiting: record.is_waited_for,
            last_waited_at: record.last_waited_at,
        }
    }
}

impl TryFrom<RecordBody> for Record {
    type Error = String;

    fn try_from(body: RecordBody) -> Result<Self, String> {
        let request = Request::from_json(&body.request, &Limits::STORED).map_err(|problems| problems.to_string())?;
        body.of(Arc::new(request))
    }
}

impl RecordBody {
    /// The record of a request that was parsed before.
    fn of(self, request: Arc<Request>) -> Result<Record, String> {
        let outcome = self.outcome.map(|outcome| Outcome::from_json(&outcome, &request)).transpose();
        let outcome = outcome.map_err(|problems| problems.to_string())?;
        Ok(Record {
            id: self.id,
            room: self.room,
            asker: self.asker,
            created_at: self.created_at,
            expires_at: self.expires_at,
            is_waited_for: self.waiting,
            last_waited_at: self.last_waited_at,
            request,
            outcome: outcome.map(Arc::new),
        })
    }
}

/// The result of asking: the request on the hub.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The request.
    pub record: Record,
    /// Whether the hub had it before: with the same key, id or content.
    pub is_known: bool,
}

impl Asked {
    /// Reads the response to a request, without parsing the request again.
    pub fn read(bytes: &[u8], sent: Arc<Request>, is_known: bool) -> Result<Self, String> {
        let body: RecordBody = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        Ok(Self { record: body.of(sent)?, is_known })
    }
}

/// One page of a list.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "{T}Page")]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    /// The cursor of the next page; null if there is none.
    pub next: Option<String>,
}

/// The body of `GET /requests/{id}`: the outcome, or the status pending.
pub fn state_json(request: RequestRef<'_>, outcome: Option<&Outcome>) -> OutcomeJson {
    match outcome {
        Some(outcome) => outcome.to_json(request.request),
        None => State::Pending(request.id.clone()).to_json(request.request),
    }
}

/// Reads the body of `GET /requests/{id}`: the outcome, or `None` while the request is pending.
pub fn read_state(bytes: &[u8], request: &Request) -> Result<Option<Outcome>, String> {
    /// The part that tells whether the request has ended.
    #[derive(Deserialize)]
    struct Head {
        status: Status,
    }
    let head: Head = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    match head.status {
        Status::Pending => Ok(None),
        Status::Answered | Status::Declined | Status::Cancelled | Status::Expired => {
            Outcome::parse(bytes, request).map(Some).map_err(|problems| problems.to_string())
        }
    }
}

/// A pending request that no asker waits for, without its content.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Unattended {
    /// The request's id.
    #[schemars(schema_with = "schema::id")]
    pub id: RequestId,
    /// The time at which its asker was last seen waiting.
    pub last_waited_at: Timestamp,
}

/// The pending requests that no asker waits for, the newest first.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct UnattendedList {
    /// The newest ones, up to a limit.
    pub items: Vec<Unattended>,
    /// The number of pending requests, with or without a waiting asker. The maximum stands for that many or more.
    pub pending: u64,
}
