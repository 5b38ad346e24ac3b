//! Retries of a call of a model: the same for every provider, which only says which of its errors are transient.

use super::{Model, ModelError, ModelEvent, ModelRequest, ModelStream};
use crate::limits;
use std::collections::VecDeque;
use std::time::Duration;

/// How often a call of a model is tried, and how long the waits between the tries are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// The most tries of one call, the first included.
    pub tries: u32,
    /// The wait before the second try; each later one is twice as long as the one before.
    pub first_wait: Duration,
    /// The longest wait, also where the server asks for a longer one.
    pub longest_wait: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { tries: limits::TRIES, first_wait: limits::FIRST_BACK_OFF, longest_wait: limits::LONGEST_BACK_OFF }
    }
}

/// One call of a model with its retries. Dropping it ends the call.
pub(crate) struct RetriedCall<'m> {
    model: &'m dyn Model,
    request: ModelRequest,
    policy: RetryPolicy,
    stream: ModelStream,
    tries_left: u32,
    next_wait: Duration,
    /// Events that were received and not returned yet: token counts of a try that may still fail.
    events: VecDeque<ModelEvent>,
    /// Whether the answer has begun. From then on a retry would repeat what was shown.
    has_begun: bool,
}

impl<'m> RetriedCall<'m> {
    pub(crate) fn start(model: &'m dyn Model, request: ModelRequest, policy: RetryPolicy) -> Self {
        let stream = model.call(&request);
        Self {
            model,
            request,
            policy,
            stream,
            tries_left: policy.tries.saturating_sub(1),
            next_wait: policy.first_wait,
            events: VecDeque::new(),
            has_begun: false,
        }
    }

    /// The next event of the answer, or the reason why it does not go on, for the person.
    pub(crate) async fn next(&mut self) -> Result<ModelEvent, String> {
        loop {
            if self.has_begun
                && let Some(event) = self.events.pop_front()
            {
                return Ok(event);
            }
            match self.stream.recv().await {
                Some(Ok(event)) => {
                    self.has_begun |= !matches!(event, ModelEvent::Usage(_));
                    self.events.push_back(event);
                }
                Some(Err(ModelError::Transient { message, .. })) if self.has_begun => {
                    return Err(format!("{message} What it said so far is kept; say \"go on\" to continue."));
                }
                Some(Err(ModelError::Transient { message, retry_after })) if self.tries_left > 0 => {
                    self.retry(&message, retry_after).await;
                }
                Some(Err(error)) => return Err(error.to_string()),
                None => return Err("The model's answer ended in the middle.".to_owned()),
            }
        }
    }

