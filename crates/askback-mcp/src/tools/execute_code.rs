//! `execute_code`: a script that asks. It runs on the hub, and so continues after the call that started it.

use super::schema;
use crate::arguments::{read, refuse};
use crate::call::ToolCall;
use crate::result::{self, CallResult, REQUEST_ID, failed, meta};
use askback_api::limits::SCRIPT_BYTES;
use askback_api::{AskerApi, Script, ScriptBody, ScriptQuery};
use askback_core::{Json, Status};
use rmcp::model::{CallToolResult, JsonObject, Tool as Definition};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

/// The metadata under which a result names the script whose result it carries.
pub(crate) const SCRIPT: &str = "askback/script";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    code: Option<String>,
    ask_again: Option<bool>,
}

pub(super) fn definition() -> Definition {
    schema::definition(
        ("execute_code", "Run a script that asks"),
        format!(
            "Run JavaScript that asks a person and goes on with the answers: for questions that depend on each other, or many of them, \
             without a call for each. The code is the body of an async function. `await requestUserInput({{type, message, ...}})` asks one \
             question (or a form with `questions`), and gives {{success, status, response, selections, answers, answeredBy, reason}}; success is \
             true only if a person answered. Promise.all asks several at once. `return` a value to get it as the result; console.log is \
             returned, too. There are no files, no network, no imports and no timers.\n\n{}",
            schema::ASKING
        ),
        schema::with_ask_again(schema::object(
            &json!({"code": {
                "type": "string", "minLength": 1, "maxLength": SCRIPT_BYTES,
                "description": "The body of an async function, for example: const a = await requestUserInput({type: \"confirm\", message: \"Deploy?\"}); return a.response",
            }}),
            &["code"],
        )),
        schema::result(properties()),
        schema::asks(),
    )
    .with_meta(schema::search_hint("ask a person many or dependent questions from a script"))
}

/// The properties of a result for a script.
pub(super) fn properties() -> Value {
    json!({
        "status": {"enum": ["pending", "finished", "failed"]},
        "request_id": schema::text("For wait_for_answer and cancel_request, while it is pending."),
        "next": schema::text("What to call next, while it is pending."),
        "result": {"description": "What the script returned."},
        "error": schema::text("Why it failed."),
        "console": {"type": "array", "items": {"type": "string"}},
        "requests": {"type": "array", "items": {"type": "object"}, "description": "What it has asked, and how far that has come."},
    })
}

pub(super) async fn call(call: &ToolCall, given: JsonObject) -> CallResult<CallToolResult> {
    let expected = format!("JavaScript of at most {SCRIPT_BYTES} bytes");
    let Arguments { code, ask_again } = read(given, &[("code", &expected)])?;
    let code = code.ok_or_else(|| refuse("code", "it is missing", &expected))?;
    if code.trim().is_empty() {
        return Err(refuse("code", "there is none", &expected));
    }
    if code.len() > SCRIPT_BYTES {
        return Err(refuse("code", "this is too long", &expected));
    }
    let until = Instant::now() + call.budget;
    let api = call.api().await?;
    let body = ScriptBody { code, room: None, only_room: false, from: call.client.claim().map(str::to_owned) };
    let query = ScriptQuery { id: None, attach: ask_again != Some(true) };
    let script = api.start_script(body, query).await.map_err(failed)?;
    wait(call, &*api, script, until).await
}

/// Waits for the result of a script.
pub(super) async fn wait(
    call: &ToolCall,
    api: &dyn AskerApi,
    script: Script,
    until: Instant,
) -> CallResult<CallToolResult> {
    if !script.is_running() {
        return Ok(script_result(&script));
    }
    let left = until.saturating_duration_since(Instant::now());
    let waiting = Box::pin(async {
        tokio::select! {
            script = api.wait_for_script(&script.id, left) => match script {
                Ok(script) => Ok(Some(script)),
                // A hub that is away at the end of the budget is like a script that still runs.
                Err(error) if error.is_transient() => Ok(None),
                Err(error) => Err(failed(error)),
            },
            () = call.hung_up.cancelled() => Ok(None),
        }
    });
    let newest = call.report_progress_during("a script", waiting).await?;
    Ok(script_result(newest.as_ref().unwrap_or(&script)))
}

/// The result for a script.
pub(super) fn script_result(script: &Script) -> CallToolResult {
    let console = script.console.join("\n");
    let console = if console.is_empty() { String::new() } else { format!("\n\nconsole:\n{console}") };
    let id = &script.id;
    let fields = |status: &str, own: (&str, Value)| {
        let fields = [("status", status.into()), (REQUEST_ID, id.as_str().into()), own];
        let lists = [("console", json!(script.console)), ("requests", json!(script.requests))];
        fields.into_iter().chain(lists).map(|(name, value)| (name.to_owned(), value)).collect::<Vec<_>>()
    };
    if script.is_running() {
        let pending = script.requests.iter().filter(|request| request.status == Status::Pending);
        let pending: String = pending.map(|request| format!("\n- {}", request.message)).collect();
        let text = format!(
            "The script is still running, and waits for a person:{pending}\nTo go on waiting, call wait_for_answer with request_id {id}. \
             Do not assume an answer.{console}"
        );
        return result::success(text, fields("pending", ("next", result::next(id).into())));
    }
    let mut result = match &script.error {
        Some(error) => {
            let text = format!("The script failed: {error}{console}");
            result::error(text, fields("failed", ("error", error.as_str().into())))
        }
        None => {
            let text = match &script.result {
                Json::String(text) => text.clone(),
                other => other.to_pretty(),
            };
            let returned = Value::from(script.result.clone());
            result::success(format!("The script returned:\n{text}{console}"), fields("finished", ("result", returned)))
        }
    };
    result.meta = Some(meta(SCRIPT, id.as_str()));
    result
}
