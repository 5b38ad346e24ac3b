//! Helpers of the hub's tests: sample values, and a clock that follows paused time.

use crate::Clock;
pub(crate) use askback_testkit::sample::{answers, id, inputs, moment, name, question, request, room};
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

/// A clock that shows [`moment`] 0 when it is made, and then goes as tokio's does, which tests can pause.
pub(crate) struct TokioClock(Instant);

impl TokioClock {
    pub(crate) fn new() -> Self {
        Self(Instant::now())
    }
}

impl Clock for TokioClock {
    fn now(&self) -> Timestamp {
        moment(0).checked_add(SignedDuration::try_from(self.0.elapsed()).unwrap()).unwrap()
    }
}
