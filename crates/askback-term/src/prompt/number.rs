//! Number (F6): typed, or reached by its steps, which are exact.

use super::field::{Field, below};
use super::{Body, Machine, Note, Step, Way};
use crate::input::{Input, Key, Lines};
use crate::line::Line;
use crate::page::Page;
use crate::theme::Alphabet;
use askback_core::kind::number::Number;
use askback_core::{Answer, Question};

/// Steps that Page Up and Page Down take at once.
const PAGE: i32 = 10;

pub(crate) struct NumberPrompt<'q> {
    field: Field<'q>,
    number: &'q Number,
}

impl<'q> NumberPrompt<'q> {
    pub(super) fn open(question: &'q Question, number: &'q Number) -> Self {
        Self { field: Field::open(question, Lines::One), number }
    }

    /// So many steps up or down. What is typed may lie outside the bounds, but it must be a number.
    fn step(&mut self, count: i32) -> Step {
        let typed = self.field.editor.text();
        let Some(reached) = self.number.stepped(typed, count) else {
            return self.field.submit();
        };
        if reached == typed {
            let end = if count > 0 { "as high as it goes" } else { "as low as it goes" };
            return Step::Say(Note::hint(format!("this is {end}: please give {}", self.number.expected())));
        }
        self.field.write(&reached, reached.len())
    }

    fn has_rules(&self) -> bool {
        self.number.min().is_some() || self.number.max().is_some() || self.number.step().is_some()
    }
}

impl Machine for NumberPrompt<'_> {
    fn update(&mut self, input: &Input) -> Step {
        match input {
            Input::Key(Key::Up) => self.step(1),
            Input::Key(Key::Down) => self.step(-1),
            input => self.field.update(input),
        }
    }

    fn view(&self, page: &Page, rows: usize) -> Body {
        let expected = self.number.expected();
        let placeholder = (!self.has_rules()).then_some(expected.as_str());
        let mut body = self.field.body(placeholder, page);
        if self.has_rules() {
            body.append(below(&expected, page));
        }
        body.clipped(rows, page)
    }

    fn told(&self, alphabet: Alphabet) -> Vec<Line> {
        self.field.told(&self.number.expected(), alphabet)
    }

    fn leave(&mut self) -> Option<Answer> {
        self.field.leave()
    }

    fn hints(&self, page: &Page) -> Vec<String> {
        vec![format!("{} by steps", page.signs().up_down), "enter submit".to_owned()]
    }

    fn takes_letters(&self) -> bool {
        true
    }

    fn page(&mut self, way: Way) {
        // What is no number stays as it is; Enter says why.
        self.step(if way == Way::Up { PAGE } else { -PAGE });
    }
}
