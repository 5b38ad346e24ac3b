//! Tool results: a text for the model, and structured content for programs.
//!
//! Several clients hand the model only the structured content when a result has it, so the text is also its first field.

use askback_api::{ApiError, ProblemItem, Record};
use askback_core::{Outcome, Problems, RequestId, Status, format};
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

/// A value, or the result that ends the call instead.
pub(crate) type CallResult<T> = Result<T, Box<CallToolResult>>;

/// The fields of a tool's result for an outcome.
pub(crate) type OutcomeFields = fn(&Record, &Outcome) -> Map<String, Value>;

/// The result for an outcome.
pub(crate) fn ended(record: &Record, outcome: &Outcome, fields: OutcomeFields) -> CallToolResult {
    with_outcome(format::model_text(&record.request, outcome), record, outcome, fields)
}

fn with_outcome(text: String, record: &Record, outcome: &Outcome, fields: OutcomeFields) -> CallToolResult {
    let mut result = success(text, fields(record, outcome));
    result.meta = Some(meta(OUTCOME, record.id.as_str()));
    result
}

/// The result for an outcome that the hub had before the call: consent of that kind is for one call alone (S5).
pub(crate) fn found(record: &Record, outcome: &Outcome, fields: OutcomeFields) -> CallToolResult {
    let mut result = ended(record, outcome, fields);
    if let Some(meta) = &mut result.meta
        && record.request.asks_consent()
    {
        meta.0.insert(FIRST.to_owned(), true.into());
    }
    result
}

/// The result for an answer that was sent to an earlier call with the same words, which may not have received it.
pub(crate) fn repeated(record: &Record, outcome: &Outcome, fields: OutcomeFields) -> CallToolResult {
    let text = format!("{}\n\n{REPEATED}", format::model_text(&record.request, outcome));
    with_outcome(text, record, outcome, fields)
}

/// What the model reads below an answer that is returned once more.
const REPEATED: &str = "The person gave this answer to an earlier call with the same words, whose result may not have reached you. \
                        To ask the person again, set ask_again to true.";

/// The outcome as in the API, but for the name of its id, and with null for the name and the time of an answer that no person gave.
pub(crate) fn outcome_fields(record: &Record, outcome: &Outcome) -> Map<String, Value> {
    let Value::Object(fields) = Value::from(outcome.to_json_for_model(&record.request)) else { return Map::new() };
    let fields = fields.into_iter().map(|(name, value)| match name.as_str() {
        "id" => (REQUEST_ID.to_owned(), record.id.as_str().into()),
        _ => (name, value),
    });
    fields.collect()
}

/// Creates metadata of one field.
pub(crate) fn meta(name: &str, value: impl Into<Value>) -> MetaObject {
    let mut meta = MetaObject::new();
    meta.0.insert(name.to_owned(), value.into());
    meta
}

/// The result of a call whose answer another call got.
pub(crate) fn taken() -> CallToolResult {
    refused(
        "Another call that asked the same got this answer in the same moment, and it counts once. If you need one as well, ask again.",
    )
}

/// The result while the request is pending, which is not an error.
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

/// The advice to a model whose request is pending.
pub(crate) fn next(id: &RequestId) -> String {
    format!("call wait_for_answer with request_id {id}")
}

/// A successful result.
pub(crate) fn success(text: String, fields: impl IntoIterator<Item = (String, Value)>) -> CallToolResult {
    structured(CallToolResult::success, text, fields)
}

/// An error with more than its text for programs.
pub(crate) fn error(text: String, fields: impl IntoIterator<Item = (String, Value)>) -> CallToolResult {
    structured(CallToolResult::error, text, fields)
}

fn structured(
    result: fn(Vec<ContentBlock>) -> CallToolResult,
    text: String,
    fields: impl IntoIterator<Item = (String, Value)>,
) -> CallToolResult {
    let structured = std::iter::once((MESSAGE.to_owned(), text.as_str().into())).chain(fields).collect();
    let mut result = result(vec![ContentBlock::text(text)]);
    result.structured_content = Some(structured);
    result
}

/// An error that the model can correct.
pub(crate) fn refused(text: impl Into<String>) -> CallToolResult {
    error(text.into(), [])
}

/// The error that lists the problems of a request.
pub(crate) fn problems(problems: &Problems) -> CallToolResult {
    let mut lines: Vec<String> = problems.iter().map(|problem| format!("- {problem}")).collect();
    if problems.more() > 0 {
        lines.push(format!("- and {} more", problems.more()));
    }
    refused(format!("Nothing was asked, because the arguments are not right:\n{}", lines.join("\n")))
}

/// The outcome of a request that a call has ended, or that had ended before.
pub(crate) fn outcome_of(ended: Result<Outcome, ApiError>) -> CallResult<Outcome> {
    match ended {
        Err(ApiError::AlreadyEnded { outcome, .. }) => Ok(*outcome),
        ended => ended.map_err(failed),
    }
}

/// The result for an error of the API.
#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub(crate) fn failed(error: ApiError) -> Box<CallToolResult> {
    Box::new(refused(match &error {
        ApiError::Refused(problem) | ApiError::AlreadyEnded { problem, .. } => {
            let line =
                |error: &ProblemItem| format!("\n- {}: {} (expected {})", error.path, error.message, error.expected);
            // The error itself names a single problem.
            let lines: String = problem.errors.iter().filter(|_| problem.errors.len() > 1).map(line).collect();
            format!("The hub refused: {error}{lines}")
        }
        ApiError::Lost(_) | ApiError::Foreign(_) | ApiError::Unavailable(_) => {
            format!("Nobody can be asked now: {error}. Do not assume an answer.")
        }
    }))
}
