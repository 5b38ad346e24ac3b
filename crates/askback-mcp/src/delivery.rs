//! Delivery to the client: an outcome is reported as delivered just before it is sent, and the report is reverted if sending fails (S5).
//! A call that the client has cancelled reports nothing, since its result is not sent.
//!
//! Each attempt has a key of its own. Of two attempts for the same outcome the one that reported last counts, so that the other can't
//! revert a delivery that has arrived.

use crate::asker_source::AskerSource;
use crate::result::{FIRST, OUTCOME};
use crate::tools::execute_code::SCRIPT;
use askback_api::{ApiError, DeliveryBody, ProblemCode};
use askback_core::RequestId;
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::oneshot;
use uuid::Uuid;

/// An outcome or a script's result whose delivery is reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deliverable {
    /// The id of the request or the script.
    pub id: RequestId,
    /// Its kind.
    pub kind: DeliverableKind,
    /// The calls that get it.
    pub due: Due,
}

/// The kind of a [`Deliverable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliverableKind {
    /// The outcome of a request.
    Outcome,
    /// The result of a script.
    ScriptResult,
}

/// The calls that get a [`Deliverable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Every call that waited for it.
    Everyone,
    /// One call alone: consent that was found by asking the same again must not count twice.
    First,
}

impl Deliverable {
    /// Reads the deliverable from the metadata of a result.
    pub fn in_meta(meta: &serde_json::Map<String, Value>) -> Option<Self> {
        let named = |name: &str| meta.get(name).and_then(Value::as_str).and_then(|id| RequestId::parse(id).ok());
        let due = if meta.contains_key(FIRST) { Due::First } else { Due::Everyone };
        let outcome = named(OUTCOME).map(|id| Self { id, kind: DeliverableKind::Outcome, due });
        outcome.or_else(|| named(SCRIPT).map(|id| Self { id, kind: DeliverableKind::ScriptResult, due }))
    }
}

/// The reason why a result is not sent.
#[derive(Debug)]
pub enum WithheldReason {
    /// Its delivery could not be reported.
    NotReported(ApiError),
    /// It is for one call alone, and another call got it.
    Taken,
}

/// A result whose delivery was reported, while it is sent. Dropping the attempt before it succeeds reverts the report.
pub struct DeliveryAttempt {
    source: Arc<dyn AskerSource>,
    deliverable: Deliverable,
    key: String,
    /// Whether a failure reverts the report: not if the outcome was delivered before, nor once the attempt is over.
    is_revertible: bool,
}

impl DeliveryAttempt {
    /// Reports a delivery, before the result is sent.
    pub async fn begin(source: &Arc<dyn AskerSource>, deliverable: Deliverable) -> Result<Self, WithheldReason> {
        let key = Uuid::new_v4().to_string();
        let mut attempt = Self { source: Arc::clone(source), deliverable, key, is_revertible: false };
        let (reported, reporting) = oneshot::channel();
        // In a task of its own, so that a report is reverted if the caller is dropped meanwhile.
        tokio::spawn(async move {
            let was_news = attempt.report(true).await;
            let _ = reported.send(was_news.map(|was_news| {
                attempt.is_revertible = was_news;
                attempt
            }));
        });
        let stopping = |_| Err(ApiError::Lost("the server is stopping".to_owned()));
        let attempt = reporting.await.unwrap_or_else(stopping).map_err(WithheldReason::NotReported)?;
        match attempt.deliverable.due {
            Due::First if !attempt.is_revertible => Err(WithheldReason::Taken),
            Due::First | Due::Everyone => Ok(attempt),
        }
    }

    /// Ends the attempt: the client has the result.
    pub fn succeed(mut self) {
        self.is_revertible = false;
    }

    /// Ends the attempt: the result could not be sent.
    pub async fn fail(mut self) {
        if std::mem::take(&mut self.is_revertible) {
            self.revert().await;
        }
    }

    /// Reports a delivery or its failure; returns whether that was news.
    async fn report(&self, delivered: bool) -> Result<bool, ApiError> {
        let api = self.source.asker().await?;
        let (id, body) = (&self.deliverable.id, DeliveryBody { delivered, key: Some(self.key.clone()) });
        match self.deliverable.kind {
            DeliverableKind::Outcome => api.deliver(id, body).await,
            DeliverableKind::ScriptResult => match api.deliver_script(id, body).await {
                // A hub that has restarted does not have the script, so that no other call can get its result.
                Err(error) if error.code() == Some(ProblemCode::NotFound) => Ok(false),
                reported => reported,
            },
        }
    }

    async fn revert(&self) {
        if let Err(error) = self.report(false).await {
            let id = self.deliverable.id.as_str();
            tracing::warn!(%error, id, "the hub can't be told that an outcome did not reach its asker");
        }
    }
}

impl Drop for DeliveryAttempt {
    fn drop(&mut self) {
        if !self.is_revertible {
            return;
        }
        let (source, deliverable) = (Arc::clone(&self.source), self.deliverable.clone());
        let attempt = Self { source, deliverable, key: std::mem::take(&mut self.key), is_revertible: false };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { attempt.revert().await });
        }
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
        DeliveryAttempt::begin(&source, deliverable(Due::Everyone)).await.ok().unwrap().fail().await;
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
        assert!(matches!(DeliveryAttempt::begin(&source, deliverable(Due::First)).await, Err(WithheldReason::Taken)));
        assert!(
            DeliveryAttempt::begin(&source, deliverable(Due::Everyone)).await.is_ok(),
            "a call that waited gets it, too"
        );
        let (source, _reports) = recording_hub(Report::News);
        assert!(DeliveryAttempt::begin(&source, deliverable(Due::First)).await.is_ok());
    }
}
