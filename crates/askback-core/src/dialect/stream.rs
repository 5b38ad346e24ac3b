//! The stream's shape (T2): `{"prompt", "input_type", "choices"}`, and the replies that go back (T4).

use super::{Inexpressible, no_envelope, plain_question, question_path};
use crate::fields::{Fields, Shape};
use crate::json::{Json, Object};
use crate::kind::Kind;
use crate::kind::approval::{Approval, Decision};
use crate::kind::choice::{Choice, Select};
use crate::kind::text::Text;
use crate::limits::{Imitations, Limits};
use crate::options::{ChoiceOption, Options, Other};
use crate::outcome::{Outcome, Resolution};
use crate::path::{Path, Place};
use crate::problem::Problems;
use crate::question::Question;
use crate::request::{Envelope, Request};

mod choices;

const NAME: &str = "stream";

#[derive(Clone, Copy)]
enum InputType {
    Approval,
    Choice,
    Text,
}

const INPUT_TYPES: [(&str, InputType); 3] =
    [("approval", InputType::Approval), ("choice", InputType::Choice), ("text", InputType::Text)];

/// An input request of an agent's stream: the request that a person answers, and the choices that go back.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamRequest {
    request: Request,
    choices: Vec<String>,
}

impl StreamRequest {
    /// Reads an input request, with nothing beside its own three fields. Its choices may be any texts: each is shown as an
    /// option that is safe and unlike the others, and the reply has the agent's own text. A missing prompt is empty: the
    /// agent may have asked in the text before it.
    pub fn parse(json: &Json, limits: &Limits) -> Result<Self, Problems> {
        let mut choices = Vec::new();
        let request = Request::read(json, limits, |fields| {
            (Envelope::default(), None, vec![read_request(fields, &mut choices)])
        })?;
        Ok(Self { request, choices })
    }

    /// The request that a person answers.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The agent's choices to the byte, in the order of the question's options; none unless it asks for a choice.
    pub fn choices(&self) -> &[String] {
        &self.choices
    }
}

pub(super) fn recognises(fields: &Fields<'_, '_>) -> bool {
    ["prompt", "input_type", "choices"].iter().any(|name| fields.has(name))
}

/// Reads the shape at a port, under the rules of every request.
pub(super) fn read(fields: &mut Fields<'_, '_>) -> Vec<Option<Question>> {
    let lengths = fields.limits.message_length_min..=fields.limits.message_length;
    let prompt = fields.text("prompt", Shape::Block, lengths);
    let prompt = fields.need("prompt", prompt, "the question to ask");
    vec![read_question(fields, prompt, read_choice)]
}

/// Reads the shape in an agent's stream itself, and keeps its choices.
fn read_request(fields: &mut Fields<'_, '_>, kept: &mut Vec<String>) -> Option<Question> {
    let longest = fields.limits.message_length;
    let prompt = fields.text("prompt", Shape::Block, 0..=longest);
    let prompt = fields.or("prompt", prompt, "");
    read_question(fields, prompt, |fields, items, place| {
        let choices = choices::read(fields, items, place)?;
        let options = choices::options(&choices).into_iter().map(Some).collect();
        *kept = choices.into_iter().map(str::to_owned).collect();
        gather(fields, options, place, Imitations::Kept)
    })
}

fn read_question<'j>(
    fields: &mut Fields<'j, '_>,
    prompt: Option<&str>,
    read_choice: impl FnOnce(&mut Fields<'j, '_>, &'j [Json], Place<'_>) -> Option<Choice>,
) -> Option<Question> {
    let input_type = fields.word("input_type", &INPUT_TYPES);
    let input_type = fields.or("input_type", input_type, InputType::Approval);
    let items = read_items(fields, input_type);
    let here = fields.place();
    let place = here.field("choices");
    let kind = match input_type {
        Some(InputType::Approval) => Approval::read_labels(fields, items, place).map(Kind::Approval),
        Some(InputType::Choice) => read_choice(fields, items, place).map(Kind::Choice),
        Some(InputType::Text) => Some(Kind::Text(Text::default())),
        None => {
            read_texts(fields, items, place);
            None
        }
    };
    Some(Question::plain(0, None, prompt?, kind?))
}

fn read_choice<'j>(fields: &mut Fields<'j, '_>, items: &'j [Json], place: Place<'_>) -> Option<Choice> {
    let imitations = fields.limits.imitations;
    let texts = read_texts(fields, items, place);
    let options = texts.into_iter().map(|text| text.map(ChoiceOption::new)).collect();
    gather(fields, options, place, imitations)
}

/// A choice of one among these options; the list that was empty is reported already.
fn gather(
    fields: &mut Fields<'_, '_>,
    options: Vec<Option<ChoiceOption>>,
    place: Place<'_>,
    imitations: Imitations,
) -> Option<Choice> {
    if options.is_empty() {
        return None;
    }
    let options = Options::gather(fields, options, place, Other::Absent, imitations)?;
    let choice = Choice::new(options, Select::One, Other::Absent, fields.limits);
    choice.map_err(|refusal| fields.refuse(refusal, place)).ok()
}

