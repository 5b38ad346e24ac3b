//! The AskUserQuestion tool (Q7): a model's questions become a request, and the outcome becomes what the model reads.

use super::{Running, Tool, ToolContext, ToolOutput};
use askback_core::dialect::ask_user_question;
use askback_core::tool::{DESCRIPTION, NAME, ToolResult, schema};
use askback_core::{AskError, Json, Limits, Outcome, Problems, Request};
use serde::Deserialize;
use serde_json::Value;

/// Asks one to four questions with options.
#[derive(Debug)]
pub struct AskUserQuestion;

impl Tool for AskUserQuestion {
    fn name(&self) -> &'static str {
        NAME
    }

    fn description(&self) -> String {
        DESCRIPTION.to_owned()
    }

    fn schema(&self) -> Value {
        schema(&Limits::DEFAULT)
    }

    fn run(&self, input: Value, context: ToolContext) -> Running<'_> {
        Box::pin(async move { ask(input, &context, ask_user_question::parse).await })
    }
}

/// Reads a request, asks it, and says what came of it in the words of Q6.
pub(super) async fn ask(
    input: Value,
    context: &ToolContext,
    parse: impl Fn(&Json, &Limits) -> Result<Request, Problems>,
) -> ToolOutput {
    let request = match read(input, parse) {
        Ok(request) => request,
        Err(output) => return output,
    };
    match context.ask(request.clone()).await {
        Ok(outcome) => ToolOutput::succeeded(text(&request, &outcome)),
        Err(error) => ToolOutput::failed(unasked(&error)),
    }
}

fn read(input: Value, parse: impl Fn(&Json, &Limits) -> Result<Request, Problems>) -> Result<Request, ToolOutput> {
    // Any JSON value is one of the core's.
    let json = Json::deserialize(input).map_err(|error: serde_json::Error| ToolOutput::failed(error.to_string()))?;
    parse(&json, &Limits::DEFAULT).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(|problem| format!("- {problem}")).collect();
        ToolOutput::failed(format!("Nothing was asked: the input is not valid.\n{}", lines.join("\n")))
    })
}

fn text(request: &Request, outcome: &Outcome) -> String {
    ToolResult::new(request, outcome).text
}

/// What the model reads when nobody could be asked.
pub(super) fn unasked(error: &AskError) -> String {
    format!("The question could not be asked: {error}. Do not assume an answer.")
}
