//! A hook's question on the hub: asked, waited for as long as it makes sense, and taken away when nobody waits any more.

use super::heard;
use super::limits::{AWAY, LATE, LOOK, PAUSE, TAKING_AWAY};
use super::presence::{Patience, Presence};
use crate::client::link::in_room;
use crate::client::record::{HubRecord, outcome};
use crate::client::{Client, ClientError, escaped};
use crate::fault::Kind;
use crate::serve::limits::WAIT_SECONDS;
use crate::signals::Signals;
use askback_core::{Json, Object, Outcome, Request, RequestId};
use askback_hub::{Room, new_id};
use std::time::{Duration, Instant};
use thiserror::Error;
use tokio::signal::unix::SignalKind;
use tokio::time::{sleep, timeout};

/// What people read of a question that its agent asks in its own way.
const INSTEAD: &str = "asked in Claude Code instead";

/// What they read of one whose agent has its answer, or has gone on without one.
const UNHEARD: &str = "Claude Code does not wait for it any more";

/// Why there is no outcome: the agent asks by itself.
#[derive(Debug, Error)]
pub(super) enum Unanswered {
    #[error("{0}")]
    Hub(#[from] ClientError),
    #[error("nobody is there to answer: `askback open` or `askback inbox` shows what is asked")]
    Nobody,
    #[error("nobody answered in time")]
    Late,
    /// Nobody reads what would be printed.
    #[error("Claude Code is gone")]
    Unheard,
    /// The agent ends its hook: whatever is decided now, nobody hears it.
    #[error("the hook was ended")]
    Signal(SignalKind),
}

impl Unanswered {
    /// What people read of the question.
    fn reason(&self) -> &'static str {
        match self {
            Self::Hub(_) | Self::Nobody | Self::Late => INSTEAD,
            Self::Unheard | Self::Signal(_) => UNHEARD,
        }
    }

    /// Whether a decision could still be told to anybody.
    fn is_heard(&self) -> bool {
        self.reason() == INSTEAD
    }
}

/// Who asks, and how long an answer is waited for.
pub(super) struct Waiting {
    pub(super) client: Client,
    /// The room, unless the request or the token names one.
    pub(super) room: Room,
    /// How long, where nobody is there.
    pub(super) nobody: Duration,
}

impl Waiting {
    /// Asks, and waits for the outcome.
    pub(super) async fn ask(&self, request: &Request) -> Result<Outcome, Unanswered> {
        let mut signals = Signals::listen().map_err(ClientError::from)?;
        let id = new_id();
        let unanswered = tokio::select! {
            outcome = self.asked(request, &id) => match outcome {
                Ok(outcome) => return Ok(outcome),
                Err(unanswered) => unanswered,
            },
            () = is_late(request) => Unanswered::Late,
            () = heard::nobody_listens() => Unanswered::Unheard,
            signal = signals.next() => Unanswered::Signal(signal),
        };
        match timeout(TAKING_AWAY, self.take_away(&id, request, unanswered.reason())).await {
            // The answer was faster.
            Ok(Some(outcome)) if unanswered.is_heard() => Ok(outcome),
            // What could not be taken away expires, and says until then that nobody waits for it (L9).
            _ => Err(unanswered),
        }
    }

    async fn asked(&self, request: &Request, id: &RequestId) -> Result<Outcome, Unanswered> {
        let body = self.body(request).await?;
        let path = format!("/requests?id={}", escaped(id.as_str()));
        let (_, json) = self.client.post(&path, &body).await?;
        let record = HubRecord::read(&json)?;
        tokio::select! {
            outcome = self.outcome(&record) => Ok(outcome?),
            () = self.nobody(&record.room) => Err(Unanswered::Nobody),
        }
    }

    /// The request with its room: none where the token has one, and none was named (L8).
    async fn body(&self, request: &Request) -> Result<Json, ClientError> {
        if request.room().is_some() {
            return Ok(request.to_json());
        }
        if !self.client.is_local() && self.client.get("/me").await?.get("room").and_then(Json::as_str).is_some() {
            return Ok(request.to_json());
        }
        Ok(in_room(request, self.room.as_str()))
    }

    async fn outcome(&self, record: &HubRecord) -> Result<Outcome, ClientError> {
        let mut away_since = None;
        loop {
            let begun = Instant::now();
            match self.client.get(&format!("/requests/{}?wait={WAIT_SECONDS}", record.id)).await {
                Ok(json) => {
                    if let Some(outcome) = outcome(&json, &record.request)? {
                        return Ok(outcome);
                    }
                    away_since = None;
                }
                // It comes back with what it has acknowledged.
                Err(error) if error.is_passing() => {
                    if away_since.get_or_insert_with(Instant::now).elapsed() > AWAY {
                        return Err(error);
                    }
                }
                Err(error) => return Err(error),
            }
            // A hub that does not wait is not to be asked without a pause.
            if begun.elapsed() < PAUSE {
                sleep(PAUSE).await;
            }
        }
    }

    /// Completes when nobody has been there for as long as one waits then; never, where somebody is told.
    async fn nobody(&self, room: &str) {
        let mut patience = Patience::new(self.nobody, Instant::now());
        let path = format!("/me?room={}", escaped(room));
        loop {
            let seen = self.client.get(&path).await.map_or(Presence::Nobody, |me| Presence::read(&me));
            match patience.left(seen, Instant::now()) {
                None => return std::future::pending().await,
                Some(left) if left.is_zero() => return,
                Some(left) => sleep(left.min(LOOK)).await,
            }
        }
    }

    /// Takes the question away, so that nobody answers what nobody waits for; the outcome, if there was one before.
    async fn take_away(&self, id: &RequestId, request: &Request, reason: &str) -> Option<Outcome> {
        let body: Json = Object::new().put("reason", reason).into();
        match self.client.post(&format!("/requests/{id}/cancel"), &body).await {
            Err(ClientError::Refused { kind: Kind::AlreadyEnded, problem, .. }) => {
                outcome(problem.get("outcome")?, request).ok().flatten()
            }
            _ => None,
        }
    }
}

/// Completes when the time of a request is over, and the hub, which keeps it (L4), should have said so.
async fn is_late(request: &Request) {
    match request.timeout_s() {
        Some(seconds) => sleep(Duration::from_secs(seconds.into()) + LATE).await,
        None => std::future::pending().await,
    }
}
