//! What was asked in a session, and what became of it.

use askback_agent::{Asked, ConversationTurn};
use askback_core::{Answer, Context, Outcome, Reason, Request, Resolution};
use std::sync::Arc;

/// Characters of a piece of context that are shown.
const ABOUT: usize = 60;

/// A text for every question of a session.
pub(super) fn lines(turns: &[Arc<ConversationTurn>]) -> Vec<String> {
    turns.iter().flat_map(|turn| turn.questions().map(line).collect::<Vec<_>>()).collect()
}

/// What was asked and about what, what became of it, and who, where and when.
pub(crate) fn line(asked: &Asked) -> String {
    let what = answers(&asked.request, asked.outcome.as_ref().ok());
    let about: Vec<String> = asked.request.context().iter().map(about).collect();
    let about = if about.is_empty() { String::new() } else { format!(" [{}]", about.join(", ")) };
    match &asked.outcome {
        Ok(outcome) => {
            let (status, by) = (outcome.resolution().status().name(), outcome.by());
            let at = outcome.at().to_string();
            let at = at.get(..16).unwrap_or(&at).replace('T', " ");
            format!("{at} UTC · {what}{about} · {status} by {by} on the {}", outcome.surface().name())
        }
        Err(why) => format!("{what}{about} · {why}"),
    }
}

/// What a piece of context is, in a few words: its title, or how it begins.
fn about(context: &Context) -> String {
    let first = context.text().lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let text = context.title().unwrap_or(first).trim();
    let mut shown: String = text.chars().take(ABOUT).collect();
    if shown.len() < context.text().trim().len() && context.title().is_none() {
        shown.push_str(" …");
    }
    shown
}

/// Every question with its answer.
fn answers(request: &Request, outcome: Option<&Outcome>) -> String {
    let resolution = outcome.map(Outcome::resolution);
    let (answers, said) = match resolution {
        Some(Resolution::Answered { answers, .. } | Resolution::Rejected { answers, .. }) => (Some(answers), None),
        Some(Resolution::Expired { default, .. }) => (default.as_ref(), Some("nobody answered")),
        Some(Resolution::Declined { reason, .. }) => (None, Some(reason.as_ref().map_or("declined", Reason::as_str))),
        Some(Resolution::Cancelled { .. }) => (None, Some("cancelled")),
        None => (None, Some("no answer")),
    };
    let written: Vec<String> = answers.into_iter().flat_map(|answers| answers.iter().map(Answer::written)).collect();
    let questions = request.questions().iter().enumerate().map(|(index, question)| {
        let label = match question.header() {
            Some(header) => format!("{header}: {}", question.message()),
            None if question.message().trim().is_empty() => "(no prompt)".to_owned(),
            None => question.message().to_owned(),
        };
        match (written.get(index), said) {
            (Some(answer), None) => format!("{label} {answer}"),
            (Some(answer), Some(said)) => format!("{label} {answer} ({said})"),
            (None, said) => format!("{label} ({})", said.unwrap_or("no answer")),
        }
    });
    questions.collect::<Vec<_>>().join(", ")
}
