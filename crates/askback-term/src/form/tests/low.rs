//! Low windows: what decides stays in sight, and what is left out is said.

use super::*;

const LOW: Page = Page { columns: 40, rows: 10, ..PAGE };
/// A label of 50 characters, as long as the tool of a model allows.
const LABEL: &str = "Postgres with logical replication to two regions x";
const DESCRIPTION: &str = "Relational, with rich features, and a description of two hundred characters, which a low window has \
                           no room for beside the label, the question, what the keys do and the count of other options ........";

fn low(request: &Request, look: PromptStyle) -> Form<'_> {
    let mut form = Form::new(request, look, LOW, TODAY);
    form.appear(Duration::ZERO);
    form
}

/// The text of a screen as it is read, without the ends of its rows.
fn read(form: &Form<'_>) -> String {
    let screen = screen(form);
    let rows = screen.lines().map(|row| row.trim_start_matches(['│', ' ']).trim_end());
    rows.collect::<Vec<_>>().join(" ")
}

/// A choice of six options with labels of 50 characters, which differ in the last one.
fn choice(more: &str) -> String {
    let option = |index: usize| format!(r#"{{"value": "{}{index}", "description": "{DESCRIPTION}"}}"#, &LABEL[..49]);
    let options: Vec<String> = (1..=6).map(option).collect();
    format!(
        r#"{{"type": "choice", "header": "Database", "message": "Which database should we use for this project?",
            "options": [{}]{more}}}"#,
        options.join(", ")
    )
}

const CONTEXT: &str = r#", "context": [{"type": "code", "text": "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12"}]"#;

// Q3
#[test]
fn focused_label_of_50_characters_is_whole_at_40_by_10() {
    assert_eq!((LABEL.len(), DESCRIPTION.len()), (50, 200));
    for more in ["", CONTEXT, r#", "other": true"#, r#", "multiSelect": true, "other": true"#] {
        let json = choice(more);
        let request = request(&json);
        let mut form = low(&request, PromptStyle::Question);
        for index in 1..=6 {
            let label = format!("{}{index}", &LABEL[..49]);
            assert!(read(&form).contains(&label), "{more} {index}:\n{}", screen(&form));
            // The same while a note takes rows from it.
            paste(&mut form, "x");
            assert!(screen(&form).contains("a paste chooses nothing"), "{}", screen(&form));
            assert!(read(&form).contains(&label), "{more} {index}, with a note:\n{}", screen(&form));
            press(&mut form, &[Key::Down]);
        }
    }
}

// Q3
#[test]
fn options_out_of_sight_are_counted_at_any_height() {
    let request = request(r#"{"type": "choice", "message": "?", "options": ["a", "b", "c", "d", "e", "f", "g"]}"#);
    for rows in 5..12 {
        let mut form = open(&request);
        form.fit(Page { rows, ..LOW });
        for _ in 0..7 {
            let seen = screen(&form);
            let shown = seen.lines().filter(|row| row.contains('○') || row.contains('●')).count();
            let said: usize =
                seen.split(" more").filter_map(|part| part.rsplit(' ').next()?.parse::<usize>().ok()).sum();
            assert_eq!(shown + said, 7, "{rows} rows:\n{seen}");
            press(&mut form, &[Key::Down]);
        }
    }
}

// Q3, Q4
#[test]
fn essential_keys_are_in_the_footer_of_every_kind_at_40_by_10() {
    let one = choice(CONTEXT);
    let many = choice(r#", "multiSelect": true, "other": true"#);
    let context = |kind: &str| format!(r#"{{"type": "{kind}", "message": "Which of all these?"{CONTEXT}}}"#);
    for (json, keys) in [
        (one, "↑↓ navigate • enter select • esc cancel"),
        (many, "↑↓ navigate • space toggle enter confirm • esc cancel"),
        (context("approval"), "a/1 or r/2, then enter • esc cancel"),
        (context("confirm"), "y/1 or n/2, then enter • esc cancel"),
        (context("text"), "enter submit • esc cancel"),
        (context("multiline"), "alt+enter or ctrl+s submit enter new line • esc cancel"),
        (context("number"), "↑↓ by steps • enter submit • esc cancel"),
        (context("date"), "↑↓ today • enter submit • esc cancel"),
        (context("rating"), "←→ or digits • enter submit esc cancel"),
    ] {
        let request = request(&json);
        let mut form = low(&request, PromptStyle::Question);
        assert!(read(&form).contains(keys), "{json}\n{}", screen(&form));
        for key in [Key::AltEnter, Key::Enter] {
            press(&mut form, &[key]);
            assert!(read(&form).contains(keys), "{key:?} {json}\n{}", screen(&form));
        }
    }
}

// Q3
#[test]
fn keys_and_notes_that_are_cut_end_in_a_sign() {
    let request = request(r#"{"type": "multiline", "message": "?"}"#);
    let mut form = open(&request);
    form.fit(Page { columns: 24, rows: 6, ..PAGE });
    assert!(screen(&form).ends_with('…'), "{}", screen(&form));
    press(&mut form, &[Key::AltEnter]);
    let seen = screen(&form);
    assert!(seen.lines().any(|row| row.contains("nothing is") && row.ends_with('…')), "{seen}");
}

// T8
#[test]
fn reject_is_visible_in_every_choice_of_a_stream() {
    let long: Vec<String> = (1..=12).map(|index| format!(r#""{}{index}""#, &LABEL[..48])).collect();
    for count in [2, 5, 9, 12] {
        let json = format!(
            r#"{{"prompt": "How should I go on, now that two tests fail?", "input_type": "choice", "choices": [{}]}}"#,
            long[..count].join(", ")
        );
        let request = request(&json);
        for rows in 2..16 {
            let mut form = low(&request, PromptStyle::Stream);
            form.fit(Page { rows, ..LOW });
            for _ in 0..=count {
                assert!(screen(&form).contains("r) Reject"), "{count} choices, {rows} rows:\n{}", screen(&form));
                press(&mut form, &[Key::Down]);
            }
            // A row for what is typed, or for a hint.
            press(&mut form, &[Key::Char('0')]);
            assert!(rows < 4 || screen(&form).contains("r) Reject"), "typed, {rows} rows:\n{}", screen(&form));
        }
    }
}
