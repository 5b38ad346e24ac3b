//! The race between a surface here and the same request on the hub.
//!
//! The prompt is painted first, and the hub is reached meanwhile. Until the request has been sent there, the person here
//! decides alone. From then on the hub decides, and an answer given here is a proposal until the hub has accepted it. If the
//! hub never acknowledged the request itself, the person here decides after all, and the request is cancelled when the hub
//! can be reached again.

use crate::limits::RACE_PATIENCE;
use askback_api::{AskQuery, AskerApi, PersonApi};
use askback_core::{
    BoxFuture, Name, Outcome, PromptEnd, Reason, Refusal, Request, RequestId, Resolution, Status, Surface,
};
use jiff::Timestamp;
use std::sync::Arc;
use thiserror::Error;
use tokio::sync::oneshot;
use tokio::time::timeout;

mod call_error;
mod leftover;
mod remote_request;
#[cfg(test)]
mod tests;

pub use call_error::CallError;
pub use leftover::Leftover;
pub use remote_request::HubReplies;
use remote_request::{Phase, RemoteRequest, WhenFull};

/// A prompt on a surface here. Dropping it removes the prompt.
pub type Prompting<'a> = BoxFuture<'a, PromptResult>;

/// A surface on which the person here sees the request.
pub trait LocalSurface: Send + Sync {
    /// Shows the request until the person decides, or until it is withdrawn, which must not take long. The surface keeps the
    /// request's timeout where no hub does.
    fn prompt<'a>(&'a self, request: &'a Request, taken_away: TakenAway) -> Prompting<'a>;
}

/// The result of a prompt.
pub type PromptResult = Result<PromptEnd, SurfaceError>;

/// The reason why a prompt ended without the person. None of these is an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SurfaceError {
    /// The surface was lost, perhaps with the person (SIGHUP).
    Lost(String),
    /// There is no surface here.
    Missing(String),
}

/// The signal that withdraws a prompt.
#[derive(Debug)]
pub struct TakenAway(oneshot::Receiver<String>);

impl TakenAway {
    /// Waits for the signal, and returns its reason: "answered by reviewer (page)". That is untrusted text, to be made safe
    /// before it is painted.
    pub async fn notice(self) -> String {
        match self.0.await {
            Ok(notice) => notice,
            Err(_) => std::future::pending().await,
        }
    }
}

/// The result of a race.
#[derive(Debug)]
pub enum Raced {
    /// The request has an outcome.
    Ended {
        /// The outcome that counts.
        outcome: Outcome,
        /// The decision of the person here, if it came too late.
        late: Option<Resolution>,
        /// The request that may be left on the hub, to be cancelled.
        leftover: Option<Box<Leftover>>,
        /// Why the hub took no part, where the outcome was decided here.
        apart: Option<String>,
    },
    /// The surface here was lost, and the request is pending on the hub.
    Detached(RequestId),
}

impl Raced {
    fn with(outcome: Outcome) -> Self {
        Self::Ended { outcome, late: None, leftover: None, apart: None }
    }
}

/// The reason why a race has no outcome. None of these is an answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RaceError {
    /// There is neither a surface here nor a hub.
    #[error("nobody can be asked: {0}")]
    Nobody(String),
    /// An outcome can't have this signature.
    #[error("the surface here: {0}")]
    Signature(Refusal),
    /// The person here decided, but the hub, which has the request, did not accept it in time.
    #[error("the hub did not say whether the answer counts ({why}); look at the request {} there", id.as_str())]
    Unsettled {
        /// The request.
        id: RequestId,
        /// The last error.
        why: String,
    },
}

/// The request of a race.
#[derive(Debug)]
struct RaceRequest {
    request: Arc<Request>,
    /// The id under which it is asked. By its key the hub may have it under another one.
    id: RequestId,
    /// When it was asked first: its timeout counts from here.
    asked_at: Timestamp,
}

impl RaceRequest {
    /// The parameters under which it is asked, however often that is.
    fn query(&self) -> AskQuery {
        AskQuery { id: Some(self.id.clone()), asked_at: Some(self.asked_at), ..AskQuery::default() }
    }
}

