//! A list in plain mode: told by number, and answered by lines.

use super::*;

fn page() -> Page {
    Page::endless(Alphabet::Unicode)
}

fn type_line(browser: &mut Browser, line: &str) -> Step {
    browser.update(&Input::Line(line.to_owned()), Duration::ZERO)
}

/// What is said after a line that ends nothing.
fn said(browser: &mut Browser, line: &str) -> String {
    match type_line(browser, line) {
        Step::Stay => text(&browser.told_note(&page())),
        Step::Tell => text(&browser.tell(&page())),
        step => panic!("{line} ended it: {step:?}"),
    }
}

// Q10, L9
#[test]
fn a_list_is_told_by_number() {
    insta::assert_snapshot!(text(&shown(inbox()).tell(&page())), @"
    3 pending
    1. Which database should we use for this project?
       shop, claude-code, 12s ago
    2. Which authentication method?
       shop, claude-code, 3m ago
    3. Deploy to production?
       nobody is waiting, web, codex, 2h ago
    Type a number to open it, d and a number to dismiss, r and a number to decline, x to dismiss all that nobody waits for, / and some letters to filter, l to list again, or q to close.
    ");
    insta::assert_snapshot!(text(&shown(Vec::new()).tell(&page())), @"
    0 pending
    Nothing is waiting for you.
    Type x to dismiss all that nobody waits for, l to list again, or q to close.
    ");
}

// Q10
#[test]
fn a_line_opens_acts_lists_and_closes() {
    let mut browser = shown(inbox());
    assert_eq!(type_line(&mut browser, "2"), opened("2"));
    assert_eq!(browser.focus(), Some("2"));
    assert_eq!(type_line(&mut browser, " #3 "), opened("3"));
    for line in ["d 2", "d2", " d  #2"] {
        assert_eq!(type_line(&mut browser, line), acted('d', Some("2")), "{line}");
    }
    assert_eq!(type_line(&mut browser, "x"), acted('x', None));
    assert_eq!(type_line(&mut browser, "l"), Step::Tell);
    assert_eq!(type_line(&mut browser, "q"), Step::Ended(Browsed::Closed));
    assert_eq!(said(&mut browser, "d"), "Type d and a number to dismiss, such as d 1.");
    assert_eq!(said(&mut browser, "4"), "There is no number 4; type l to list again.");
    assert_eq!(said(&mut browser, "0"), "There is no number 0; type l to list again.");
    for line in ["yes", "d two", "x 2", "dd 2", "-1", "2 3", "99999999999999999999"] {
        assert!(said(&mut browser, line).contains("means nothing here. Type a number to open it"), "{line}");
    }
    assert!(said(&mut browser, "").starts_with("Type a number to open it"));
    assert!(said(&mut browser, "\x1b[2J").starts_with("\"<U+001B>[2J\" means nothing"));
}

// Q10, S5
#[test]
fn a_number_means_what_was_told_under_it() {
    let mut browser = shown(items(&["a", "b", "c"]));
    browser.set_items(items(&["new", "c", "b"]));
    assert_eq!(type_line(&mut browser, "2"), opened("b"));
    assert_eq!(type_line(&mut browser, "d 3"), acted('d', Some("c")));
    assert_eq!(said(&mut browser, "1"), "Number 1 is no longer there; type l to list again.");
    assert!(said(&mut browser, "l").starts_with("3 pending\n1. item new\n2. item c\n3. item b\n"));
    assert_eq!(type_line(&mut browser, "1"), opened("new"));
    let mut changed = items(&["new"]);
    changed[0].title = "another".to_owned();
    browser.set_items(changed);
    assert_eq!(said(&mut browser, "1"), "Number 1 has changed and is now \"another\"; type it again if you mean that.");
    assert_eq!(type_line(&mut browser, "1"), opened("new"));
}

// Q10
#[test]
fn a_filter_is_a_line() {
    let mut browser = shown(inbox());
    let found = said(&mut browser, "/auth");
    assert!(
        found.starts_with("3 pending\n1 of 3 match \"auth\"; / alone shows all.\n1. Which authentication method?\n"),
        "{found}"
    );
    assert_eq!(said(&mut browser, "/xyz"), "Nothing matches \"xyz\".");
    assert_eq!(browser.filter(), "auth");
    assert_eq!(type_line(&mut browser, "1"), opened("2"));
    assert!(said(&mut browser, "/").contains("3. Deploy"));
    assert_eq!(browser.filter(), "");
}

// Q10
#[test]
fn a_long_list_is_told_in_parts() {
    let many: Vec<BrowserItem> =
        (1..=45).map(|number| item(&format!("id {number}"), &format!("Question {number}"), &[])).collect();
    let mut browser = shown(many.clone());
    let first = text(&browser.tell(&page()));
    assert!(first.contains("20. Question 20\n25 more; Enter alone goes on.\nType a number"), "{first}");
    browser.set_items(many.into_iter().filter(|item| item.id != "id 21"));
    assert_eq!(said(&mut browser, "22"), "Number 22 was not told yet; Enter alone goes on.");
    let second = said(&mut browser, "");
    assert_eq!(type_line(&mut browser, "22"), opened("id 22"));
    assert!(second.starts_with("22. Question 22\n") && second.contains("40. Question 40\n5 more;"), "{second}");
    assert!(said(&mut browser, "").contains("45. Question 45\nType a number"));
    assert!(said(&mut browser, "").starts_with("Type a number"));
    assert_eq!(type_line(&mut browser, "7"), opened("id 7"));
}

// Q10
#[test]
fn what_the_program_says_is_said_once() {
    let mut browser = shown(inbox());
    browser.say(Tone::Error, "this request was answered meanwhile");
    assert_eq!(text(&browser.told_note(&page())), "This request was answered meanwhile.");
    assert_eq!(browser.told_note(&page()), []);
    browser.say(Tone::Info, "Dismissed.");
    assert_eq!(text(&browser.told_note(&page())), "Dismissed.");
}
