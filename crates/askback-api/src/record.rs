//! Requests as a hub tells of them.

use crate::schema;
use askback_core::{Json, Limits, Name, Outcome, Request, RequestId, Room, State, Status};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A request with everything the hub knows of it. Cheap to clone.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(into = "RecordBody", try_from = "RecordBody")]
pub struct Record {
    /// The request's id.
    pub id: RequestId,
    /// The room it was asked in.
    pub room: Room,
    /// The name of the token that asked.
    pub asker: Name,
    /// When it was asked.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// Whether its asker waits for the outcome now (L9).
    pub is_waited_for: bool,
    /// When its asker was last seen waiting, if it does not wait now.
    pub last_waited_at: Option<Timestamp>,
    /// What is asked.
    pub request: Arc<Request>,
    /// How it ended.
    pub outcome: Option<Arc<Outcome>>,
}

/// A request's id and what it asks: enough to read an outcome of it.
#[derive(Debug, Clone, Copy)]
pub struct RequestRef<'a> {
    /// The id.
    pub id: &'a RequestId,
    /// What is asked.
    pub request: &'a Request,
}

impl Record {
    /// How far the request has come.
    pub fn status(&self) -> Status {
        self.outcome.as_ref().map_or(Status::Pending, |outcome| outcome.status())
    }

    /// Its id and what it asks.
    pub fn as_ref(&self) -> RequestRef<'_> {
        RequestRef { id: &self.id, request: &self.request }
    }

    /// The asker's name, and what the request claims beside it (S9).
    pub fn asker_and_claim(&self) -> String {
        askback_core::show::asker(self.asker.as_str(), self.request.from())
    }

    /// What the request is about, in a line.
    pub fn title(&self) -> String {
        self.request.summary()
    }
}

/// A request with everything the hub knows of it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Record", deny_unknown_fields)]
pub(crate) struct RecordBody {
    /// The request's id.
    #[schemars(schema_with = "schema::id")]
    id: RequestId,
    /// How far it has come.
    #[schemars(schema_with = "schema::status")]
    status: Status,
    /// The room it was asked in.
    #[schemars(schema_with = "schema::text")]
    room: Room,
    /// The name of the token that asked.
    #[schemars(schema_with = "schema::text")]
    asker: Name,
    /// When it was asked.
    created_at: Timestamp,
    /// When it expires.
    expires_at: Option<Timestamp>,
    /// Whether its asker waits for the outcome now.
    waiting: bool,
    /// When its asker was last seen waiting, if it does not wait now.
    last_waited_at: Option<Timestamp>,
    /// What is asked.
    #[schemars(schema_with = "schema::request")]
    request: Json,
    /// How it ended; null while it is pending.
    #[schemars(schema_with = "schema::outcome_or_null")]
    outcome: Option<Json>,
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
    /// The record of a request that is known already, so that it is not parsed again.
    pub(crate) fn of(self, request: Arc<Request>) -> Result<Record, String> {
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

/// What asking came to: the request on the hub.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The request.
    pub record: Record,
    /// Whether it was there before: by its key, its id, or because the same was asked.
    pub is_known: bool,
}

impl Asked {
    /// Reads the response to a request that was sent, without parsing the request again.
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

impl JsonSchema for Record {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        RecordBody::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        RecordBody::json_schema(generator)
    }
}

/// How far a request has come, as `GET /requests/{id}` tells it: its outcome, or that it is pending.
pub fn state_json(request: RequestRef<'_>, outcome: Option<&Outcome>) -> Json {
    match outcome {
        Some(outcome) => outcome.to_json(request.request),
        None => State::Pending(request.id.clone()).to_json(request.request),
    }
}

/// Reads what [`state_json`] wrote: the outcome, or nothing while the request is pending.
pub fn read_state(bytes: &[u8], request: &Request) -> Result<Option<Outcome>, String> {
    let json: Json = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    read_outcome(&json, request)
}

/// The same of a value that was parsed before.
pub fn read_outcome(json: &Json, request: &Request) -> Result<Option<Outcome>, String> {
    #[derive(Deserialize)]
    struct Head {
        status: Status,
    }
    let head: Head = crate::body::read_json(json).map_err(|problem| problem.to_string())?;
    match head.status {
        Status::Pending => Ok(None),
        Status::Answered | Status::Declined | Status::Cancelled | Status::Expired => {
            Outcome::from_json(json, request).map(Some).map_err(|problems| problems.to_string())
        }
    }
}

/// A pending request that no asker waits for, without what it asks.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Unattended {
    /// The request's id.
    #[schemars(schema_with = "schema::id")]
    pub id: RequestId,
    /// When its asker was last seen waiting.
    pub last_waited_at: Timestamp,
}

/// The pending requests that no asker waits for, the newest first.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct UnattendedList {
    /// The newest of them.
    pub items: Vec<Unattended>,
    /// How many are pending, whether or not somebody waits for them. The most stands for as many or more.
    pub pending: u64,
}
