//! What a model reads of an outcome (Q6), to the letter.

use crate::kind::Answer;
use crate::outcome::{Ending, Outcome};
use crate::question::Question;
use crate::request::{Answers, Request};

/// The text for the model. Silence, refusal and cancelling never read like an answer (L5).
pub fn model_text(request: &Request, outcome: &Outcome) -> String {
    match outcome.resolution().ending() {
        Ending::Answered(answers) => format!(
            "User answered the following questions:\n\n{}\n\nProceeding with user selections.",
            list(request, answers)
        ),
        Ending::Declined { reason, answers } => {
            let reason = reason.map(|reason| reason.as_str().to_owned());
            let reason = reason.or_else(|| answers.map(|answers| rejected(request, answers)));
            format!(
                "The user declined to answer.{}",
                reason.map_or_else(String::new, |reason| format!(" Reason: {reason}"))
            )
        }
        Ending::Cancelled { .. } => {
            "The question was cancelled before anyone answered. Do not assume an answer.".to_owned()
        }
        Ending::Expired { default } => {
            let within = request.timeout_s().map_or_else(|| "the time given".to_owned(), duration_text);
            format!("Nobody answered within {within}. {}", instead_of_an_answer(request, default))
        }
    }
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

/// What a person who rejects has said no to.
fn rejected(request: &Request, answers: &Answers) -> String {
    let pairs = request.questions().iter().zip(answers.iter()).filter(|(_, answer)| answer.rejects());
    let messages: Vec<&str> = pairs.map(|(question, _)| question.message()).collect();
    format!("rejected: {}", messages.join("; "))
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
