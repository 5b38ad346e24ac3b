//! What a person would do to give an answer, before it is keys or lines.

use super::vector::Vector;
use askback_core::kind::choice::Select;
use askback_core::{Kind, Options, Other};

pub(crate) enum Expression {
    /// Types a text.
    Typed(String),
    /// Types the letter of a side.
    Decided(&'static str),
    /// Types something where only letters decide.
    Undecided(String),
    /// Chooses, in this order.
    Picks(Vec<Pick>),
    /// Names what should be chosen but can't be, which only a line can.
    Named(String),
}

pub(crate) enum Pick {
    Option(usize),
    Other(String),
}

const SHAPE: &str = "a list is not what a person types here";
const UNKNOWN: &str = "nothing there is called so";
const LABEL: &str = "it is what the person sees, and may type, for something else";
const KEY: &str = "it is a key of the prompt";
const TWICE: &str = "choosing twice is choosing not";

impl Expression {
    pub(crate) fn of(vector: &Vector) -> Result<Self, &'static str> {
        let text = vector.answer["given"].as_str();
        match vector.question().kind() {
            Kind::Approval(_) => decision(vector, [("a", "approve"), ("r", "reject")]),
            Kind::Confirm(_) => decision(vector, [("y", "yes"), ("n", "no")]),
            Kind::Choice(choice) => picks(vector, choice.options(), choice.select(), choice.other()),
            Kind::Dropdown(dropdown) => picks(vector, dropdown.options(), Select::One, Other::Absent),
            Kind::Text(_) | Kind::Multiline(_) | Kind::Number(_) | Kind::Email(_) | Kind::Date(_) | Kind::Rating(_) => {
                text.map(|text| Self::Typed(text.to_owned())).ok_or(SHAPE)
            }
        }
    }
}

fn decision(vector: &Vector, sides: [(&'static str, &'static str); 2]) -> Result<Expression, &'static str> {
    if let Ok(answer) = vector.expected() {
        let side = sides.iter().find(|(_, written)| *written == answer.written());
        return side.map(|(letter, _)| Expression::Decided(letter)).ok_or(UNKNOWN);
    }
    let text = vector.answer["given"].as_str().ok_or(SHAPE)?;
    let is_key = sides.iter().any(|(letter, _)| text.eq_ignore_ascii_case(letter)) || matches!(text, "1" | "2");
    if is_key { Err(KEY) } else { Ok(Expression::Undecided(text.to_owned())) }
}

fn picks(vector: &Vector, options: &Options, select: Select, other: Other) -> Result<Expression, &'static str> {
    let index = |value: &str| options.iter().position(|option| option.value() == value);
    let own = |text: &str| (other == Other::Offered).then(|| Pick::Other(text.to_owned()));
    if let Ok(answer) = vector.expected() {
        let pick = |value: &&str| match answer.custom() {
            Some(custom) if custom == *value => own(value).ok_or(UNKNOWN),
            _ => index(value).map(Pick::Option).ok_or(UNKNOWN),
        };
        return answer.selections().iter().map(pick).collect::<Result<_, _>>().map(Expression::Picks);
    }
    let given = &vector.answer["given"];
    let picks: Vec<Pick> = match given.as_str() {
        // A list in one string is read otherwise than a choice made one by one.
        Some(text) if select == Select::Many && text.contains(", ") => return Ok(Expression::Named(text.to_owned())),
        Some(text) => match index(text).map(Pick::Option).or_else(|| own(text)) {
            Some(pick) => vec![pick],
            None if options.iter().any(|option| [option.value(), option.label()].contains(&text.trim())) => {
                return Err(LABEL);
            }
            None => return Ok(Expression::Named(text.to_owned())),
        },
        None => {
            let values = given["selections"].as_array().map(Vec::as_slice).unwrap_or_default();
            let chosen = values.iter().map(|value| value.as_str().and_then(index).map(Pick::Option).ok_or(UNKNOWN));
            let custom = given["custom"].as_str().map(|text| own(text).ok_or(UNKNOWN));
            chosen.chain(custom).collect::<Result<_, _>>()?
        }
    };
    let mut chosen: Vec<usize> =
        picks.iter().filter_map(|pick| if let Pick::Option(index) = pick { Some(*index) } else { None }).collect();
    chosen.sort_unstable();
    match (picks.len(), select) {
        (0, _) => Err(SHAPE),
        (2.., Select::One) => Err(SHAPE),
        _ if chosen.windows(2).any(|pair| pair[0] == pair[1]) => Err(TWICE),
        _ => Ok(Expression::Picks(picks)),
    }
}
