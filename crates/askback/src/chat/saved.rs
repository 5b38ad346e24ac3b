//! Saved sessions: finding one, and choosing among them.

use askback_agent::{Journal, JournalError, Saved, SavedSession};
use askback_core::{Limits, Object, PromptEnd, PromptStyle, Request, Resolution};
use askback_term::{Live, TermError, Tone};
use std::path::Path;

/// Sessions that can be chosen from.
const LISTED: usize = 50;
/// Characters of a session's first message in that list.
const TITLE: usize = 60;

/// A session by its id or the start or end of it, or the one that was used last.
pub(super) fn find(folder: &Path, id: &str) -> Result<(Journal, Saved), JournalError> {
    let sessions = Journal::list(folder);
    let mut fitting = sessions.iter().filter(|session| session.id.starts_with(id) || session.id.ends_with(id));
    match (fitting.next(), fitting.next()) {
        (Some(found), None) => Journal::resume(folder, &found.id),
        (Some(last), Some(_)) if id.is_empty() => Journal::resume(folder, &last.id),
        (None, _) if id.is_empty() => Err(JournalError::Unknown("the last one".to_owned())),
        _ => Journal::resume(folder, id),
    }
}

/// Lets the person choose a session; none if there is none, or they want none.
pub(super) async fn choose(folder: &Path, here: Option<&str>, live: &mut Live) -> Result<Option<String>, TermError> {
    let mut sessions = Journal::list(folder);
    sessions.retain(|session| Some(session.id.as_str()) != here);
    sessions.truncate(LISTED);
    match sessions.as_slice() {
        [] => {
            live.print(Tone::Plain, "There is no other session to go on with.");
            return Ok(None);
        }
        [only] => return Ok(Some(only.id.clone())),
        _ => {}
    }
    let options: Vec<Object> = sessions.iter().map(option).collect();
    let json = Object::new()
        .put("type", "choice")
        .put("header", "Resume")
        .put("message", "Which session do you want to go on with?")
        .put("options", options);
    let request = match Request::from_json(&json.into(), &Limits::DEFAULT) {
        Ok(request) => request,
        Err(problems) => {
            live.print(Tone::Error, &format!("The sessions can't be listed: {problems}"));
            return Ok(None);
        }
    };
    Ok(match live.ask(&request, PromptStyle::Question).await? {
        PromptEnd::Decided(Resolution::Answered { answers, .. }) => {
            live.print(Tone::Plain, "");
            answers.iter().next().map(askback_core::Answer::written)
        }
        _ => None,
    })
}

fn option(session: &SavedSession) -> Object {
    let message = session.first_message.as_deref().unwrap_or("(nothing was said)");
    let one_line: String = message.chars().map(|c| if c.is_control() { ' ' } else { c }).take(TITLE).collect();
    let title = if one_line.trim().is_empty() { "(blank)" } else { one_line.trim() };
    // Two sessions may begin with the same words, and labels must differ.
    let label = format!("{title}  {}", session.began.get(..16).unwrap_or(&session.began).replace('T', " "));
    let label = format!("{label} {}", session.id.get(session.id.len().saturating_sub(4)..).unwrap_or_default());
    let agent: String = session.agent.chars().take(TITLE).collect();
    let agent = if agent.trim().is_empty() { "(an agent without a name)".to_owned() } else { agent };
    Object::new().put("value", session.id.as_str()).put("label", label).put("description", agent)
}
