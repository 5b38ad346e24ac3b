//! Reading the arguments of a tool: whatever is wrong is said so that the model can correct it.

use crate::result;
use crate::result::Called;
use askback_api::read_json;
use askback_core::{Json, Path, Problem, Refusal, RequestId, Rule, show};
use rmcp::model::{CallToolResult, JsonObject};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The field of a request that none made here has: what asks by MCP is found again by what it asks, and a key would bring back an
/// approval that was used (S5).
pub(crate) const KEY: &str = "key";

/// The argument that asks once more.
pub(crate) const ASK_AGAIN: &str = "ask_again";

/// What stands in `request_id`.
pub(crate) const REQUEST_ID_EXPECTED: &str = "the request_id of an earlier result; list_requests names them all";

/// Reads the arguments of a call into the tool's own type. Where a type alone says too little, `expected` names what a field takes.
pub(crate) fn read<T: DeserializeOwned>(given: JsonObject, expected: &[(&str, &str)]) -> Called<T> {
    read_json(&Json::from(Value::Object(given))).map_err(|mut problem| {
        let field = problem.path.to_string();
        if let Some((_, expected)) = expected.iter().find(|(name, _)| *name == field && problem.rule == Rule::Type) {
            problem.expected = (*expected).to_owned();
        }
        wrong(&problem)
    })
}

/// Takes the argument that asks once more out of a request's fields.
pub(crate) fn take_ask_again(fields: &mut JsonObject) -> Called<bool> {
    match fields.remove(ASK_AGAIN) {
        None | Some(Value::Null | Value::Bool(false)) => Ok(false),
        Some(Value::Bool(true)) => Ok(true),
        Some(_) => Err(refuse(ASK_AGAIN, "this is neither true nor false", "true or false")),
    }
}

/// An id that a result has named.
pub(crate) fn request_id(id: Option<&str>) -> Called<RequestId> {
    let id = id.ok_or_else(|| refuse("request_id", "it is missing", REQUEST_ID_EXPECTED))?.trim();
    RequestId::parse(id)
        .map_err(|_| refuse("request_id", &format!("{} is not a request id", show::quote(id)), REQUEST_ID_EXPECTED))
}

/// The result that says what is wrong with an argument.
pub(crate) fn refuse(name: &str, message: &str, expected: &str) -> Box<CallToolResult> {
    let refusal = Refusal { rule: Rule::Word, message: message.to_owned(), expected: expected.to_owned() };
    wrong(&refusal.at(Path::root().field(name)))
}

fn wrong(problem: &Problem) -> Box<CallToolResult> {
    Box::new(result::refused(format!("The arguments are not right:\n- {problem}")))
}
