//! MCP's elicitation: a request as the form that a client's own dialog shows, and what was entered there read back.
//!
//! It only goes out, so it is no [`super::Dialect`]. [`render`] writes all that the person must see, or says what a dialog has
//! no place for; [`read()`] gives the answers that pass the questions' own rules. The fields are those that the published
//! schema knows and no others, since clients refuse a form with one they don't know.

use super::{Inexpressible, question_path};
use crate::json::{Json, Object};
use crate::limits::dialog;
use crate::options::{ChoiceOption, Options};
use crate::path::{Path, Step};
use crate::problem::{Problem, Problems};
use crate::question::Question;
use crate::request::Request;
use crate::show::{self, Layout, Purpose, show};
use crate::text;

mod content;
mod property;

pub use content::read;

const NAME: &str = "elicitation";

/// What a client's dialog can draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialog {
    /// Everything of 2025-11-25 and 2026-07-28.
    Full,
    /// What 2025-06-18 has: no lists to choose several from, and nothing filled in.
    First,
    /// Texts and choices of one, as in Codex: a form with a number or a list it replaces by one that asks only whether to
    /// accept, whatever revision it speaks.
    Plain,
}

/// The `message` and the `requestedSchema` of an elicitation, or what a dialog has no place for. `asker` is the name of the
/// token that asked, which the message shows with the request's own claim beside it (S9).
pub fn render(request: &Request, asker: &str, dialog: Dialog) -> Result<Json, Inexpressible> {
    render_noted(request, asker, dialog, "")
}

/// The same once more, with what was wrong with what was entered before everything else.
pub fn render_again(
    request: &Request,
    asker: &str,
    dialog: Dialog,
    problems: &Problems,
) -> Result<Json, Inexpressible> {
    let alone = request.questions().len() == 1;
    let note = |problem: &Problem| {
        let number = match problem.path.steps() {
            [.., Step::Index(position)] if !alone => format!("{}. ", position + 1),
            _ => String::new(),
        };
        format!("{number}Not taken: {} (expected {})\n", problem.message, problem.expected)
    };
    let notes: String = problems.iter().map(note).collect();
    render_noted(request, asker, dialog, &format!("{notes}\n"))
}

fn render_noted(request: &Request, asker: &str, dialog: Dialog, notes: &str) -> Result<Json, Inexpressible> {
    let schema = requested_schema(request, dialog)?;
    let message = format!("{notes}{}", message(request, asker)?);
    Ok(Object::new().put("message", message).put("requestedSchema", schema).into())
}

fn requested_schema(request: &Request, dialog: Dialog) -> Result<Object, Inexpressible> {
    if !request.context().is_empty() {
        let reason = "what the person must see to decide is shown whole, for which a dialog has no place";
        return Err(Inexpressible::new(NAME, Path::root().field("context"), reason));
    }
    let questions = request.questions();
    if questions.len() > dialog::QUESTIONS {
        let reason = format!("a dialog has place for {} questions, not {}", dialog::QUESTIONS, questions.len());
        return Err(Inexpressible::new(NAME, Path::root().field("questions"), reason));
    }
    let mut fields = Vec::new();
    let mut required = Vec::new();
    for (position, question) in questions.iter().enumerate() {
        check_options(question, position)?;
        let asked = Asked { question, position, count: questions.len(), dialog };
        for property in asked.properties()? {
            if property.required {
                required.push(property.name.clone());
            }
            fields.push((property.name, property.schema));
        }
    }
    Ok(Object::new()
        .put("type", "object")
        .put("properties", Json::Object(fields))
        .put_some("required", (!required.is_empty()).then_some(required)))
}

/// A question on its way into a dialog.
struct Asked<'a> {
    question: &'a Question,
    position: usize,
    /// How many questions there are.
    count: usize,
    dialog: Dialog,
}

/// The name of a question's field. Ids are any text, and clients sort: by code point, or in JavaScript whatever looks like
/// a number first. These names stay as they were asked.
fn field_name(position: usize) -> String {
    format!("q{}", position + 1)
}

/// The name of the field for Other's text.
fn other_name(position: usize) -> String {
    format!("{}_other", field_name(position))
}

/// Refuses options that a dialog can't show as they are.
fn check_options(question: &Question, position: usize) -> Result<(), Inexpressible> {
    let Some(options) = question.kind().options() else {
        return Ok(());
    };
    let path = question_path(position).field("options");
    if options.len() > dialog::OPTIONS {
        let reason = format!("a dialog has place for {} options, not {}", dialog::OPTIONS, options.len());
        return Err(Inexpressible::new(NAME, path, reason));
    }
    for (index, option) in options.iter().enumerate() {
        let lost = |field, reason| Err(Inexpressible::new(NAME, path.index(index).field(field), reason));
        if option.preview().is_some() {
            return lost("preview", "a dialog has no place for something to look at");
        }
        if line(option.value()) != option.value() {
            return lost("value", "it has characters that a dialog would hide");
        }
    }
    Ok(())
}

/// Everything there is to read: clients show it whole, while they cut or hide what is said of a field.
fn message(request: &Request, asker: &str) -> Result<String, Inexpressible> {
    let asker = show(&show::asker(asker, request.from()), Layout::Line, Purpose::Exact);
    let from = format!("From: {asker}");
    let heading = request.title().map_or_else(|| from.clone(), |title| format!("{}\n{from}", line(title)));
    let mut blocks = vec![heading];
    let alone = request.questions().len() == 1;
    for (position, question) in request.questions().iter().enumerate() {
        let number = if alone { String::new() } else { format!("{}. ", position + 1) };
        blocks.push(format!("{number}{}{}", block(question.message()), described(question)));
    }
    let message = blocks.join("\n\n");
    let length = text::length(&message);
    if length > dialog::MESSAGE_LENGTH {
        let reason = format!("{length} characters are too many to read in a dialog: {} fit", dialog::MESSAGE_LENGTH);
        return Err(Inexpressible::new(NAME, Path::root().field("questions"), reason));
    }
    Ok(message)
}

/// The options below their question, where there is more to say of one than its label.
fn described(question: &Question) -> String {
    let options: Vec<&ChoiceOption> = question.kind().options().into_iter().flat_map(Options::iter).collect();
    if !options.iter().any(|option| option.description().is_some() || option.disabled()) {
        return String::new();
    }
    let item = |option: &&ChoiceOption| {
        let disabled = if option.disabled() { " (can't be chosen)" } else { "" };
        let description = option.description().map(|description| format!(": {}", block(description)));
        format!("\n- {}{disabled}{}", line(option.label()), description.unwrap_or_default())
    };
    options.iter().map(item).collect()
}

/// Agent text for one line of a dialog. Who paints it is not ours to trust, so nothing in it acts or hides (S2).
fn line(text: &str) -> String {
    show(text, Layout::Line, Purpose::Prose)
}

/// The same for as many lines as it has.
fn block(text: &str) -> String {
    show(text, Layout::Block, Purpose::Prose)
}
