//! Consent for what changes something: approved once, approved for the session, or rejected with a reason.

use super::ToolContext;
use super::ask_user_question::unasked;
use askback_core::{Answer, Json, Limits, Object, Request, Resolution, format};
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the person has approved for the whole session, exactly as it was shown.
#[derive(Debug, Default)]
pub struct Consents {
    given: Mutex<HashSet<Shown>>,
    /// The right to ask: tools that run together ask one after the other, and the questions of one tool stand together.
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
    fn given(&self) -> MutexGuard<'_, HashSet<Shown>> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks for consent, unless it was given for the session, and gives the remark for the result; without consent, what the
/// model reads instead.
pub(super) async fn consent(shown: Shown, context: &ToolContext) -> Result<&'static str, String> {
    let _floor = context.consents.floor.lock().await;
    if context.consents.given().contains(&shown) {
        return Ok("Approved for this session before. ");
    }
    answered(&approval(&shown), context).await?;
    if answered(&scope(&shown), context).await? == SESSION {
        context.consents.given().insert(shown);
    }
    Ok("")
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

/// Asks while the floor is held.
async fn answered(json: &Json, context: &ToolContext) -> Result<String, String> {
    let request = Request::from_json(json, &Limits::DEFAULT)
        .map_err(|problems| format!("Nothing was done: it can't be shown for approval: {problems}"))?;
    let asked = context.asker.ask(request.clone()).await;
    let outcome = asked.map_err(|error| format!("Nothing was done. {}", unasked(&error)))?;
    match outcome.resolution() {
        Resolution::Answered { answers, .. } => Ok(answers.iter().map(Answer::written).collect()),
        _ => Err(format!("Nothing was done. {}", format::model_text(&request, &outcome))),
    }
}
