//! Other's text of a choice (F13): asked for, taken, and gone back from.

use super::super::field;
use super::{ChoicePrompt, Pick};
use crate::input::{Input, Key};
use crate::prompt::{Note, Step};
use askback_core::kind::choice::Select;

impl ChoicePrompt<'_> {
    /// Asks for Other's text. What was searched for before is taken for its beginning.
    pub(super) fn specify(&mut self) -> Step {
        let searched = self.filter.as_ref().map(|filter| filter.editor().text().to_owned()).unwrap_or_default();
        if let (Some(filter), false) = (&mut self.filter, searched.is_empty()) {
            filter.write("");
            self.focus = self.count() - 1;
            if self.custom.is_empty() {
                self.custom.write(&searched, searched.len());
            }
        }
        self.specifying = true;
        Step::Stay
    }

    /// Nothing was said for Other: what was chosen before stands.
    pub(super) fn back_from_other(&mut self) {
        self.specifying = false;
        if let Some(before) = self.before_other.take() {
            self.picks = before;
        }
    }

    pub(super) fn update_custom(&mut self, input: &Input) -> Step {
        match input {
            Input::Key(Key::Escape) => {
                self.specifying = false;
                Step::Stay
            }
            Input::Key(Key::Enter) => self.take_custom(),
            input => field::edit(&mut self.custom, input, &mut self.touched),
        }
    }

    /// Takes Other's text if it would pass alone; in a choice of many the list goes on.
    pub(super) fn take_custom(&mut self) -> Step {
        let before = self.picks.clone();
        match self.select {
            Select::One => self.picks = vec![Pick::Other],
            Select::Many if !self.is_picked(Pick::Other) => self.picks.push(Pick::Other),
            Select::Many => {}
        }
        match (self.parse(), self.select) {
            (Ok(answer), Select::One) => {
                self.touched = true;
                Step::Answer(answer)
            }
            (Ok(_), Select::Many) => {
                self.specifying = false;
                self.touched = true;
                Step::Stay
            }
            (Err(refusal), _) => {
                self.picks = before;
                Step::Say(Note::refusal(&refusal))
            }
        }
    }
}
