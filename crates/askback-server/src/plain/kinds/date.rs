//! Date: a browser's own field for days, with the first and the last one.

use crate::plain::controls::Controls;
use crate::plain::html::Html;
use crate::plain::question::{PlainKind, QuestionView, Shape};
use askback_api::AnswerItem;
use askback_core::Answer;
use askback_core::kind::date::Date;

impl PlainKind for Date {
    fn shape(&self) -> Shape {
        Shape::Single
    }

    fn control(&self, view: &QuestionView<'_>, html: &mut Html) {
        html.markup("<input type=\"date\"");
        for (name, day) in [("min", self.min()), ("max", self.max())] {
            if let Some(day) = day {
                html.attribute(name, &day.to_string());
            }
        }
        view.field(html, "off", view.question.placeholder());
        html.attribute("value", view.controls.typed()).markup(">");
    }

    fn answer(&self, controls: &Controls) -> Option<AnswerItem> {
        controls.single_answer()
    }

    fn answer_text(&self, answer: &Answer) -> String {
        answer.written()
    }

    fn hint(&self) -> Option<String> {
        (self.min().is_some() || self.max().is_some()).then(|| self.expected())
    }
}
