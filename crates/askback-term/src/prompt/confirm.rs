//! Confirm (F5, T7): yes or no, with nothing chosen at first.

use super::decision::{DecisionPrompt, Side};
use crate::line::Role;
use askback_core::Question;

pub(super) fn open(question: &Question) -> DecisionPrompt<'_> {
    DecisionPrompt::new(
        question,
        [
            Side { letter: 'y', label: "Yes", role: Role::Info, purpose: "for yes", written: "yes" },
            Side { letter: 'n', label: "No", role: Role::Error, purpose: "for no", written: "no" },
        ],
    )
}
