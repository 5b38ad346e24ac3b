//! Dropdown: a browser's own list. Options are known by their position.

use super::options::{labels, position, preview, value};
use crate::plain::controls::Controls;
use crate::plain::html::Html;
use crate::plain::question::{PlainKind, QuestionView, Shape};
use askback_api::AnswerItem;
use askback_core::Answer;
use askback_core::kind::dropdown::Dropdown;
use askback_core::show::{Layout, Purpose, show};

impl PlainKind for Dropdown {
    fn shape(&self) -> Shape {
        Shape::Single
    }

    fn control(&self, view: &QuestionView<'_>, html: &mut Html) {
        html.markup("<select");
        view.field(html, "off", None);
        let first = view.question.placeholder().unwrap_or("Choose one");
        html.markup("><option value=\"\">").shown(first, Layout::Line, Purpose::Prose).markup("</option>");
        for (at, option) in self.options().iter().enumerate() {
            let position = at.to_string();
            html.markup("<option").attribute("value", &position);
            html.markup(if view.controls.typed() == position { " selected" } else { "" });
            html.markup(if option.disabled() { " disabled>" } else { ">" });
            // An option can contain only text.
            html.text(&show(option.label(), Layout::Line, Purpose::Prose));
            if let Some(description) = option.description() {
                html.markup(" — ").text(&show(description, Layout::Line, Purpose::Prose));
            }
            html.markup("</option>");
        }
        html.markup("</select>");
        self.options().iter().for_each(|option| preview(html, option));
    }

    fn answer(&self, controls: &Controls) -> Option<AnswerItem> {
        match controls.values.as_slice() {
            _ if controls.typed().is_empty() => controls.single_answer(),
            [only] if controls.other.is_none() => Some(AnswerItem::written(value(self.options(), only)?.to_owned())),
            _ => None,
        }
    }

    fn answer_text(&self, answer: &Answer) -> String {
        labels(self.options(), answer)
    }

    fn initial(&self, answer: &Answer) -> Controls {
        Controls::of(position(self.options(), &answer.written()))
    }

    fn expected_choice(&self) -> Option<String> {
        Some("one of the list".to_owned())
    }
}
