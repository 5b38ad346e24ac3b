//! Ending a request: once, by whoever is first.

use super::{Hub, Shared};
use crate::error::HubError;
use crate::record::Record;
use crate::store::{AttemptId, NewOutcome, Resolved};
use crate::token::{Token, permit_of};
use askback_core::{
    AnswerInput, Name, Outcome, Path, Problems, Reason, Refusal, RequestId, Resolution, Status, Surface,
};
use jiff::Timestamp;
use std::sync::Arc;

/// Who the hub says it was where nobody did anything.
const NOBODY: &str = "askback";

/// Who ends a request, and where.
#[derive(Debug, Clone)]
pub struct Signature {
    by: Name,
    surface: Surface,
    key: Option<Name>,
    /// The token on whose behalf it is, if there is one.
    actor: Option<Arc<Token>>,
}

impl Signature {
    /// By this person, or this asker, on this surface.
    pub fn new(by: Name, surface: Surface) -> Self {
        Self { by, surface, key: None, actor: None }
    }

    /// On behalf of a token, with the token's name. The hub refuses it unless the token is valid when the outcome is stored (S8).
    pub fn by_token(token: &Arc<Token>, surface: Surface) -> Self {
        Self { actor: Some(Arc::clone(token)), ..Self::new(token.name.clone(), surface) }
    }

    /// With a key: should it be tried again, because nobody knows whether it counted, it counts once.
    pub fn with_key(self, key: Name) -> Self {
        Self { key: Some(key), ..self }
    }

    /// An outcome with this signature; where nobody did anything, nobody is named for it.
    pub(crate) fn sign(&self, id: RequestId, resolution: Resolution, at: Timestamp) -> Result<Outcome, Refusal> {
        let (by, surface) = match resolution.status() {
            Status::Expired => (NOBODY, Surface::Hub),
            _ => (self.by.as_str(), self.surface),
        };
        Outcome::new(id, resolution, by, surface, at)
    }
}

impl Hub {
    /// Answers a request. This is the only place where an answer is validated (F15): one that does not pass is refused with the
    /// rule that it breaks, and stores nothing; the paths of the problems start at the list of inputs. The first valid answer
    /// wins; a later one gets [`HubError::AlreadyEnded`] with the outcome that counts, unless it is a retry with the same key.
    pub async fn answer(
        &self,
        id: &RequestId,
        inputs: &[AnswerInput],
        signature: Signature,
    ) -> Result<Arc<Outcome>, HubError> {
        let record = self.shared.pending(id).await?;
        match record.request.parse_answers(inputs, &Path::root()) {
            Ok(answers) => self.shared.resolve(record, Resolution::from_answers(answers), signature).await,
            Err(problems) => Err(self.shared.not_answers(id, problems).await),
        }
    }

    /// Declines to answer, perhaps with a reason or a question back (L7).
    pub async fn decline(
        &self,
        id: &RequestId,
        reason: Option<Reason>,
        signature: Signature,
    ) -> Result<Arc<Outcome>, HubError> {
        let record = self.shared.pending(id).await?;
        self.shared.resolve(record, Resolution::declined(reason), signature).await
    }

    /// Takes a request away.
    pub async fn cancel(
        &self,
        id: &RequestId,
        reason: Option<Reason>,
        signature: Signature,
    ) -> Result<Arc<Outcome>, HubError> {
        let record = self.shared.pending(id).await?;
        self.shared.resolve(record, Resolution::cancelled(reason), signature).await
    }
}

impl Shared {
    /// A request that was pending a moment ago, to be ended; whether it still is, the compare-and-set tells.
    async fn pending(&self, id: &RequestId) -> Result<Arc<Record>, HubError> {
        match self.recent.get(id) {
            Some(record) => Ok(record),
            None => self.read(id).await,
        }
    }

    /// What is wrong with answers, unless they would have been too late anyhow.
    async fn not_answers(&self, id: &RequestId, problems: Problems) -> HubError {
        match self.read(id).await.ok().and_then(|record| record.outcome.clone()) {
            Some(outcome) => HubError::AlreadyEnded(outcome),
            None => HubError::NotAnswers(problems),
        }
    }

    pub(super) async fn resolve(
        &self,
        record: Arc<Record>,
        resolution: Resolution,
        signature: Signature,
    ) -> Result<Arc<Outcome>, HubError> {
        let _permit = permit_of(signature.actor.as_ref()).await?;
        let now = self.now();
        if record.deadline.is_some_and(|deadline| deadline <= now) {
            // Whether its time was up must not depend on whether the hub had noticed.
            match self.expire(Arc::clone(&record)).await {
                Ok(_) | Err(HubError::AlreadyEnded(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let outcome = signature.sign(record.id.clone(), resolution, now);
        let outcome = Arc::new(outcome.map_err(|refusal| HubError::Refused { what: "the surface", refusal })?);
        let Signature { by, key, .. } = signature;
        let id = record.id.clone();
        let attempted = Arc::clone(&outcome);
        let ending = NewOutcome { record, outcome: Arc::clone(&outcome), key: key.clone(), attempt: AttemptId::new() };
        match self.write(|store| store.resolve(ending.clone())).await? {
            Resolved::Now => Ok(outcome),
            Resolved::Before { outcome, key: used } => {
                let has_key = key.is_some_and(|key| used.as_deref() == Some(key.as_str()));
                // A key stands for what was done with it.
                let is_retry = has_key && outcome.by() == by.as_str() && outcome.resolution() == attempted.resolution();
                if is_retry { Ok(outcome) } else { Err(HubError::AlreadyEnded(outcome)) }
            }
            Resolved::Unknown => Err(HubError::Unknown(id)),
        }
    }

    /// Ends a request whose time is up.
    pub(crate) async fn expire(&self, record: Arc<Record>) -> Result<Arc<Outcome>, HubError> {
        let resolution = Resolution::from_silence(&record.request);
        let outcome = Outcome::new(record.id.clone(), resolution, NOBODY, Surface::Hub, self.now());
        let outcome = Arc::new(outcome.map_err(|refusal| HubError::Refused { what: "the hub's own name", refusal })?);
        let id = record.id.clone();
        let ending = NewOutcome { record, outcome: Arc::clone(&outcome), key: None, attempt: AttemptId::new() };
        match self.write(|store| store.resolve(ending.clone())).await? {
            Resolved::Now => Ok(outcome),
            Resolved::Before { outcome, .. } => Err(HubError::AlreadyEnded(outcome)),
            Resolved::Unknown => Err(HubError::Unknown(id)),
        }
    }
}
