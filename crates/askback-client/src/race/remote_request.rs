//! The state of a race's request on the hub.

use super::link::{Link, LinkError, LinkFuture, ProposalResult};
use super::{RaceError, RaceRequest};
use crate::limits::{RACE_PATIENCE, RACE_PAUSE, RACE_RETRY};
use askback_core::{Name, Outcome, RequestId, Resolution, State};
use tokio::time::{sleep, timeout};

/// The progress of the request, which determines whether the person or the hub decides.
#[derive(PartialEq, Eq)]
pub(super) enum Phase {
    /// The hub does not have the request.
    NotSent,
    /// The hub may have it.
    Sent,
    /// The hub has it.
    Acknowledged,
}

/// The reaction to a hub that is at a limit.
#[derive(Clone, Copy)]
pub(super) enum WhenFull {
    /// Ask again later: a person can answer here meanwhile.
    Retry,
    /// Return the reason: otherwise the caller would wait without a sign.
    Fail,
}

/// The request on its way to the hub and on the hub. Each future of a method may be dropped and created again.
pub(super) struct RemoteRequest<'a> {
    link: &'a dyn Link,
    pub(super) ask: RaceRequest,
    /// The call under way, kept so that dropping a future of a method does not send the request twice.
    asking: Option<LinkFuture<'a, State>>,
    is_sent: bool,
    /// Whether it is unknown of some call if it arrived.
    may_be_there: bool,
    acknowledged: Option<State>,
    /// Why the hub will not take the request.
    refused: Option<String>,
    /// Why the hub can't take it now.
    not_now: Option<String>,
}

impl<'a> RemoteRequest<'a> {
    pub(super) fn new(link: &'a dyn Link, ask: RaceRequest) -> Self {
        let (refused, not_now) = (None, None);
        Self { link, ask, asking: None, is_sent: false, may_be_there: false, acknowledged: None, refused, not_now }
    }

    /// The id that the hub has it under: another one if the hub found the request by its key.
    pub(super) fn id(&self) -> RequestId {
        match &self.acknowledged {
            Some(State::Pending(id)) => id.clone(),
            Some(State::Final(outcome)) => outcome.id().clone(),
            None => self.ask.id.clone(),
        }
    }

    pub(super) fn phase(&self) -> Phase {
        // A request that was refused outright is not on the hub.
        let is_out = self.refused.is_some() || self.not_now.is_some();
        let is_nowhere = !self.is_sent || (is_out && !self.may_be_there);
        match &self.acknowledged {
            Some(_) => Phase::Acknowledged,
            None if is_nowhere => Phase::NotSent,
            None => Phase::Sent,
        }
    }

    /// The reason why the hub takes no part in the race, if it is known.
    pub(super) fn apart(&self) -> Option<String> {
        self.refused.clone().or_else(|| self.not_now.clone())
    }

    /// Completes when the hub has the request; with the reason if it refuses.
    pub(super) async fn acknowledged(&mut self, when_full: WhenFull) -> Result<State, String> {
        loop {
            if let Some(acknowledged) = &self.acknowledged {
                return Ok(acknowledged.clone());
            }
            match (&self.refused, &self.not_now, when_full) {
                (Some(why), _, _) | (None, Some(why), WhenFull::Fail) => return Err(why.clone()),
                (None, Some(_), WhenFull::Retry) => sleep(RACE_PAUSE).await,
                (None, None, _) => {}
            }
            self.send().await;
        }
    }

    /// Sends the request, or continues a call under way.
    async fn send(&mut self) {
        if self.asking.is_none() {
            if let Err(error) = self.link.connect().await {
                if self.is_sent {
                    // The hub may have it, so that a retry is worthwhile.
                    sleep(RACE_RETRY).await;
                } else {
                    self.refused = Some(error.to_string());
                }
                return;
            }
            self.is_sent = true;
            self.not_now = None;
            self.asking = Some(self.link.ask(self.ask.clone()));
        }
        let Some(asking) = &mut self.asking else { return };
        let answered = asking.await;
        self.asking = None;
        match answered {
            Ok(state) => self.acknowledged = Some(state),
            Err(LinkError::Refused(why)) => self.refused = Some(why),
            Err(LinkError::NotNow(why)) => self.not_now = Some(why),
            Err(LinkError::Lost(_)) => {
                self.may_be_there = true;
                sleep(RACE_RETRY).await;
            }
        }
    }

    /// Waits for the outcome on the hub; the reason if there will be none.
    pub(super) async fn outcome_or_refusal(&mut self, when_full: WhenFull) -> Result<Outcome, String> {
        if let State::Final(outcome) = self.acknowledged(when_full).await? {
            return Ok(outcome);
        }
        loop {
            match self.link.wait(self.id()).await {
                Ok(outcome) => return Ok(outcome),
                Err(LinkError::Refused(why)) => return Err(why),
                // A hub that restarts keeps the requests that it has acknowledged.
                Err(LinkError::Lost(_)) => sleep(RACE_RETRY).await,
                Err(LinkError::NotNow(_)) => sleep(RACE_PAUSE).await,
            }
        }
    }

    /// Waits for the outcome on the hub, for ever if there is none. A hub that has the request and refuses a wait may allow it later.
    pub(super) async fn outcome(&mut self) -> Outcome {
        loop {
            match self.outcome_or_refusal(WhenFull::Retry).await {
                Ok(outcome) => return outcome,
                Err(_) if self.acknowledged.is_some() => sleep(RACE_PAUSE).await,
                Err(_) => std::future::pending().await,
            }
        }
    }

    /// Proposes a resolution until the hub has accepted or refused it.
    pub(super) async fn propose(&mut self, resolution: &Resolution) -> Result<ProposalResult, RaceError> {
        // Each race proposes once, so that the id of its request is a key for that.
        let key = Name::parse(&format!("race {}", self.ask.id)).ok();
        let (link, id) = (self.link, self.id());
        let mut why = "it does not answer".to_owned();
        let trying = async {
            loop {
                match link.propose(id.clone(), resolution.clone(), key.clone()).await {
                    Ok(proposed) => return Ok(proposed),
                    Err(LinkError::Refused(refused)) => return Err(refused),
                    Err(LinkError::Lost(lost) | LinkError::NotNow(lost)) => {
                        why = lost;
                        sleep(RACE_RETRY).await;
                    }
                }
            }
        };
        let why = match timeout(RACE_PATIENCE, trying).await {
            Ok(Ok(proposed)) => return Ok(proposed),
            Ok(Err(refused)) => refused,
            Err(_) => why,
        };
        Err(RaceError::Unsettled { id, why })
    }
}
