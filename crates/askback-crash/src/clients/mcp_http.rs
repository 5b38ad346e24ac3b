//! A session of `/mcp`, which outlives the hub's process.

use super::mcp::{Session, WAIT_S, initialize, initialized, tool_call};
use crate::Failure;
use crate::api::{Response, is_transient};
use crate::load::{Load, ROOM, Token};
use askback_testkit::http::{Call, Connection};
use serde_json::Value;
use std::thread::sleep;
use std::time::Duration;

/// The pause before a message is sent again.
const RETRY: Duration = Duration::from_millis(5);

pub(super) struct HttpSession<'l> {
    load: &'l Load,
    token: &'l Token,
    id: Option<String>,
    calls: u64,
}

impl<'l> HttpSession<'l> {
    pub(super) fn new(load: &'l Load, token: &'l Token) -> Self {
        Self { load, token, id: None, calls: 1 }
    }

    fn post(&self, message: &Value) -> Call {
        let path = format!("/mcp?room={ROOM}&wait={WAIT_S}");
        let call = self.load.api.post(&path, &self.token.secret, message);
        let call = call.header("Accept", "application/json, text/event-stream");
        let call = call.header("Content-Type", "application/json");
        match &self.id {
            Some(id) => call.header("Mcp-Session-Id", id),
            None => call,
        }
    }

    /// Begins a session, unless there is one; whether there is one then.
    fn begin(&mut self) -> Result<bool, Failure> {
        if self.id.is_some() {
            return Ok(true);
        }
        let Ok(response) = self.load.api.send(&self.post(&initialize())) else { return Ok(false) };
        if is_transient(response.status) {
            return Ok(false);
        }
        self.id = response.session;
        if self.id.is_none() {
            return Err(format!("/mcp began no session: {} {}", response.status, response.body).into());
        }
        // If this is lost, the first call is refused, and another session is begun.
        let _ = self.load.api.send(&self.post(&initialized()));
        Ok(true)
    }
}

impl Session for HttpSession<'_> {
    fn call(&mut self, tool: &str, arguments: &Value) -> Result<Option<Value>, Failure> {
        self.calls += 1;
        let sent = if self.begin()? {
            self.load.api.send(&self.post(&tool_call(self.calls, tool, arguments)))
        } else {
            sleep(RETRY);
            return Ok(None);
        };
        match sent {
            Ok(Response { status: 200, body, .. }) => match result_in(&body, self.calls) {
                Some(result) => Ok(Some(result)),
                None => {
                    self.id = None;
                    Ok(None)
                }
            },
            // A session that was not persisted, or whose second message was lost.
            Ok(Response { status: 400..=422, .. }) => {
                self.id = None;
                Ok(None)
            }
            Ok(response) if !is_transient(response.status) => Err(format!("{tool} over /mcp got {response:?}").into()),
            Ok(_) | Err(_) => {
                sleep(RETRY);
                Ok(None)
            }
        }
    }

    fn die_in_call(&mut self, tool: &str, arguments: &Value, delay: Duration) -> Result<(), Failure> {
        self.calls += 1;
        if self.begin()? {
            let call = self.post(&tool_call(self.calls, tool, arguments));
            let opened = Connection::open(self.load.api.address).and_then(|connection| call.open_over(connection));
            sleep(delay);
            drop(opened);
        }
        self.id = None;
        Ok(())
    }
}

/// The structured content of the result in a stream of events, or in a body that is the message.
fn result_in(body: &str, id: u64) -> Option<Value> {
    let events = body.lines().filter_map(|line| line.strip_prefix("data: "));
    let messages = events.chain([body]).filter_map(|text| serde_json::from_str::<Value>(text).ok());
    let mut results = messages.filter(|message| message["id"] == id);
    results.find_map(|message| Some(message["result"]["structuredContent"].clone()).filter(Value::is_object))
}
