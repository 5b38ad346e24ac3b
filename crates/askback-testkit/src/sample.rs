//! Values to test with: requests, answers, names, ids and times.

use askback_core::{AnswerInput, Answers, Limits, Name, Path, Request, RequestId, Room};
use jiff::Timestamp;

/// A request from its JSON.
pub fn request(json: &str) -> Request {
    Request::parse(json.as_bytes(), &Limits::DEFAULT).unwrap()
}

/// A request that is answered with a text.
pub fn question(message: &str) -> Request {
    request(&format!(r#"{{"type": "text", "message": "{message}"}}"#))
}

/// Answers to a request, by their written form.
pub fn answers(request: &Request, written: &[&str]) -> Answers {
    request.parse_answers(&inputs(written), &Path::root()).unwrap()
}

/// Answers before validation, by their written form.
pub fn inputs(written: &[&str]) -> Vec<AnswerInput> {
    written.iter().map(|text| AnswerInput::from(*text)).collect()
}

/// A name.
pub fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

/// A room.
pub fn room(text: &str) -> Room {
    Room::parse(text).unwrap()
}

/// The request id of this number.
pub fn id(number: u64) -> RequestId {
    RequestId::parse(&format!("019a8b3c-0000-7000-8000-{number:012x}")).unwrap()
}

/// The time so many seconds after the start of a test.
pub fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).unwrap()
}
