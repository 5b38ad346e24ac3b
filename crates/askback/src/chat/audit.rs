//! What was asked in a session, and what became of it.

use askback_agent::{Asked, ConversationTurn};
use askback_core::{Answer, Ending, Outcome, Reason, Request};
use std::sync::Arc;

/// A line for every question of a session.
pub(super) fn lines(turns: &[Arc<ConversationTurn>]) -> String {
    let lines: Vec<String> = turns.iter().flat_map(|turn| turn.questions().map(line).collect::<Vec<_>>()).collect();
    if lines.is_empty() {
        return "Nothing was asked in this session yet.".to_owned();
    }
    lines.join("\n")
}

/// What was asked, what became of it, and who, where and when.
pub(crate) fn line(asked: &Asked) -> String {
    let what = answers(&asked.request, asked.outcome.as_ref().ok());
    match &asked.outcome {
        Ok(outcome) => {
            let (status, by) = (outcome.resolution().status().name(), outcome.by());
            let at = outcome.at().to_string();
            let at = at.get(..16).unwrap_or(&at).replace('T', " ");
            format!("{at} UTC · {what} · {status} by {by} on the {}", outcome.surface().name())
        }
        Err(why) => format!("{what} · {why}"),
    }
}

/// Every question with its answer.
pub(crate) fn answers(request: &Request, outcome: Option<&Outcome>) -> String {
    let ending = outcome.map(|outcome| outcome.resolution().ending());
    let (answers, said) = match ending {
        Some(Ending::Answered(answers) | Ending::Declined { answers: Some(answers), .. }) => (Some(answers), None),
        Some(Ending::Expired { default }) => (default, Some("nobody answered")),
        Some(Ending::Declined { reason, .. }) => (None, Some(reason.map_or("declined", Reason::as_str))),
        Some(Ending::Cancelled { .. }) => (None, Some("cancelled")),
        None => (None, Some("no answer")),
    };
    let written: Vec<String> = answers.into_iter().flat_map(|answers| answers.iter().map(Answer::written)).collect();
    let questions = request.questions().iter().enumerate().map(|(index, question)| {
        let label = question.header().map_or_else(|| question.message().to_owned(), |header| format!("{header}:"));
        match (written.get(index), said) {
            (Some(answer), None) => format!("{label} {answer}"),
            (Some(answer), Some(said)) => format!("{label} {answer} ({said})"),
            (None, said) => format!("{label} ({})", said.unwrap_or("no answer")),
        }
    });
    questions.collect::<Vec<_>>().join(", ")
}
