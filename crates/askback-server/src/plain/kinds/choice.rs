//! Choice: a radio button or a checkbox for each option, and a field for the text of Other. Options are known by their position.

use super::options::{labels, position, preview, value};
use crate::plain::controls::{Complaint, Controls, OTHER, other_field};
use crate::plain::html::Html;
use crate::plain::question::{Checkable, PlainKind, QuestionView, Shape};
use askback_api::AnswerItem;
use askback_core::controls::OTHER_ON_A_PAGE;
use askback_core::kind::choice::{Choice, Select};
use askback_core::show::Purpose;
use askback_core::text::is_blank;
use askback_core::{Answer, OTHER_PLACEHOLDER, Other};
use std::collections::HashSet;

impl PlainKind for Choice {
    fn shape(&self) -> Shape {
        Shape::Group
    }

    fn control(&self, view: &QuestionView<'_>, html: &mut Html) {
        let kind = if self.select() == Select::Many { "checkbox" } else { "radio" };
        let is_required = self.select() == Select::One && self.other() == Other::Absent;
        let chosen: HashSet<&str> = view.controls.values.iter().map(String::as_str).collect();
        let state = |value: &str| if chosen.contains(value) { " checked" } else { "" };
        for (at, option) in self.options().iter().enumerate() {
            let position = at.to_string();
            let checkable = Checkable { kind, value: &position, label: option.label(), purpose: Purpose::Prose };
            view.begin(html, &checkable);
            html.markup(state(&position));
            html.markup(if is_required { " required" } else { "" });
            html.markup(if option.disabled() { " disabled" } else { "" });
            checkable.end(html, option.description());
            preview(html, option);
        }
        if self.other() == Other::Offered {
            let checkable = Checkable { kind, value: OTHER, label: OTHER_ON_A_PAGE, purpose: Purpose::Prose };
            view.begin(html, &checkable);
            html.markup(state(OTHER));
            checkable.end(html, None);
            let name = other_field(view.index);
            html.markup("<div class=\"own\"><label")
                .attribute("for", &name)
                .markup(">Your own text</label><input type=\"text\"");
            html.attribute("id", &name).attribute("name", &name).markup(" autocomplete=\"off\"");
            html.attribute("value", view.controls.own_text()).markup("></div>");
        }
    }

    /// A text beside Other counts whether or not Other is checked.
    fn answer(&self, controls: &Controls) -> Option<AnswerItem> {
        let is_offered = self.other() == Other::Offered;
        if !is_offered && controls.other.is_some() {
            return None;
        }
        let value = |position: &String| match position.as_str() {
            OTHER if is_offered => Some(OTHER_PLACEHOLDER.to_owned()),
            position => value(self.options(), position).map(str::to_owned),
        };
        let selections = controls.values.iter().map(value).collect::<Option<Vec<String>>>()?;
        let custom = Some(controls.own_text()).filter(|text| !is_blank(text)).map(str::to_owned);
        Some(AnswerItem::selected(selections, custom))
    }

    fn answer_text(&self, answer: &Answer) -> String {
        labels(self.options(), answer)
    }

    fn initial(&self, answer: &Answer) -> Controls {
        Controls {
            values: answer.selections().iter().map(|value| position(self.options(), value)).collect(),
            other: answer.custom().map(str::to_owned),
        }
    }

    fn hint(&self) -> Option<String> {
        (self.select() == Select::Many).then(|| "one or more".to_owned())
    }

    fn free_text(&self, answer: &Answer) -> Option<String> {
        answer.custom().map(str::to_owned)
    }

    fn expected_choice(&self) -> Option<String> {
        Some(match self.select() {
            Select::One => "one of these".to_owned(),
            Select::Many => "at least one of these".to_owned(),
        })
    }

    fn conflict(&self, controls: &Controls) -> Option<Complaint> {
        let has_option = controls.values.iter().any(|value| value != OTHER);
        (self.select() == Select::One && !is_blank(controls.own_text()) && has_option).then(|| Complaint {
            message: "an option is chosen, and there is a text beside Other".to_owned(),
            expected: "one of the two: empty the text, or choose Other".to_owned(),
        })
    }
}
