//! The race between a surface here and everywhere else: a prompt in this terminal, and the same request on the hub.
//!
//! The prompt is painted first, and the hub is reached meanwhile. Until the request has been sent there, the person here
//! decides alone. From then on the hub decides, and an answer given here is a proposal until the hub has acknowledged it. If
//! the hub never acknowledged the request itself, the person here decides after all, and the request is taken away when the
//! hub can be reached again.

use crate::limits::RACE_PATIENCE;
use askback_core::{Ending, Name, Outcome, Reason, Refusal, Request, RequestId, Resolution, State, Status, Surface};
use jiff::Timestamp;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use thiserror::Error;
use tokio::sync::oneshot;
use tokio::time::timeout;

mod far;
mod hub_link;
mod leftover;
mod link;
#[cfg(test)]
mod tests;

use far::{Far, Insistence, Phase};
pub use hub_link::HubLink;
pub use leftover::Leftover;
pub use link::{Acknowledged, Link, LinkError, Linking, Proposed};

/// A prompt on a surface here. Dropping it takes it away.
pub type Prompting<'a> = Pin<Box<dyn Future<Output = Local> + Send + 'a>>;

/// Where the person here sees the request.
pub trait LocalSurface: Send + Sync {
    /// Shows the request until the person decides, or until it is taken away, which should take but a moment. Where no hub has
    /// the request, its timeout is the surface's to keep.
    fn prompt<'a>(&'a self, request: &'a Request, taken_away: TakenAway) -> Prompting<'a>;
}

/// What came of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub enum Local {
    /// The person decided, or the surface's own clock did.
    Decided(Resolution),
    /// The person ended the program that asks (Ctrl+C).
    Interrupted,
    /// The surface went away, the person with it perhaps (SIGHUP). That is no answer.
    Lost(String),
    /// There is no surface here.
    Nobody(String),
    /// It was taken away.
    TakenAway,
}

/// The wait for a prompt to be taken away.
#[derive(Debug)]
pub struct TakenAway(oneshot::Receiver<String>);

impl TakenAway {
    /// Why it is: "answered by reviewer (page)". Somebody else's text, to be made safe before it is painted. If it never is
    /// taken away, this never ends.
    pub async fn notice(self) -> String {
        match self.0.await {
            Ok(notice) => notice,
            Err(_) => std::future::pending().await,
        }
    }
}

/// How a race ended.
#[derive(Debug)]
pub enum Raced {
    /// With an outcome.
    Ended {
        /// The one that counts.
        outcome: Outcome,
        /// What the person here decided too late, and is to be told so.
        late: Option<Resolution>,
        /// What may be left on the hub, to be taken away.
        leftover: Option<Box<Leftover>>,
        /// Why the hub had no part in it, where it was decided here.
        apart: Option<String>,
    },
    /// The surface here is gone, and the request is pending on the hub.
    Detached(RequestId),
}

/// Why a race has no outcome. None of these is an answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RaceError {
    /// Neither a surface here nor a hub.
    #[error("nobody can be asked: {0}")]
    Nobody(String),
    /// Nobody can answer with this signature.
    #[error("the surface here: {0}")]
    Signature(Refusal),
    /// The person here decided, but the hub, which has the request, did not acknowledge it.
    #[error("the hub did not say whether the answer counts ({why}); look at the request {} there", id.as_str())]
    Unsettled {
        /// The request.
        id: RequestId,
        /// What was last heard.
        why: String,
    },
}

/// A request on its way to the hub.
#[derive(Debug, Clone)]
pub struct RaceRequest {
    /// What is asked.
    pub request: Arc<Request>,
    /// The id that it has on the hub.
    pub id: RequestId,
    /// When it was asked first. Wherever time runs out, it is counted from then.
    pub asked_at: Timestamp,
}

/// The person who answers at the prompt here.
#[derive(Debug, Clone)]
pub struct Signer {
    /// Their name.
    pub by: Name,
    /// Where they are.
    pub surface: Surface,
}

