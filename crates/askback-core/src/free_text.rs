//! The rules of what people type (F14), the same for texts, Other and reasons.

use crate::problem::Refusal;
use crate::rule::Rule;
use crate::show::quote;
use crate::text;

/// Something to read, not too long, and no control characters but those allowed.
pub(crate) fn check_free_text(given: &str, max_length: usize, allowed: &[char]) -> Result<(), Refusal> {
    check_typed(given, max_length, || "something to read".to_owned())?;
    let control = given.chars().find(|c| c.is_control() && !allowed.contains(c));
    Rule::Control.unless(control.is_none(), || {
        let expected = match allowed {
            [] => "one line without control characters",
            ['\t'] => "one line without control characters other than tab",
            _ => "text without control characters other than tab and line feed",
        };
        (format!("{} has a control character", quote(given)), expected)
    })
}

/// Something to read, and not too long to look at more closely.
pub(crate) fn check_typed(given: &str, max_length: usize, expected: impl FnOnce() -> String) -> Result<(), Refusal> {
    let length = text::length(given);
    Rule::Length.unless(length <= max_length, || {
        (format!("{length} characters are too many"), format!("at most {max_length} characters"))
    })?;
    Rule::Blank.unless(!text::is_blank(given), || ("the answer is blank", expected()))
}

/// The text with every line end written as a line feed (F2).
pub(crate) fn with_line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}
