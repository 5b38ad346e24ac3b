//! What the person decided, when it is over.

use askback_agent::{ConversationTurn, TurnEnd};
use askback_core::{Outcome, Question, Request};

/// Every question with its answer, and where to go from here.
pub(super) fn of(turn: &ConversationTurn) -> String {
    let decided: Vec<String> =
        turn.questions().flat_map(|asked| decisions(&asked.request, asked.outcome.as_ref().ok())).collect();
    let how = match &turn.end {
        TurnEnd::Done => "The agent is done. ",
        _ => "The agent was stopped. ",
    };
    let decided = match decided.as_slice() {
        [] => "You decided nothing.".to_owned(),
        lines => format!("You decided:\n  {}", lines.join("\n  ")),
    };
    format!(
        "\n{how}{decided}\n\nGo on with:\n  askback chat --agent scripted:examples/agents/greeter.toml\n  \
         askback chat --agent \"process:python3 examples/agents/agent.py\"\n  \
         askback approve \"Apply this patch?\" --context examples/plan.diff"
    )
}

/// A line for each question, by its short name, with its answer; a single line where there is no answer to any.
pub(super) fn decisions(request: &Request, outcome: Option<&Outcome>) -> Vec<String> {
    let Some(answers) = outcome.and_then(|outcome| outcome.resolution().answers()) else {
        let status = outcome.map_or("no answer", |outcome| outcome.resolution().status().name());
        return vec![format!("{}: {status}", request_name(request))];
    };
    let pairs = request.questions().iter().zip(answers.iter());
    pairs.map(|(question, answer)| format!("{}: {}", question_name(question), one_line(&answer.written()))).collect()
}

/// A form goes by its title, anything else by its questions.
fn request_name(request: &Request) -> String {
    match (request.title(), request.questions()) {
        (Some(title), [_, _, ..]) => title.to_owned(),
        (_, questions) => questions.iter().map(question_name).collect::<Vec<_>>().join(", "),
    }
}

fn question_name(question: &Question) -> &str {
    question.header().unwrap_or_else(|| question.message())
}

/// An answer of several lines on one, so that the list stays a list.
fn one_line(answer: &str) -> String {
    answer.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sign::sign;
    use askback_core::{AnswerInput, Limits, Path, Resolution, Surface};

    fn form() -> Request {
        let form = r#"{"title": "Before I release", "questions": [
            {"type": "multiline", "header": "Notes", "message": "What should the notes say?"},
            {"type": "confirm", "message": "Sure?"}
        ]}"#;
        Request::parse(form.as_bytes(), &Limits::DEFAULT).unwrap()
    }

    // T3
    #[test]
    fn every_answer_has_one_line() {
        let form = form();
        let raw = [AnswerInput::from("Faster pages\n\nMore to come\n"), AnswerInput::from("yes")];
        let answers = form.parse_answers(&raw, &Path::root()).unwrap();
        let outcome = sign(Resolution::from_answers(answers), Surface::Cli).unwrap();
        assert_eq!(decisions(&form, Some(&outcome)), ["Notes: Faster pages More to come", "Sure?: yes"]);
    }

    // T3
    #[test]
    fn a_form_without_answers_is_one_line() {
        let outcome = sign(Resolution::cancelled(None), Surface::Cli).unwrap();
        assert_eq!(decisions(&form(), Some(&outcome)), ["Before I release: cancelled"]);
        assert_eq!(decisions(&form(), None), ["Before I release: no answer"]);
        let single = r#"{"type": "confirm", "message": "Sure?", "title": "A title"}"#;
        let single = Request::parse(single.as_bytes(), &Limits::DEFAULT).unwrap();
        assert_eq!(decisions(&single, Some(&outcome)), ["Sure?: cancelled"]);
    }
}
