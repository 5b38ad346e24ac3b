//! Finds what would pass for a second button inside a label of an approval (F0): a key such as `[a]` or `r)`, and a gap.

use crate::fold::{forms, is_closing, is_opening, visible};
use crate::text::{is_invisible, is_space};

/// Keys with a name, folded as [`forms`] does.
const NAMED_KEYS: &[&str] = &[
    "esc",
    "escape",
    "enter",
    "return",
    "tab",
    "space",
    "backspace",
    "del",
    "delete",
    "ctrl",
    "alt",
    "shift",
    "cmd",
    "up",
    "down",
    "left",
    "right",
];
/// Letters that decide in a terminal, or do so elsewhere.
const DECIDING_KEYS: &[&str] = &["a", "r", "y", "n"];

/// Whether a text has a key marker anywhere: a key in brackets, `x)` by itself, or a letter in a circle or a square.
pub(crate) fn has_key_marker(text: &str) -> bool {
    if text.contains(is_enclosed_letter) {
        return true;
    }
    let text: Vec<char> = visible(text).chars().collect();
    let is_bracketed = |at: usize| text[at..].first().is_some_and(|c| is_opening(*c)) && is_key_in_brackets(&text, at);
    let mut open = 0_usize;
    let has_unopened = text.iter().enumerate().any(|(at, c)| {
        let is_unopened = is_closing(*c) && open == 0;
        open = if is_opening(*c) { open + 1 } else { open.saturating_sub(usize::from(is_closing(*c))) };
        // `x > 1` compares: an angle is a bracket only where one opens.
        is_unopened && !matches!(c, '>' | '›' | '»') && is_lone_letter_before(&text, at)
    });
    has_unopened || (0..text.len()).any(is_bracketed) || text.split(|c| is_space(*c)).any(is_letter_among_signs)
}

/// Whether a text has two blanks in a row, by which a part of it would stand apart like a control of its own.
pub(crate) fn has_gap(text: &str) -> bool {
    let is_blank = |c: char| is_space(c) || matches!(c, '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}');
    let shown: Vec<char> = text.chars().filter(|c| is_blank(*c) || !is_invisible(*c)).collect();
    shown.windows(2).any(|pair| pair.iter().all(|c| is_blank(*c)))
}

/// Whether the bracket that opens at `at` holds nothing but keys. A number in round brackets counts something, and
/// `file(s)` is a word.
fn is_key_in_brackets(text: &[char], at: usize) -> bool {
    let inside: String = text[at + 1..].iter().take_while(|c| !is_closing(**c) && !is_opening(**c)).collect();
    let is_round = text[at] == '(';
    let ends_word = is_round && at > 0 && text[at - 1].is_alphanumeric();
    let is_key = |part: &str| {
        let mut letters = part.chars().filter(|c| c.is_alphanumeric());
        match (letters.next(), letters.next()) {
            (Some(digit), None) if digit.is_numeric() => !is_round,
            (Some(letter), None) => !ends_word || is_one_of(&letter.to_string(), DECIDING_KEYS),
            _ => is_one_of(part, NAMED_KEYS),
        }
    };
    inside.split(['/', '+', '-', '|', ',']).all(is_key)
}

/// Whether one letter or digit by itself stands before the closing bracket at `at`, and no bracket was opened for it.
fn is_lone_letter_before(text: &[char], at: usize) -> bool {
    let mut before = text[..at].iter().rev().skip_while(|c| is_space(**c));
    before.next().is_some_and(|c| c.is_alphanumeric())
        && before.next().is_none_or(|c| !c.is_alphanumeric() && !is_opening(*c))
}

/// Whether a word is a deciding letter with a sign on both sides: `|a|`.
fn is_letter_among_signs(word: &[char]) -> bool {
    let [first, .., last] = word else { return false };
    let letters: String = word.iter().filter(|c| c.is_alphanumeric()).collect();
    !first.is_alphanumeric() && !last.is_alphanumeric() && is_one_of(&letters, DECIDING_KEYS)
}

fn is_one_of(text: &str, known: &[&str]) -> bool {
    let known: Vec<String> = known.iter().flat_map(|key| forms(key)).collect();
    forms(text).iter().any(|form| known.contains(form))
}

fn is_enclosed_letter(c: char) -> bool {
    matches!(c, '\u{249c}'..='\u{24e9}' | '\u{1f110}'..='\u{1f189}')
}

#[cfg(test)]
mod tests {
    use super::*;

    // F0
    #[test]
    fn key_markers_are_found_anywhere() {
        for text in [
            "[a]",
            "Keep [a] all",
            "Show details [r] Reject",
            "Later (y) yes",
            "［ａ］ Keep",
            "⦇r⦈ Keep",
            "【а】 Keep",
            "a) Keep",
            "Later r) Keep",
            "Later 2) Keep",
            "Later r ] Keep",
            "[1] Keep",
            "Keep (y/n)",
            "Keep [Esc]",
            "Keep (ctrl+s)",
            "Later(a) Keep",
            "(R)eject",
            "|a| Keep",
            "Later ⓐ Keep",
            "⒜ Keep",
            "[\u{200b}a\u{200b}] Keep",
        ] {
            assert!(has_key_marker(text), "{text}");
        }
        for text in [
            "Delete file(s)",
            "Delete (3)",
            "Delete (3 files)",
            "Plan A",
            "Plan A, then B",
            "Deploy [v2]",
            "Yes, delete",
            "No-go",
            "A/B test",
            "Q&A",
            "+1",
            "I agree :)",
            "Ship 🚀",
            "",
            "[]",
        ] {
            assert!(!has_key_marker(text), "{text}");
        }
    }

    // F0
    #[test]
    fn two_blanks_in_a_row_are_a_gap() {
        for text in ["a  b", "a \u{a0}b", "a \u{200b} b", "a\u{3000}\u{2003}b", "a\u{2800}\u{2800}b"] {
            assert!(has_gap(text), "{text:?}");
        }
        assert!(!has_gap("a b\u{3000}c 👩\u{200d}💻 d"));
    }
}