    async fn retry(&mut self, message: &str, retry_after: Option<Duration>) {
        let wait = retry_after.unwrap_or(self.next_wait).min(self.policy.longest_wait);
        tracing::warn!(wait_ms = wait.as_millis(), "a call of the model failed and is tried again: {message}");
        tokio::time::sleep(wait).await;
        self.next_wait = self.next_wait.saturating_mul(2);
        self.tries_left -= 1;
        self.events.clear();
        self.stream = self.model.call(&self.request);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Usage;
    use crate::model::StopReason;
    use std::sync::Mutex;
    use tokio::time::Instant;

    type Answer = Vec<Result<ModelEvent, ModelError>>;

    /// A provider whose calls have these answers, one after the other, and when it was called.
    struct Provider {
        answers: Mutex<VecDeque<Answer>>,
        calls: Mutex<Vec<Instant>>,
    }

    impl Model for Provider {
        fn name(&self) -> String {
            "a provider".to_owned()
        }

        fn call(&self, _: &ModelRequest) -> ModelStream {
            self.calls.lock().unwrap().push(Instant::now());
            let answer = self.answers.lock().unwrap().pop_front().unwrap_or_default();
            let (out, stream) = tokio::sync::mpsc::channel(answer.len().max(1));
            for event in answer {
                out.try_send(event).unwrap();
            }
            stream
        }
    }

    const POLICY: RetryPolicy =
        RetryPolicy { tries: 4, first_wait: Duration::from_secs(1), longest_wait: Duration::from_secs(60) };

    /// The events of a call with these answers, the error that ended it, and the seconds before each retry.
    async fn call(answers: impl IntoIterator<Item = Answer>) -> (Vec<ModelEvent>, Option<String>, Vec<u64>) {
        let answers = Mutex::new(answers.into_iter().collect());
        let provider = Provider { answers, calls: Mutex::default() };
        let request = ModelRequest { system: String::new(), messages: Vec::new(), tools: [].into(), max_tokens: 1 };
        let mut call = RetriedCall::start(&provider, request, POLICY);
        let mut events = Vec::new();
        let error = loop {
            match call.next().await {
                Ok(event @ ModelEvent::Stop(_)) => {
                    events.push(event);
                    break None;
                }
                Ok(event) => events.push(event),
                Err(error) => break Some(error),
            }
        };
        let calls = provider.calls.lock().unwrap().clone();
        let waits = calls.windows(2).map(|pair| (pair[1] - pair[0]).as_secs());
        (events, error, waits.collect())
    }

    fn transient(retry_after_s: Option<u64>) -> Result<ModelEvent, ModelError> {
        let retry_after = retry_after_s.map(Duration::from_secs);
        Err(ModelError::Transient { message: "Overloaded.".to_owned(), retry_after })
    }

    fn text() -> ModelEvent {
        ModelEvent::Text("Hello.".to_owned())
    }

    fn usage(input_tokens: u64) -> ModelEvent {
        ModelEvent::Usage(Usage { input_tokens, output_tokens: 0 })
    }

    const STOP: ModelEvent = ModelEvent::Stop(StopReason::EndOfTurn);

    // S3
    #[tokio::test(start_paused = true)]
    async fn transient_error_is_retried_after_waits_that_double() {
        let answers = [vec![transient(None)], vec![transient(None)], vec![transient(None)], vec![Ok(text()), Ok(STOP)]];
        assert_eq!(call(answers).await, (vec![text(), STOP], None, vec![1, 2, 4]));
    }

    // S3
    #[tokio::test(start_paused = true)]
    async fn retry_waits_as_long_as_the_server_asks_for_up_to_the_longest_wait() {
        let answers =
            [vec![transient(Some(7))], vec![transient(Some(3_600))], vec![transient(Some(0))], vec![Ok(STOP)]];
        assert_eq!(call(answers).await, (vec![STOP], None, vec![7, 60, 0]));
    }

    // S3
    #[tokio::test(start_paused = true)]
    async fn last_try_returns_the_error_of_the_provider() {
        let answers = [vec![transient(None)], vec![transient(None)], vec![transient(None)], vec![transient(None)]];
        assert_eq!(call(answers).await, (vec![], Some("Overloaded.".to_owned()), vec![1, 2, 4]));
    }

    // S3
    #[tokio::test(start_paused = true)]
    async fn final_error_is_not_retried() {
        let answers = [vec![Err(ModelError::Final("Invalid key.".to_owned()))], vec![Ok(STOP)]];
        assert_eq!(call(answers).await, (vec![], Some("Invalid key.".to_owned()), vec![]));
    }

    // S3, T6
    #[tokio::test(start_paused = true)]
    async fn error_after_the_first_text_is_not_retried_and_says_how_to_continue() {
        let (events, error, waits) = call([vec![Ok(text()), transient(None)], vec![Ok(STOP)]]).await;
        assert_eq!((events, waits), (vec![text()], vec![]));
        assert!(error.unwrap().contains("go on"));
    }

    // S3, T1
    #[tokio::test(start_paused = true)]
    async fn tokens_of_a_failed_try_are_not_counted() {
        let answers = [vec![Ok(usage(100)), transient(None)], vec![Ok(usage(90)), Ok(text()), Ok(STOP)]];
        assert_eq!(call(answers).await, (vec![usage(90), text(), STOP], None, vec![1]));
    }

    // S3
    #[tokio::test(start_paused = true)]
    async fn answer_that_ends_without_an_error_fails() {
        assert_eq!(call([vec![]]).await.1.unwrap(), "The model's answer ended in the middle.");
    }
}
