//! The AskUserQuestion tool (Q7): a model's questions become a request, and the outcome becomes what the model reads.

use super::{Tool, ToolContext};
use askback_core::dialect::ask_user_question;
use askback_core::tool::{DESCRIPTION, NAME, schema};
use askback_core::{AskError, Json, Limits, Problems, Request, format};
use serde::Deserialize;
use serde_json::Value;

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: DESCRIPTION,
    schema: || schema(&Limits::DEFAULT),
    start: |input, context| Box::pin(ask(input, context, ask_user_question::parse)),
};

/// Reads a request, asks it, and says what came of it in the words of Q6.
pub(super) async fn ask(
    input: Value,
    context: ToolContext,
    parse: fn(&Json, &Limits) -> Result<Request, Problems>,
) -> Result<String, String> {
    // Any JSON value is one of the core's.
    let json = Json::deserialize(input).map_err(|error: serde_json::Error| error.to_string())?;
    let request = parse(&json, &Limits::DEFAULT).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(|problem| format!("- {problem}")).collect();
        format!("Nothing was asked: the input is not valid.\n{}", lines.join("\n"))
    })?;
    let _floor = context.consents.floor.lock().await;
    let outcome = context.asker.ask(request.clone()).await.map_err(|error| unasked(&error))?;
    Ok(format::model_text(&request, &outcome))
}

/// What the model reads when nobody could be asked.
pub(super) fn unasked(error: &AskError) -> String {
    format!("The question could not be asked: {error}. Do not assume an answer.")
}
