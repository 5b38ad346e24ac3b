//! The text of an input request (T9): a prompt that says how to reject.

use super::field::{edit, typed};
use super::{Body, Machine, Note, Step};
use crate::editor::Editor;
use crate::input::{Input, Key, Lines};
use crate::line::{Line, Role, Span};
use crate::page::Page;
use crate::theme::Alphabet;
use crate::wrap::{Break, wrap};
use askback_core::controls::REJECT_BY_TYPING;
use askback_core::{Answer, AnswerInput, Question, Rule};

pub(crate) struct StreamText<'q> {
    question: &'q Question,
    editor: Editor,
    touched: bool,
}

impl<'q> StreamText<'q> {
    pub(super) fn open(question: &'q Question) -> Self {
        Self { question, editor: Editor::new("", Lines::One), touched: false }
    }
}

impl Machine for StreamText<'_> {
    fn update(&mut self, input: &Input) -> Step {
        match input {
            Input::Key(Key::Enter) => {}
            Input::Line(line) => self.editor.write(line, line.len()),
            input => return edit(&mut self.editor, input, &mut self.touched),
        }
        if matches!(self.editor.text().trim(), "r" | "/reject") {
            return Step::Decline;
        }
        match self.question.parse_answer(&AnswerInput::from(self.editor.text())) {
            Ok(answer) => Step::Answer(answer),
            Err(refusal) if refusal.rule == Rule::Blank => {
                Step::Say(Note::hint("input is required: type it, or r to reject"))
            }
            Err(refusal) => Step::Say(Note::refusal(&refusal)),
        }
    }

    fn view(&self, page: &Page, rows: usize) -> Body {
        let hint = wrap(&[Span::new(REJECT_BY_TYPING, Role::Muted)], page.width(), Break::Words);
        let mut body = Body::of(hint);
        body.append(typed(&self.editor, ("? ", Role::Info), None, page));
        body.clipped(rows, page)
    }

    fn told(&self, _: Alphabet) -> Vec<Line> {
        vec![Line::of("Type a line of text; r or /reject alone rejects.", Role::Plain)]
    }

    fn leave(&mut self, _: Option<Answer>) -> Option<Answer> {
        self.touched.then(|| self.question.parse_answer(&AnswerInput::from(self.editor.text())).ok()).flatten()
    }
}
