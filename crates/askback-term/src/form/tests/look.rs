//! The look of a question (Q3): its colours, its numbers and its last line.

use super::*;
use crate::line::{Role, Span};

const ONE: &str = r#"{"type": "choice", "header": "Database", "message": "Which database?", "options": ["PostgreSQL", "SQLite"], "other": true}"#;
const MANY: &str = r#"{"type": "choice", "header": "Features", "message": "Which features?", "options": ["A", "B", "C"], "multiSelect": true}"#;

fn rows(form: &Form<'_>) -> Vec<String> {
    screen(form).lines().map(str::to_owned).collect()
}

/// The spans of the only row that contains a text.
fn spans_of(form: &Form<'_>, text: &str, now: Duration) -> Vec<Span> {
    let lines = form.view(now).lines;
    let mut found = lines.into_iter().filter(|line| line.text().contains(text));
    let line = found.next().unwrap_or_else(|| panic!("{text} is not in\n{}", screen(form)));
    assert!(found.next().is_none(), "{text} is there twice");
    line.spans
}

/// The role of the span with a text.
fn role_of(form: &Form<'_>, text: &str) -> Role {
    let spans = spans_of(form, text, LATER);
    spans.iter().find(|span| span.text.contains(text)).unwrap().style.role
}

// Q3
#[test]
fn checked_rows_have_another_colour() {
    let request = request(MANY);
    let mut form = open(&request);
    assert_eq!([role_of(&form, "A"), role_of(&form, "B")], [Role::Text, Role::Secondary]);
    press(&mut form, &[Key::Char(' '), Key::Down, Key::Char(' ')]);
    assert_eq!(
        [role_of(&form, "A"), role_of(&form, "B"), role_of(&form, "C")],
        [Role::Success, Role::Success, Role::Secondary]
    );
    press(&mut form, &[Key::Char(' ')]);
    assert_eq!([role_of(&form, "A"), role_of(&form, "B")], [Role::Success, Role::Text]);
}

// Q3, Q4
#[test]
fn numbers_stand_where_they_select() {
    let options = |count: usize| (1..=count).map(|index| format!("\"n{index}\"")).collect::<Vec<_>>().join(", ");
    let choice =
        |options: &str, more: &str| format!(r#"{{"type": "choice", "message": "?", "options": [{options}]{more}}}"#);
    let nine = request(&choice(&options(9), r#", "other": true"#));
    let seen = screen(&Form::new(&nine, PromptStyle::Question, Page { rows: 40, ..PAGE }, TODAY));
    for index in 1..=9 {
        assert!(seen.contains(&format!("{index}. n{index}")), "{seen}");
    }
    assert!(seen.contains("○    Other"), "no digit takes the tenth row:\n{seen}");
    for json in [choice(&options(10), ""), choice(&options(3), r#", "multiSelect": true"#)] {
        let request = request(&json);
        assert!(!screen(&open(&request)).contains("1. "), "{}", screen(&open(&request)));
    }
    let disabled = request(&choice(r#""a", {"value": "b", "disabled": true}, "c""#, ""));
    let seen = screen(&open(&disabled));
    assert!(seen.contains("1. a") && seen.contains("○    b") && seen.contains("3. c"), "{seen}");
    assert_eq!(answers(&press(&mut open(&disabled), &[Key::Char('3')])), ["c"]);
}

// Q3, Q4
#[test]
fn footer_says_what_the_keys_do() {
    for (json, keys, footer) in [
        (ONE, "", "↑↓ navigate • enter select • esc cancel • ? ask back"),
        (MANY, "", "↑↓ navigate • space toggle • enter confirm • esc cancel • ? ask back"),
        (ONE, "3", "enter select • esc back to the list • ctrl+o ask back"),
    ] {
        let request = request(json);
        let mut form = open(&request);
        press(&mut form, &letters(keys));
        assert_eq!(rows(&form).last().unwrap(), footer);
    }
}

// Q3, F13
#[test]
fn text_of_other_stands_below_its_label() {
    for (json, keys) in [
        (ONE, "3bun"),
        (r#"{"type": "choice", "message": "?", "options": ["A", "B"], "multiSelect": true, "other": true}"#, ""),
    ] {
        let request = request(json);
        let mut form = open(&request);
        press(&mut form, &letters(keys));
        if keys.is_empty() {
            press(&mut form, &[Key::Up, Key::Char(' ')]);
        }
        let column = |text: &str| {
            let rows = rows(&form);
            let row = rows.iter().find(|row| row.contains(text)).unwrap();
            row[..row.find(text).unwrap()].chars().count()
        };
        assert_eq!(column("Please specify:"), column("Other"), "{}", screen(&form));
        assert_eq!(column("Please specify:"), column("Provide custom input"), "{}", screen(&form));
    }
}

// Q5
#[test]
fn answer_line_cuts_the_question_and_not_the_answer() {
    let question =
        "Which of all these databases should we use for the orders of the new shop, now that there are three?";
    let answer = "PostgreSQL with logical replication (Recommended)";
    let json = format!(r#"{{"type": "choice", "message": "{question}", "options": ["{answer}", "SQLite"]}}"#);
    let request = request(&json);
    let Verdict::Resolved(resolution) = press(&mut open(&request), &[Key::Enter]) else { panic!("it is answered") };
    let line = |columns: usize| {
        let page = Page { columns, ..PAGE };
        let lines = crate::summary::of(&request, &resolution, "cancelled", &page);
        assert!(lines.len() == 1 && lines[0].width() < columns, "{lines:?}");
        lines[0].text()
    };
    assert_eq!(line(200), format!("✔ {question} {answer}"));
    assert_eq!(line(80), format!("✔ Which of all these databas… {answer}"));
    assert_eq!(line(69), format!("✔ Which of all th… {answer}"));
    assert!(line(40).starts_with("✔ Which of al… PostgreSQL with") && line(40).ends_with('…'), "{}", line(40));
}
