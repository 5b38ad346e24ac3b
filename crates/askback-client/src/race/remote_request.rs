//! The state of a race's request on the hub.

use super::{CallError, Race, RaceError, RaceRequest};
use crate::limits::{RACE_PATIENCE, RACE_PAUSE, RACE_RETRY};
use askback_api::{
    AnswerBody, ApiError, ApiFuture, Asked, AskerApi, CancelBody, ClaimedSurface, DeclineBody, PersonApi, ProblemCode,
    Record,
};
use askback_core::{Outcome, Reason, RequestId, Resolution};
use std::future::{pending, ready};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tokio::time::{sleep, timeout};

/// The hub's replies to the request of a race. They outlast a race that is dropped.
#[derive(Debug, Default)]
pub struct HubReplies {
    asked_id: OnceLock<RequestId>,
    refusal: Mutex<Option<ProblemCode>>,
}

impl HubReplies {
    /// The id under which the hub has the request, once the hub has acknowledged it.
    pub fn asked_id(&self) -> Option<&RequestId> {
        self.asked_id.get()
    }

    /// The code with which the hub refused the request.
    pub fn refusal(&self) -> Option<ProblemCode> {
        *self.refusal.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

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
    asker: &'a dyn AskerApi,
    person: &'a dyn PersonApi,
    replies: &'a HubReplies,
    pub(super) ask: RaceRequest,
    /// The call under way, kept so that dropping a future of a method does not send the request twice.
    asking: Option<ApiFuture<'a, Asked>>,
    is_sent: bool,
    /// Whether it is unknown of some call if it arrived.
    may_be_there: bool,
    /// The request as the hub has it: with an outcome if it had ended before.
    acknowledged: Option<Record>,
    /// Why the hub will not take the request.
    refused: Option<String>,
    /// Why the hub can't take it now.
    not_now: Option<String>,
}

impl<'a> RemoteRequest<'a> {
    pub(super) fn new(race: &'a Race<'_>, ask: RaceRequest) -> Self {
        Self {
            asker: race.asker,
            person: race.person,
            replies: &race.replies,
            ask,
            asking: None,
            is_sent: false,
            may_be_there: false,
            acknowledged: None,
            refused: None,
            not_now: None,
        }
    }

