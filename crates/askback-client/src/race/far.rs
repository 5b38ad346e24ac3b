//! The far side of a race: how far the request has come on the hub.

use super::link::{Acknowledged, Link, LinkError, Linking, Proposed};
use super::{RaceError, RaceRequest};
use crate::limits::{RACE_PATIENCE, RACE_PAUSE, RACE_RETRY};
use askback_core::{Name, Outcome, RequestId, Resolution, State};
use tokio::time::{sleep, timeout};

/// Who decides depends on this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// The hub knows nothing.
    NotSent,
    /// It may know.
    Sent,
    /// It has the request.
    Acknowledged,
}

/// What to do about a hub that has no place for a request just now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Insistence {
    /// Ask again in a while: there is a person here meanwhile.
    Always,
    /// Let it be: nobody would know why nothing happens.
    Once,
}

/// The request on its way to the hub and its life there. Each future below may be dropped and made again.
pub(super) struct Far<'a> {
    link: &'a dyn Link,
    ask: RaceRequest,
    /// The id that the hub has it under.
    id: RequestId,
    /// The message that is out, so that dropping a future above it does not send it twice.
    asking: Option<Linking<'a, Acknowledged>>,
    is_sent: bool,
    /// One was sent of which nobody knows whether it arrived.
    may_be_there: bool,
    acknowledged: Option<Acknowledged>,
    /// Why there is no hub to race.
    refused: Option<String>,
    /// Why there is none just now.
    not_now: Option<String>,
}

impl<'a> Far<'a> {
    pub(super) fn new(link: &'a dyn Link, ask: RaceRequest) -> Self {
        let id = ask.id.clone();
        Self {
            link,
            ask,
            id,
            asking: None,
            is_sent: false,
            may_be_there: false,
            acknowledged: None,
            refused: None,
            not_now: None,
        }
    }

    pub(super) fn id(&self) -> &RequestId {
        &self.id
    }

    pub(super) fn phase(&self) -> Phase {
        // Refused outright, it is nowhere.
        let is_out = self.refused.is_some() || self.not_now.is_some();
        let is_nowhere = !self.is_sent || (is_out && !self.may_be_there);
        match &self.acknowledged {
            Some(_) => Phase::Acknowledged,
            None if is_nowhere => Phase::NotSent,
            None => Phase::Sent,
        }
    }

    /// Why the hub has no part in the race, as far as it is known.
    pub(super) fn apart(&self) -> Option<String> {
        self.refused.clone().or_else(|| self.not_now.clone())
    }

    /// Until the hub has the request; why it never will, if it won't.
    pub(super) async fn acknowledged(&mut self, insistence: Insistence) -> Result<Acknowledged, String> {
        loop {
            if let Some(acknowledged) = &self.acknowledged {
                return Ok(acknowledged.clone());
            }
            match (&self.refused, &self.not_now, insistence) {
                (Some(why), _, _) | (None, Some(why), Insistence::Once) => return Err(why.clone()),
                (None, Some(_), Insistence::Always) => sleep(RACE_PAUSE).await,
                (None, None, _) => {}
            }
            self.send().await;
        }
    }

    /// Sends the request, or goes on waiting for what comes back.
    async fn send(&mut self) {
        if self.asking.is_none() {
            if let Err(error) = self.link.connect().await {
                if self.is_sent {
                    // It may be there, so that it is worth coming back for.
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
            Ok(acknowledged) => {
                self.id = match &acknowledged {
                    Acknowledged::New(id) | Acknowledged::Known(State::Pending(id)) => id.clone(),
                    Acknowledged::Known(State::Final(outcome)) => outcome.id().clone(),
                };
                self.acknowledged = Some(acknowledged);
            }
            Err(LinkError::Refused(why)) => self.refused = Some(why),
            Err(LinkError::NotNow(why)) => self.not_now = Some(why),
            Err(LinkError::Lost(_)) => {
                self.may_be_there = true;
                sleep(RACE_RETRY).await;
            }
        }
    }

    /// The outcome on the hub; why there will be none.
    pub(super) async fn outcome_or_refusal(&mut self, insistence: Insistence) -> Result<Outcome, String> {
        if let Acknowledged::Known(State::Final(outcome)) = self.acknowledged(insistence).await? {
            return Ok(outcome);
        }
        loop {
            match self.link.wait(self.id.clone()).await {
                Ok(outcome) => return Ok(outcome),
                Err(LinkError::Refused(why)) => return Err(why),
                // A hub that went away comes back with what it has acknowledged.
                Err(LinkError::Lost(_)) => sleep(RACE_RETRY).await,
                Err(LinkError::NotNow(_)) => sleep(RACE_PAUSE).await,
            }
        }
    }

    /// The outcome on the hub, if there ever is one. A hub that has the request and won't let us wait for it may still do so
    /// later.
    pub(super) async fn outcome(&mut self) -> Outcome {
        loop {
            match self.outcome_or_refusal(Insistence::Always).await {
                Ok(outcome) => return outcome,
                Err(_) if self.acknowledged.is_some() => sleep(RACE_PAUSE).await,
                Err(_) => std::future::pending().await,
            }
        }
    }

    /// Proposes an end until the hub has said what counts.
    pub(super) async fn propose(&mut self, resolution: &Resolution) -> Result<Proposed, RaceError> {
        // A request is proposed to once by each race, so that its own id is a key for that.
        let key = Name::parse(&format!("race {}", self.ask.id)).ok();
        let mut why = "it does not answer".to_owned();
        let trying = async {
            loop {
                match self.link.propose(self.id.clone(), resolution.clone(), key.clone()).await {
                    Ok(proposed) => return Ok(proposed),
                    Err(LinkError::Refused(refused)) => return Err(refused),
                    Err(LinkError::Lost(lost) | LinkError::NotNow(lost)) => {
                        why = lost;
                        sleep(RACE_RETRY).await;
                    }
                }
            }
        };
        match timeout(RACE_PATIENCE, trying).await {
            Ok(Ok(proposed)) => Ok(proposed),
            Ok(Err(why)) => Err(RaceError::Unsettled { id: self.id.clone(), why }),
            Err(_) => Err(RaceError::Unsettled { id: self.id.clone(), why }),
        }
    }
}
