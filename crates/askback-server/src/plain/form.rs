//! The values of a form: the initial ones, those that a browser posts, and the answers in them.

use crate::fault::Fault;
use askback_api::{AnswerItem, ProblemCode};
use askback_core::kind::approval::Decision;
use askback_core::kind::choice::{Choice, Select};
use askback_core::text::is_blank;
use askback_core::{Answer, ChoiceOption, Kind, OTHER_PLACEHOLDER, Options, Other, Problem, Question, Request, Step};

/// The field that identifies the submitted form.
pub(super) const FORM: &str = "form";
pub(super) const ANSWER: &str = "answer";
pub(super) const DECLINE: &str = "decline";
/// The field of a reason.
pub(super) const REASON: &str = "reason";
/// The value of the control of Other; options have their position.
pub(super) const OTHER: &str = "other";

/// The name of a question's controls.
pub(super) fn field(index: usize) -> String {
    format!("q{index}")
}

/// The name of the text beside Other.
pub(super) fn other_field(index: usize) -> String {
    format!("q{index}.{OTHER}")
}

/// A submitted form: one of the two forms of a page.
#[derive(Debug)]
pub(super) enum Submission {
    Answer(FormValues),
    Decline { reason: String },
}

/// The values of the controls of all questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FormValues(pub(super) Vec<Controls>);

/// The values of the controls of one question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Controls {
    /// The typed text, or the chosen values.
    pub(super) values: Vec<String>,
    /// The text beside Other, if the form has that field.
    pub(super) other: Option<String>,
}

impl Submission {
    /// Reads a body. Names that the page does not have are refused.
    pub(super) fn read(request: &Request, body: &[u8]) -> Result<Self, Fault> {
        let mut values = FormValues(vec![Controls::default(); request.questions().len()]);
        let (mut which, mut reason) = (None, None);
        for (name, value) in form_urlencoded::parse(body) {
            let value = value.into_owned();
            match control(&name, &mut values) {
                Some(Control::Values(values)) => values.push(value),
                Some(Control::Other(other)) => once(other, &name, value)?,
                None if name == FORM => once(&mut which, &name, value)?,
                None if name == REASON => once(&mut reason, &name, value)?,
                None => {
                    return Err(Fault::parameter(&name, "the form has no such field", "the form as it is on the page"));
                }
            }
        }
        match (which.as_deref(), reason) {
            (Some(ANSWER), None) => Ok(Self::Answer(values)),
            (Some(DECLINE), reason) => Ok(Self::Decline { reason: reason.unwrap_or_default() }),
            _ => Err(Fault::parameter(FORM, "this is no form of the page", format!("{ANSWER} or {DECLINE}"))),
        }
    }
}

/// Sets a field that may occur once.
fn once(field: &mut Option<String>, name: &str, value: String) -> Result<(), Fault> {
    match field.replace(value) {
        Some(_) => Err(Fault::parameter(name, "this field is there twice", "it once")),
        None => Ok(()),
    }
}

/// The control of a posted field.
enum Control<'f> {
    Values(&'f mut Vec<String>),
    Other(&'f mut Option<String>),
}

fn control<'f>(name: &str, values: &'f mut FormValues) -> Option<Control<'f>> {
    let rest = name.strip_prefix('q')?;
    let digits = rest.split('.').next()?;
    let index: usize = digits.parse().ok()?;
    let controls = values.0.get_mut(index)?;
    match name {
        name if name == field(index) => Some(Control::Values(&mut controls.values)),
        name if name == other_field(index) => Some(Control::Other(&mut controls.other)),
        _ => None,
    }
}

impl FormValues {
    /// The initial values, which an asker may set.
    pub(super) fn initial(request: &Request) -> Self {
        Self(request.questions().iter().map(Controls::initial).collect())
    }

    /// The answers, which the core validates like any other.
    pub(super) fn answers(&self, request: &Request) -> Result<Vec<AnswerItem>, Fault> {
        let each = request.questions().iter().zip(&self.0).enumerate();
        each.map(|(index, (question, controls))| {
            controls.answer(question).ok_or_else(|| {
                let expected = "what the page offers: load it again";
                Fault::parameter(&field(index), "there is no such thing to choose", expected)
            })
        })
        .collect()
    }
}

impl Controls {
    fn initial(question: &Question) -> Self {
        let Some(answer) = question.initial() else { return Self::default() };
        match question.kind() {
            Kind::Choice(choice) => Self {
                values: answer.selections().iter().map(|value| position(choice.options(), value)).collect(),
                other: answer.custom().map(str::to_owned),
            },
            Kind::Dropdown(dropdown) => Self::of(position(dropdown.options(), &answer.written())),
            _ => Self::of(answer.written()),
        }
    }

    fn of(value: String) -> Self {
        Self { values: vec![value], other: None }
    }

    /// The value of a single field.
    pub(super) fn typed(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }

    fn is_empty(&self) -> bool {
        self.values.iter().all(String::is_empty) && is_blank(self.own_text())
    }

    fn own_text(&self) -> &str {
        self.other.as_deref().unwrap_or_default()
    }

