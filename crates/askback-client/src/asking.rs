//! Asking on a hub where no local prompt takes part.

use crate::limits::{RACE_PAUSE, RACE_RETRY};
use askback_api::{ApiError, AskQuery, Asked, AskerApi, ProblemCode};
use askback_core::{Outcome, Request};
use std::sync::Arc;
use tokio::time::sleep;

/// What a caller of [`ask_and_wait`] is told while it waits.
pub enum AskProgress<'a> {
    /// The hub has the request.
    Asked(&'a Asked),
    /// The hub is away, and is waited for.
    Away(&'a ApiError),
}

/// Asks, and waits for the outcome for as long as it takes. A hub that can't be reached at first, or that refuses the request, is an
/// error; one that goes away later comes back with what it has acknowledged, and is waited for.
pub async fn ask_and_wait(
    api: &dyn AskerApi,
    request: &Arc<Request>,
    query: AskQuery,
    mut report: impl FnMut(AskProgress<'_>),
) -> Result<Outcome, ApiError> {
    api.connect().await?;
    // Under one id, so that asking again is the same request.
    let query = AskQuery { id: Some(query.id.unwrap_or_else(crate::new_id)), ..query };
    let asked = loop {
        match api.ask(Arc::clone(request), query.clone()).await {
            Ok(asked) => break asked,
            Err(error) if is_away(&error) => sleep(RACE_RETRY).await,
            Err(error) => return Err(error),
        }
    };
    report(AskProgress::Asked(&asked));
    if let Some(outcome) = &asked.record.outcome {
        return Ok(Outcome::clone(outcome));
    }
    loop {
        match api.wait(asked.record.as_ref(), None).await {
            Ok(Some(outcome)) => return Ok(outcome),
            Ok(None) => {}
            Err(error) if error.is_transient() => {
                report(AskProgress::Away(&error));
                sleep(if is_away(&error) { RACE_RETRY } else { RACE_PAUSE }).await;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Whether a hub is away for a moment, in which it may or may not have taken what was sent.
fn is_away(error: &ApiError) -> bool {
    matches!(error, ApiError::Lost(_)) || matches!(error.code(), Some(ProblemCode::Stopping | ProblemCode::StoreFailed))
}
