//! The values of a form: the initial ones, those that a browser posts, and the answers in them.

use super::controls::{Complaint, Controls, field, other_field};
use super::kinds;
use crate::fault::Fault;
use askback_api::{AnswerItem, ProblemCode};
use askback_core::{Problem, Question, Request, Step};

/// The field that identifies the submitted form.
pub(super) const FORM: &str = "form";
pub(super) const ANSWER: &str = "answer";
pub(super) const DECLINE: &str = "decline";
/// The field of a reason.
pub(super) const REASON: &str = "reason";

/// A submitted form: one of the two forms of a page.
#[derive(Debug)]
pub(super) enum Submission {
    Answer(FormValues),
    Decline { reason: String },
}

/// The values of the controls of all questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FormValues(pub(super) Vec<Controls>);

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
        Self(request.questions().iter().map(initial).collect())
    }

    /// The answers, which the core validates like any other.
    pub(super) fn answers(&self, request: &Request) -> Result<Vec<AnswerItem>, Fault> {
        let each = request.questions().iter().zip(&self.0).enumerate();
        each.map(|(index, (question, controls))| {
            kinds::of(question.kind()).answer(controls).ok_or_else(|| {
                let expected = "what the page offers: load it again";
                Fault::parameter(&field(index), "there is no such thing to choose", expected)
            })
        })
        .collect()
    }
}

fn initial(question: &Question) -> Controls {
    question.initial().map(|answer| kinds::of(question.kind()).initial(answer)).unwrap_or_default()
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
    let kind = kinds::of(question.kind());
    match kind.expected_choice() {
        Some(expected) if controls.is_empty() => Complaint { message: "nothing is chosen".to_owned(), expected },
        _ => kind.conflict(controls).unwrap_or_else(|| Complaint::of(problem)),
    }
}