    /// The answer; `None` if a chosen value is not one of the page's options, since as a text it could pass for Other's.
    fn answer(&self, question: &Question) -> Option<AnswerItem> {
        match question.kind() {
            Kind::Choice(choice) => self.chosen(choice),
            Kind::Dropdown(dropdown) if !self.typed().is_empty() => self.picked(dropdown.options()),
            _ if self.other.is_some() => None,
            // The core refuses several values.
            _ if self.values.len() > 1 => Some(AnswerItem::selected(self.values.clone(), None)),
            _ => Some(AnswerItem::written(self.typed().to_owned())),
        }
    }

    fn picked(&self, options: &Options) -> Option<AnswerItem> {
        match self.values.as_slice() {
            [only] if self.other.is_none() => Some(AnswerItem::written(value(options, only)?.to_owned())),
            _ => None,
        }
    }

    /// A text beside Other counts whether or not Other is checked.
    fn chosen(&self, choice: &Choice) -> Option<AnswerItem> {
        let is_offered = choice.other() == Other::Offered;
        if !is_offered && self.other.is_some() {
            return None;
        }
        let value = |position: &String| match position.as_str() {
            OTHER if is_offered => Some(OTHER_PLACEHOLDER.to_owned()),
            position => value(choice.options(), position).map(str::to_owned),
        };
        let selections = self.values.iter().map(value).collect::<Option<Vec<String>>>()?;
        let custom = Some(self.own_text()).filter(|text| !is_blank(text)).map(str::to_owned);
        Some(AnswerItem::selected(selections, custom))
    }
}

/// The control of a value: its option's, or Other's.
fn position(options: &Options, value: &str) -> String {
    options.iter().position(|option| option.value() == value).map_or_else(|| OTHER.to_owned(), |at| at.to_string())
}

fn value<'o>(options: &'o Options, position: &str) -> Option<&'o str> {
    let at: usize = position.parse().ok()?;
    options.iter().nth(at).filter(|_| at.to_string() == position).map(ChoiceOption::value)
}

/// The error of one answer, and the expected one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Complaint {
    pub(super) message: String,
    pub(super) expected: String,
}

impl Complaint {
    /// The core's own message.
    pub(super) fn of(problem: &Problem) -> Self {
        Self { message: problem.message.clone(), expected: problem.expected.clone() }
    }
}

/// The complaints of a fault, by question.
pub(super) fn complaints(request: &Request, values: &FormValues, fault: &Fault) -> Vec<Option<Complaint>> {
    let mut complaints = vec![None; request.questions().len()];
    if fault.code != ProblemCode::InvalidAnswer {
        return complaints;
    }
    for problem in fault.errors() {
        let index = problem.path.steps().iter().find_map(|step| match step {
            Step::Index(index) => Some(*index),
            Step::Field(_) => None,
        });
        if let Some(index) = index
            && let (Some(question), Some(controls)) = (request.questions().get(index), values.0.get(index))
        {
            complaints[index] = Some(complaint(question, controls, problem));
        }
    }
    complaints
}

/// A complaint in terms of the page, which shows labels and controls and no values.
fn complaint(question: &Question, controls: &Controls, problem: &Problem) -> Complaint {
    let nothing = |expected: String| Complaint { message: "nothing is chosen".to_owned(), expected };
    let is_empty = controls.is_empty();
    match question.kind() {
        Kind::Approval(approval) if is_empty => {
            let [approve, reject] = [Decision::Approve, Decision::Reject].map(|decision| approval.caption(decision));
            nothing(format!("“{approve}” or “{reject}”"))
        }
        Kind::Confirm(_) if is_empty => nothing("Yes or No".to_owned()),
        Kind::Rating(rating) if is_empty => nothing(rating.expected()),
        Kind::Dropdown(_) if is_empty => nothing("one of the list".to_owned()),
        Kind::Choice(choice) if is_empty => nothing(match choice.select() {
            Select::One => "one of these".to_owned(),
            Select::Many => "at least one of these".to_owned(),
        }),
        Kind::Choice(choice)
            if choice.select() == Select::One
                && !is_blank(controls.own_text())
                && controls.values.iter().any(|value| value != OTHER) =>
        {
            Complaint {
                message: "an option is chosen, and there is a text beside Other".to_owned(),
                expected: "one of the two: empty the text, or choose Other".to_owned(),
            }
        }
        _ => Complaint::of(problem),
    }
}

/// An answer in terms of the page.
pub(super) fn answer_text(question: &Question, answer: &Answer) -> String {
    let options = match question.kind() {
        Kind::Choice(choice) => Some(choice.options()),
        Kind::Dropdown(dropdown) => Some(dropdown.options()),
        Kind::Approval(approval) => {
            let decision = if answer.rejects() { Decision::Reject } else { Decision::Approve };
            return approval.caption(decision).to_string();
        }
        _ => None,
    };
    let Some(options) = options else { return answer.written() };
    let label = |value: &&str| options.find(value).map_or(*value, ChoiceOption::label).to_owned();
    answer.selections().iter().map(label).collect::<Vec<String>>().join(", ")
}
