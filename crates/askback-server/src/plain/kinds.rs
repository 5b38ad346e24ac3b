//! The kinds of question on the page, one file each: the control, the answer in the form's values, and the answer as it is shown.

use super::question::PlainKind;
use askback_core::Kind;

mod approval;
mod choice;
mod confirm;
mod date;
mod dropdown;
mod email;
mod number;
mod options;
mod rating;
mod text;

/// The part of the page that a kind of question has.
pub(super) fn of(kind: &Kind) -> &dyn PlainKind {
    match kind {
        Kind::Approval(approval) => approval,
        Kind::Text(text) => text,
        Kind::Multiline(multiline) => multiline,
        Kind::Choice(choice) => choice,
        Kind::Confirm(confirm) => confirm,
        Kind::Number(number) => number,
        Kind::Email(email) => email,
        Kind::Date(date) => date,
        Kind::Dropdown(dropdown) => dropdown,
        Kind::Rating(rating) => rating,
    }
}
