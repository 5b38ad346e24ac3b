//! What a model reads of an outcome (Q6), to the letter.

use crate::kind::Answer;
use crate::outcome::{Outcome, Reason, Resolution};
use crate::question::Question;
use crate::request::{Answers, Request};

/// The text for the model. Silence, refusal and cancelling never read like an answer (L5).
pub fn model_text(request: &Request, outcome: &Outcome) -> String {
    match outcome.resolution() {
        Resolution::Answered { answers } => {
            let closing = if answers.is_single_no() { "" } else { "\n\nProceeding with user selections." };
            format!("User answered the following questions:\n\n{}{closing}", list(request, answers))
        }
        Resolution::Rejected { .. } => REJECTED.to_owned(),
        Resolution::Declined { reason } => {
            let refusal = if asks_only_for_approval(request) { REJECTED } else { "The user declined to answer." };
            with_reason(refusal, reason.as_ref())
        }
        Resolution::Cancelled { reason } => {
            with_reason("The question was cancelled before anyone answered. Do not assume an answer.", reason.as_ref())
        }
        Resolution::Expired { default } => {
            let within = request.timeout_s().map_or_else(|| "the time given".to_owned(), duration_text);
            format!("Nobody answered within {within}. {}", instead_of_an_answer(request, default.as_ref()))
        }
    }
}

/// The text for a rejected approval.
const REJECTED: &str = "The user rejected this.";

/// Whether declining the request rejects an approval: a person declines to give a reason for the rejection.
fn asks_only_for_approval(request: &Request) -> bool {
    request.questions().iter().all(|question| question.kind().asks_approval())
}

fn with_reason(text: &str, reason: Option<&Reason>) -> String {
    reason.map_or_else(|| text.to_owned(), |reason| format!("{text} Reason: {}", reason.as_str()))
}

/// `10m`, `1h30m`, `45s`: a duration as a command line takes it.
pub fn duration_text(seconds: u32) -> String {
    let parts = [(seconds / 86_400, 'd'), (seconds / 3_600 % 24, 'h'), (seconds / 60 % 60, 'm'), (seconds % 60, 's')];
    let text: String =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, unit)| format!("{count}{unit}")).collect();
    if text.is_empty() { "0s".to_owned() } else { text }
}

fn instead_of_an_answer(request: &Request, default: Option<&Answers>) -> String {
    match (default, request.questions()) {
        (None, _) => "Do not assume an answer.".to_owned(),
        (Some(answers), [_]) => {
            let answer = answers.iter().map(Answer::written).collect::<String>();
            format!("Use the declared default: {answer}")
        }
        (Some(answers), _) => format!("Use the declared default:\n\n{}", list(request, answers)),
    }
}

fn list(request: &Request, answers: &Answers) -> String {
    let items = request.questions().iter().zip(answers.iter()).enumerate();
    items.map(|(index, (question, answer))| item(index + 1, question, answer)).collect::<Vec<_>>().join("\n\n")
}

fn item(number: usize, question: &Question, answer: &Answer) -> String {
    let title = match question.header() {
        Some(header) => format!("{header} ({})", question.message()),
        None => question.message().to_owned(),
    };
    // Lines of a longer answer stay under their question.
    let selected = answer.written().replace('\n', "\n   ");
    format!("{number}. {title}\n   Selected: {selected}")
}

#[cfg(test)]
mod tests {
    use super::duration_text;

    // Q6
    #[test]
    fn durations_read_as_people_write_them() {
        for (seconds, text) in [(1, "1s"), (90, "1m30s"), (600, "10m"), (3_600, "1h"), (5_400, "1h30m"), (86_400, "1d")]
        {
            assert_eq!(duration_text(seconds), text);
        }
    }
}
