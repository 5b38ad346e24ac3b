//! The race between a surface here and everywhere else: a prompt in this terminal, and the same request on the hub.
//!
//! The prompt is painted first, and the hub is reached meanwhile. Until the request has been sent there, the person here
//! decides alone. From then on the hub decides, and an answer given here is a proposal until the hub has acknowledged it. If
//! the hub never acknowledged the request itself, the person here decides after all, and the request is taken away when the
//! hub can be reached again.

use crate::clock::Clock;
use crate::hub::{Ask, Signature};
use crate::limits::RACE_PATIENCE;
use askback_core::{Ending, Outcome, Reason, Refusal, Request, RequestId, Resolution, Status};
use std::future::Future;
use std::pin::Pin;
use thiserror::Error;
use tokio::sync::oneshot;
use tokio::time::timeout;

mod far;
mod leftover;
mod link;
#[cfg(test)]
mod tests;

use far::{Far, Phase};
pub use leftover::Leftover;
pub use link::{Acknowledged, Link, LinkError, Linking};

/// A prompt on a surface here. Dropping it takes it away.
pub type Prompting<'a> = Pin<Box<dyn Future<Output = Local> + Send + 'a>>;

/// Where the person here sees the request.
pub trait LocalSurface: Send + Sync {
    /// Shows the request until the person decides, or until it is taken away.
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
    /// Why it is: "answered by reviewer (page)". If it never is, this never ends.
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

/// Who takes part.
pub struct Race<'a> {
    /// The way to the hub.
    pub link: &'a dyn Link,
    /// The surface here.
    pub surface: &'a dyn LocalSurface,
    /// For outcomes that are decided here.
    pub clock: &'a dyn Clock,
    /// Who answers here, and where.
    pub signature: Signature,
}

impl Race<'_> {
    /// Asks here and on the hub, until one outcome counts. Dropped, it leaves the request as it is.
    pub async fn run(&self, ask: Ask) -> Result<Raced, RaceError> {
        let ask = ask.with_some_id();
        let request = ask.request().clone();
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
                return Ok(Raced::Ended { outcome, late, leftover: None });
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
            Local::Lost(why) => match timeout(RACE_PATIENCE, far.acknowledged()).await {
                Ok(Ok(_)) => Ok(Raced::Detached(far.id().clone())),
                Ok(Err(hub)) => Err(RaceError::Nobody(format!("{why}, and {hub}"))),
                Err(_) => Err(RaceError::Nobody(format!("{why}, and the hub does not answer"))),
            },
            Local::Nobody(why) => match far.outcome_or_refusal().await {
                Ok(outcome) => Ok(Raced::Ended { outcome, late: None, leftover: None }),
                Err(hub) => Err(RaceError::Nobody(format!("{why}, and {hub}"))),
            },
            // Nobody takes it away but the hub, whose outcome is then there.
            Local::TakenAway => match far.outcome_or_refusal().await {
                Ok(outcome) => Ok(Raced::Ended { outcome, late: None, leftover: None }),
                Err(hub) => Err(RaceError::Nobody(hub)),
            },
        }
    }

    /// The person here decided.
    async fn decided(&self, mut far: Far<'_>, ask: Ask, resolution: Resolution) -> Result<Raced, RaceError> {
        if far.phase() == Phase::NotSent {
            return self.alone(&ask, resolution, None);
        }
        if !matches!(timeout(RACE_PATIENCE, far.acknowledged()).await, Ok(Ok(_))) {
            // It never acknowledged: perhaps it has the request, perhaps not.
            let leftover = Leftover::new(ask.clone(), self.signature.clone());
            return self.alone(&ask, resolution, Some(leftover));
        }
        let outcome = far.propose(&resolution, self.signature.clone()).await?;
        let is_ours = *outcome.resolution() == resolution && self.signature.is_of(&outcome);
        Ok(Raced::Ended { outcome, late: (!is_ours).then_some(resolution), leftover: None })
    }

    /// The surface's own clock ran out.
    async fn expired(&self, mut far: Far<'_>, ask: Ask, resolution: Resolution) -> Result<Raced, RaceError> {
        if far.phase() == Phase::NotSent {
            return self.alone(&ask, resolution, None);
        }
        match timeout(RACE_PATIENCE, far.outcome_or_refusal()).await {
            Ok(Ok(outcome)) => Ok(Raced::Ended { outcome, late: None, leftover: None }),
            _ if far.phase() == Phase::Acknowledged => {
                Err(RaceError::Unsettled { id: far.id().clone(), why: "its time is up here".to_owned() })
            }
            _ => {
                let leftover = Leftover::new(ask.clone(), self.signature.clone());
                self.alone(&ask, resolution, Some(leftover))
            }
        }
    }

    /// The person ended the program that asks, which takes away what it asked, and nothing else.
    async fn interrupted(&self, mut far: Far<'_>, ask: Ask) -> Result<Raced, RaceError> {
        let cancelled = Resolution::cancelled(None);
        if far.phase() == Phase::NotSent {
            return self.alone(&ask, cancelled, None);
        }
        match timeout(RACE_PATIENCE, far.acknowledged()).await {
            Ok(Ok(Acknowledged::Known(_))) => Ok(Raced::Detached(far.id().clone())),
            Ok(Ok(_)) => match far.propose(&cancelled, self.signature.clone()).await {
                Ok(outcome) => Ok(Raced::Ended { outcome, late: None, leftover: None }),
                Err(_) => {
                    let leftover = Leftover::new(ask.clone(), self.signature.clone());
                    self.alone(&ask, cancelled, Some(leftover))
                }
            },
            _ => {
                let leftover = Leftover::new(ask.clone(), self.signature.clone());
                self.alone(&ask, cancelled, Some(leftover))
            }
        }
    }

    /// An outcome that is decided here.
    fn alone(&self, ask: &Ask, resolution: Resolution, leftover: Option<Leftover>) -> Result<Raced, RaceError> {
        let outcome =
            self.signature.sign(ask.chosen_id(), resolution, self.clock.now()).map_err(RaceError::Signature)?;
        Ok(Raced::Ended { outcome, late: None, leftover: leftover.map(Box::new) })
    }
}

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
