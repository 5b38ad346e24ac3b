//! Dropdown (F9): one of any number of options, found by searching.

use super::choice::{ChoicePrompt, Searching};
use askback_core::kind::choice::Select;
use askback_core::kind::dropdown::Dropdown;
use askback_core::{Other, Question};

pub(super) fn open<'q>(question: &'q Question, dropdown: &'q Dropdown) -> ChoicePrompt<'q> {
    ChoicePrompt::open(question, dropdown.options(), Select::One, Other::Absent, Searching::Always)
}
