//! Confirm (F5, T7): yes or no, with nothing chosen at first.

use super::decision::{DecisionPrompt, Side};
use crate::line::Role;
use askback_core::Question;
use askback_core::kind::approval::Caption;

pub(super) fn open(question: &Question) -> DecisionPrompt<'_> {
    DecisionPrompt::new(
        question,
        [
            Side { letter: 'y', caption: caption("Yes"), role: Role::Info, purpose: "for yes", written: "yes" },
            Side { letter: 'n', caption: caption("No"), role: Role::Error, purpose: "for no", written: "no" },
        ],
    )
}

/// The labels are ours and say what they mean.
fn caption(label: &str) -> Caption<'_> {
    Caption { label, word: None }
}
