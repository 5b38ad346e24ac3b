//! Joined answers of a multi-select choice: any selection can be read back from its written form.
//!
//! The first line of an input is an answer, and the others are the options. A `+` before the answer offers Other.

use askback_core::{Answer, AnswerInput, ChoiceOption, Json, Kind, Limits, Object, Question, Request};

pub(super) const WORDS: &[&str] = &[", ", ",", " ", "\n", "+", "a", "b", "a, b", "b, a", "a, a", "\u{a0}", "é"];

/// Between two selections of a written answer.
const SEPARATOR: &str = ", ";

pub(super) fn accepts(input: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(input) else { return false };
    let mut lines = text.split('\n');
    let first = lines.next().unwrap_or_default();
    let (answer, has_other) = first.strip_prefix('+').map_or((first, false), |answer| (answer, true));
    let Some(request) = choice(lines, has_other) else { return false };
    let Some(question) = request.questions().first() else { return false };
    let options = values(question);
    check_selections(question, &options, answer.len());
    let Ok(read) = question.parse_answer(&AnswerInput::from(answer)) else { return false };
    check_answer(question, &options, &read);
    assert!(has_other || read.written() == answer, "{read:?}");
    assert!(has_other || read.custom().is_none(), "{read:?}");
    true
}

/// A question with these options, if they are valid.
fn choice<'t>(options: impl Iterator<Item = &'t str>, has_other: bool) -> Option<Request> {
    let options: Vec<Json> = options.map(Json::from).collect();
    let json = Object::new()
        .put("type", "choice")
        .put("message", "?")
        .put("options", options)
        .put("multiSelect", true)
        .put("other", has_other);
    Request::from_json(&json.into(), &Limits::DEFAULT).ok()
}

/// The values of the options, which are trimmed.
fn values(question: &Question) -> Vec<&str> {
    let Kind::Choice(choice) = question.kind() else { unreachable!("a choice was read as another kind") };
    choice.options().iter().map(ChoiceOption::value).collect()
}

/// Checks that an answer is its selections joined, each once, and that its written form is read as the same answer.
fn check_answer(question: &Question, options: &[&str], answer: &Answer) {
    let (written, selections) = (answer.written(), answer.selections());
    assert_eq!(selections.join(SEPARATOR), written);
    let mut distinct = selections.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert!(!selections.is_empty() && distinct.len() == selections.len(), "{selections:?}");
    let strangers = selections.iter().filter(|selection| !options.contains(selection));
    assert!(strangers.eq(answer.custom().iter()), "{answer:?}");
    assert_eq!(question.parse_answer(&AnswerInput::from(&written)).as_ref(), Ok(answer));
}

/// Checks that options in any order are an answer. `choice` decides which, and where they begin.
fn check_selections(question: &Question, options: &[&str], choice: usize) {
    let start = choice % options.len().max(1);
    let rotated = options[start..].iter().chain(&options[..start]);
    for step in 1..=2 {
        let selections: Vec<String> = rotated.clone().step_by(step).map(|option| (*option).to_owned()).collect();
        let input = AnswerInput::Selections { selections: selections.clone(), custom: None };
        let answer = question.parse_answer(&input);
        let answer = answer.as_ref().unwrap_or_else(|refusal| unreachable!("{selections:?}: {refusal}"));
        assert_eq!(answer.selections(), selections);
        check_answer(question, options, answer);
    }
}
