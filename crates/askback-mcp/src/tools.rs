//! The tools: one file for each, with its arguments, its call and its result, and the list of all.

use crate::call::ToolCall;
use crate::result::CallResult;
use rmcp::model::{CallToolRequestParams, CallToolResponse, Tool as Definition};
use std::sync::LazyLock;

mod ask_user_question;
mod cancel_request;
pub(crate) mod execute_code;
mod list_requests;
mod request_user_input;
mod schema;
mod wait_for_answer;

/// The server's instructions for every client.
pub(crate) const INSTRUCTIONS: &str = "\
askback asks a person, who may be at a terminal, in a browser or at a phone, and brings back one validated answer.
Ask with AskUserQuestion (a choice between options) or request_user_input (approvals, texts, numbers, dates, whole forms) whenever you would \
otherwise guess, and before anything that can't be undone.
A result with status \"pending\" is no answer: the question stays open. Call wait_for_answer with its request_id to go on waiting. Never take \
silence, a timeout or an error for consent.
If a call was cut off, ask exactly the same again, or look with list_requests: the question and its answer are kept.";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    AskUserQuestion,
    RequestUserInput,
    WaitForAnswer,
    ListRequests,
    CancelRequest,
    ExecuteCode,
}

static TOOLS: LazyLock<[(Tool, Definition); 6]> = LazyLock::new(|| {
    [
        (Tool::AskUserQuestion, ask_user_question::definition()),
        (Tool::RequestUserInput, request_user_input::definition()),
        (Tool::WaitForAnswer, wait_for_answer::definition()),
        (Tool::ListRequests, list_requests::definition()),
        (Tool::CancelRequest, cancel_request::definition()),
        (Tool::ExecuteCode, execute_code::definition()),
    ]
});

/// The definitions of all tools.
pub(crate) fn all() -> Vec<Definition> {
    TOOLS.iter().map(|(_, definition)| definition.clone()).collect()
}

/// The names of all tools.
pub(crate) fn names() -> String {
    TOOLS.iter().map(|(_, definition)| &*definition.name).collect::<Vec<_>>().join(", ")
}

/// The tool of this name, and its definition.
pub(crate) fn find(name: &str) -> Option<&'static (Tool, Definition)> {
    TOOLS.iter().find(|(_, definition)| definition.name == name)
}

impl Tool {
    pub(crate) async fn call(self, call: &ToolCall, mut params: CallToolRequestParams) -> CallResult<CallToolResponse> {
        let given = params.arguments.take().unwrap_or_default();
        match self {
            Self::AskUserQuestion => ask_user_question::call(call, given, params).await,
            Self::RequestUserInput => request_user_input::call(call, given, params).await,
            Self::WaitForAnswer => Ok(wait_for_answer::call(call, given).await?.into()),
            Self::ListRequests => Ok(list_requests::call(call, given).await?.into()),
            Self::CancelRequest => Ok(cancel_request::call(call, given).await?.into()),
            Self::ExecuteCode => Ok(execute_code::call(call, given).await?.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Q7
    #[test]
    fn every_tool_is_found_by_its_name() {
        for (tool, definition) in TOOLS.iter() {
            assert_eq!(find(&definition.name), Some(&(*tool, definition.clone())));
        }
        assert_eq!(find("no_such_tool"), None);
    }
}