/// The person who answers at the prompt here.
#[derive(Debug, Clone)]
pub struct Signer {
    /// Their name.
    pub by: Name,
    /// Their surface.
    pub surface: Surface,
}

/// The participants of a race over one request.
pub struct Race<'a> {
    /// The asker, on the hub.
    pub asker: &'a dyn AskerApi,
    /// The person who answers here, on the hub.
    pub person: &'a dyn PersonApi,
    /// The surface here.
    pub surface: &'a dyn LocalSurface,
    /// The time, for outcomes that are decided here.
    pub clock: &'a (dyn Fn() -> Timestamp + Sync),
    /// The person who answers here.
    pub signer: Signer,
    /// The hub's replies, empty at first.
    pub replies: HubReplies,
}

impl Race<'_> {
    /// Asks here and on the hub until one outcome counts. A race that is dropped leaves the request as it is.
    pub async fn run(&self, request: Arc<Request>, id: RequestId) -> Result<Raced, RaceError> {
        // A person whose answer could not be signed is not asked.
        self.sign(&id, Resolution::declined(None))?;
        let ask = RaceRequest { request: Arc::clone(&request), id, asked_at: (self.clock)() };
        let (withdraw, withdrawn) = oneshot::channel();
        let mut prompt = self.surface.prompt(&request, TakenAway(withdrawn));
        let mut remote = RemoteRequest::new(self, ask);
        let local = tokio::select! {
            // Paint first.
            biased;
            local = &mut prompt => local,
            outcome = remote.outcome() => {
                // The person may decide at the same time, and learns that it came too late.
                let _ = withdraw.send(notice(&outcome));
                let late = match timeout(RACE_PATIENCE, &mut prompt).await {
                    Ok(Ok(PromptEnd::Decided(resolution))) => Some(resolution),
                    _ => None,
                };
                return Ok(Raced::Ended { outcome, late, leftover: None, apart: None });
            }
        };
        drop(prompt);
        match local {
            Ok(PromptEnd::Decided(resolution)) if remote.phase() == Phase::NotSent => {
                self.decide_alone(&remote, resolution)
            }
            Ok(PromptEnd::Interrupted) if remote.phase() == Phase::NotSent => {
                self.decide_alone(&remote, Resolution::cancelled(None))
            }
            // The hub's clock counts once it has the request, and has the same deadline.
            Ok(PromptEnd::Decided(resolution)) if resolution.status() == Status::Expired => {
                self.expire(remote, resolution).await
            }
            Ok(PromptEnd::Decided(resolution)) => self.decide(remote, resolution).await,
            Ok(PromptEnd::Interrupted) => self.interrupt(remote).await,
            Err(SurfaceError::Lost(why)) => match timeout(RACE_PATIENCE, remote.acknowledged(WhenFull::Fail)).await {
                Ok(Ok(_)) => Ok(Raced::Detached(remote.id())),
                // The hub may have the request, and a person may answer it there.
                _ if remote.phase() == Phase::Sent => Err(RaceError::Unsettled { id: remote.id(), why }),
                Ok(Err(hub)) => Err(RaceError::Nobody(format!("{why}, and {hub}"))),
                Err(_) => Err(RaceError::Nobody(format!("{why}, and the hub does not answer"))),
            },
            Err(SurfaceError::Missing(why)) => match remote.outcome_or_refusal(WhenFull::Fail).await {
                Ok(outcome) => Ok(Raced::with(outcome)),
                Err(hub) => Err(RaceError::Nobody(format!("{why}, and {hub}"))),
            },
            // Only the hub's outcome withdraws the prompt.
            Ok(PromptEnd::Withdrawn) => {
                remote.outcome_or_refusal(WhenFull::Retry).await.map(Raced::with).map_err(RaceError::Nobody)
            }
        }
    }

    /// Proposes the person's decision.
    async fn decide(&self, mut remote: RemoteRequest<'_>, resolution: Resolution) -> Result<Raced, RaceError> {
        let Ok(Ok(record)) = timeout(RACE_PATIENCE, remote.acknowledged(WhenFull::Retry)).await else {
            return self.decide_leaving(remote, resolution);
        };
        let (outcome, is_late) = remote.propose(&record, &resolution).await?;
        Ok(Raced::Ended { outcome, late: is_late.then_some(resolution), leftover: None, apart: None })
    }

    /// Waits for the hub's own outcome, after the time ran out on the surface's clock.
    async fn expire(&self, mut remote: RemoteRequest<'_>, resolution: Resolution) -> Result<Raced, RaceError> {
        match timeout(RACE_PATIENCE, remote.outcome_or_refusal(WhenFull::Retry)).await {
            Ok(Ok(outcome)) => Ok(Raced::with(outcome)),
            _ if remote.phase() == Phase::Acknowledged => {
                Err(RaceError::Unsettled { id: remote.id(), why: "its time is up here".to_owned() })
            }
            _ => self.decide_leaving(remote, resolution),
        }
    }

    /// Cancels the request of this race, and no other, after the person has ended the program that asks.
    async fn interrupt(&self, mut remote: RemoteRequest<'_>) -> Result<Raced, RaceError> {
        let cancelled = Resolution::cancelled(None);
        let Ok(Ok(record)) = timeout(RACE_PATIENCE, remote.acknowledged(WhenFull::Retry)).await else {
            return self.decide_leaving(remote, cancelled);
        };
        if let Some(outcome) = &record.outcome {
            return Ok(Raced::with(Outcome::clone(outcome)));
        }
        // Under another id it is an earlier request with the same key.
        if record.id != remote.ask.id {
            return Ok(Raced::Detached(record.id));
        }
        match remote.propose(&record, &cancelled).await {
            Ok((outcome, _)) => Ok(Raced::with(outcome)),
            Err(_) => self.decide_leaving(remote, cancelled),
        }
    }

    /// Decides here, without the hub.
    fn decide_alone(&self, remote: &RemoteRequest<'_>, resolution: Resolution) -> Result<Raced, RaceError> {
        let outcome = self.sign(&remote.ask.id, resolution)?;
        Ok(Raced::Ended { outcome, late: None, leftover: None, apart: remote.apart() })
    }

    /// Decides here, and leaves a request that the hub may have.
    fn decide_leaving(&self, remote: RemoteRequest<'_>, resolution: Resolution) -> Result<Raced, RaceError> {
        let outcome = self.sign(&remote.ask.id, resolution)?;
        let apart = remote.apart().or_else(|| Some("it did not answer in time".to_owned()));
        Ok(Raced::Ended { outcome, late: None, leftover: Some(Box::new(Leftover(remote.ask))), apart })
    }

    fn sign(&self, id: &RequestId, resolution: Resolution) -> Result<Outcome, RaceError> {
        // No person signs an outcome of the surface's own clock.
        let (by, surface) = match resolution.status() {
            Status::Expired => (HUB, Surface::Hub),
            _ => (self.signer.by.as_str(), self.signer.surface),
        };
        Outcome::new(id.clone(), resolution, by, surface, (self.clock)()).map_err(RaceError::Signature)
    }
}

/// The name under which the hub signs an expiry.
const HUB: &str = "askback";

/// The notice that replaces the prompt when an outcome of the hub came first.
fn notice(outcome: &Outcome) -> String {
    let by = format!("by {} ({})", outcome.by(), outcome.surface().name());
    match outcome.resolution() {
        Resolution::Answered { .. } => format!("answered {by}"),
        Resolution::Rejected { .. } | Resolution::Declined { .. } => format!("declined {by}"),
        Resolution::Cancelled { reason, .. } => match reason.as_ref().map(Reason::as_str) {
            Some(reason) => format!("cancelled {by}: {reason}"),
            None => format!("cancelled {by}"),
        },
        Resolution::Expired { .. } => "nobody answered in time".to_owned(),
    }
}
