//! Consent for what changes something: approved once, approved for the session, or rejected with a reason.

use super::ask_user_question::unasked;
use super::{ToolContext, ToolOutput};
use askback_core::{Ending, Json, Limits, Object, Request, format};
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// What the person has approved for the whole session, exactly as it was shown.
#[derive(Debug, Default)]
pub struct Consents {
    given: Mutex<HashSet<Shown>>,
    /// The two questions of one consent stand together, whatever else asks for consent at the same time.
    asking: tokio::sync::Mutex<()>,
}

/// What an approval is for: what was asked, and what stood beside it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Shown {
    /// The header of the question.
    pub(super) header: &'static str,
    /// The question.
    pub(super) message: String,
    /// What approving is called.
    pub(super) approve: &'static str,
    /// What the thing is: `diff` or `command`.
    pub(super) form: &'static str,
    /// The whole of it.
    pub(super) text: String,
    /// What is approved, in a sentence: "this exact command".
    pub(super) exactly: &'static str,
}

const ONCE: &str = "Only this time";
const SESSION: &str = "For this session";

impl Consents {
    fn has(&self, shown: &Shown) -> bool {
        self.given.lock().unwrap_or_else(PoisonError::into_inner).contains(shown)
    }

    fn add(&self, shown: Shown) {
        self.given.lock().unwrap_or_else(PoisonError::into_inner).insert(shown);
    }
}

/// Asks for consent, unless it was given for the session; without it, what the model reads instead.
pub(super) async fn consent(shown: Shown, context: &ToolContext) -> Result<(), ToolOutput> {
    let _turn = context.consents.asking.lock().await;
    if context.consents.has(&shown) {
        return Ok(());
    }
    answered(approval(&shown), context).await?;
    let scope = answered(scope(&shown), context).await?;
    if scope == SESSION {
        context.consents.add(shown);
    }
    Ok(())
}

/// Consent is an approval, which no single key can give (T7). How far it goes is asked after it.
fn approval(shown: &Shown) -> Json {
    let piece = Object::new().put("type", shown.form).put("text", shown.text.as_str());
    Object::new()
        .put("type", "approval")
        .put("header", shown.header)
        .put("message", shown.message.as_str())
        .put("labels", vec![shown.approve, "Reject"])
        .put("context", vec![piece])
        .into()
}

fn scope(shown: &Shown) -> Json {
    let option = |value: &str, description: String| Object::new().put("value", value).put("description", description);
    let session = format!("Do not ask again about {} until this conversation ends", shown.exactly);
    Object::new()
        .put("type", "choice")
        .put("header", shown.header)
        .put("message", format!("For how long do you approve {}?", shown.exactly))
        .put("options", vec![option(ONCE, "Ask again the next time".to_owned()), option(SESSION, session)])
        .into()
}

async fn answered(json: Json, context: &ToolContext) -> Result<String, ToolOutput> {
    let request = Request::from_json(&json, &Limits::DEFAULT).map_err(|problems| {
        ToolOutput::failed(format!("Nothing was done: it can't be shown for approval: {problems}"))
    })?;
    let outcome = context.ask(request.clone()).await;
    let outcome = outcome.map_err(|error| ToolOutput::failed(format!("Nothing was done. {}", unasked(&error))))?;
    match outcome.resolution().ending() {
        Ending::Answered(answers) => Ok(answers.iter().map(askback_core::Answer::written).collect()),
        _ => Err(ToolOutput::failed(format!("Nothing was done. {}", format::model_text(&request, &outcome)))),
    }
}
