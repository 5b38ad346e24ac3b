//! What stays on the screen when a prompt is over: one line for each question (Q5).

use crate::line::{Line, Role, Span};
use crate::page::Page;
use crate::prompt::decision::meaning_span;
use crate::safe::safe;
use crate::theme::Alphabet;
use askback_core::format::duration_text;
use askback_core::kind::approval::Decision;
use askback_core::kind::confirm::Confirmation;
use askback_core::show::{Layout, Purpose};
use askback_core::{Answer, Answers, ChoiceOption, Kind, Options, Question, Request, Resolution};

/// Columns of a label that are left however long the answer is: a header of twelve and its colon.
const LABEL_LEAST: usize = 16;

/// The lines for how a request ended; `left_as` is what is said of one that was left without an answer.
pub(crate) fn of(request: &Request, resolution: &Resolution, left_as: &str, page: &Page) -> Vec<Line> {
    match resolution {
        Resolution::Answered { answers, .. } | Resolution::Rejected { answers, .. } => answered(request, answers, page),
        Resolution::Declined { reason: Some(reason), .. } => {
            vec![one(request, page, Role::Warning, &format!("asked back: {}", reason.as_str()))]
        }
        Resolution::Declined { .. } => vec![one(request, page, Role::Error, "rejected")],
        Resolution::Cancelled { .. } => vec![one(request, page, Role::Muted, left_as)],
        Resolution::Expired { default, .. } => {
            let within = request.timeout_s().map(duration_text).unwrap_or_default();
            let said = match default {
                Some(answers) => format!("nobody answered within {within}; the default is used: {}", written(answers)),
                None => format!("nobody answered within {within}"),
            };
            vec![one(request, page, Role::Warning, &said)]
        }
    }
}

/// What silence comes to.
pub(crate) fn silence(request: &Request) -> String {
    match request.default_answers() {
        Some(answers) => format!("without an answer the default is used: {}", written(answers)),
        None => "without an answer this request expires".to_owned(),
    }
}

fn written(answers: &Answers) -> String {
    answers.iter().map(Answer::written).collect::<Vec<_>>().join("; ")
}

/// The line for a prompt that was taken away, and why.
pub(crate) fn withdrawn(request: &Request, notice: &str, page: &Page) -> Vec<Line> {
    vec![one(request, page, Role::Success, notice)]
}

fn answered(request: &Request, answers: &Answers, page: &Page) -> Vec<Line> {
    let pairs = request.questions().iter().zip(answers.iter());
    pairs
        .map(|(question, answer)| {
            let (sign, role) = match answer.rejects() {
                false => (page.signs().done, Role::Success),
                true => (page.signs().undone, Role::Error),
            };
            let [answer, meaning] = label_and_meaning(question, answer, page.alphabet).map(|spans| Line { spans });
            let line =
                on_one_line(Line::of(format!("{sign} "), role), &label_text(question), answer, meaning.width(), page);
            // However long the answer is, what it meant stays on the line.
            line.then(meaning).cut(page.full_width(), page.signs().more)
        })
        .collect()
}

fn one(request: &Request, page: &Page, role: Role, said: &str) -> Line {
    let sign = if role == Role::Success { page.signs().done } else { page.signs().undone };
    let label = match (request.title(), request.questions()) {
        (Some(title), [_, _, ..]) => format!("{title}: "),
        (None, questions @ [_, _, ..]) => format!("{} questions: ", questions.len()),
        (_, questions) => questions.first().map(label_text).unwrap_or_default(),
    };
    let said = Line { spans: safe(said, Layout::Line, Purpose::Exact, role, page.alphabet) };
    on_one_line(Line::of(format!("{sign} "), role), &label, said, 0, page)
}

/// A label and what is said of it on one line, beside which so many columns stay free. It is the label that is cut, and what
/// is said only where hardly any of the label is left.
fn on_one_line(sign: Line, label: &str, said: Line, free: usize, page: &Page) -> Line {
    let (columns, more) = (page.full_width().saturating_sub(free), page.signs().more);
    let mut label = Line { spans: safe(label, Layout::Line, Purpose::Exact, Role::Secondary, page.alphabet) };
    let least = LABEL_LEAST.min(columns / 3);
    let room = columns.saturating_sub(sign.width() + said.width()).max(least);
    if label.width() > room {
        label = label.cut(room.saturating_sub(1), more).with(" ", Role::Secondary);
    }
    sign.then(label).then(said).cut(columns, more)
}

/// `Database: `, or the message where there is no header.
pub(crate) fn label_text(question: &Question) -> String {
    match question.header() {
        Some(header) => format!("{header}: "),
        None => {
            let message = question.message().replace('\n', " ");
            // The prompt of a stream may be empty.
            if message.trim().is_empty() {
                return String::new();
            }
            // A question mark tells question and answer apart; where there is none, something has to.
            let is_apart = message.trim_end().ends_with(|last: char| !last.is_alphanumeric());
            if is_apart { format!("{message} ") } else { format!("{message}: ") }
        }
    }
}

/// An answer as the person saw it: by its label, in full, and for a decision what the label meant.
pub(crate) fn answer_spans(question: &Question, answer: &Answer, alphabet: Alphabet) -> Vec<Span> {
    label_and_meaning(question, answer, alphabet).concat()
}

fn label_and_meaning(question: &Question, answer: &Answer, alphabet: Alphabet) -> [Vec<Span>; 2] {
    let shown = |text: &str, role| safe(text, Layout::Line, Purpose::Prose, role, alphabet);
    let label_of = |options: &Options| {
        let label = |value: &&str| options.find(value).map_or(*value, ChoiceOption::label).to_owned();
        shown(&answer.selections().iter().map(label).collect::<Vec<_>>().join(", "), Role::Text)
    };
    let label = match question.kind() {
        Kind::Approval(approval) => {
            let (decision, role) =
                if answer.rejects() { (Decision::Reject, Role::Error) } else { (Decision::Approve, Role::Info) };
            let caption = approval.caption(decision);
            return [shown(caption.label, role), meaning_span(caption, role).into_iter().collect()];
        }
        Kind::Confirm(_) if *answer == Answer::Confirm(Confirmation::Yes) => shown("Yes", Role::Info),
        Kind::Confirm(_) => shown("No", Role::Error),
        Kind::Choice(choice) => label_of(choice.options()),
        Kind::Dropdown(dropdown) => label_of(dropdown.options()),
        Kind::Text(_) | Kind::Multiline(_) | Kind::Number(_) | Kind::Email(_) | Kind::Date(_) | Kind::Rating(_) => {
            shown(&answer.written().replace(['\n', '\t'], " "), Role::Text)
        }
    };
    [label, Vec::new()]
}
