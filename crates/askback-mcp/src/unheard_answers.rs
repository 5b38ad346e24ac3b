//! Answers that a client may not have received.
//!
//! Some clients give up on a call and tell nothing: the hub then delivers the answer to a call whose result the client drops. When such a
//! client asks exactly the same again as its next question, the tools return that answer once more, and only once. Consent is never
//! returned again (S5).

use crate::limits::{REPEATED_WITHIN, UNHEARD_ANSWERS, UNHEARD_BYTES};
use askback_api::Record;
use askback_core::{Outcome, Request, Status};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::time::Instant;

/// The latest answers that one session has been sent.
#[derive(Clone, Default)]
pub(crate) struct UnheardAnswers(Arc<Mutex<VecDeque<UnheardAnswer>>>);

pub(crate) struct UnheardAnswer {
    /// The request as the client made it.
    asked: Arc<Request>,
    pub(crate) record: Record,
    pub(crate) outcome: Outcome,
    sent: Instant,
}

impl UnheardAnswers {
    /// Remembers an answer that is about to be sent, unless it must not be used twice or is large.
    pub(crate) fn insert(&self, asked: Arc<Request>, record: &Record, outcome: &Outcome) {
        let is_persons = matches!(outcome.status(), Status::Answered | Status::Declined);
        let size = || asked.to_json().to_string().len() + outcome.to_json(&asked).to_string().len();
        if !is_persons || asked.asks_consent() || size() > UNHEARD_BYTES {
            return;
        }
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Several calls may have waited for one answer.
        if answers.iter().any(|answer| answer.record.id == record.id) {
            return;
        }
        if answers.len() >= UNHEARD_ANSWERS {
            answers.pop_front();
        }
        answers.push_back(UnheardAnswer {
            asked,
            record: record.clone(),
            outcome: outcome.clone(),
            sent: Instant::now(),
        });
    }

    /// Removes and returns the answer to a request that is asked again. A client that asks anything else has received its answers, or no
    /// longer needs them: they are all forgotten.
    pub(crate) fn take(&self, asked: &Request) -> Option<UnheardAnswer> {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        answers.retain(|answer| answer.sent.elapsed() < REPEATED_WITHIN);
        let Some(place) = answers.iter().position(|answer| *answer.asked == *asked) else {
            answers.clear();
            return None;
        };
        answers.remove(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_core::Limits;
    use serde_json::{Value, json};

    fn request(kind: &str, message: &str) -> Arc<Request> {
        let request = json!({ "type": kind, "message": message }).to_string();
        Arc::new(Request::parse(request.as_bytes(), &Limits::DEFAULT).unwrap())
    }

    /// The record of an ended request, with its outcome.
    fn ended(request: &Request, status: &str, response: Option<&str>) -> (Record, Outcome) {
        let id = format!("0192f8a0-0000-7000-8000-{:012}", request.summary().len());
        let answer = |response| json!({ "id": "1", "question": request.summary(), "header": null, "response": response, "selections": [], "custom": null });
        let outcome = json!({
            "id": id, "status": status, "response": response, "answers": response.map(answer).into_iter().collect::<Vec<_>>(),
            "answeredBy": "ada", "surface": "page", "answeredAt": "2026-01-01T00:01:00Z", "byDefault": false, "reason": null,
        });
        let request: Value = serde_json::from_str(&request.to_json().to_string()).unwrap();
        let record = json!({
            "id": id, "status": status, "room": "shop", "asker": "agent", "createdAt": "2026-01-01T00:00:00Z", "expiresAt": null,
            "waiting": true, "lastWaitedAt": null, "request": request, "outcome": outcome,
        });
        let record: Record = serde_json::from_value(record).unwrap();
        let outcome = record.outcome.as_deref().unwrap().clone();
        (record, outcome)
    }

    fn insert(answers: &UnheardAnswers, asked: &Arc<Request>, (record, outcome): &(Record, Outcome)) {
        answers.insert(Arc::clone(asked), record, outcome);
    }

    // L3
    #[tokio::test(start_paused = true)]
    async fn answer_is_returned_once_more_to_the_same_request() {
        let (answers, asked) = (UnheardAnswers::default(), request("text", "Name?"));
        let answered = ended(&asked, "answered", Some("Ada"));
        insert(&answers, &asked, &answered);
        // Two calls waited for it.
        insert(&answers, &asked, &answered);
        assert_eq!(answers.take(&asked).map(|answer| answer.outcome), Some(answered.1));
        assert!(answers.take(&asked).is_none());
    }

    // L3
    #[tokio::test(start_paused = true)]
    async fn another_question_ends_what_is_returned_once_more() {
        let (answers, asked) = (UnheardAnswers::default(), request("text", "Name?"));
        insert(&answers, &asked, &ended(&asked, "declined", None));
        assert!(answers.take(&request("text", "Region?")).is_none());
        assert!(answers.take(&asked).is_none());
    }

    // S5
    #[tokio::test(start_paused = true)]
    async fn consent_and_ends_without_a_person_are_not_returned_once_more() {
        let answers = UnheardAnswers::default();
        let confirm = request("confirm", "Delete it?");
        insert(&answers, &confirm, &ended(&confirm, "answered", Some("yes")));
        assert!(answers.take(&confirm).is_none());
        let text = request("text", "Name?");
        let (record, outcome) = ended(&text, "cancelled", None);
        answers.insert(Arc::clone(&text), &record, &outcome);
        assert!(answers.take(&text).is_none());
    }

    // L3, S3
    #[tokio::test(start_paused = true)]
    async fn answers_are_forgotten_after_a_time_and_beyond_a_number() {
        let answers = UnheardAnswers::default();
        let asked: Vec<_> = (0..=UNHEARD_ANSWERS).map(|length| request("text", &"?".repeat(length + 1))).collect();
        asked.iter().for_each(|asked| insert(&answers, asked, &ended(asked, "answered", Some("Ada"))));
        assert!(answers.take(&asked[1]).is_some());
        tokio::time::advance(REPEATED_WITHIN).await;
        assert!(answers.take(&asked[2]).is_none());
        asked.iter().for_each(|asked| insert(&answers, asked, &ended(asked, "answered", Some("Ada"))));
        assert!(answers.take(&asked[0]).is_none(), "the oldest has given way");
    }
}
