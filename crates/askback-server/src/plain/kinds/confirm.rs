//! Confirm: a radio button for yes and one for no.

use crate::plain::controls::Controls;
use crate::plain::html::Html;
use crate::plain::question::{PlainKind, QuestionView, Shape};
use askback_api::AnswerItem;
use askback_core::Answer;
use askback_core::kind::confirm::Confirm;
use askback_core::show::Purpose;

impl PlainKind for Confirm {
    fn shape(&self) -> Shape {
        Shape::Group
    }

    fn control(&self, view: &QuestionView<'_>, html: &mut Html) {
        view.radio(html, "yes", "Yes", Purpose::Exact);
        view.radio(html, "no", "No", Purpose::Exact);
    }

    fn answer(&self, controls: &Controls) -> Option<AnswerItem> {
        controls.single_answer()
    }

    fn answer_text(&self, answer: &Answer) -> String {
        answer.written()
    }

    fn expected_choice(&self) -> Option<String> {
        Some("Yes or No".to_owned())
    }
}
