//! `wait_for_answer`: waiting for a pending request or script.

use super::{execute_code, schema};
use crate::arguments::{REQUEST_ID_EXPECTED, read, refuse, request_id};
use crate::call::ToolCall;
use crate::limits::LONGEST_WAIT;
use crate::result::{self, CallResult, failed};
use askback_api::ProblemCode;
use rmcp::model::{CallToolResult, JsonObject, Tool as Definition, ToolAnnotations};
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;
use tokio::time::Instant;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    request_id: Option<String>,
    max_wait_s: Option<f64>,
}

pub(super) fn definition() -> Definition {
    schema::definition(
        ("wait_for_answer", "Wait for an answer"),
        "Go on waiting for a question that is pending, or for a script of execute_code that is still running, and get the outcome. The \
         same request_id always gives the same outcome.",
        schema::object(
            &json!({
                "request_id": schema::text("The request_id of a result that was pending."),
                "max_wait_s": {
                    "type": "number", "minimum": 0, "maximum": LONGEST_WAIT.as_secs(),
                    "description": "The most seconds to wait in this call; as long as your client allows unless given.",
                },
            }),
            &["request_id"],
        ),
        schema::waited_result(),
        ToolAnnotations::new().read_only(true).idempotent(true),
    )
    .with_meta(schema::search_hint("wait for a person's answer to a pending question"))
}

pub(super) async fn call(call: &ToolCall, given: JsonObject) -> CallResult<CallToolResult> {
    let arguments: Arguments =
        read(given, &[("request_id", REQUEST_ID_EXPECTED), ("max_wait_s", &expected_seconds())])?;
    let id = request_id(arguments.request_id.as_deref())?;
    let at_most = arguments.max_wait_s.map(seconds).transpose()?;
    let until = Instant::now() + at_most.map_or(call.budget, |at_most| at_most.min(call.budget));
    let api = call.api().await?;
    match api.show(&id).await {
        Ok(record) => call.wait(&*api, &record, result::outcome_fields, until).await,
        Err(error) if error.code() == Some(ProblemCode::NoSuchRequest) => {
            let script = api.wait_for_script(&id, Duration::ZERO).await.map_err(failed)?;
            execute_code::wait(call, &*api, script, until).await
        }
        Err(error) => Err(failed(error)),
    }
}

fn expected_seconds() -> String {
    format!("a number of seconds from 0 to {}", LONGEST_WAIT.as_secs())
}

fn seconds(seconds: f64) -> CallResult<Duration> {
    let most = LONGEST_WAIT.as_secs_f64();
    if !(0.0..=most).contains(&seconds) {
        return Err(refuse("max_wait_s", "this is not such a number", &expected_seconds()));
    }
    Ok(Duration::from_secs_f64(seconds))
}
