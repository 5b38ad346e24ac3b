//! Tool results: a text for the model, and structured content for programs.
//!
//! Several clients hand the model only the structured content when a result has it, so the text is also its first field.

use askback_api::{ApiError, Record};
use askback_core::{Json, Kind, Outcome, Problems, Question, RequestId, Status, format};
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde_json::{Map, Value};

/// The metadata under which a result names the request whose outcome it carries (S5).
pub(crate) const OUTCOME: &str = "askback/outcome";

/// The metadata of a result that is due to one call alone.
pub(crate) const FIRST: &str = "askback/first";

/// The tools' name for a request's id.
pub(crate) const REQUEST_ID: &str = "request_id";

/// The first field of the structured content: the whole text for the model.
pub(crate) const MESSAGE: &str = "message";

/// A value, or the result that stands in the way of it.
pub(crate) type Called<T> = Result<T, Box<CallToolResult>>;

/// The result that tells the model of an error of the API.
#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub(crate) fn failed(error: ApiError) -> Box<CallToolResult> {
    Box::new(hub_failed(&error))
}

/// The fields of a tool's result for an outcome.
pub(crate) type OutcomeFields = fn(&Record, &Outcome) -> Map<String, Value>;

/// The result that carries an outcome.
pub(crate) fn ended(record: &Record, outcome: &Outcome, fields: OutcomeFields) -> CallToolResult {
    let mut result = success(format::model_text(&record.request, outcome), fields(record, outcome));
    result.meta = Some(meta(OUTCOME, record.id.as_str()));
    result
}

/// The same of an outcome that was there already when it was asked for: consent of that kind is for one call alone (S5).
pub(crate) fn found(record: &Record, outcome: &Outcome, fields: OutcomeFields) -> CallToolResult {
    let mut result = ended(record, outcome, fields);
    let consents = |question: &Question| matches!(question.kind(), Kind::Approval(_) | Kind::Confirm(_));
    if let Some(meta) = &mut result.meta
        && record.request.questions().iter().any(consents)
    {
        meta.0.insert(FIRST.to_owned(), true.into());
    }
    result
}

/// The outcome as the API has it, under the tools' name for its id, and without a name or a time of answering if nobody answered.
pub(crate) fn outcome_fields(record: &Record, outcome: &Outcome) -> Map<String, Value> {
    let Json::Object(fields) = outcome.to_json(&record.request) else { return Map::new() };
    let fields = fields.into_iter().map(|(name, value)| match name.as_str() {
        "id" => (REQUEST_ID.to_owned(), record.id.as_str().into()),
        "answeredBy" | "answeredAt" if outcome.answerer().is_none() => (name, Value::Null),
        _ => (name, Value::from(value)),
    });
    fields.collect()
}

/// Metadata of one field.
pub(crate) fn meta(name: &str, value: impl Into<Value>) -> MetaObject {
    let mut meta = MetaObject::new();
    meta.0.insert(name.to_owned(), value.into());
    meta
}

/// The result of a call whose answer went to another one.
pub(crate) fn taken() -> CallToolResult {
    refused(
        "Another call that asked the same got this answer in the same moment, and it counts once. If you need one as well, ask again.",
    )
}

/// The result while nobody has answered yet, which is no failure.
pub(crate) fn pending(id: &RequestId) -> CallToolResult {
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

/// The call to make next.
pub(crate) fn next(id: &RequestId) -> String {
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
pub(crate) fn hub_failed(error: &ApiError) -> CallToolResult {
    match error {
        ApiError::Refused(problem) | ApiError::AlreadyEnded { problem, .. } => {
            let lines = problem
                .errors
                .iter()
                .map(|error| format!("\n- {}: {} (expected {})", error.path, error.message, error.expected));
            // One alone is what the error says already.
            let lines = if problem.errors.len() > 1 { lines.collect() } else { String::new() };
            refused(format!("The hub refused: {error}{lines}"))
        }
        error => refused(format!("Nobody can be asked now: {error}. Do not assume an answer.")),
    }
}
