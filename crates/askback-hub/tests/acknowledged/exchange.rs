//! One question with its answer. Everything about them follows from the key, so that a ledger of keys is enough.

use super::Failure;
use askback_core::{Answer, Answers, Limits, Name, Outcome, Request, RequestId, Status, Surface};
use askback_hub::{Ask, Hub, Room, Signature};
use std::sync::Arc;

const RESPONSE: &str = "yes-";

pub(crate) struct Exchange {
    key: String,
}

impl Exchange {
    pub(crate) fn new(key: &str) -> Self {
        Self { key: key.to_owned() }
    }

    /// The exchange that a response belongs to.
    pub(crate) fn of_response(response: &str) -> Option<Self> {
        response.strip_prefix(RESPONSE).map(Self::new)
    }

    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// Mostly a few words, and now and then more than a page of the database has room for, so that transactions differ.
    fn request(&self) -> Result<Request, Failure> {
        let sum = self.key.bytes().fold(7, |sum: usize, byte| (sum * 31 + usize::from(byte)) % 1_000);
        let (key, message) = (&self.key, "why? ".repeat(if sum < 100 { 10 * sum + 1 } else { sum / 20 }));
        let text = format!(r#"{{"type": "text", "key": "{key}", "message": "{message}"}}"#);
        Ok(Request::parse(text.as_bytes(), &Limits::DEFAULT)?)
    }

    pub(crate) fn ask(&self) -> Result<Ask, Failure> {
        Ok(Ask::new(self.request()?, Name::parse("agent")?, Room::parse("room")?))
    }

    /// The same under an id that is known before it is asked.
    pub(crate) fn ask_as(&self, id: &RequestId) -> Result<Ask, Failure> {
        Ok(self.ask()?.with_id(id.clone()))
    }

    pub(crate) fn response(&self) -> String {
        format!("{RESPONSE}{}", self.key)
    }

    fn answerer(&self) -> String {
        format!("reviewer-of-{}", self.key)
    }

    /// Answers the request with this id.
    pub(crate) async fn answer(&self, hub: &Hub, id: &RequestId) -> Result<Arc<Outcome>, Failure> {
        Ok(hub.answer(id, &[self.response().into()], self.signature()?).await?)
    }

    fn signature(&self) -> Result<Signature, Failure> {
        let key = Name::parse(&format!("resolution-of-{}", self.key))?;
        Ok(Signature::new(Name::parse(&self.answerer())?, Surface::Page).with_key(key))
    }

    /// Whether a request ended with the whole of this answer.
    pub(crate) fn is_ended_by(&self, outcome: &Outcome) -> bool {
        let resolution = outcome.resolution();
        let written = resolution.answers().into_iter().flat_map(Answers::iter).map(Answer::written);
        resolution.status() == Status::Answered
            && written.eq([self.response()])
            && outcome.by() == self.answerer()
            && outcome.surface() == Surface::Page
    }
}
