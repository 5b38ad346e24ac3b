//! Lists driven by keys, lines and changes, without a terminal.

use super::*;
use crate::line::Line;
use crate::page::{Page, Spacing};
use crate::prompt::CALM;
use crate::theme::Alphabet;

mod changes;
mod lines;
mod screens;

const PAGE: Page = Page { columns: 80, rows: 24, alphabet: Alphabet::Unicode, spacing: Spacing::Roomy };
/// Long after anything has appeared.
const LATER: Duration = Duration::from_secs(1);
const ACTIONS: [BrowserAction; 3] = [
    BrowserAction::on_item('d', "dismiss"),
    BrowserAction::on_item('r', "decline"),
    BrowserAction::on_list('x', "dismiss all that nobody waits for"),
];

impl Browser {
    fn focus(&self) -> Option<&str> {
        self.focus.as_deref()
    }

    fn filter(&self) -> &str {
        self.filter.text()
    }
}

fn item(id: &str, title: &str, details: &[&str]) -> BrowserItem {
    BrowserItem {
        id: id.to_owned(),
        title: title.to_owned(),
        details: details.iter().map(|detail| (*detail).to_owned()).collect(),
        ..BrowserItem::default()
    }
}

/// Items by their ids, which are also what they are called.
fn items(ids: &[&str]) -> Vec<BrowserItem> {
    ids.iter().map(|id| item(id, &format!("item {id}"), &[])).collect()
}

fn inbox() -> Vec<BrowserItem> {
    let mut deploy = item("3", "Deploy to production?", &["web", "codex", "2h ago"]);
    deploy.warning = Some("nobody is waiting".to_owned());
    deploy.keywords = "Is everything green?".to_owned();
    vec![
        item("1", "Which database should we use for this project?", &["shop", "claude-code", "12s ago"]),
        item("2", "Which authentication method?", &["shop", "claude-code", "3m ago"]),
        deploy,
    ]
}

/// A list that has been on the screen for a while.
fn shown(items: Vec<BrowserItem>) -> Browser {
    let mut browser = Browser::new(ACTIONS);
    browser.set_empty_text("Nothing is waiting for you.");
    browser.set_heading(format!("{} pending", items.len()));
    browser.set_items(items);
    browser.appear();
    browser.be_seen(Duration::ZERO);
    browser
}

fn press(browser: &mut Browser, keys: &[Key]) -> Step {
    keys.iter().fold(Step::Stay, |_, key| browser.update(&Input::Key(*key), LATER))
}

fn letters(text: &str) -> Vec<Key> {
    text.chars().map(Key::Char).collect()
}

fn text(lines: &[Line]) -> String {
    lines.iter().map(Line::text).collect::<Vec<_>>().join("\n")
}

fn screen(browser: &Browser, page: &Page) -> String {
    text(&browser.view(page).lines)
}

fn opened(id: &str) -> Step {
    Step::Ended(Browsed::Opened(id.to_owned()))
}

fn acted(key: char, id: Option<&str>) -> Step {
    Step::Ended(Browsed::Acted { key, id: id.map(str::to_owned) })
}

// Q4
#[test]
fn keys_move_open_act_and_close() {
    let mut browser = shown(items(&["a", "b", "c"]));
    assert_eq!(browser.focus(), Some("a"));
    press(&mut browser, &[Key::Down, Key::Char('j')]);
    assert_eq!(browser.focus(), Some("c"));
    press(&mut browser, &[Key::Down]);
    assert_eq!(browser.focus(), Some("a"), "and around");
    press(&mut browser, &[Key::Char('k'), Key::Up]);
    assert_eq!(press(&mut browser, &[Key::Enter]), opened("b"));
    assert_eq!(press(&mut browser, &[Key::End, Key::Char('d')]), acted('d', Some("c")));
    assert_eq!(press(&mut browser, &[Key::Home, Key::Char('r')]), acted('r', Some("a")));
    assert_eq!(press(&mut browser, &[Key::Char('x')]), acted('x', None));
    assert_eq!(press(&mut browser, &[Key::Char('z')]), Step::Stay);
    assert_eq!(press(&mut browser, &[Key::Suspend]), Step::Suspend);
    for key in [Key::Char('q'), Key::Escape, Key::Interrupt, Key::Close] {
        assert_eq!(press(&mut browser, &[key]), Step::Ended(Browsed::Closed));
    }
    let many: Vec<String> = (0..25).map(|number| number.to_string()).collect();
    let mut browser = shown(items(&many.iter().map(String::as_str).collect::<Vec<_>>()));
    press(&mut browser, &[Key::PageDown, Key::PageDown]);
    assert_eq!(browser.focus(), Some("20"));
    press(&mut browser, &[Key::PageDown]);
    assert_eq!(browser.focus(), Some("24"), "pages stop at the end");
    press(&mut browser, &[Key::PageUp]);
    assert_eq!(browser.focus(), Some("14"));
}

// Q4
#[test]
fn in_an_empty_list_there_is_nothing_to_open() {
    let mut browser = shown(Vec::new());
    for key in [Key::Enter, Key::Char('d'), Key::Down, Key::End, Key::PageUp] {
        assert_eq!(press(&mut browser, &[key]), Step::Stay);
    }
    press(&mut browser, &[Key::Enter]);
    assert!(screen(&browser, &PAGE).contains("there is nothing in the list"));
    assert_eq!(press(&mut browser, &[Key::Char('x')]), acted('x', None));
}

