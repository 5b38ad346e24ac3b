//! Delivery to the client: an outcome counts as delivered from just before it is sent, and no longer if it could not be (S5). Nothing
//! is reported for an outcome whose call the client cancelled before, since it never comes here.
//!
//! Each attempt has a key of its own. Of two for the same outcome the one that was reported last counts, so that the other can't take
//! back what has arrived.

use crate::asker_source::AskerSource;
use crate::result::{FIRST, OUTCOME};
use crate::tools::execute_code::SCRIPT;
use askback_api::{ApiError, DeliveryBody, ProblemCode};
use askback_core::RequestId;
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::oneshot;
use uuid::Uuid;

/// Something whose delivery matters, in a result that is about to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deliverable {
    /// The id of the request or the script.
    pub id: RequestId,
    /// What it is.
    pub kind: DeliverableKind,
    /// To whom it is due.
    pub due: Due,
}

/// What is delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliverableKind {
    /// The outcome of a request.
    Outcome,
    /// The end of a script.
    ScriptResult,
}

/// To whom something is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// To every call that waited for it.
    Everyone,
    /// To one call alone: consent that was found by asking the same again is not for two.
    First,
}

impl Deliverable {
    /// What a result carries, by its metadata.
    pub fn in_meta(meta: &serde_json::Map<String, Value>) -> Option<Self> {
        let named = |name: &str| meta.get(name).and_then(Value::as_str).and_then(|id| RequestId::parse(id).ok());
        let due = if meta.contains_key(FIRST) { Due::First } else { Due::Everyone };
        let outcome = named(OUTCOME).map(|id| Self { id, kind: DeliverableKind::Outcome, due });
        outcome.or_else(|| named(SCRIPT).map(|id| Self { id, kind: DeliverableKind::ScriptResult, due }))
    }
}

/// Why something is not sent.
#[derive(Debug)]
pub enum Withheld {
    /// Its delivery could not be reported.
    NotReported(ApiError),
    /// It was due to one call alone, and another was faster.
    Taken,
}

/// Why something did not arrive.
pub enum DeliveryError<E> {
    /// It was not sent.
    Withheld(Withheld),
    /// The client was not there.
    NotSent(E),
}

/// Sends something, and reports its delivery.
pub async fn deliver<E>(
    source: &Arc<dyn AskerSource>,
    deliverable: Deliverable,
    sending: impl Future<Output = Result<(), E>>,
) -> Result<(), DeliveryError<E>> {
    let attempt = DeliveryAttempt::begin(source, deliverable).await.map_err(DeliveryError::Withheld)?;
    match sending.await {
        Ok(()) => {
            attempt.succeed();
            Ok(())
        }
        Err(error) => {
            attempt.fail().await;
            Err(DeliveryError::NotSent(error))
        }
    }
}

/// Something whose delivery was reported, and that is being sent. If it is dropped before it succeeds, it has not arrived.
pub struct DeliveryAttempt {
    source: Arc<dyn AskerSource>,
    deliverable: Deliverable,
    key: String,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Sending {
        /// Whether no attempt had been reported before.
        was_news: bool,
    },
    Over,
}

impl DeliveryAttempt {
    /// Reports that something is delivered, before it is sent.
    pub async fn begin(source: &Arc<dyn AskerSource>, deliverable: Deliverable) -> Result<Self, Withheld> {
        let source = Arc::clone(source);
        let (reported, reporting) = oneshot::channel();
        // In a task of its own: a caller that is dropped in the middle of the report takes it back.
        tokio::spawn(async move {
            let key = Uuid::now_v7().to_string();
            let was_news = report(&source, &deliverable, true, &key).await;
            let attempt = |was_news| Self { source, deliverable, key, stage: Stage::Sending { was_news } };
            let _ = reported.send(was_news.map(attempt));
        });
        let attempt = match reporting.await {
            Ok(reported) => reported.map_err(Withheld::NotReported)?,
            Err(_) => return Err(Withheld::NotReported(ApiError::Lost("the server is stopping".to_owned()))),
        };
        match (attempt.deliverable.due, attempt.stage) {
            (Due::First, Stage::Sending { was_news: false }) => Err(Withheld::Taken),
            _ => Ok(attempt),
        }
    }

