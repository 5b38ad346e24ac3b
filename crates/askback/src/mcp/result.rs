//! What a tool gives back: a text for the model, and the same for programs.

use crate::client::ClientError;
use crate::client::record::HubRecord;
use askback_core::tool::ToolResult;
use askback_core::{Json, Kind, Outcome, Problems, Question, Status, format};
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde_json::{Map, Value, json};

/// Under which a result names the request whose outcome it carries, so that it can be seen at the border what is delivered (S5).
pub(crate) const OUTCOME: &str = "askback/outcome";

/// Under which a result says that what it carries is due to one alone, with whatever there.
pub(crate) const FIRST: &str = "askback/first";

/// The shape that a result has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// An outcome as the API tells of it.
    Outcome,
    /// What the tool AskUserQuestion gives (Q6).
    AskUserQuestion,
}

/// The outcome.
pub(crate) fn ended(record: &HubRecord, outcome: &Outcome, shape: Shape) -> CallToolResult {
    let mut fields = fields_of(&outcome.to_json(&record.request));
    fields.remove("id");
    fields.insert("request_id".to_owned(), record.id.as_str().into());
    if shape == Shape::AskUserQuestion {
        let result = ToolResult::new(&record.request, outcome);
        fields.insert("title".to_owned(), result.title.into());
        fields.insert("subtitle".to_owned(), result.subtitle.into());
        fields.insert("answers".to_owned(), value_of(&result.answers));
        fields.remove("response");
        fields.remove("answeredAt");
    }
    let mut result = success(format::model_text(&record.request, outcome), Value::Object(fields));
    let mut meta = MetaObject::new();
    meta.0.insert(OUTCOME.to_owned(), record.id.as_str().into());
    result.meta = Some(meta);
    result
}

/// The same of an outcome that was there already when it was asked for: consent of that kind is for one alone (S5).
pub(crate) fn found(record: &HubRecord, outcome: &Outcome, shape: Shape) -> CallToolResult {
    let mut result = ended(record, outcome, shape);
    let consents = |question: &Question| matches!(question.kind(), Kind::Approval(_) | Kind::Confirm(_));
    if let Some(meta) = &mut result.meta
        && record.request.questions().iter().any(consents)
    {
        meta.0.insert(FIRST.to_owned(), true.into());
    }
    result
}

/// That another call has got it.
pub(crate) fn taken() -> CallToolResult {
    refused(
        "Another call that asked the same got this answer in the same moment, and it counts once. If you need one as well, ask again.",
    )
}

/// That nobody has answered yet, which is no failure.
pub(crate) fn pending(record: &HubRecord) -> CallToolResult {
    let id = &record.id;
    let text = format!(
        "Nobody has answered yet. The question is still open, and the person can answer at any time.\n\
         To go on waiting, call wait_for_answer with request_id {id}. Do not assume an answer."
    );
    success(text, json!({"status": Status::Pending.name(), "request_id": id, "next": next(id)}))
}

/// What to call next.
pub(crate) fn next(id: &str) -> String {
    format!("call wait_for_answer with request_id {id}")
}

pub(crate) fn success(text: String, structured: Value) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(structured);
    result
}

/// Something that the model can mend.
pub(crate) fn refused(text: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// Everything that is wrong with what was to be asked, and what would pass.
pub(crate) fn problems(problems: &Problems) -> CallToolResult {
    let mut lines: Vec<String> = problems.iter().map(|problem| format!("- {problem}")).collect();
    if problems.more() > 0 {
        lines.push(format!("- and {} more", problems.more()));
    }
    refused(format!("Nothing was asked, because the arguments are not right:\n{}", lines.join("\n")))
}

/// Why the hub could not do it.
pub(crate) fn failed(error: &ClientError) -> CallToolResult {
    match error {
        ClientError::Refused { problem, .. } => {
            let errors = problem.get("errors").and_then(Json::as_array).unwrap_or_default();
            let part = |error: &Json, name: &str| error.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
            let lines = errors.iter().map(|error| {
                format!(
                    "\n- {}: {} (expected {})",
                    part(error, "path"),
                    part(error, "message"),
                    part(error, "expected")
                )
            });
            // One alone is what the error says already.
            let lines = if errors.len() > 1 { lines.collect() } else { String::new() };
            refused(format!("The hub refused: {error}{lines}"))
        }
        error => refused(format!("Nobody can be asked now: {error}. Do not assume an answer.")),
    }
}

/// The core's JSON as that of the protocol's library.
pub(crate) fn value_of(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::String(text) => Value::String(text.clone()),
        // Whole numbers as such: to some readers 3.0 is none.
        Json::Number(number) if number.fract() == 0.0 && number.abs() < 9e15 => Value::from(*number as i64),
        Json::Number(number) => Value::from(*number),
        Json::Array(items) => items.iter().map(value_of).collect(),
        Json::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value_of(value))).collect(),
    }
}

fn fields_of(json: &Json) -> Map<String, Value> {
    match value_of(json) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
