//! Approval: a radio button for each decision, with the asker's label and its meaning.

use crate::plain::controls::Controls;
use crate::plain::html::Html;
use crate::plain::question::{PlainKind, QuestionView, Shape};
use askback_api::AnswerItem;
use askback_core::Answer;
use askback_core::kind::approval::{Approval, Decision};
use askback_core::show::Purpose;

impl PlainKind for Approval {
    fn shape(&self) -> Shape {
        Shape::Group
    }

    fn control(&self, view: &QuestionView<'_>, html: &mut Html) {
        for decision in [Decision::Approve, Decision::Reject] {
            render_decision(self, decision, view, html);
        }
    }

    fn answer(&self, controls: &Controls) -> Option<AnswerItem> {
        controls.single_answer()
    }

    fn answer_text(&self, answer: &Answer) -> String {
        self.caption(if answer.rejects() { Decision::Reject } else { Decision::Approve }).to_string()
    }

    fn expected_choice(&self) -> Option<String> {
        let [approve, reject] = [Decision::Approve, Decision::Reject].map(|decision| self.caption(decision));
        Some(format!("“{approve}” or “{reject}”"))
    }
}

/// One side of an approval: the asker's label, and below it the meaning of the choice (S7).
fn render_decision(approval: &Approval, decision: Decision, view: &QuestionView<'_>, html: &mut Html) {
    let (caption, value) = (approval.caption(decision), decision.word());
    let (label, sign) = match decision {
        Decision::Approve => ("<label class=\"option approve\"><input", "✓ "),
        Decision::Reject => ("<label class=\"option reject\"><input", "✗ "),
    };
    html.markup(label).attribute("type", "radio").attribute("name", &view.name()).attribute("value", value);
    html.markup(if view.controls.contains(value) { " checked" } else { "" });
    html.markup(" required><span>").line(caption.label, Purpose::Exact);
    if let Some(word) = caption.word {
        html.markup(" <small class=\"meaning\"><span aria-hidden=\"true\">").markup(sign).markup("</span>");
        html.text(word).markup("</small>");
    }
    html.markup("</span></label>");
}
