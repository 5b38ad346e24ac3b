//! An MCP client, over standard input and output or over HTTP: it asks with both tools, waits for the answer, and cancels.

use super::asker::{choose_answerers, message};
use super::mcp_http::HttpSession;
use super::mcp_stdio::StdioSession;
use crate::Failure;
use crate::counters::Port;
use crate::ledger::{Action, Ask, Repeats, Verdict};
use crate::load::{Load, Token};
use crate::random::Random;
use serde_json::{Value, json};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Seconds that a call waits for an answer before it returns "pending".
pub(super) const WAIT_S: u64 = 1;

/// The pause before a call is repeated.
const RETRY: Duration = Duration::from_millis(5);

/// How long the same is asked before it counts as stuck.
const PATIENCE: Duration = Duration::from_secs(60);

/// The message that begins a session.
pub(super) fn initialize() -> Value {
    let client = json!({"name": "crash-campaign", "version": "1"});
    json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client},
    })
}

/// The message after it.
pub(super) fn initialized() -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
}

/// The message that calls a tool.
pub(super) fn tool_call(id: u64, tool: &str, arguments: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

/// A session of an MCP client.
pub(super) trait Session {
    /// Calls a tool; the structured content of its result. None if the result was lost.
    fn call(&mut self, tool: &str, arguments: &Value) -> Result<Option<Value>, Failure>;

    /// Begins a call of a tool, and dies before its result has arrived.
    fn die_in_call(&mut self, tool: &str, arguments: &Value, delay: Duration) -> Result<(), Failure>;
}

/// Runs a client of `askback mcp`.
pub(crate) fn run_stdio(load: &Load, token: &Token, data: &Path, random: Random) -> Result<(), Failure> {
    run(load, token, &mut StdioSession::new(load, token, data), random)
}

/// Runs a client of `/mcp`.
pub(crate) fn run_http(load: &Load, token: &Token, random: Random) -> Result<(), Failure> {
    run(load, token, &mut HttpSession::new(load, token), random)
}

fn run(load: &Load, token: &Token, session: &mut impl Session, mut random: Random) -> Result<(), Failure> {
    while load.goes_on_asking() {
        ask_one(load, token, session, &mut random)?;
    }
    Ok(())
}

fn ask_one(load: &Load, token: &Token, session: &mut impl Session, random: &mut Random) -> Result<(), Failure> {
    let is_cancelled = random.one_in(5);
    let mut answerers = choose_answerers(load, random);
    if answerers.is_empty() && !is_cancelled {
        answerers.push(random.below(load.answerers.len()));
    }
    let mark = load.ledger.begin(Ask { answerers, ..Ask::new(Repeats::Attaching) });
    let (tool, arguments) = question(&message(mark, random), random);
    if random.one_in(8) {
        session.die_in_call(tool, &arguments, random.micros(0, 30_000))?;
        load.api.counters.mcp_kills.add();
    }
    let start = Instant::now();
    let (mut tool, mut arguments) = (tool.to_owned(), arguments);
    loop {
        if start.elapsed() > PATIENCE || load.api.is_abandoned() {
            return Err(format!("mark {mark} has no outcome after {:?}", start.elapsed()).into());
        }
        let Some(result) = session.call(&tool, &arguments)? else { continue };
        let Some(id) = result["request_id"].as_str() else {
            // Nobody can be asked now; a store that fails says so.
            load.api.counters.retries.add();
            sleep(RETRY);
            continue;
        };
        if load.ledger.asked(mark, id) {
            load.api.counters.created(Port::Mcp);
        }
        if result["status"] != "pending" {
            load.api.counters.mcp_results.add();
            load.ledger.told(mark, outcome_in(&result, id));
            return Ok(());
        }
        // Its result has the outcome, and so delivers it: asked again, it would be another request.
        if is_cancelled && cancel(load, token, session, mark, id)? {
            return Ok(());
        }
        // Either way of going on leads to the same request.
        if random.one_in(2) {
            (tool, arguments) = ("wait_for_answer".to_owned(), json!({"request_id": id, "max_wait_s": WAIT_S}));
        }
    }
}

/// A call that asks, of one of the two tools.
fn question(message: &str, random: &mut Random) -> (&'static str, Value) {
    if random.one_in(2) {
        return ("request_user_input", json!({"type": "text", "message": message}));
    }
    let options = ["PostgreSQL", "SQLite"].map(|label| json!({"label": label, "description": "a database"}));
    // This tool takes shorter questions.
    let question = message.get(..200).unwrap_or(message).trim_end();
    let question = json!({"question": question, "header": "Database", "multiSelect": false, "options": options});
    ("AskUserQuestion", json!({"questions": [question]}))
}

/// The fields of a result that are those of the stored outcome.
fn outcome_in(result: &Value, id: &str) -> Value {
    let mut outcome = json!({
        "id": id, "status": result["status"], "reason": result["reason"], "byDefault": result["byDefault"],
    });
    // AskUserQuestion has answers of its own shape, in which a text that is no option stands by itself.
    let custom = &result["answers"][0]["customInput"];
    if custom.is_string() {
        outcome["response"] = custom.clone();
    } else if result.as_object().is_some_and(|fields| fields.contains_key("response")) {
        outcome["response"] = result["response"].clone();
        outcome["answers"] = result["answers"].clone();
    }
    outcome
}

/// Cancels a request; whether its outcome is known then.
fn cancel(load: &Load, token: &Token, session: &mut impl Session, mark: usize, id: &str) -> Result<bool, Failure> {
    let (ending, text) = load.ledger.end(mark, &token.name, Action::Cancel);
    let arguments = json!({"request_id": id, "reason": text});
    let Some(result) = session.call("cancel_request", &arguments)? else { return Ok(false) };
    if result["request_id"].is_null() || result["status"] == "pending" {
        return Ok(false);
    }
    let outcome = outcome_in(&result, id);
    if result["reason"] == *text {
        load.api.counters.ended(Port::Mcp);
        load.ledger.decided(ending, Verdict::Counted(outcome));
    } else {
        load.api.counters.late.add();
        load.ledger.decided(ending, Verdict::Late(outcome));
    }
    Ok(true)
}
