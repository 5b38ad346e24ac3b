//! Giving an answer key by key. What no key can type, a person pastes.

use super::expression::{Expression, Pick};
use super::vector::{Vector, Verdict, words};
use super::{Said, Trouble};
use askback_core::kind::choice::Select;
use askback_core::{AnswerInput, Kind, OTHER_PLACEHOLDER};
use askback_testkit::screen::Screen;
use std::time::Duration;

/// Keys are ignored for a quarter of a second after an approval or a confirm appears.
const CALM: Duration = Duration::from_millis(300);
/// Longer texts are pasted, as people do.
const LONG: usize = 200;
/// From so many options on, typing filters.
const FILTER_FROM: usize = 10;
const CLEAR: &str = "\x15";

pub(crate) fn give(vector: &Vector, expression: &Expression, screen: &mut Screen) -> Result<Said, Trouble> {
    screen.wait_for("ask back");
    match expression {
        Expression::Typed(text) => typed(vector, text, screen),
        Expression::Decided(letter) => {
            screen.settle(CALM);
            screen.keys(letter);
            screen.keys("\r");
            Ok(vector.expected().into())
        }
        Expression::Undecided(text) => {
            screen.settle(CALM);
            enter(text, screen);
            screen.keys("\r");
            refused("then Enter", screen);
            Ok(vector.expected().into())
        }
        Expression::Named(_) => Err(Trouble::Inexpressible("keys choose what is there, and nothing else")),
        Expression::Picks(picks) => {
            choose(vector, picks, screen);
            Ok(picked(vector, picks).into())
        }
    }
}

fn typed(vector: &Vector, text: &str, screen: &mut Screen) -> Result<Said, Trouble> {
    let is_many = matches!(vector.question().kind(), Kind::Multiline(_));
    screen.keys(CLEAR);
    enter(text, screen);
    screen.keys(if is_many { "\x1b\r" } else { "\r" });
    // What can't be typed or pasted is not in the field, which says so; the verdict is on what is.
    let held = held(text, is_many);
    let instead = (held != text).then_some("a field holds no control characters: it is judged by what it holds");
    let verdict = if held == text { vector.expected() } else { vector.verdict(&held) };
    if held != text && !text.contains(|c: char| c.is_control()) {
        return Err(Trouble::Wrong(format!("{held:?} is not what was typed")));
    }
    if let Err(refusal) = &verdict {
        refused(&words(refusal, &held), screen);
    }
    Ok(Said { verdict, instead })
}

/// What a field makes of a paste.
fn held(text: &str, is_many: bool) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = if is_many { &text } else { text.trim_end_matches('\n') };
    let text = if is_many { text.to_owned() } else { text.replace('\n', " ") };
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

fn needs_paste(text: &str) -> bool {
    text.len() > LONG || text.contains(|c: char| c.is_control())
}

fn enter(text: &str, screen: &mut Screen) {
    if needs_paste(text) { screen.paste(text) } else { screen.keys(text) }
}

/// Waits until it is said why, and goes.
fn refused(said: &str, screen: &mut Screen) {
    let said = squeezed(said);
    screen.wait_until(&said, |screen| squeezed(&screen.text()).contains(&said));
    screen.keys("\x03");
}

/// A text without what breaking it into rows has done: spaces, and the bar before each row.
fn squeezed(text: &str) -> String {
    text.lines().flat_map(|row| row.trim_start_matches('│').split_whitespace()).collect()
}

/// What the core says of a choice made one by one.
fn picked(vector: &Vector, picks: &[Pick]) -> Verdict {
    let options = match vector.question().kind() {
        Kind::Choice(choice) => choice.options(),
        Kind::Dropdown(dropdown) => dropdown.options(),
        other => unreachable!("{} has no options", other.name()),
    };
    let value = |pick: &Pick| match pick {
        Pick::Option(index) => options.iter().as_slice()[*index].value().to_owned(),
        Pick::Other(_) => OTHER_PLACEHOLDER.to_owned(),
    };
    let selections: Vec<String> = picks.iter().map(value).collect();
    let custom = picks.iter().find_map(|pick| if let Pick::Other(text) = pick { Some(text.as_str()) } else { None });
    // A tab is pasted as a space there, as a line end is.
    let custom = custom.map(|text| held(text, false).replace('\t', " "));
    let verdict = vector.question().parse_answer(&AnswerInput::Selections { selections, custom: custom.clone() });
    let is_as_given = custom.is_none_or(|custom| !needs_paste(&custom));
    if is_as_given && vector.expected().is_ok() {
        assert_eq!(verdict, vector.expected(), "{vector}");
    }
    verdict
}

fn choose(vector: &Vector, picks: &[Pick], screen: &mut Screen) {
    let (options, select, is_searched) = match vector.question().kind() {
        Kind::Choice(choice) => (choice.options(), choice.select(), choice.options().len() >= FILTER_FROM),
        Kind::Dropdown(dropdown) => (dropdown.options(), Select::One, true),
        other => unreachable!("{} has no options", other.name()),
    };
    let take = if select == Select::Many { " " } else { "\r" };
    let verdict = picked(vector, picks);
    let mut row = start(vector);
    for pick in picks {
        match pick {
            Pick::Option(index) if is_searched => {
                screen.keys(CLEAR);
                screen.keys(options.iter().as_slice()[*index].label());
            }
            Pick::Option(index) => row = go(row, *index, screen),
            Pick::Other(text) => {
                row = go(row, options.len(), screen);
                screen.keys(take);
                screen.wait_for("Please specify:");
                enter(text, screen);
                screen.keys("\r");
                continue;
            }
        }
        screen.keys(take);
    }
    match &verdict {
        Ok(_) if select == Select::Many => screen.keys("\r"),
        Ok(_) => {}
        Err(_) => {
            // An option that can't be chosen says so when it should be; everything else, when it is submitted.
            let is_checked = |screen: &Screen| screen.text().matches('☑').count() == picks.len();
            screen.wait_until("a refusal, or what is checked", |screen| is_said(screen) || is_checked(screen));
            if select == Select::Many && !is_said(screen) {
                screen.keys("\r");
            }
            screen.wait_until("a refusal", is_said);
            screen.keys("\x03");
        }
    }
}

fn is_said(screen: &Screen) -> bool {
    let text = squeezed(&screen.text());
    text.contains("pleasegive") || text.contains("can'tbechosen;")
}

/// The row that is in focus at first: what was filled in.
fn start(vector: &Vector) -> usize {
    let initial = vector.question().initial().map(|answer| answer.selections().join("\n")).unwrap_or_default();
    let Kind::Choice(choice) = vector.question().kind() else {
        return 0;
    };
    let first = initial.split('\n').next().unwrap_or_default();
    choice.options().iter().position(|option| option.value() == first).unwrap_or(0)
}

fn go(from: usize, to: usize, screen: &mut Screen) -> usize {
    let (key, steps) = if to > from { ("\x1b[B", to - from) } else { ("\x1b[A", from - to) };
    (0..steps).for_each(|_| screen.keys(key));
    to
}