    /// The id that the hub has it under: another one if the hub found the request by its key.
    pub(super) fn id(&self) -> RequestId {
        self.acknowledged.as_ref().map_or(&self.ask.id, |record| &record.id).clone()
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

    /// Sends the request, or continues a call under way, until the hub has the request; the reason if it refuses.
    pub(super) async fn acknowledged(&mut self, when_full: WhenFull) -> Result<Record, String> {
        loop {
            if let Some(record) = &self.acknowledged {
                return Ok(record.clone());
            }
            match (&self.refused, &self.not_now, when_full) {
                (Some(why), _, _) | (None, Some(why), WhenFull::Fail) => return Err(why.clone()),
                (None, Some(_), WhenFull::Retry) => sleep(RACE_PAUSE).await,
                (None, None, _) => {}
            }
            let asking = match &mut self.asking {
                Some(asking) => asking,
                None => match self.asker.connect().await {
                    Ok(()) => {
                        self.is_sent = true;
                        self.not_now = None;
                        self.asking.insert(self.asker.ask(Arc::clone(&self.ask.request), self.ask.query()))
                    }
                    // The hub may have it, so that a retry is worthwhile.
                    Err(_) if self.is_sent => {
                        sleep(RACE_RETRY).await;
                        continue;
                    }
                    Err(error) => {
                        self.refused = Some(CallError::from(error).to_string());
                        continue;
                    }
                },
            };
            let asked = asking.await;
            self.asking = None;
            let error = match asked {
                Ok(asked) => {
                    let _ = self.replies.asked_id.set(asked.record.id.clone());
                    self.acknowledged = Some(asked.record);
                    continue;
                }
                Err(error) => error,
            };
            *self.replies.refusal.lock().unwrap_or_else(PoisonError::into_inner) = error.code();
            match error.into() {
                CallError::Refused(why) => self.refused = Some(why),
                CallError::NotNow(why) => self.not_now = Some(why),
                CallError::Lost(_) => {
                    self.may_be_there = true;
                    sleep(RACE_RETRY).await;
                }
            }
        }
    }

    /// Waits for the outcome on the hub; the reason if there will be none.
    pub(super) async fn outcome_or_refusal(&mut self, when_full: WhenFull) -> Result<Outcome, String> {
        let record = self.acknowledged(when_full).await?;
        if let Some(outcome) = &record.outcome {
            return Ok(Outcome::clone(outcome));
        }
        loop {
            match self.asker.wait(record.as_ref(), None).await.map_err(CallError::from) {
                Ok(Some(outcome)) => return Ok(outcome),
                Err(CallError::Refused(why)) => return Err(why),
                // A hub that restarts keeps the requests that it has acknowledged.
                Ok(None) | Err(CallError::Lost(_)) => sleep(RACE_RETRY).await,
                Err(CallError::NotNow(_)) => sleep(RACE_PAUSE).await,
            }
        }
    }

    /// Waits for the outcome on the hub, for ever if there is none. A hub that has the request and refuses a wait may allow it later.
    pub(super) async fn outcome(&mut self) -> Outcome {
        loop {
            match self.outcome_or_refusal(WhenFull::Retry).await {
                Ok(outcome) => return outcome,
                Err(_) if self.acknowledged.is_some() => sleep(RACE_PAUSE).await,
                Err(_) => pending().await,
            }
        }
    }

    /// Proposes a resolution of the acknowledged request until the hub has accepted or refused it. Returns the outcome that
    /// counts, and whether it was there before: it alone does not tell, since the hub may know the person by another name.
    // Exclusively, so that its future is Send: the call under way can't be shared between threads.
    pub(super) async fn propose(
        &mut self,
        record: &Record,
        resolution: &Resolution,
    ) -> Result<(Outcome, bool), RaceError> {
        let (person, id) = (self.person, &self.ask.id);
        // With the same key, the same proposal has the same result. Each race proposes once, so that its id is a key for that.
        let key = || Some(format!("race {id}"));
        let surface = Some(ClaimedSurface::Terminal);
        let text = |reason: &Option<Reason>| reason.as_ref().map(|reason| reason.as_str().to_owned());
        let propose = || -> ApiFuture<'_, Outcome> {
            match resolution {
                Resolution::Answered { answers, .. } | Resolution::Rejected { answers, .. } => {
                    let body = AnswerBody { key: key(), surface, ..AnswerBody::of_answers(answers) };
                    person.answer(record.as_ref(), body)
                }
                Resolution::Declined { reason, .. } => {
                    let body = DeclineBody { reason: text(reason), key: key(), surface, client: None };
                    person.decline(record.as_ref(), body)
                }
                // The person who ends the prompt cancels the request of this process (S9).
                Resolution::Cancelled { reason, .. } => {
                    person.cancel(record.as_ref(), CancelBody { reason: text(reason), key: key(), surface })
                }
                Resolution::Expired { .. } => {
                    Box::pin(ready(Err(ApiError::Unavailable("the hub itself says when time is up".to_owned()))))
                }
            }
        };
        let mut why = "it does not answer".to_owned();
        let trying = async {
            loop {
                let error = match propose().await {
                    Ok(outcome) => return Ok((outcome, false)),
                    Err(ApiError::AlreadyEnded { outcome, .. }) => return Ok((*outcome, true)),
                    Err(error) => error,
                };
                match error.into() {
                    CallError::Refused(refused) => return Err(refused),
                    CallError::Lost(lost) | CallError::NotNow(lost) => {
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
        Err(RaceError::Unsettled { id: record.id.clone(), why })
    }
}
