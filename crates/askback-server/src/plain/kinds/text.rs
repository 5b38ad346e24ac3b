//! Text and multiline: a field of one line, and one of several.

use crate::plain::controls::Controls;
use crate::plain::html::Html;
use crate::plain::question::{PlainKind, QuestionView, Shape};
use askback_api::AnswerItem;
use askback_core::Answer;
use askback_core::kind::text::FreeText;
use askback_core::limits::FREE_TEXT_LENGTH;

impl<const LINES: bool> PlainKind for FreeText<LINES> {
    fn shape(&self) -> Shape {
        Shape::Single
    }

    fn control(&self, view: &QuestionView<'_>, html: &mut Html) {
        if !LINES {
            return view.input(html, "type=\"text\"");
        }
        html.markup("<textarea rows=\"6\"");
        view.field(html, "off", view.question.placeholder());
        // A browser drops a leading line feed.
        html.markup(">\n").text(view.controls.typed()).markup("</textarea>");
    }

    fn answer(&self, controls: &Controls) -> Option<AnswerItem> {
        controls.single_answer()
    }

    fn answer_text(&self, answer: &Answer) -> String {
        answer.written()
    }

    fn hint(&self) -> Option<String> {
        (self.max_length() < FREE_TEXT_LENGTH).then(|| format!("at most {} characters", self.max_length()))
    }

    fn free_text(&self, answer: &Answer) -> Option<String> {
        Some(answer.written())
    }
}
