//! `AskUserQuestion`: a choice between options (Q1).

use super::request_user_input::read_request;
use super::schema;
use crate::call::ToolCall;
use crate::result::{self, CallResult};
use askback_api::Record;
use askback_core::dialect::DIALECTS;
use askback_core::tool::{self, ToolResult};
use askback_core::{Limits, Outcome, Request};
use rmcp::model::{CallToolRequestParams, CallToolResponse, JsonObject, Tool as Definition};
use serde_json::{Map, Value, json};

pub(super) fn definition() -> Definition {
    schema::definition(
        (tool::NAME, "Ask a person to choose"),
        format!("{}\n\n{}", tool::DESCRIPTION, schema::ASKING),
        schema::with_ask_again(tool::schema(&Limits::DEFAULT)),
        result_schema(),
        schema::asks(),
    )
    .with_meta(schema::always_loaded())
}

fn result_schema() -> Value {
    let answer = json!({
        "type": "object", "required": ["question", "selectedOptions"],
        "properties": {
            "question": {"type": "string"}, "header": {"type": "string"},
            "selectedOptions": {"type": "array", "items": {"type": "string"}}, "customInput": {"type": "string"},
        },
    });
    let text_or_null = json!({"type": ["string", "null"]});
    schema::asking_result(json!({
        "title": {"type": "string"}, "subtitle": {"type": "string"}, "answers": {"type": "array", "items": answer},
        "answeredBy": text_or_null, "surface": text_or_null, "answeredAt": text_or_null, "byDefault": {"type": "boolean"},
        "reason": text_or_null,
    }))
}

/// Asks, with arguments in the shape of this tool's dialect alone.
pub(super) async fn call(
    call: &ToolCall,
    given: JsonObject,
    params: CallToolRequestParams,
) -> CallResult<CallToolResponse> {
    let (request, again) = read_request(given, &call.client, |json| {
        match DIALECTS.iter().find(|dialect| dialect.name == "ask-user-question") {
            Some(dialect) => dialect.parse(json, &Limits::DEFAULT),
            None => Request::from_json(json, &Limits::DEFAULT),
        }
    })?;
    call.ask(request, again, outcome_fields, params).await
}

/// The fields of the tool's result (Q6).
fn outcome_fields(record: &Record, outcome: &Outcome) -> Map<String, Value> {
    let ToolResult { title, subtitle, answers, .. } = ToolResult::new(&record.request, outcome);
    let mut fields = Map::from_iter([("title".to_owned(), title.into()), ("subtitle".to_owned(), subtitle.into())]);
    fields.extend(result::outcome_fields(record, outcome).into_iter().filter(|(name, _)| name != "response"));
    fields.insert("answers".to_owned(), answers.into());
    fields
}