// Q4
#[test]
fn a_filter_is_typed_kept_and_cleared() {
    let mut browser = shown(inbox());
    press(&mut browser, &[Key::Char('/')]);
    press(&mut browser, &letters("dq"));
    assert_eq!(browser.filter(), "dq", "letters don't act while they are typed");
    press(&mut browser, &[Key::Backspace]);
    press(&mut browser, &letters("ATA shop"));
    assert_eq!((browser.filter(), browser.focus()), ("dATA shop", Some("1")), "words in any order and case");
    assert_eq!(press(&mut browser, &[Key::Enter]), Step::Stay, "Enter keeps the filter and opens nothing");
    assert_eq!(press(&mut browser, &[Key::Enter]), opened("1"));
    assert_eq!(press(&mut browser, &[Key::Escape]), Step::Stay, "first the filter goes");
    assert_eq!((browser.filter(), browser.visible.len()), ("", 3));
    assert_eq!(press(&mut browser, &[Key::Escape]), Step::Ended(Browsed::Closed));
    press(&mut browser, &[Key::Char('/')]);
    press(&mut browser, &letters("green"));
    assert_eq!(browser.focus(), Some("3"), "by what is not shown, too");
    press(&mut browser, &letters("x"));
    assert_eq!(browser.focus(), None);
    assert!(screen(&browser, &PAGE).contains("nothing matches"));
    press(&mut browser, &[Key::Escape]);
    assert_eq!((browser.filter(), browser.focus()), ("", Some("1")));
    press(&mut browser, &[Key::Char('/'), Key::Backspace]);
    assert_eq!(press(&mut browser, &[Key::Char('q')]), Step::Ended(Browsed::Closed), "an empty filter is left");
}

// Q4
#[test]
fn a_paste_never_acts() {
    let mut browser = shown(inbox());
    for text in ["d", "\r", "q", "/"] {
        assert_eq!(browser.update(&Input::Paste(text.to_owned()), LATER), Step::Stay);
    }
    assert!(screen(&browser, &PAGE).contains("a paste does nothing here"));
    press(&mut browser, &[Key::Char('/')]);
    assert_eq!(browser.update(&Input::Paste("auth\r".to_owned()), LATER), Step::Stay);
    assert_eq!((browser.filter(), browser.is_typing), ("auth", true));
}

// L1, S5
#[test]
fn the_focus_stays_on_what_it_was_on() {
    let mut browser = shown(items(&["a", "b", "c", "d"]));
    press(&mut browser, &[Key::Down]);
    browser.set_items(items(&["new", "a", "newer", "b", "d"]));
    assert_eq!(browser.focus(), Some("b"));
    assert_eq!(press(&mut browser, &[Key::Enter]), opened("b"), "it did not change, so there is nothing to wait for");
    browser.set_items(items(&["a", "d", "e"]));
    assert_eq!(browser.focus(), Some("d"), "its neighbour below");
    browser.set_items(items(&["x", "a"]));
    assert_eq!(browser.focus(), Some("a"), "or else above");
    browser.set_items(items(&["y", "z", "z"]));
    assert_eq!((browser.focus(), browser.items.len()), (Some("y"), 2), "or else the first");
    browser.set_items(Vec::new());
    assert_eq!(browser.focus(), None);
}

// S5
#[test]
fn what_came_into_the_focus_by_itself_is_seen_before_it_is_opened() {
    let at = Duration::from_millis;
    let mut browser = shown(items(&["a", "b"]));
    browser.set_items(items(&["b"]));
    for key in [Key::Enter, Key::Char('d'), Key::Char('x')] {
        assert_eq!(browser.update(&Input::Key(key), at(5_000)), Step::Stay, "it was never painted");
    }
    assert!(screen(&browser, &PAGE).contains("the list has only just changed; look again"));
    browser.be_seen(at(6_000));
    browser.be_seen(at(6_200));
    assert_eq!(browser.update(&Input::Key(Key::Enter), at(6_249)), Step::Stay);
    assert_eq!(browser.update(&Input::Key(Key::Enter), at(6_250)), opened("b"));

    let mut changed = items(&["b"]);
    changed[0].details = vec!["4m ago".to_owned()];
    browser.set_items(changed.clone());
    assert_eq!(browser.update(&Input::Key(Key::Enter), at(7_000)), opened("b"), "how long ago it was may change");
    changed[0].title = "something else".to_owned();
    browser.set_items(changed);
    assert_eq!(browser.update(&Input::Key(Key::Enter), at(8_000)), Step::Stay, "what it is may not");
    assert_eq!(browser.update(&Input::Key(Key::Char('q')), at(8_000)), Step::Ended(Browsed::Closed));
}

// S5
#[test]
fn who_moves_while_the_list_changes_looks_first() {
    let at = Duration::from_millis;
    let mut browser = shown(items(&["a", "b"]));
    browser.set_items(items(&["a", "new", "b"]));
    browser.be_seen(at(5_000));
    assert_eq!(browser.update(&Input::Key(Key::Enter), at(5_010)), opened("a"), "that is where it was");
    assert_eq!(browser.update(&Input::Key(Key::Down), at(5_100)), Step::Stay);
    assert_eq!(browser.update(&Input::Key(Key::Enter), at(5_300)), Step::Stay, "that was another a moment ago");
    assert_eq!(browser.update(&Input::Key(Key::Enter), at(5_350)), opened("new"));
    browser.update(&Input::Key(Key::Down), at(6_000));
    assert_eq!(browser.update(&Input::Key(Key::Enter), at(6_000)), opened("b"), "in a quiet list nobody waits");
}

// S5
#[test]
fn what_has_only_just_appeared_is_looked_at_first() {
    let mut browser = shown(items(&["a"]));
    browser.appear();
    browser.be_seen(LATER);
    assert_eq!(browser.update(&Input::Key(Key::Enter), LATER + CALM / 2), Step::Stay);
    assert_eq!(browser.update(&Input::Key(Key::Enter), LATER + CALM), opened("a"));
}
