//! Tool results: a text for the model, and structured content for programs.
//!
//! Several clients hand the model only the structured content when a result has it, so the text is also its first field.

use crate::client::ClientError;
use crate::client::record::HubRecord;
use askback_core::tool::ToolResult;
use askback_core::{Json, Kind, Outcome, Problems, Question, Status, format};
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde_json::{Map, Value};

/// Under which a result names the request whose outcome it carries, so that it can be seen at the border what is delivered (S5).
pub(crate) const OUTCOME: &str = "askback/outcome";

/// Under which a result says that what it carries is due to one alone, with whatever there.
pub(crate) const FIRST: &str = "askback/first";

/// The tools' name for a request's id.
pub(crate) const REQUEST_ID: &str = "request_id";

/// The shape that a result has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// An outcome as the API tells of it.
    Outcome,
    /// What the tool AskUserQuestion gives (Q6).
    AskUserQuestion,
}

/// The first field of the structured content: the whole text for the model.
pub(crate) const MESSAGE: &str = "message";

/// The outcome.
pub(crate) fn ended(record: &HubRecord, outcome: &Outcome, shape: Shape) -> CallToolResult {
    let fields = match shape {
        Shape::Outcome => outcome_fields(record, outcome),
        Shape::AskUserQuestion => ask_user_question_fields(record, outcome),
    };
    let mut result = success(format::model_text(&record.request, outcome), fields);
    let mut meta = MetaObject::new();
    meta.0.insert(OUTCOME.to_owned(), record.id.as_str().into());
    result.meta = Some(meta);
    result
}

/// The outcome as the API has it, under the tools' name for its id, and without a name or a time of answering if nobody answered.
fn outcome_fields(record: &HubRecord, outcome: &Outcome) -> Map<String, Value> {
    let Json::Object(fields) = outcome.to_json(&record.request) else { return Map::new() };
    let fields = fields.into_iter().map(|(name, value)| match name.as_str() {
        "id" => (REQUEST_ID.to_owned(), record.id.as_str().into()),
        "answeredBy" | "answeredAt" if answerer(outcome).is_none() => (name, Value::Null),
        _ => (name, value_of(&value)),
    });
    fields.collect()
}

fn ask_user_question_fields(record: &HubRecord, outcome: &Outcome) -> Map<String, Value> {
    let ToolResult { title, subtitle, answers, .. } = ToolResult::new(&record.request, outcome);
    let mut fields = Map::from_iter([("title".to_owned(), title.into()), ("subtitle".to_owned(), subtitle.into())]);
    fields.extend(outcome_fields(record, outcome).into_iter().filter(|(name, _)| name != "response"));
    fields.insert("answers".to_owned(), value_of(&answers));
    fields
}

/// The name of the person who answered or declined. A request that was cancelled or has expired has none.
pub(crate) fn answerer(outcome: &Outcome) -> Option<&str> {
    matches!(outcome.status(), Status::Answered | Status::Declined).then(|| outcome.by())
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
    let fields = [
        ("status", Status::Pending.name().into()),
        (REQUEST_ID, id.as_str().into()),
        ("next", next(id).into()),
        ("answeredBy", Value::Null),
        ("answeredAt", Value::Null),
    ];
    success(text, fields.map(|(name, value)| (name.to_owned(), value)))
}

/// What to call next.
pub(crate) fn next(id: &str) -> String {
    format!("call wait_for_answer with request_id {id}")
}

/// A successful result.
pub(crate) fn success(text: String, fields: impl IntoIterator<Item = (String, Value)>) -> CallToolResult {
    let structured = structured(&text, fields);
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(structured);
    result
}

/// An error with more than its text for programs.
pub(crate) fn error(text: String, fields: impl IntoIterator<Item = (String, Value)>) -> CallToolResult {
    let structured = structured(&text, fields);
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.structured_content = Some(structured);
    result
}

/// An error that the model can correct.
pub(crate) fn refused(text: impl Into<String>) -> CallToolResult {
    error(text.into(), [])
}

fn structured(text: &str, fields: impl IntoIterator<Item = (String, Value)>) -> Value {
    std::iter::once((MESSAGE.to_owned(), text.into())).chain(fields).collect()
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
