//! Approval (T7): the one look it has on every terminal path.

use super::decision::{DecisionPrompt, Side};
use crate::line::Role;
use askback_core::Question;
use askback_core::kind::approval::Approval;

pub(super) fn open<'q>(question: &'q Question, approval: &'q Approval) -> DecisionPrompt<'q> {
    DecisionPrompt::new(
        question,
        [
            Side {
                letter: 'a',
                label: approval.approve_label(),
                role: Role::Info,
                purpose: "to approve",
                written: "approve",
            },
            Side {
                letter: 'r',
                label: approval.reject_label(),
                role: Role::Error,
                purpose: "to reject",
                written: "reject",
            },
        ],
    )
}
