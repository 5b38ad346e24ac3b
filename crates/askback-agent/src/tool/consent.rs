//! Consent for what changes something: approved once, approved for the session, or rejected with a reason.

use super::ask_user_question::unasked;
use super::{Floor, ToolContext, ToolOutput};
use askback_core::{Ending, Json, Limits, Object, Request, format};
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// What the person has approved for the whole session, exactly as it was shown.
#[derive(Debug, Default)]
pub struct Consents {
    given: Mutex<HashSet<Shown>>,
    /// Whoever holds it may ask.
    pub(super) floor: tokio::sync::Mutex<()>,
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

/// How there came to be consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Consent {
    /// The person has just given it.
    Given,
    /// They gave it for the session, earlier.
    GivenBefore,
}

impl Consent {
    /// What is said of it in a result, where nothing was asked.
    pub(super) fn remark(self) -> &'static str {
        match self {
            Self::Given => "",
            Self::GivenBefore => "Approved for this session before. ",
        }
    }
}

/// Asks for consent, unless it was given for the session; without it, what the model reads instead.
pub(super) async fn consent(shown: Shown, context: &ToolContext) -> Result<Consent, ToolOutput> {
    let floor = context.floor().await;
    if context.consents.has(&shown) {
        return Ok(Consent::GivenBefore);
    }
    answered(approval(&shown), &floor).await?;
    let scope = answered(scope(&shown), &floor).await?;
    if scope == SESSION {
        context.consents.add(shown);
    }
    Ok(Consent::Given)
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

async fn answered(json: Json, floor: &Floor<'_>) -> Result<String, ToolOutput> {
    let request = Request::from_json(&json, &Limits::DEFAULT).map_err(|problems| {
        ToolOutput::failed(format!("Nothing was done: it can't be shown for approval: {problems}"))
    })?;
    let outcome = floor.ask(request.clone()).await;
    let outcome = outcome.map_err(|error| ToolOutput::failed(format!("Nothing was done. {}", unasked(&error))))?;
    match outcome.resolution().ending() {
        Ending::Answered(answers) => Ok(answers.iter().map(askback_core::Answer::written).collect()),
        _ => Err(ToolOutput::failed(format!("Nothing was done. {}", format::model_text(&request, &outcome)))),
    }
}
