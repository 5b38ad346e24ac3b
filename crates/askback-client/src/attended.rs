//! The pending requests of a session, and the calls that tell the hub that their asker is still running (L9).

use askback_api::ApiError;
use askback_core::RequestId;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::time::sleep;

/// The pause between two rounds: a request counts as attended for a minute after each.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// Requests of one session that are kept attended. Past it the oldest are left out.
const MOST: usize = 1_000;

#[derive(Debug, Default)]
pub(crate) struct AttendedRequests {
    pending: Mutex<BTreeSet<RequestId>>,
}

impl AttendedRequests {
    /// Adds a request. Ids begin with their time, so that the first one is the oldest.
    pub(crate) fn add(&self, id: &RequestId) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.insert(id.clone());
        if pending.len() > MOST {
            pending.pop_first();
        }
    }

    pub(crate) fn remove(&self, id: &RequestId) {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    fn ids(&self) -> Vec<RequestId> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// Calls `is_pending` for each request every few seconds; the hub counts the call as the asker's presence. Ends when
/// the session is dropped.
pub(crate) async fn keep_attended<C>(attended: Weak<AttendedRequests>, is_pending: impl Fn(RequestId) -> C)
where
    C: Future<Output = Result<bool, ApiError>>,
{
    loop {
        sleep(HEARTBEAT).await;
        let Some(attended) = attended.upgrade() else { return };
        for id in attended.ids() {
            match is_pending(id.clone()).await {
                // A response that this version can't read says nothing of the request.
                Ok(true) | Err(ApiError::Foreign(_)) => {}
                // The hub can't be reached, or is busy; the next round tries again.
                Err(error) if error.is_transient() || matches!(error, ApiError::Unavailable(_)) => break,
                Ok(false) | Err(_) => attended.remove(&id),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_api::{ProblemCode, ProblemDetails};
    use std::collections::VecDeque;
    use std::sync::Arc;

    fn refused(code: ProblemCode) -> Result<bool, ApiError> {
        Err(ProblemDetails::new(code, "refused").into())
    }

    // L9
    #[tokio::test(start_paused = true)]
    async fn request_stays_attended_while_the_hub_is_busy_and_not_once_it_is_unknown() {
        let attended = Arc::new(AttendedRequests::default());
        attended.add(&crate::asking::new_id());
        let responses = [
            refused(ProblemCode::TooMany),
            refused(ProblemCode::StoreFailed),
            Err(ApiError::Lost("closed".to_owned())),
            Err(ApiError::Foreign("of another version".to_owned())),
            Ok(true),
            refused(ProblemCode::NoSuchRequest),
        ];
        let responses = Arc::new(Mutex::new(VecDeque::from(responses)));
        let left = Arc::clone(&responses);
        let is_pending = move |_| std::future::ready(left.lock().unwrap().pop_front().unwrap());
        let keeping = tokio::spawn(keep_attended(Arc::downgrade(&attended), is_pending));
        for calls_left in (0..6).rev() {
            assert_eq!(attended.ids().len(), 1, "{calls_left} calls are left");
            sleep(HEARTBEAT).await;
            tokio::task::yield_now().await;
            assert_eq!(responses.lock().unwrap().len(), calls_left);
        }
        assert!(attended.ids().is_empty());
        drop(attended);
        sleep(HEARTBEAT).await;
        keeping.await.unwrap();
    }

    // L9, S3
    #[test]
    fn only_the_newest_requests_of_a_session_are_kept_attended() {
        let attended = AttendedRequests::default();
        let ids: Vec<_> = (0..=MOST).map(|_| crate::asking::new_id()).collect();
        ids.iter().for_each(|id| attended.add(id));
        attended.add(&ids[MOST]);
        assert_eq!(attended.ids().len(), MOST);
        assert!(attended.ids().contains(&ids[MOST]));
        attended.remove(&ids[MOST]);
        assert_eq!(attended.ids().len(), MOST - 1);
    }
}