/// The texts, or nothing in the place of each that is wrong.
fn read_texts<'j>(fields: &mut Fields<'j, '_>, items: &'j [Json], place: Place<'_>) -> Vec<Option<&'j str>> {
    let longest = fields.limits.value_length;
    let read = |(index, item)| fields.text_at(item, place.index(index), Shape::Line, 1..=longest);
    items.iter().enumerate().map(read).collect()
}

/// The items of `choices`, as many as this type takes.
fn read_items<'j>(fields: &mut Fields<'j, '_>, input_type: Option<InputType>) -> &'j [Json] {
    let (count, what) = match input_type {
        Some(InputType::Approval) => (2..=2, "texts, to approve and to reject, or another `input_type`"),
        // One choice is odd, but there is something to choose: it is accepted and shown.
        Some(InputType::Choice) => (1..=fields.limits.options, "texts to choose from"),
        Some(InputType::Text) => (0..=0, "choices"),
        None => (0..=fields.limits.options, "texts"),
    };
    let needed = *count.start() > 0;
    let items = fields.counted_array("choices", count, what);
    if needed {
        fields.need("choices", items, &format!("a list of {what}"));
    }
    items.unwrap_or_default()
}

/// Writes a request with one approval, one plain choice or one text.
pub fn render(request: &Request) -> Result<Json, Inexpressible> {
    no_envelope(request, NAME, &[])?;
    let [question] = request.questions() else {
        return Err(Inexpressible::new(NAME, question_path(1), "it has place for one question"));
    };
    plain_question(question, 0, NAME)?;
    let lost = |field: &str, reason: &str| Err(Inexpressible::new(NAME, question_path(0).field(field), reason));
    if question.header().is_some() {
        return lost("header", "it has no such field");
    }
    let (input_type, choices): (_, Vec<&str>) = match question.kind() {
        Kind::Approval(approval) => ("approval", Decision::BOTH.map(|decision| approval.label(decision)).to_vec()),
        Kind::Text(text) if *text == Text::default() => ("text", Vec::new()),
        Kind::Text(_) => return lost("maxLength", "it has no such field"),
        Kind::Choice(choice) if choice.select() == Select::Many => return lost("multiSelect", "it takes one choice"),
        Kind::Choice(choice) if choice.other() == Other::Offered => return lost("other", "it has no Other"),
        Kind::Choice(choice) => match choice.options().iter().position(|option| !option.is_plain()) {
            Some(index) => {
                let path = question_path(0).field("options").index(index);
                return Err(Inexpressible::new(NAME, path, "its choices are texts only"));
            }
            None => ("choice", choice.options().iter().map(ChoiceOption::value).collect()),
        },
        Kind::Multiline(_)
        | Kind::Confirm(_)
        | Kind::Number(_)
        | Kind::Email(_)
        | Kind::Date(_)
        | Kind::Dropdown(_)
        | Kind::Rating(_) => {
            let name = question.kind().name();
            return lost("type", &format!("it has approval, choice and text, not {name}"));
        }
    };
    let object = Object::new().put("prompt", question.message()).put("input_type", input_type);
    Ok(object.put_some("choices", (!choices.is_empty()).then_some(choices)).into())
}

/// What goes back into a stream: typed here, so that a person who writes the word "reject" has written text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Approved.
    Approve,
    /// A choice, by position from 0 and by its text.
    Choice {
        /// The position from 0.
        index: usize,
        /// The choice's text, to the byte.
        value: String,
    },
    /// Text.
    Text(String),
    /// Anything but an answer: the stream ends.
    Reject,
}

impl Reply {
    /// The reply of an outcome to the stream that asked this request.
    pub fn of(asked: &StreamRequest, outcome: &Outcome) -> Result<Self, Inexpressible> {
        let Resolution::Answered { answers, .. } = outcome.resolution() else {
            return Ok(Self::Reject);
        };
        let lost = |reason| Err(Inexpressible::new(NAME, Path::root().field("answers").index(0), reason));
        let (Some(question), Some(answer)) = (asked.request.questions().first(), answers.iter().next()) else {
            return lost("it has one question");
        };
        match question.kind() {
            // A rejected approval is declined, so what is answered is approved.
            Kind::Approval(_) => Ok(Self::Approve),
            Kind::Text(_) => Ok(Self::Text(answer.written())),
            Kind::Choice(choice) if choice.select() == Select::One => {
                let value = answer.written();
                let index = choice.options().iter().position(|option| option.value() == value);
                match index.and_then(|index| Some((index, asked.choices.get(index)?.clone()))) {
                    Some((index, value)) => Ok(Self::Choice { index, value }),
                    None => lost("it is none of the choices"),
                }
            }
            Kind::Choice(_)
            | Kind::Multiline(_)
            | Kind::Confirm(_)
            | Kind::Number(_)
            | Kind::Email(_)
            | Kind::Date(_)
            | Kind::Dropdown(_)
            | Kind::Rating(_) => lost("it takes approval, one choice and text only"),
        }
    }

    /// As it stands on the wire (T4).
    pub fn to_json(&self) -> Json {
        match self {
            Self::Approve => "approve".into(),
            Self::Choice { index, value } => {
                Object::new().put("index", *index as f64).put("value", value.as_str()).into()
            }
            Self::Text(text) => text.as_str().into(),
            Self::Reject => "reject".into(),
        }
    }
}
