//! Approval (T7): the one look it has on every terminal path.

use super::decision::{DecisionPrompt, Side};
use crate::line::Role;
use askback_core::Question;
use askback_core::kind::approval::{Approval, Decision};

/// Approve is first and in the info colour, reject second and in the error colour, whatever the labels say (S7).
pub(super) fn open<'q>(question: &'q Question, approval: &'q Approval) -> DecisionPrompt<'q> {
    DecisionPrompt::new(
        question,
        [
            Side {
                letter: 'a',
                caption: approval.caption(Decision::Approve),
                role: Role::Info,
                purpose: "to approve",
                written: Decision::Approve.word(),
            },
            Side {
                letter: 'r',
                caption: approval.caption(Decision::Reject),
                role: Role::Error,
                purpose: "to reject",
                written: Decision::Reject.word(),
            },
        ],
    )
}
