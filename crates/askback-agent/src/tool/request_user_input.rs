//! The request_user_input tool: a request of any kind, with everything a request can have.

use super::ask_user_question::ask;
use super::{Running, Tool, ToolContext};
use askback_core::{Limits, Request};
use serde_json::Value;

/// Asks a request of any shape.
#[derive(Debug)]
pub struct RequestUserInput;

const DESCRIPTION: &str = "\
Ask the person you work for, and wait for the answer, when AskUserQuestion does not fit: for an approval of something they \
must see first (put it into context, whole), for a text, a number, an email address, a date or a rating, for a choice from \
many options, or for a form of several such questions. What the person decides comes back as text; an approval that is \
rejected, a question that is cancelled and silence are different things, and none of them is consent.";

impl Tool for RequestUserInput {
    fn name(&self) -> &'static str {
        "request_user_input"
    }

    fn description(&self) -> String {
        DESCRIPTION.to_owned()
    }

    fn schema(&self) -> Value {
        askback_core::schema::form(&Limits::DEFAULT)
    }

    fn run(&self, input: Value, context: ToolContext) -> Running<'_> {
        Box::pin(async move { ask(input, &context, Request::from_json).await })
    }
}
