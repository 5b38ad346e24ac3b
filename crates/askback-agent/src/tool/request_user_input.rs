//! The request_user_input tool: a request of any kind, with everything a request can have.

use super::Tool;
use super::ask_user_question::ask;
use askback_core::{Limits, Request};

pub(super) const TOOL: Tool = Tool {
    name: "request_user_input",
    description: "\
Ask the person you work for, and wait for the answer, when AskUserQuestion does not fit: for an approval of something they \
must see first (put it into context, whole), for a text, a number, an email address, a date or a rating, for a choice from \
many options, or for a form of several such questions. What the person decides comes back as text; an approval that is \
rejected, a question that is cancelled and silence are different things, and none of them is consent.",
    schema: || askback_core::schema::form(&Limits::DEFAULT),
    start: |input, context| Box::pin(ask(input, context, Request::from_json)),
};
