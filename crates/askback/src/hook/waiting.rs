//! A hook's question on the hub: asked, waited for as long as it makes sense, and taken away when nobody waits any more.

use super::heard;
use super::limits::{LATE, LOOK, TAKING_AWAY};
use super::presence::{Patience, Presence};
use crate::ask::on_hub::{cancel_as_asker, time_is_up};
use crate::hub_args::unavailable;
use crate::signals::Signals;
use askback_api::{ApiError, AskQuery, AskerApi, CancelBody, HubApi, RequestRef, RoomQuery};
use askback_client::{Client, new_id};
use askback_core::{Outcome, Request, RequestId, Room};
use std::sync::Arc;
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
    Hub(#[from] ApiError),
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
    /// How long, where nobody is there.
    pub(super) nobody: Duration,
}

impl Waiting {
    pub(super) async fn ask(&self, request: &Request) -> Result<Outcome, Unanswered> {
        let mut signals = Signals::listen().map_err(unavailable)?;
        let id = new_id();
        let unanswered = tokio::select! {
            outcome = self.asked(request, &id) => match outcome {
                Ok(outcome) => return Ok(outcome),
                Err(unanswered) => unanswered,
            },
            () = time_is_up(request, LATE) => Unanswered::Late,
            () = heard::nobody_listens() => Unanswered::Unheard,
            signal = signals.next() => Unanswered::Signal(signal),
        };
        // The question is taken away: an answer to it would have no reader.
        let body = CancelBody { reason: Some(unanswered.reason().to_owned()), ..CancelBody::default() };
        match timeout(TAKING_AWAY, cancel_as_asker(&self.client, RequestRef { id: &id, request }, body)).await {
            // The answer was faster.
            Ok(Some(outcome)) if unanswered.is_heard() => Ok(outcome),
            // What could not be taken away expires, and says until then that nobody waits for it (L9).
            _ => Err(unanswered),
        }
    }

    async fn asked(&self, request: &Request, id: &RequestId) -> Result<Outcome, Unanswered> {
        let query = AskQuery { id: Some(id.clone()), ..AskQuery::default() };
        let record = self.client.ask(Arc::new(request.clone()), query).await?.record;
        if let Some(outcome) = &record.outcome {
            return Ok(Outcome::clone(outcome));
        }
        tokio::select! {
            // Without a time of its own it ends with an outcome or an error.
            outcome = self.client.wait(record.as_ref(), None) => outcome?.ok_or(Unanswered::Late),
            () = self.nobody(&record.room) => Err(Unanswered::Nobody),
        }
    }

    /// Completes when nobody has been there for as long as one waits then; never, where somebody is told.
    async fn nobody(&self, room: &Room) {
        let mut patience = Patience::new(self.nobody, Instant::now());
        loop {
            let me = self.client.me(RoomQuery { room: Some(room.clone()) }).await;
            let seen = me.map_or(Presence::Nobody, |me| Presence::of(&me));
            match patience.left(seen, Instant::now()) {
                None => return std::future::pending().await,
                Some(left) if left.is_zero() => return,
                Some(left) => sleep(left.min(LOOK)).await,
            }
        }
    }
}
