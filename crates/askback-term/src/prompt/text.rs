//! Text (F1): one line, kept as typed.

use super::field::Field;
use super::{Body, Machine, Step};
use crate::input::{Input, Lines};
use crate::line::Line;
use crate::page::Page;
use crate::theme::Alphabet;
use askback_core::kind::text::Text;
use askback_core::{Answer, Question};

pub(crate) struct TextPrompt<'q> {
    field: Field<'q>,
    text: &'q Text,
}

impl<'q> TextPrompt<'q> {
    pub(super) fn open(question: &'q Question, text: &'q Text) -> Self {
        Self { field: Field::open(question, Lines::One), text }
    }
}

impl Machine for TextPrompt<'_> {
    fn update(&mut self, input: &Input) -> Step {
        self.field.update(input)
    }

    fn view(&self, page: &Page, rows: usize) -> Body {
        self.field.body(None, page).clipped(rows, page)
    }

    fn told(&self, alphabet: Alphabet) -> Vec<Line> {
        self.field.told(&format!("a line of text, of at most {} characters", self.text.max_length()), alphabet)
    }

    fn leave(&mut self) -> Option<Answer> {
        self.field.leave()
    }

    fn hints(&self, _: &Page) -> Vec<String> {
        vec!["enter submit".to_owned()]
    }

    fn takes_letters(&self) -> bool {
        true
    }
}
