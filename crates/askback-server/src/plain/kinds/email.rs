//! Email: a browser's own field for addresses.

use crate::plain::controls::Controls;
use crate::plain::html::Html;
use crate::plain::question::{PlainKind, QuestionView, Shape};
use askback_api::AnswerItem;
use askback_core::Answer;
use askback_core::kind::email::Email;

impl PlainKind for Email {
    fn shape(&self) -> Shape {
        Shape::Single
    }

    fn control(&self, view: &QuestionView<'_>, html: &mut Html) {
        html.markup("<input type=\"email\"");
        view.field(html, "email", view.question.placeholder());
        html.attribute("value", view.controls.typed()).markup(">");
    }

    fn answer(&self, controls: &Controls) -> Option<AnswerItem> {
        controls.single_answer()
    }

    fn answer_text(&self, answer: &Answer) -> String {
        answer.written()
    }

    fn hint(&self) -> Option<String> {
        self.domain().map(|_| self.expected())
    }
}
