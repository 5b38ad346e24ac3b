//! The link of a race to a hub over the API: the asker asks, and the person at the prompt answers.

use super::RaceRequest;
use super::link::{Link, LinkError, LinkFuture, ProposalResult};
use askback_api::{
    AnswerBody, ApiError, AskQuery, AskerApi, CancelBody, ClaimedSurface, DeclineBody, PersonApi, ProblemCode,
    RequestRef,
};
use askback_core::{Ending, Name, Outcome, Reason, Request, RequestId, Resolution, State};
use std::sync::{Arc, Mutex, PoisonError};

/// The link of one request to a hub.
pub struct HubLink {
    asker: Arc<dyn AskerApi>,
    person: Arc<dyn PersonApi>,
    /// The id on the hub, once the hub has acknowledged the request, and the request.
    asked: Mutex<Option<(RequestId, Arc<Request>)>>,
    refusal: Mutex<Option<ProblemCode>>,
}

impl HubLink {
    /// Creates a link for an asker and for the person who answers at the prompt here.
    pub fn new(asker: Arc<dyn AskerApi>, person: Arc<dyn PersonApi>) -> Self {
        Self { asker, person, asked: Mutex::default(), refusal: Mutex::default() }
    }

    /// The id under which the hub has the request.
    pub fn asked_id(&self) -> Option<RequestId> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|(id, _)| id.clone())
    }

    /// The code with which the hub refused the request.
    pub fn refusal(&self) -> Option<ProblemCode> {
        *self.refusal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cancels the request as the asker's own act, and returns its outcome if it had already ended. A signal is never the person's
    /// key: every prompt turns off the terminal's signals, so that Ctrl+C arrives as a key and is proposed like an answer (S9).
    pub async fn cancel_as_asker(&self, id: &RequestId) -> Result<Option<Outcome>, LinkError> {
        let request = self.request()?;
        let body = CancelBody { surface: Some(ClaimedSurface::Terminal), ..CancelBody::default() };
        match proposal_result(self.asker.cancel(RequestRef { id, request: &request }, body).await)? {
            ProposalResult::Accepted(_) => Ok(None),
            ProposalResult::Late(outcome) => Ok(Some(outcome)),
        }
    }

    fn request(&self) -> Result<Arc<Request>, LinkError> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let request = asked.as_ref().map(|(_, request)| Arc::clone(request));
        request.ok_or_else(|| LinkError::Refused("nothing was asked yet".to_owned()))
    }
}

fn proposal_result(ended: Result<Outcome, ApiError>) -> Result<ProposalResult, LinkError> {
    match ended {
        Ok(outcome) => Ok(ProposalResult::Accepted(outcome)),
        Err(ApiError::AlreadyEnded { outcome, .. }) => Ok(ProposalResult::Late(*outcome)),
        Err(error) => Err(error.into()),
    }
}

impl From<ApiError> for LinkError {
    fn from(error: ApiError) -> Self {
        let why = error.to_string();
        match (&error, error.code()) {
            (ApiError::Lost(why), _) => Self::Lost(why.clone()),
            (_, Some(ProblemCode::TooMany | ProblemCode::StoreFull)) => Self::NotNow(why),
            (_, Some(ProblemCode::Stopping | ProblemCode::StoreFailed)) => Self::Lost(why),
            _ => Self::Refused(why),
        }
    }
}

impl Link for HubLink {
    fn connect(&self) -> LinkFuture<'_, ()> {
        Box::pin(async move { Ok(self.asker.connect().await?) })
    }

    fn ask(&self, ask: RaceRequest) -> LinkFuture<'_, State> {
        Box::pin(async move {
            let RaceRequest { request, id, asked_at } = ask;
            let query = AskQuery { id: Some(id), asked_at: Some(asked_at), ..AskQuery::default() };
            let asked = self.asker.ask(request, query).await.inspect_err(|error| {
                *self.refusal.lock().unwrap_or_else(PoisonError::into_inner) = error.code();
            })?;
            let record = asked.record;
            let known = (record.id.clone(), Arc::clone(&record.request));
            *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
            Ok(match record.outcome {
                Some(outcome) if asked.is_known => State::Final(Arc::unwrap_or_clone(outcome)),
                _ => State::Pending(record.id),
            })
        })
    }

    fn wait(&self, id: RequestId) -> LinkFuture<'_, Outcome> {
        Box::pin(async move {
            let request = self.request()?;
            let outcome = self.asker.wait(RequestRef { id: &id, request: &request }, None).await?;
            outcome.ok_or_else(|| LinkError::Lost("the wait ended before the request did".to_owned()))
        })
    }

    fn propose(&self, id: RequestId, resolution: Resolution, key: Option<Name>) -> LinkFuture<'_, ProposalResult> {
        Box::pin(async move {
            let request = self.request()?;
            let target = RequestRef { id: &id, request: &request };
            let (key, surface) = (key.map(|key| key.as_str().to_owned()), Some(ClaimedSurface::Terminal));
            let text = |reason: Option<&Reason>| reason.map(|reason| reason.as_str().to_owned());
            proposal_result(match resolution.ending() {
                Ending::Answered(answers) | Ending::Declined { answers: Some(answers), .. } => {
                    let body = AnswerBody { key, surface, ..AnswerBody::of_answers(answers) };
                    self.person.answer(target, body).await
                }
                Ending::Declined { reason, answers: None } => {
                    let body = DeclineBody { reason: text(reason), key, surface, client: None };
                    self.person.decline(target, body).await
                }
                // The person who ends the prompt cancels the request of this process (S9).
                Ending::Cancelled { reason } => {
                    self.person.cancel(target, CancelBody { reason: text(reason), key, surface }).await
                }
                Ending::Expired { .. } => {
                    return Err(LinkError::Refused("the hub itself says when time is up".to_owned()));
                }
            })
        })
    }
}
