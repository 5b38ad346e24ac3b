//! Number: a field of text, since a browser's own field for numbers refuses some that pass.

use crate::plain::controls::Controls;
use crate::plain::html::Html;
use crate::plain::question::{PlainKind, QuestionView, Shape};
use askback_api::AnswerItem;
use askback_core::Answer;
use askback_core::kind::number::Number;

impl PlainKind for Number {
    fn shape(&self) -> Shape {
        Shape::Single
    }

    fn control(&self, view: &QuestionView<'_>, html: &mut Html) {
        // On some phones the keyboard for decimals has no minus.
        let is_positive = self.min().is_some_and(|min| min >= 0.0);
        view.input(html, if is_positive { "type=\"text\" inputmode=\"decimal\"" } else { "type=\"text\"" });
    }

    fn answer(&self, controls: &Controls) -> Option<AnswerItem> {
        controls.single_answer()
    }

    fn answer_text(&self, answer: &Answer) -> String {
        answer.written()
    }

    fn hint(&self) -> Option<String> {
        Some(self.expected())
    }
}
