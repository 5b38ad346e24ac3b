//! `cancel_request`: cancelling a request, or stopping a script.

use super::{execute_code, schema};
use crate::arguments::{REQUEST_ID_EXPECTED, read, request_id};
use crate::call::ToolCall;
use crate::result::{self, CallResult, failed};
use askback_api::{CancelBody, ProblemCode};
use rmcp::model::{CallToolResult, JsonObject, Tool as Definition, ToolAnnotations};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    request_id: Option<String>,
    reason: Option<String>,
}

pub(super) fn definition() -> Definition {
    schema::definition(
        ("cancel_request", "Take a question away"),
        "Take a question away that no longer needs an answer, or stop a script of execute_code. If it has been answered in the meantime, \
         you get that answer.",
        schema::object(
            &json!({
                "request_id": schema::text("The request_id of what was asked."),
                "reason": schema::text("Why, for the person who might have been about to answer."),
            }),
            &["request_id"],
        ),
        schema::waited_result(),
        ToolAnnotations::new().read_only(false).destructive(false).idempotent(true).open_world(false),
    )
    .with_meta(schema::search_hint("withdraw a question that needs no answer any more"))
}

pub(super) async fn call(call: &ToolCall, given: JsonObject) -> CallResult<CallToolResult> {
    let arguments: Arguments = read(given, &[("request_id", REQUEST_ID_EXPECTED)])?;
    let id = request_id(arguments.request_id.as_deref())?;
    let api = call.api().await?;
    let record = match api.show(&id).await {
        Err(error) if error.code() == Some(ProblemCode::NoSuchRequest) => {
            return Ok(execute_code::script_result(&api.stop_script(&id).await.map_err(failed)?));
        }
        record => record.map_err(failed)?,
    };
    let body = CancelBody { reason: arguments.reason, key: Some(Uuid::new_v4().to_string()), surface: None };
    let outcome = result::outcome_of(api.cancel(record.as_ref(), body).await)?;
    Ok(result::ended(&record, &outcome, result::outcome_fields))
}
