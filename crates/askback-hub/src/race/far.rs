//! The far side of a race: how far the request has come on the hub.

use super::RaceError;
use super::link::{Acknowledged, Link, LinkError, Linking};
use crate::hub::{Ask, Signature};
use crate::limits::{RACE_PATIENCE, RACE_RETRY};
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

/// The request on its way to the hub and its life there. Each future below may be dropped and made again.
pub(super) struct Far<'a> {
    link: &'a dyn Link,
    ask: Ask,
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
}

impl<'a> Far<'a> {
    pub(super) fn new(link: &'a dyn Link, ask: Ask) -> Self {
        let id = ask.chosen_id();
        Self { link, ask, id, asking: None, is_sent: false, may_be_there: false, acknowledged: None, refused: None }
    }

    pub(super) fn id(&self) -> &RequestId {
        &self.id
    }

    pub(super) fn phase(&self) -> Phase {
        // Refused outright, it is nowhere.
        let is_nowhere = !self.is_sent || (self.refused.is_some() && !self.may_be_there);
        match &self.acknowledged {
            Some(_) => Phase::Acknowledged,
            None if is_nowhere => Phase::NotSent,
            None => Phase::Sent,
        }
    }

    /// Until the hub has the request; why it never will, if it won't.
    pub(super) async fn acknowledged(&mut self) -> Result<Acknowledged, String> {
        loop {
            if let Some(acknowledged) = &self.acknowledged {
                return Ok(acknowledged.clone());
            }
            if let Some(refused) = &self.refused {
                return Err(refused.clone());
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
            Err(LinkError::Lost(_)) => {
                self.may_be_there = true;
                sleep(RACE_RETRY).await;
            }
        }
    }

    /// The outcome on the hub; why there will be none.
    pub(super) async fn outcome_or_refusal(&mut self) -> Result<Outcome, String> {
        if let Acknowledged::Known(State::Final(outcome)) = self.acknowledged().await? {
            return Ok(outcome);
        }
        loop {
            match self.link.wait(self.id.clone()).await {
                Ok(outcome) => return Ok(outcome),
                Err(LinkError::Refused(why)) => return Err(why),
                // A hub that went away comes back with what it has acknowledged.
                Err(LinkError::Lost(_)) => sleep(RACE_RETRY).await,
            }
        }
    }

    /// The outcome on the hub, if there ever is one.
    pub(super) async fn outcome(&mut self) -> Outcome {
        match self.outcome_or_refusal().await {
            Ok(outcome) => outcome,
            Err(_) => std::future::pending().await,
        }
    }

    /// Proposes an end until the hub has said what counts.
    pub(super) async fn propose(
        &mut self,
        resolution: &Resolution,
        signature: Signature,
    ) -> Result<Outcome, RaceError> {
        // A request is proposed to once by each race, so that its own id is a key for that.
        let key = Name::parse(&format!("race {}", self.ask.chosen_id().as_str()));
        let signature = key.map_or(signature.clone(), |key| signature.with_key(key));
        let mut why = "it does not answer".to_owned();
        let trying = async {
            loop {
                match self.link.propose(self.id.clone(), resolution.clone(), signature.clone()).await {
                    Ok(outcome) => return Ok(outcome),
                    Err(LinkError::Refused(refused)) => return Err(refused),
                    Err(LinkError::Lost(lost)) => {
                        why = lost;
                        sleep(RACE_RETRY).await;
                    }
                }
            }
        };
        match timeout(RACE_PATIENCE, trying).await {
            Ok(Ok(outcome)) => Ok(outcome),
            Ok(Err(why)) => Err(RaceError::Unsettled { id: self.id.clone(), why }),
            Err(_) => Err(RaceError::Unsettled { id: self.id.clone(), why }),
        }
    }
}
