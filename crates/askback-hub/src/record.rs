//! Requests as the hub keeps them, and what happens to them, in order.

use crate::room::Room;
use askback_core::{Name, Outcome, Request, RequestId, State, Status, Surface};
use jiff::Timestamp;
use std::sync::Arc;

/// A request with everything the hub knows of it. Cheap to clone.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The number of the event that created it, which is its place in the inbox.
    pub number: u64,
    /// Its id.
    pub id: RequestId,
    /// Where it lives.
    pub room: Room,
    /// Who asks.
    pub asker: Name,
    /// What is asked.
    pub request: Arc<Request>,
    /// When it was asked.
    pub created_at: Timestamp,
    /// When it expires.
    pub deadline: Option<Timestamp>,
    /// When its asker was last seen waiting for it (L9), as far as that has been written down.
    pub waited_at: Timestamp,
    /// How it ended.
    pub outcome: Option<Arc<Outcome>>,
    /// The bytes it takes as JSON.
    pub size: usize,
}

impl Record {
    /// How far it has come.
    pub fn status(&self) -> Status {
        self.outcome.as_ref().map_or(Status::Pending, |outcome| outcome.resolution().status())
    }

    /// The same, with the outcome.
    pub fn state(&self) -> State {
        match &self.outcome {
            Some(outcome) => State::Final(Outcome::clone(outcome)),
            None => State::Pending(self.id.clone()),
        }
    }
}

/// One change, numbered in the order in which changes became durable.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its number: one more than that of the event before it.
    pub number: u64,
    /// What the request came to.
    pub status: Status,
    /// The request as it was then; that its asker was seen later is no event, and not told here.
    pub record: Arc<Record>,
}

impl Event {
    /// The event that created a request.
    pub fn created(record: Arc<Record>) -> Self {
        Self { number: record.number, status: Status::Pending, record }
    }

    /// The event that ended a request, with an outcome of so many bytes.
    pub fn ended(number: u64, record: &Record, outcome: &Arc<Outcome>, bytes: usize) -> Self {
        let record = Record {
            waited_at: record.created_at,
            outcome: Some(Arc::clone(outcome)),
            size: record.size + bytes,
            ..record.clone()
        };
        Self::read(number, record)
    }

    /// An event as a store has it.
    pub fn read(number: u64, record: Record) -> Self {
        Self { number, status: record.status(), record: Arc::new(record) }
    }

    /// What happened: `request.created`, `request.answered`, …
    pub fn name(&self) -> &'static str {
        match self.status {
            Status::Pending => "request.created",
            Status::Answered => "request.answered",
            Status::Declined => "request.declined",
            Status::Cancelled => "request.cancelled",
            Status::Expired => "request.expired",
        }
    }

    /// When.
    pub fn at(&self) -> Timestamp {
        self.record.outcome.as_ref().map_or(self.record.created_at, |outcome| outcome.at())
    }

    /// Who did it: the asker, the answerer, or the hub.
    pub fn by(&self) -> &str {
        self.record.outcome.as_ref().map_or(self.record.asker.as_str(), |outcome| outcome.by())
    }

    /// Where; a request is made on no surface.
    pub fn surface(&self) -> Option<Surface> {
        self.record.outcome.as_ref().map(|outcome| outcome.surface())
    }
}
