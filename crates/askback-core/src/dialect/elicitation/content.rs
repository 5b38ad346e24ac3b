//! What a person entered into a client's dialog, read as answers.

use super::{field_name, other_name};
use crate::answer::RawAnswer;
use crate::decimal;
use crate::fields::wrong_type;
use crate::json::Json;
use crate::kind::Kind;
use crate::kind::choice::{Choice, Select};
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
    let entered: Vec<Result<Entered, Refusal>> = request
        .questions()
        .iter()
        .enumerate()
        .map(|(position, question)| Entered::find(question, position, content))
        .collect();
    let path = Path::root().field("answers");
    let mut problems = Problems::none();
    for (index, (question, entered)) in request.questions().iter().zip(&entered).enumerate() {
        let answer = entered.as_ref().map_err(Clone::clone).and_then(|entered| question.parse_answer(entered.raw()));
        answer.err().into_iter().for_each(|refusal| problems.add(refusal.at(path.index(index))));
    }
    problems.into_result(Some(()))?;
    let raw: Vec<RawAnswer<'_>> = entered.iter().flatten().map(Entered::raw).collect();
    request.parse_answers(&raw, &path)
}

/// What was entered for one question.
#[derive(Debug)]
enum Entered {
    Text(String),
    Several { selections: Vec<String>, custom: Option<String> },
}

impl Entered {
    fn raw(&self) -> RawAnswer<'_> {
        match self {
            Self::Text(text) => RawAnswer::Response(text),
            Self::Several { selections, custom } => RawAnswer::Selections { selections, custom: custom.as_deref() },
        }
    }

    fn find(question: &Question, position: usize, content: &Json) -> Result<Self, Refusal> {
        let field = content.get(&field_name(position));
        let text = match question.kind() {
            Kind::Choice(choice) => return Self::choice(choice, field, content.get(&other_name(position))),
            Kind::Number(_) => match field {
                Some(Json::Number(number)) => Some(decimal::to_text(*number)),
                field => text(field)?,
            },
            Kind::Confirm(_) => text(field)?.map(|text| word(&text)),
            _ => text(field)?,
        };
        text.map(Self::Text).ok_or_else(missing)
    }

    /// Some dialogs take an option before they come to Other, so a text of one's own says what is meant instead of it.
    fn choice(choice: &Choice, field: Option<&Json>, other: Option<&Json>) -> Result<Self, Refusal> {
        let custom = match choice.other() {
            Other::Offered => text(other)?,
            Other::Absent => None,
        };
        match choice.select() {
            Select::One => match custom {
                Some(custom) => Ok(Self::Several { selections: Vec::new(), custom: Some(custom) }),
                None => text(field)?.map(Self::Text).ok_or_else(missing),
            },
            Select::Many => {
                let selections = texts(field)?;
                if selections.is_empty() && custom.is_none() {
                    Err(missing())
                } else {
                    Ok(Self::Several { selections, custom })
                }
            }
        }
    }
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
