//! Reading the arguments of a tool: everything that is wrong is said so that the model can mend it.

use super::call::Called;
use super::claim;
use super::desk::Again;
use super::result;
use super::server::Client;
use super::tools::{KEY, STATUSES};
use askback_core::dialect::DIALECTS;
use askback_core::{Json, Limits, Request, Status, show};
use askback_script::limits::CODE_BYTES;
use rmcp::model::{CallToolResult, JsonObject};
use serde_json::Value;
use std::time::Duration;

/// The arguments of one call, each of which is taken once.
pub(super) struct Arguments(JsonObject);

/// What is to be asked.
pub(super) struct Asks {
    pub(super) request: Request,
    pub(super) again: Again,
}

impl Arguments {
    /// Arguments of these names and no others.
    pub(super) fn new(given: JsonObject, known: &[&str]) -> Called<Self> {
        match given.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(wrong(name, "there is no such argument", &known.join(", "))),
            None => Ok(Self(given)),
        }
    }

    /// A request in any of its shapes.
    pub(super) fn asking(given: JsonObject, client: &Client) -> Called<Asks> {
        Self::read(given, client, |json| Request::from_json(json, &Limits::DEFAULT))
    }

    /// A call of AskUserQuestion, and nothing else (Q1).
    pub(super) fn asking_in_options(given: JsonObject, client: &Client) -> Called<Asks> {
        Self::read(given, client, |json| match DIALECTS.iter().find(|dialect| dialect.name == "ask-user-question") {
            Some(dialect) => dialect.parse(json, &Limits::DEFAULT),
            None => Request::from_json(json, &Limits::DEFAULT),
        })
    }

    fn read(
        given: JsonObject,
        client: &Client,
        parse: impl FnOnce(&Json) -> Result<Request, askback_core::Problems>,
    ) -> Called<Asks> {
        let mut arguments = Self(given);
        let again = arguments.again()?;
        let mut fields = arguments.0;
        if fields.contains_key(KEY) {
            return Err(wrong(KEY, "there are no keys here", "none: asking exactly the same again finds the question"));
        }
        if let Some(name) = client.claim() {
            let said = fields.get("from").and_then(Value::as_str);
            // An item that is not text is refused together with the other problems.
            if said.is_some() || !fields.contains_key("from") {
                let claim = claim::of_client(name, said);
                fields.insert("from".to_owned(), claim.into());
            }
        }
        let text = Value::Object(fields).to_string();
        let json =
            Json::parse(text.as_bytes(), &Limits::DEFAULT).map_err(|problems| Box::new(result::problems(&problems)))?;
        let request = parse(&json).map_err(|problems| Box::new(result::problems(&problems)))?;
        Ok(Asks { request, again })
    }

    pub(super) fn again(&mut self) -> Called<Again> {
        match self.0.remove("ask_again") {
            None | Some(Value::Null | Value::Bool(false)) => Ok(Again::Attach),
            Some(Value::Bool(true)) => Ok(Again::Anew),
            Some(_) => Err(wrong("ask_again", "this is neither", "true or false")),
        }
    }

    pub(super) fn text(&mut self, name: &str) -> Called<Option<String>> {
        self.text_that_is(name, "a text")
    }

    fn text_that_is(&mut self, name: &str, expected: &str) -> Called<Option<String>> {
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(wrong(name, "this is no text", expected)),
        }
    }

    /// An id that a result has named.
    pub(super) fn id(&mut self, name: &str) -> Called<String> {
        const EXPECTED: &str = "the request_id of an earlier result; list_requests names them all";
        match self.text_that_is(name, EXPECTED)? {
            Some(id) if askback_core::RequestId::parse(id.trim()).is_ok() => Ok(id.trim().to_owned()),
            Some(id) => Err(wrong(name, &format!("{} is not a request id", show::quote(&id)), EXPECTED)),
            None => Err(wrong(name, "it is missing", EXPECTED)),
        }
    }

    pub(super) fn code(&mut self) -> Called<String> {
        let expected = format!("JavaScript of at most {CODE_BYTES} bytes");
        match self.text_that_is("code", &expected)? {
            Some(code) if code.trim().is_empty() => Err(wrong("code", "there is none", &expected)),
            Some(code) if code.len() > CODE_BYTES => Err(wrong("code", "this is too long", &expected)),
            Some(code) => Ok(code),
            None => Err(wrong("code", "it is missing", &expected)),
        }
    }

    pub(super) fn seconds(&mut self, name: &str, most: Duration) -> Called<Option<Duration>> {
        let expected = format!("a number of seconds from 0 to {}", most.as_secs());
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                let seconds = value.as_f64().filter(|seconds| (0.0..=most.as_secs_f64()).contains(seconds));
                let seconds = seconds.ok_or_else(|| wrong(name, "this is not such a number", &expected))?;
                Ok(Some(Duration::from_secs_f64(seconds)))
            }
        }
    }

    pub(super) fn count(&mut self, name: &str, most: u64) -> Called<Option<u64>> {
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                let count = value.as_u64().filter(|count| (1..=most).contains(count));
                count.map(Some).ok_or_else(|| {
                    wrong(name, "this is not such a number", &format!("a whole number from 1 to {most}"))
                })
            }
        }
    }

    pub(super) fn status(&mut self) -> Called<Option<Status>> {
        let words = STATUSES.map(Status::name).join(", ");
        let Some(word) = self.text_that_is("status", &words)? else { return Ok(None) };
        let found = STATUSES.into_iter().find(|status| status.name() == word);
        found.map(Some).ok_or_else(|| wrong("status", &format!("{} is not a status", show::quote(&word)), &words))
    }
}

fn wrong(name: &str, message: &str, expected: &str) -> Box<CallToolResult> {
    let name = show::quote(name);
    Box::new(result::refused(format!("The arguments are not right:\n- {name}: {message} (expected {expected})")))
}
