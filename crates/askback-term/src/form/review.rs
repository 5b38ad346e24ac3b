//! The last page of a form: every answer once more, and the way to submit them.

use super::{Form, Place, Verdict};
use crate::input::{Input, Key};
use crate::line::{Line, Role, Span, Style};
use crate::page::Page;
use crate::prompt::{Body, list};
use crate::safe::safe;
use crate::summary::{answer_spans, label_text};
use crate::wrap::{Break, wrap_after};
use askback_core::Question;
use askback_core::show::{Layout, Purpose};

impl Form<'_> {
    pub(super) fn update_review(&mut self, input: &Input) -> Verdict {
        match input {
            Input::Key(key @ (Key::Up | Key::Down)) => {
                self.review_focus = list::walked(*key, self.review_focus, self.prompts.len() + 1).unwrap_or_default();
            }
            Input::Key(Key::Enter) if self.review_focus < self.prompts.len() => {
                self.place = Place::Question(self.review_focus);
            }
            Input::Key(Key::Enter) => return self.submit(),
            input => return self.leftover(input),
        }
        Verdict::Open
    }

    pub(super) fn review_body(&self, page: &Page, rows: usize) -> Body {
        list::window(self.prompts.len() + 1, self.review_focus, rows, page, |row| self.review_item(row, page))
    }

    fn review_item(&self, row: usize, page: &Page) -> Vec<Line> {
        let is_focused = row == self.review_focus;
        let role = if is_focused { Role::Text } else { Role::Secondary };
        let lead = if is_focused { Line::of("> ", Style::bold(role)) } else { Line::of("  ", Role::Plain) };
        let Some(question) = self.request.questions().get(row) else {
            let mut lines = wrap_after(lead, &[Span::new("Submit", Style::bold(role))], page.width(), Break::Words);
            if page.is_roomy() {
                lines.insert(0, Line::blank());
            }
            return lines;
        };
        let spans = self.review_spans(row, question, [role, Role::Warning]);
        wrap_after(lead, &spans, page.width(), Break::Words)
    }

    /// A question's label and its answer, in the roles of the label and of an answer that is missing.
    pub(super) fn review_spans(&self, index: usize, question: &Question, [role, missing]: [Role; 2]) -> Vec<Span> {
        let mut spans = safe(&label_text(question), Layout::Line, Purpose::Exact, role, self.page.alphabet);
        match &self.answers[index] {
            Some(answer) => spans.extend(answer_spans(question, answer, self.page.alphabet)),
            None => spans.push(Span::new("not answered yet", missing)),
        }
        spans
    }
}
