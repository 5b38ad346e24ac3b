//! The look of a question (Q3): its frame, its colours, its numbers, its tabs and its last line.

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
fn question_has_a_bar_along_it_and_a_rule_below() {
    let request = request(ONE);
    let rows = rows(&open(&request));
    assert_eq!(rows[0], "╭─ Database ─╮");
    let end = rows.iter().position(|row| row.starts_with("╰──")).unwrap();
    assert!(rows[1..end].iter().all(|row| row == "│" || row.starts_with("│ ")), "{rows:?}");
    assert_eq!(rows.len(), end + 2, "below the rule there are the keys: {rows:?}");
    assert!(rows[1..end].contains(&"│ > ● 1. PostgreSQL".to_owned()), "{rows:?}");
}

// Q3, T8
#[test]
fn stream_has_no_frame_and_neither_has_a_narrow_window() {
    let stream = request(r#"{"prompt": "Which?", "input_type": "choice", "choices": ["one", "two"]}"#);
    assert!(!screen(&shown(&stream, PromptStyle::Stream)).contains(['│', '╰']));
    let request = request(ONE);
    let mut form = open(&request);
    form.fit(Page { columns: 20, ..PAGE });
    assert!(!screen(&form).contains(['│', '╰']), "{}", screen(&form));
}

// Q3, S2
#[test]
fn context_has_another_bar_than_the_question() {
    let json =
        r#"{"type": "approval", "message": "Run it?", "context": [{"type": "command", "text": "ls\n[a] Approve"}]}"#;
    let request = request(json);
    let rows = rows(&open(&request));
    assert!(rows.contains(&"┆ $ [a] Approve".to_owned()), "{rows:?}");
    assert_eq!(rows.iter().filter(|row| row.starts_with("│ [a] Approve")).count(), 1, "{rows:?}");
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

// Q3
#[test]
fn form_shows_its_headers_as_tabs_with_ticks() {
    let json = format!(r#"{{"questions": [{ONE}, {MANY}, {{"type": "text", "message": "Why?"}}]}}"#);
    let request = request(&json);
    let mut form = open(&request);
    assert_eq!(rows(&form)[0], " ☐ Database   ☐ Features   ☐ 3   Review ");
    press(&mut form, &[Key::Char('2')]);
    assert_eq!(rows(&form)[0], " ✔ Database   ☐ Features   ☐ 3   Review ");
    assert_eq!(role_of(&form, "Database"), Role::Secondary);
    let tabs = form.view(LATER).lines.swap_remove(0);
    let here = tabs.spans.iter().find(|span| span.style.role == Role::Chip).unwrap();
    assert_eq!(here.text, " ☐ Features ");
    press(&mut form, &[Key::Enter, Key::Enter, Key::Tab]);
    assert_eq!(rows(&form)[0], " ✔ Database   ✔ Features   ☐ 3   Review ");
    let one = super::request(ONE);
    assert!(!screen(&open(&one)).contains("Review"));
}

// Q3
#[test]
fn tabs_that_do_not_fit_are_numbers() {
    let question = |index: usize| format!(r#"{{"type": "text", "header": "Question {index}", "message": "?{index}"}}"#);
    let questions: Vec<String> = (1..=8).map(question).collect();
    let request = request(&format!(r#"{{"questions": [{}]}}"#, questions.join(", ")));
    let mut form = open(&request);
    press(&mut form, &[Key::Tab]);
    assert_eq!(rows(&form)[0], " ☐ 1   ☐ Question 2   ☐ 3   ☐ 4   ☐ 5   ☐ 6   ☐ 7   ☐ 8   Review ");
    form.fit(Page { columns: 30, ..PAGE });
    assert_eq!(rows(&form)[0], " ☐ 1   ☐ Question 2   ☐ 3   …");
}

// Q3, S2
#[test]
fn header_that_imitates_tabs_is_a_number_among_them() {
    for header in ["A   B", "A \u{2003}B", "✔ Deploy", "A ☐ B", "✘"] {
        let request = request(&format!(
            r#"{{"questions": [{{"type": "text", "header": "{header}", "message": "?"}}, {{"type": "text", "header": "Fine", "message": "?"}}]}}"#
        ));
        assert_eq!(rows(&open(&request))[0], " ☐ 1   ☐ Fine   Review ", "{header:?}");
    }
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

// Q8
#[test]
fn error_flashes_in_the_error_colour() {
    let request = request(r#"{"type": "number", "header": "Port", "message": "Port?", "max": 10}"#);
    let mut form = open(&request);
    let edges = |form: &Form<'_>, now: Duration| -> Vec<Role> {
        let lines = form.view(now).lines;
        let is_edge = |span: &&Span| span.text.starts_with(['╭', '│', '╰']);
        lines.iter().filter_map(|line| line.spans.first().filter(is_edge)).map(|span| span.style.role).collect()
    };
    let at = Duration::from_millis;
    let is_all = |form: &Form<'_>, now: Duration, role: Role| edges(form, now).iter().all(|edge| *edge == role);
    for (key, millis) in [(Key::Char('9'), 1_000), (Key::Char('9'), 1_001)] {
        form.update(&Input::Key(key), at(millis));
    }
    assert!(edges(&form, at(1_001)).len() > 4 && is_all(&form, at(1_001), Role::Primary));
    form.update(&Input::Key(Key::Enter), at(2_000));
    assert!(is_all(&form, at(2_000), Role::Error) && is_all(&form, at(2_399), Role::Error));
    assert_eq!(form.next_change(at(2_000)), Some(at(2_400)), "it is painted anew when that is over");
    assert!(is_all(&form, at(2_400), Role::Primary) && form.next_change(at(2_400)).is_none());
    assert_eq!(role_of(&form, "99 is too large"), Role::Error, "what is wrong is said for longer");
    let approval = super::request(APPROVAL);
    let mut form = open(&approval);
    form.update(&Input::Key(Key::Enter), at(2_000));
    assert!(screen(&form).contains("then Enter") && is_all(&form, at(2_000), Role::Primary), "a hint is no error");
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
