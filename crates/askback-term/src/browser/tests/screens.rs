//! Whole screens of a list, from wide to hardly any.

use super::*;
use crate::line::Role;

fn page(columns: usize, rows: usize) -> Page {
    Page { columns, rows, ..PAGE }
}

// Q3
#[test]
fn a_list_in_a_usual_window() {
    insta::assert_snapshot!(screen(&shown(inbox()), &PAGE), @"
    3 pending

    > Which database should we use for this project?
      shop • claude-code • 12s ago
      Which authentication method?
      shop • claude-code • 3m ago
      Deploy to production?
      nobody is waiting • web • codex • 2h ago

    ↑↓ navigate • enter open • / filter • d dismiss • r decline
    x dismiss all that nobody waits for • q close
    ");
}

// Q3
#[test]
fn a_list_in_ascii() {
    insta::assert_snapshot!(screen(&shown(inbox()), &Page { alphabet: Alphabet::Ascii, ..page(60, 24) }), @"
    3 pending

    > Which database should we use for this project?
      shop | claude-code | 12s ago
      Which authentication method?
      shop | claude-code | 3m ago
      Deploy to production?
      nobody is waiting | web | codex | 2h ago

    up/down navigate | enter open | / filter | d dismiss
    r decline | x dismiss all that nobody waits for | q close
    ");
}

// Q3
#[test]
fn a_list_in_a_narrow_window() {
    insta::assert_snapshot!(screen(&shown(inbox()), &page(30, 24)), @"
    3 pending

    > Which database should we u…
      shop • claude-code • 12s a…
      Which authentication metho…
      shop • claude-code • 3m ago
      Deploy to production?
      nobody is waiting • web • …

    ↑↓ navigate • enter open
    / filter • d dismiss
    r decline
    x dismiss all that nobody
    waits for
    q close
    ");
}

// Q3
#[test]
fn a_list_in_hardly_any_window() {
    let mut browser = shown(inbox());
    press(&mut browser, &[Key::Down]);
    insta::assert_snapshot!(screen(&browser, &page(10, 3)), @"
    >Which a…
     shop • …
    ");
    insta::assert_snapshot!(screen(&browser, &Page { alphabet: Alphabet::Ascii, ..page(10, 3) }), @"
    >Which...
     shop ...
    ");
    insta::assert_snapshot!(screen(&browser, &page(10, 2)), @">Which a…");
    press(&mut browser, &[Key::Char('/')]);
    press(&mut browser, &letters("auth"));
    insta::assert_snapshot!(screen(&browser, &page(10, 3)), @"
    / auth
    >Which a…
    ");
    press(&mut browser, &[Key::Enter]);
    insta::assert_snapshot!(screen(&browser, &page(10, 3)), @"
    / auth  …
    >Which a…
    ");
}

// Q3
#[test]
fn a_long_list_around_its_focus() {
    let many: Vec<BrowserItem> =
        (1..=40).map(|number| item(&number.to_string(), &format!("Question {number}"), &["shop"])).collect();
    let mut browser = shown(many);
    press(&mut browser, &[Key::PageDown]);
    insta::assert_snapshot!(screen(&browser, &page(60, 14)), @"
    40 pending
    ↑ 9 more
      Question 10
      shop
    > Question 11
      shop
      Question 12
      shop
      Question 13
      shop
    ↓ 27 more
    ↑↓ navigate • enter open • / filter • d dismiss • r decline
    x dismiss all that nobody waits for • q close
    ");
}

// Q3
#[test]
fn a_list_with_nothing_in_it() {
    insta::assert_snapshot!(screen(&shown(Vec::new()), &PAGE), @"
    0 pending

    Nothing is waiting for you.

    x dismiss all that nobody waits for • q close
    ");
}

// Q3, Q4
#[test]
fn a_filter_being_typed_and_kept() {
    let mut browser = shown(inbox());
    press(&mut browser, &[Key::Char('/')]);
    press(&mut browser, &letters("shop"));
    insta::assert_snapshot!(screen(&browser, &page(60, 24)), @"
    3 pending
    / shop

    > Which database should we use for this project?
      shop • claude-code • 12s ago
      Which authentication method?
      shop • claude-code • 3m ago

    enter keep • esc clear • ↑↓ navigate
    ");
    assert_eq!(browser.view(&page(60, 24)).cursor, Some((1, 6)));
    press(&mut browser, &[Key::Enter]);
    browser.say(Tone::Error, "this request was answered meanwhile");
    insta::assert_snapshot!(screen(&browser, &page(60, 24)), @"
    3 pending
    / shop  2 of 3

    > Which database should we use for this project?
      shop • claude-code • 12s ago
      Which authentication method?
      shop • claude-code • 3m ago

    this request was answered meanwhile
    ↑↓ navigate • enter open • / filter • d dismiss • r decline
    x dismiss all that nobody waits for • esc clear filter
    q close
    ");
    assert_eq!(browser.view(&page(60, 24)).cursor, None);
}

// Q3, S2
#[test]
fn hostile_items_are_one_row_each() {
    let mut hostile = item("1", "\x1b[2Jall is\nfine\u{202e} ok", &["room\x07", "\r> fake", ""]);
    hostile.warning = Some("nobody\n> is".to_owned());
    let mut browser = shown(vec![hostile]);
    browser.set_heading("1 pending\x1b]0;x\x07");
    insta::assert_snapshot!(screen(&browser, &page(60, 24)), @"
    1 pending<U+001B>]0;x<U+0007>

    > <U+001B>[2Jall is fine<U+202E> ok
      nobody > is • room<U+0007> • <U+000D>> fake

    ↑↓ navigate • enter open • / filter • d dismiss • r decline
    x dismiss all that nobody waits for • q close
    ");
}

// L9, Q3
#[test]
fn what_to_look_out_for_stands_out() {
    let browser = shown(inbox());
    let lines = browser.view(&PAGE).lines;
    let line = lines.iter().find(|line| line.text().contains("nobody is waiting")).unwrap();
    let roles: Vec<Role> = line.spans.iter().map(|span| span.style.role).collect();
    assert_eq!(roles, [Role::Plain, Role::Warning, Role::Muted]);
}