/// Who takes part.
pub struct Race<'a> {
    /// The way to the hub.
    pub link: &'a dyn Link,
    /// The surface here.
    pub surface: &'a dyn LocalSurface,
    /// The time, for outcomes that are decided here.
    pub clock: &'a (dyn Fn() -> Timestamp + Sync),
    /// Who answers here.
    pub signer: Signer,
}

impl Race<'_> {
    /// Asks here and on the hub, until one outcome counts. Dropped, it leaves the request as it is.
    pub async fn run(&self, request: Arc<Request>, id: RequestId) -> Result<Raced, RaceError> {
        let ask = RaceRequest { request: Arc::clone(&request), id, asked_at: (self.clock)() };
        // Nobody is to be asked whose answer could not be written down.
        self.sign(&ask, Resolution::declined(None))?;
        let (take_away, taken_away) = oneshot::channel();
        let mut prompt = self.surface.prompt(&request, TakenAway(taken_away));
        let mut far = Far::new(self.link, ask.clone());
        let local = tokio::select! {
            // Paint first.
            biased;
            local = &mut prompt => local,
            outcome = far.outcome() => {
                // The person may decide in this very moment, and is to be told that it came too late.
                let _ = take_away.send(notice(&outcome));
                let late = match timeout(RACE_PATIENCE, &mut prompt).await {
                    Ok(Local::Decided(resolution)) => Some(resolution),
                    _ => None,
                };
                return Ok(Raced::Ended { outcome, late, leftover: None, apart: None });
            }
        };
        drop(prompt);
        match local {
            // The hub's clock counts once it has the request, and has the same deadline.
            Local::Decided(resolution) if resolution.status() == Status::Expired => {
                self.expired(far, ask, resolution).await
            }
            Local::Decided(resolution) => self.decided(far, ask, resolution).await,
            Local::Interrupted => self.interrupted(far, ask).await,
            Local::Lost(why) => match timeout(RACE_PATIENCE, far.acknowledged(Insistence::Once)).await {
                Ok(Ok(_)) => Ok(Raced::Detached(far.id().clone())),
                // It may be there, where somebody may answer it.
                _ if far.phase() == Phase::Sent => Err(RaceError::Unsettled { id: far.id().clone(), why }),
                Ok(Err(hub)) => Err(RaceError::Nobody(format!("{why}, and {hub}"))),
                Err(_) => Err(RaceError::Nobody(format!("{why}, and the hub does not answer"))),
            },
            Local::Nobody(why) => match far.outcome_or_refusal(Insistence::Once).await {
                Ok(outcome) => Ok(Raced::Ended { outcome, late: None, leftover: None, apart: None }),
                Err(hub) => Err(RaceError::Nobody(format!("{why}, and {hub}"))),
            },
            // Nobody takes it away but the hub, whose outcome is then there.
            Local::TakenAway => match far.outcome_or_refusal(Insistence::Always).await {
                Ok(outcome) => Ok(Raced::Ended { outcome, late: None, leftover: None, apart: None }),
                Err(hub) => Err(RaceError::Nobody(hub)),
            },
        }
    }

    /// The person here decided.
    async fn decided(&self, mut far: Far<'_>, ask: RaceRequest, resolution: Resolution) -> Result<Raced, RaceError> {
        if far.phase() == Phase::NotSent {
            return self.alone(&ask, resolution, far.apart());
        }
        if !matches!(timeout(RACE_PATIENCE, far.acknowledged(Insistence::Always)).await, Ok(Ok(_))) {
            // It never acknowledged: perhaps it has the request, perhaps not.
            return self.leaving(ask, resolution, far.apart());
        }
        let (outcome, late) = match far.propose(&resolution).await? {
            Proposed::Counted(outcome) => (outcome, None),
            Proposed::Late(outcome) => (outcome, Some(resolution)),
        };
        Ok(Raced::Ended { outcome, late, leftover: None, apart: None })
    }

    /// The surface's own clock ran out.
    async fn expired(&self, mut far: Far<'_>, ask: RaceRequest, resolution: Resolution) -> Result<Raced, RaceError> {
        if far.phase() == Phase::NotSent {
            return self.alone(&ask, resolution, far.apart());
        }
        match timeout(RACE_PATIENCE, far.outcome_or_refusal(Insistence::Always)).await {
            Ok(Ok(outcome)) => Ok(Raced::Ended { outcome, late: None, leftover: None, apart: None }),
            _ if far.phase() == Phase::Acknowledged => {
                Err(RaceError::Unsettled { id: far.id().clone(), why: "its time is up here".to_owned() })
            }
            _ => self.leaving(ask, resolution, far.apart()),
        }
    }

    /// The person ended the program that asks, which takes away what it asked, and nothing else.
    async fn interrupted(&self, mut far: Far<'_>, ask: RaceRequest) -> Result<Raced, RaceError> {
        let cancelled = Resolution::cancelled(None);
        if far.phase() == Phase::NotSent {
            return self.alone(&ask, cancelled, far.apart());
        }
        match timeout(RACE_PATIENCE, far.acknowledged(Insistence::Always)).await {
            Ok(Ok(Acknowledged::Known(State::Final(outcome)))) => {
                Ok(Raced::Ended { outcome, late: None, leftover: None, apart: None })
            }
            // Under our own id it is ours, whoever has heard of it first.
            Ok(Ok(Acknowledged::Known(State::Pending(id)))) if id != ask.id => Ok(Raced::Detached(id)),
            Ok(Ok(_)) => match far.propose(&cancelled).await {
                Ok(proposed) => {
                    let outcome = proposed.into_outcome();
                    Ok(Raced::Ended { outcome, late: None, leftover: None, apart: None })
                }
                Err(_) => self.leaving(ask, cancelled, far.apart()),
            },
            _ => self.leaving(ask, cancelled, far.apart()),
        }
    }

    /// An outcome that is decided here, and of which the hub knows nothing.
    fn alone(&self, ask: &RaceRequest, resolution: Resolution, apart: Option<String>) -> Result<Raced, RaceError> {
        Ok(Raced::Ended { outcome: self.sign(ask, resolution)?, late: None, leftover: None, apart })
    }

    /// An outcome that is decided here, of a request that the hub may have.
    fn leaving(&self, ask: RaceRequest, resolution: Resolution, apart: Option<String>) -> Result<Raced, RaceError> {
        let outcome = self.sign(&ask, resolution)?;
        let leftover = Some(Box::new(Leftover::new(ask)));
        let apart = apart.or_else(|| Some("it did not answer in time".to_owned()));
        Ok(Raced::Ended { outcome, late: None, leftover, apart })
    }

    fn sign(&self, ask: &RaceRequest, resolution: Resolution) -> Result<Outcome, RaceError> {
        // Where the surface's own clock ran out, no person is named for it.
        let (by, surface) = match resolution.status() {
            Status::Expired => (HUB, Surface::Hub),
            _ => (self.signer.by.as_str(), self.signer.surface),
        };
        Outcome::new(ask.id.clone(), resolution, by, surface, (self.clock)()).map_err(RaceError::Signature)
    }
}

/// The name of the hub itself, which signs what nobody answered.
const HUB: &str = "askback";

/// What the person here reads when somebody else was first.
fn notice(outcome: &Outcome) -> String {
    let by = format!("by {} ({})", outcome.by(), outcome.surface().name());
    match outcome.resolution().ending() {
        Ending::Answered(_) => format!("answered {by}"),
        Ending::Declined { .. } => format!("declined {by}"),
        Ending::Cancelled { reason } => match reason.map(Reason::as_str) {
            Some(reason) => format!("cancelled {by}: {reason}"),
            None => format!("cancelled {by}"),
        },
        Ending::Expired { .. } => "nobody answered in time".to_owned(),
    }
}
