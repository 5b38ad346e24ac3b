//! Other's text of a choice (F13): asked for, taken, and gone back from.

use super::super::field;
use super::{ChoicePrompt, Pick};
use crate::input::{Input, Key};
use crate::prompt::Step;
use askback_core::kind::choice::Select;

impl ChoicePrompt<'_> {
    /// Asks for Other's text. What was searched for before is taken for its beginning.
    pub(super) fn specify(&mut self) -> Step {
        if let Some(filter) = self.filter.as_mut().filter(|filter| !filter.editor.is_empty()) {
            let searched = filter.editor.text().to_owned();
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
        let mut picks = if self.select == Select::Many { self.picks.clone() } else { Vec::new() };
        if !picks.contains(&Pick::Other) {
            picks.push(Pick::Other);
        }
        let step = self.submit_picks(picks);
        if self.select == Select::Many && matches!(step, Step::Answer(_)) {
            self.specifying = false;
            return Step::Stay;
        }
        step
    }
}
