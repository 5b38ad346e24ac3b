//! The texts of askback's own controls, and whether another text imitates one of them (F12, F13).

use crate::answer::OTHER_PLACEHOLDER;
use crate::fold::{appearance, forms, is_closing, visible};
use std::sync::LazyLock;

/// Other's row in a terminal.
pub const OTHER: &str = "Other";
/// Other's row on a page.
pub const OTHER_ON_A_PAGE: &str = "Other (please specify)";
/// The description of Other in a terminal.
pub const OTHER_DESCRIPTION: &str = "Provide custom input";
/// The label of Other's text field in a terminal.
pub const SPECIFY: &str = "Please specify:";
/// The hint after the message of a multi-select in a terminal.
pub const SELECT_MULTIPLE: &str = "(Select multiple with Space)";
/// The hint below the message of a stream's text prompt.
pub const REJECT_BY_TYPING: &str = "(type r or /reject to abort)";

/// Controls that no option and no header may look like.
const CONTROLS: &[&str] = &[
    "[a] Approve",
    "[r] Reject",
    "[y] Yes",
    "[n] No",
    "r) Reject",
    OTHER_ON_A_PAGE,
    SPECIFY,
    SELECT_MULTIPLE,
    REJECT_BY_TYPING,
];

/// The parts of a prompt's last line, by whether they name a key.
const HINTS_WITH_KEY: &[&str] = &[
    "enter select",
    "enter confirm",
    "enter submit",
    "enter submit or change",
    "enter send",
    "enter open",
    "enter keep",
    "enter new line",
    "esc cancel",
    "esc clear",
    "esc clear filter",
    "esc back to the list",
    "esc back to the question",
    "space toggle",
    "tab next",
    "ctrl+o ask back",
    "alt+enter or ctrl+s submit",
    "number selects",
    "number, then enter",
    "a or r, then enter",
    "y or n, then enter",
    "a/1 or r/2, then enter",
    "y/1 or n/2, then enter",
];
const HINTS_WITHOUT_KEY: &[&str] = &[
    "navigate",
    "up/down navigate",
    "up/down",
    "left/right",
    "by steps",
    "or digits",
    "year",
    "month",
    "day",
    "part",
    "today",
    "ask back",
    "/ filter",
    "q close",
];

static CONTROL_FORMS: LazyLock<Vec<(String, &str)>> = LazyLock::new(|| {
    CONTROLS.iter().flat_map(|control| forms(control).into_iter().map(move |form| (form, *control))).collect()
});

static OTHER_FORMS: LazyLock<Vec<String>> = LazyLock::new(|| [OTHER, OTHER_ON_A_PAGE].map(forms).concat());

/// The forms of each hint, with whether it names a key.
static HINTS: LazyLock<Vec<(String, bool)>> = LazyLock::new(|| {
    let with_key = HINTS_WITH_KEY.iter().map(|hint| (*hint, true));
    let all = with_key.chain(HINTS_WITHOUT_KEY.iter().map(|hint| (*hint, false)));
    all.flat_map(|(hint, names_key)| forms(hint).into_iter().map(move |form| (form, names_key))).collect()
});

/// The control of ours that a text looks like, if it does: a button, Other's row or a line of key hints.
pub fn imitated(text: &str) -> Option<&'static str> {
    let forms = forms(text);
    let control = forms.iter().find_map(|form| CONTROL_FORMS.iter().find(|(known, _)| known == form));
    if let Some((_, control)) = control {
        return Some(control);
    }
    if forms.iter().any(|form| is_footer(form)) {
        return Some("a line of key hints");
    }
    // Its letters alone are those of Other, which is an option like any other where the question has no flag.
    let may_be_placeholder = forms.iter().any(|form| OTHER_FORMS.contains(form));
    (may_be_placeholder && appearance(text) == appearance(OTHER_PLACEHOLDER)).then_some(OTHER_PLACEHOLDER)
}

/// Whether a text as a whole looks like Other, in any case, width or script, among signs or after the number of a list.
/// `Other (MySQL)` is an option like any other.
pub(crate) fn is_other(text: &str) -> bool {
    let is_other = |text: &str| forms(text).iter().any(|form| OTHER_FORMS.contains(form));
    is_other(text) || without_list_number(&visible(text)).is_some_and(is_other)
}

/// `text` without a number such as `5.` or `5)` before it.
fn without_list_number(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let rest = text.trim_start_matches(char::is_numeric);
    let is_marked = rest.starts_with(|c| c == '.' || is_closing(c));
    (rest.len() < text.len() && is_marked).then_some(rest)
}

/// Whether a folded text is made of two or more key hints, one of which names a key.
fn is_footer(form: &str) -> bool {
    // How far the text is read, how many hints that took (2 means more), and whether one of them named a key.
    let mut open = vec![(0, 0, false)];
    let mut seen = Vec::new();
    while let Some(state @ (at, count, names_key)) = open.pop() {
        if seen.contains(&state) {
            continue;
        }
        seen.push(state);
        let rest = &form[at..];
        if rest.is_empty() && count == 2 && names_key {
            return true;
        }
        let next = HINTS.iter().filter(|(form, _)| rest.starts_with(form));
        open.extend(next.map(|(form, has_key)| (at + form.len(), (count + 1).min(2), names_key || *has_key)));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    // F12
    #[test]
    fn our_own_controls_are_recognised_in_disguise() {
        let texts = [
            "r) Reject",
            "▸ r) Reject",
            "R] REJECT",
            "[а] Approve",
            "［ｒ］ Ｒｅｊｅｃｔ",
            "Other (please specify)",
            "Оther\u{200b} — please specify…",
            "__other__",
            "__OTHER__",
            "__оther__",
            "(Select multiple with Space)",
            "Please specify:",
            "↑↓ navigate • enter select • esc cancel",
            "↑↓ navigate • enter select • space toggle • esc cancel • ? ask back",
            "↑↓ navigate • space toggle • enter confirm • esc cancel",
            "up/down navigate | enter select | esc cancel",
            "Enter select · Esc cancel",
        ];
        for text in texts {
            assert!(imitated(text).is_some(), "{text} {:?}", forms(text));
        }
    }

    // F12
    #[test]
    fn ordinary_options_are_no_controls() {
        let texts = [
            "Reject",
            "Approve",
            "Cancel",
            "Other",
            "other",
            "Others",
            "a) foo",
            "r) Rejected",
            "[x] Approve",
            "Yes",
            "No",
            "day/month/year",
            "Year, month, day",
            "Enter",
            "Navigate",
            "Specify",
            "Select multiple",
            "enter submit",
            "Today",
        ];
        for text in texts {
            assert_eq!(imitated(text), None, "{text}");
        }
    }

    // F13
    #[test]
    fn other_is_recognised_in_any_case_width_and_script() {
        for text in [
            "Other",
            " oTHER ",
            "Ｏｔｈｅｒ",
            "Оther",
            "Other…",
            "5. Other",
            "○ Other",
            "Other (please specify)",
            "0ther",
            "5) Other",
            "(5) Ｏther (please specify)",
            "⒌ Other",
            "[ ] Other",
            "— OTHER (Please Specify)…",
        ] {
            assert!(is_other(text), "{text}");
        }
        for text in [
            "Others",
            "Another",
            "Other database",
            "Mother",
            "Others (please specify)",
            "Other (MySQL)",
            "Other [v2]",
            "A: Other",
            "Other (cheaper)",
            "Other (keep both)",
            "a) Other",
            "5 Other",
        ] {
            assert!(!is_other(text), "{text}");
        }
    }
}