    /// It has arrived.
    pub fn succeed(mut self) {
        self.stage = Stage::Over;
    }

    /// It could not be sent. What was delivered before stays so.
    pub async fn fail(mut self) {
        if std::mem::replace(&mut self.stage, Stage::Over) == (Stage::Sending { was_news: true }) {
            take_back(&self.source, &self.deliverable, &self.key).await;
        }
    }
}

impl Drop for DeliveryAttempt {
    fn drop(&mut self) {
        if self.stage != (Stage::Sending { was_news: true }) {
            return;
        }
        let (source, deliverable) = (Arc::clone(&self.source), self.deliverable.clone());
        let key = std::mem::take(&mut self.key);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { take_back(&source, &deliverable, &key).await });
        }
    }
}

/// Reports a delivery or its failure; tells whether that was news.
async fn report(
    source: &Arc<dyn AskerSource>,
    deliverable: &Deliverable,
    delivered: bool,
    key: &str,
) -> Result<bool, ApiError> {
    let api = source.asker().await?;
    let body = DeliveryBody { delivered, key: Some(key.to_owned()) };
    match deliverable.kind {
        DeliverableKind::Outcome => api.deliver(&deliverable.id, body).await,
        DeliverableKind::ScriptResult => match api.deliver_script(&deliverable.id, body).await {
            // A hub that was started again has forgotten the script, and so can't hand its result to another call.
            Err(error) if error.code() == Some(ProblemCode::NotFound) => Ok(false),
            reported => reported,
        },
    }
}

async fn take_back(source: &Arc<dyn AskerSource>, deliverable: &Deliverable, key: &str) {
    if let Err(error) = report(source, deliverable, false, key).await {
        tracing::warn!(%error, id = deliverable.id.as_str(), "the hub can't be told that an outcome did not reach its asker");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Report, recording_hub};
    use futures_util::FutureExt;

    fn deliverable(due: Due) -> Deliverable {
        let id = RequestId::parse("019a8b3c-0000-7000-8000-000000000000").unwrap();
        Deliverable { id, kind: DeliverableKind::Outcome, due }
    }

    async fn reports_when_the_client_is_gone(says: Report) -> Vec<bool> {
        let (source, mut reports) = recording_hub(says);
        let delivered = deliver(&source, deliverable(Due::Everyone), async { Err("the pipe is closed") }).await;
        assert!(matches!(delivered, Err(DeliveryError::NotSent("the pipe is closed"))));
        std::iter::from_fn(|| reports.try_recv().ok()).collect()
    }

    // S5
    #[tokio::test]
    async fn failed_delivery_is_taken_back_unless_it_was_delivered_before() {
        assert_eq!(reports_when_the_client_is_gone(Report::News).await, [true, false]);
        assert_eq!(reports_when_the_client_is_gone(Report::KnownBefore).await, [true]);
    }

    // S5
    #[tokio::test]
    async fn attempt_dropped_during_its_report_is_taken_back() {
        let (source, mut reports) = recording_hub(Report::News);
        {
            let mut beginning = Box::pin(DeliveryAttempt::begin(&source, deliverable(Due::Everyone)));
            assert!(beginning.as_mut().now_or_never().is_none());
        }
        assert_eq!((reports.recv().await, reports.recv().await), (Some(true), Some(false)));
    }

    // S5
    #[tokio::test]
    async fn consent_that_was_found_is_for_one_call_alone() {
        let (source, _reports) = recording_hub(Report::KnownBefore);
        assert!(matches!(DeliveryAttempt::begin(&source, deliverable(Due::First)).await, Err(Withheld::Taken)));
        assert!(
            DeliveryAttempt::begin(&source, deliverable(Due::Everyone)).await.is_ok(),
            "a call that waited gets it, too"
        );
        let (source, _reports) = recording_hub(Report::News);
        assert!(DeliveryAttempt::begin(&source, deliverable(Due::First)).await.is_ok());
    }
}
