//! A request that a race may have left on a hub which never acknowledged it.

use super::{CallError, RaceRequest};
use crate::limits::{RACE_PAUSE, RACE_RETRY};
use askback_api::{ApiError, AskerApi, CancelBody, ClaimedSurface, PersonApi};
use askback_core::Outcome;
use std::sync::Arc;
use tokio::time::sleep;

/// A request that may be pending on the hub although it was decided elsewhere.
#[derive(Debug)]
pub struct Leftover(pub(super) RaceRequest);

impl Leftover {
    /// Cancels it, with retries until the hub responds. It is asked again first, which is the same request: without that, a
    /// message still under way could create it after the cancellation. None if the hub has a request of another asker instead.
    pub async fn settle(&self, asker: &dyn AskerApi, person: &dyn PersonApi) -> Result<Option<Outcome>, CallError> {
        loop {
            match self.settle_once(asker, person).await {
                Err(CallError::Lost(_)) => sleep(RACE_RETRY).await,
                Err(CallError::NotNow(_)) => sleep(RACE_PAUSE).await,
                settled => return settled,
            }
        }
    }

    async fn settle_once(&self, asker: &dyn AskerApi, person: &dyn PersonApi) -> Result<Option<Outcome>, CallError> {
        asker.connect().await?;
        let record = asker.ask(Arc::clone(&self.0.request), self.0.query()).await?.record;
        if record.id != self.0.id {
            return Ok(None);
        }
        if let Some(outcome) = &record.outcome {
            return Ok(Some(Outcome::clone(outcome)));
        }
        let reason = Some("decided where it was asked".to_owned());
        let body = CancelBody { reason, key: None, surface: Some(ClaimedSurface::Terminal) };
        match person.cancel(record.as_ref(), body).await {
            Ok(outcome) => Ok(Some(outcome)),
            Err(ApiError::AlreadyEnded { outcome, .. }) => Ok(Some(*outcome)),
            Err(error) => Err(error.into()),
        }
    }
}
