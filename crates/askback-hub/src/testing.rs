//! What the tests of the hub share: small makers, and a clock that goes with paused time.

use crate::{Clock, Room};
use askback_core::{AnswerInput, Answers, Limits, Name, Path, Request, RequestId};
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

/// A request from its JSON.
pub(crate) fn request(json: &str) -> Request {
    Request::parse(json.as_bytes(), &Limits::DEFAULT).unwrap()
}

/// One that is answered with a text.
pub(crate) fn question(message: &str) -> Request {
    request(&format!(r#"{{"type": "text", "message": "{message}"}}"#))
}

/// Answers to a request, in their written form.
pub(crate) fn answers(request: &Request, written: &[&str]) -> Answers {
    request.parse_answers(&inputs(written), &Path::root()).unwrap()
}

/// Answers in their written form, before validation.
pub(crate) fn inputs(written: &[&str]) -> Vec<AnswerInput> {
    written.iter().map(|text| AnswerInput::from(*text)).collect()
}

pub(crate) fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

pub(crate) fn room(text: &str) -> Room {
    Room::parse(text).unwrap()
}

/// An id that is known beforehand.
pub(crate) fn id(number: u64) -> RequestId {
    RequestId::parse(&format!("019a8b3c-0000-7000-8000-{number:012x}")).unwrap()
}

/// A moment so many seconds after the tests began.
pub(crate) fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).unwrap()
}

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
