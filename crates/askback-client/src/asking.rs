//! Asking on a hub where no local prompt takes part.

use crate::limits::{RACE_PAUSE, RACE_RETRY};
use askback_api::{ApiError, AskQuery, Asked, AskerApi, ProblemCode};
use askback_core::{Outcome, Request, RequestId};
use std::sync::Arc;
use std::time::SystemTime;
use tokio::time::sleep;
use uuid::Uuid;

/// Creates an id for a new request. The id is known before the request is sent, so that sending it twice asks once.
pub fn new_id() -> RequestId {
    let uuid = match SystemTime::now() < SystemTime::UNIX_EPOCH {
        // No id has an earlier time, and `now_v7` would panic.
        true => Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, 0, 0)),
        false => Uuid::now_v7(),
    };
    RequestId::parse(&uuid.to_string()).expect("a UUID written by its own crate is an id")
}

/// A progress report to the caller of [`ask_and_wait`].
pub enum AskProgress<'a> {
    /// The hub has the request.
    Asked(&'a Asked),
    /// The hub can't be reached or does not answer, and the call waits for it.
    Away(&'a ApiError),
}

/// Asks, and waits for the outcome without a limit. A hub that can't be reached at first, or that refuses the request, is an error;
/// one that can't be reached later keeps what it has acknowledged, and the call waits for it.
pub async fn ask_and_wait(
    api: &dyn AskerApi,
    request: &Arc<Request>,
    query: AskQuery,
    mut report: impl FnMut(AskProgress<'_>),
) -> Result<Outcome, ApiError> {
    api.connect().await?;
    // Under one id, so that asking again is the same request.
    let query = AskQuery { id: Some(query.id.unwrap_or_else(new_id)), ..query };
    let asked = loop {
        match api.ask(Arc::clone(request), query.clone()).await {
            Ok(asked) => break asked,
            Err(error) if is_away(&error) => {
                report(AskProgress::Away(&error));
                sleep(RACE_RETRY).await;
            }
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

/// Whether the hub can't be reached for now; it may or may not have received the call.
fn is_away(error: &ApiError) -> bool {
    matches!(error, ApiError::Lost(_)) || matches!(error.code(), Some(ProblemCode::Stopping | ProblemCode::StoreFailed))
}
