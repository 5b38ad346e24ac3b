//! What a person entered into a client's dialog, read as answers.

use super::{field_name, other_name};
use crate::answer::AnswerInput;
use crate::decimal;
use crate::fields::wrong_type;
use crate::json::Json;
use crate::kind::choice::{Choice, Select};
use crate::kind::{Answer, Kind};
use crate::options::Other;
use crate::path::Path;
use crate::problem::{Problems, Refusal};
use crate::question::Question;
use crate::request::{Answers, Request};
use crate::rule::Rule;
use crate::text::{is_blank, trim};

/// What people type for yes and no in a terminal will do in a dialog, too (T7).
const WORDS: [(&str, &str); 4] = [("yes", "yes"), ("y", "yes"), ("no", "no"), ("n", "no")];

/// The answers in the `content` of an accepted elicitation, or everything that is wrong with them, by question (F15). An
/// accepted form without content answers nothing.
pub fn read(request: &Request, content: &Json) -> Result<Answers, Problems> {
    if !matches!(content, Json::Object(_)) {
        let expected = "an object with the fields of the form";
        return Err(wrong_type(content, expected).at(Path::root().field("content")).into());
    }
    let (count, path) = (request.questions().len(), Path::root().field("answers"));
    request.collect_answers(count, &path, |position, question| read_answer(question, position, content))
}

fn read_answer(question: &Question, position: usize, content: &Json) -> Result<Answer, Refusal> {
    let field = content.get(&field_name(position));
    let text = match question.kind() {
        Kind::Choice(choice) => return read_choice(question, choice, field, content.get(&other_name(position))),
        Kind::Number(_) => match field {
            Some(Json::Number(number)) => Some(decimal::to_text(*number)),
            field => text(field)?,
        },
        Kind::Confirm(_) => text(field)?.map(|text| word(&text)),
        Kind::Approval(_)
        | Kind::Text(_)
        | Kind::Multiline(_)
        | Kind::Email(_)
        | Kind::Date(_)
        | Kind::Dropdown(_)
        | Kind::Rating(_) => text(field)?,
    };
    question.parse_answer(&AnswerInput::from(&text.ok_or_else(missing)?))
}

/// Some dialogs take an option before they come to Other, so a text of one's own says what is meant instead of it.
fn read_choice(
    question: &Question,
    choice: &Choice,
    field: Option<&Json>,
    other: Option<&Json>,
) -> Result<Answer, Refusal> {
    let custom = match choice.other() {
        Other::Offered => text(other)?,
        Other::Absent => None,
    };
    let selections = match choice.select() {
        Select::One if custom.is_some() => Vec::new(),
        Select::One => return question.parse_answer(&AnswerInput::from(&text(field)?.ok_or_else(missing)?)),
        Select::Many => texts(field)?,
    };
    if selections.is_empty() && custom.is_none() {
        return Err(missing());
    }
    question.parse_answer(&AnswerInput::Selections { selections, custom })
}

/// A text, where a blank one is none: dialogs send an empty one for a field nobody touched.
fn text(field: Option<&Json>) -> Result<Option<String>, Refusal> {
    match field {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok((!is_blank(text)).then(|| text.clone())),
        Some(other) => Err(wrong_type(other, "a text")),
    }
}

fn texts(field: Option<&Json>) -> Result<Vec<String>, Refusal> {
    let wrong = |found: &Json| wrong_type(found, "a list of texts");
    match field {
        None | Some(Json::Null) => Ok(Vec::new()),
        Some(Json::Array(items)) => {
            items.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(|| wrong(item))).collect()
        }
        Some(other) => Err(wrong(other)),
    }
}

fn word(typed: &str) -> String {
    let meant = WORDS.iter().find(|(word, _)| trim(typed).eq_ignore_ascii_case(word));
    meant.map_or_else(|| typed.to_owned(), |(_, meant)| (*meant).to_owned())
}

fn missing() -> Refusal {
    Refusal::new(Rule::Required, "nothing was entered", "an answer to every question")
}
