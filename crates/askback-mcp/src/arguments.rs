//! Reading the arguments of a tool, with errors that the model can correct.

use crate::result::{self, CallResult};
use askback_api::read_json;
use askback_core::{Json, Path, Problem, Refusal, RequestId, Rule, show};
use rmcp::model::{CallToolResult, JsonObject};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The field of a request that is not allowed here: a call finds its request by the content, and a key would return an approval that
/// was used (S5).
pub(crate) const KEY: &str = "key";

/// The argument that creates another request with the same content.
pub(crate) const ASK_AGAIN: &str = "ask_again";

/// The expected value of `request_id`.
pub(crate) const REQUEST_ID_EXPECTED: &str = "the request_id of an earlier result; list_requests names them all";

/// Reads the arguments of a call into the tool's own type. `expected` describes fields whose type alone is not enough.
pub(crate) fn read<T: DeserializeOwned>(given: JsonObject, expected: &[(&str, &str)]) -> CallResult<T> {
    read_json(&Json::from(Value::Object(given))).map_err(|mut problem| {
        let field = problem.path.to_string();
        if let Some((_, expected)) = expected.iter().find(|(name, _)| *name == field && problem.rule == Rule::Type) {
            problem.expected = (*expected).to_owned();
        }
        invalid(&problem)
    })
}

/// Removes [`ASK_AGAIN`] from a request's fields, and returns it.
pub(crate) fn take_ask_again(fields: &mut JsonObject) -> CallResult<bool> {
    match fields.remove(ASK_AGAIN) {
        None | Some(Value::Null | Value::Bool(false)) => Ok(false),
        Some(Value::Bool(true)) => Ok(true),
        Some(_) => Err(refuse(ASK_AGAIN, "this is neither true nor false", "true or false")),
    }
}

/// Parses the id of a request.
pub(crate) fn request_id(id: Option<&str>) -> CallResult<RequestId> {
    let id = id.ok_or_else(|| refuse("request_id", "it is missing", REQUEST_ID_EXPECTED))?.trim();
    RequestId::parse(id)
        .map_err(|_| refuse("request_id", &format!("{} is not a request id", show::quote(id)), REQUEST_ID_EXPECTED))
}

/// The result for an invalid argument.
pub(crate) fn refuse(name: &str, message: &str, expected: &str) -> Box<CallToolResult> {
    let refusal = Refusal { rule: Rule::Word, message: message.to_owned(), expected: expected.to_owned() };
    invalid(&refusal.at(Path::root().field(name)))
}

fn invalid(problem: &Problem) -> Box<CallToolResult> {
    Box::new(result::refused(format!("The arguments are not right:\n- {problem}")))
}
