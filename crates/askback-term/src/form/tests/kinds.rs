//! Multiline, number, email, date, dropdown and rating: keys and what comes of them.

use super::*;

/// Keys on a question without a header, and what was answered.
fn answered(json: &str, keys: &[Key]) -> Vec<String> {
    let request = request(json);
    answers(&press(&mut open(&request), keys))
}

/// What the screen shows after some keys.
fn seen(json: &str, keys: &[Key]) -> String {
    let request = request(json);
    let mut form = open(&request);
    assert_eq!(press(&mut form, keys), Verdict::Open);
    screen(&form)
}

// F2, Q4
#[test]
fn in_a_text_of_many_lines_enter_begins_a_line_and_alt_enter_submits() {
    let json = r#"{"type": "multiline", "message": "Notes?"}"#;
    let keys = [letters("one"), vec![Key::Enter], letters("two")].concat();
    for submit in [Key::AltEnter, Key::Submit] {
        assert_eq!(answered(json, &[keys.clone(), vec![submit]].concat()), ["one\ntwo"]);
    }
    assert!(seen(json, &keys).contains("  7 characters of 10000"), "{}", seen(json, &keys));
    let moved = [keys, vec![Key::Up, Key::Char('X'), Key::End, Key::KillToEnd, Key::AltEnter]].concat();
    assert_eq!(answered(json, &moved), ["oneXtwo"], "the end of a line can be killed, too");
}

// F2, Q4
#[test]
fn a_long_line_is_wrapped_softly_and_moved_through_by_rows() {
    let text = "word ".repeat(30);
    let request = request(r#"{"type": "multiline", "message": "Notes?", "maxLength": 100}"#);
    let mut form = open(&request);
    paste(&mut form, text.trim_end());
    assert!(screen(&form).contains("  149 characters of 100"));
    press(&mut form, &[Key::Up, Key::Char('X')]);
    let shown = screen(&form);
    let row = shown.lines().find(|line| line.contains('X')).unwrap();
    assert!(row.starts_with("│   word wordX"), "by a row, not by a line: {shown}");
    assert_eq!(press(&mut form, &[Key::AltEnter]), Verdict::Open);
    assert!(screen(&form).contains("please give"), "{}", screen(&form));
    press(&mut form, &[Key::PageUp]);
    assert_eq!(form.view(LATER).cursor.map(|(row, _)| row), Some(2), "the first row of the text");
    press(&mut form, &[Key::Home, Key::KillToEnd]);
    assert!(screen(&form).contains("  0 characters of 100"), "one line: {}", screen(&form));
}

// F6, Q4
#[test]
fn a_number_is_typed_or_reached_by_steps_and_its_bounds_are_shown() {
    let port = r#"{"type": "number", "message": "Port?", "min": 1, "max": 65535, "integer": true}"#;
    assert!(seen(port, &[]).contains("a whole number from 1 to 65535"));
    assert!(seen(port, &letters("80")).contains("a whole number from 1 to 65535"), "also when something is typed");
    assert_eq!(answered(port, &[letters("8080"), vec![Key::Enter]].concat()), ["8080"]);
    assert_eq!(answered(port, &[Key::Up, Key::Up, Key::PageUp, Key::Down, Key::Enter]), ["11"]);
    let up = [letters("65535"), vec![Key::Up]].concat();
    assert!(seen(port, &up).contains("as high as it goes"), "{}", seen(port, &up));
    let refused = [letters("eighty"), vec![Key::Up]].concat();
    assert!(seen(port, &refused).contains("\"eighty\" is not a finite number"));
    let share = r#"{"type": "number", "message": "Share?", "min": 0, "max": 1, "step": 0.1, "initial": "0.2"}"#;
    assert_eq!(answered(share, &[Key::Up, Key::Enter]), ["0.3"], "not 0.30000000000000004");
    assert_eq!(answered(share, &[Key::Enter]), ["0.2"]);
}

// F7
#[test]
fn an_address_gets_the_domain_it_must_have_by_one_key() {
    let json = r#"{"type": "email", "message": "Reviewer?", "domain": "company.com"}"#;
    assert!(seen(json, &letters("ada")).contains("→ adds @company.com"));
    assert_eq!(answered(json, &[letters("ada"), vec![Key::Right, Key::Enter]].concat()), ["ada@company.com"]);
    assert_eq!(answered(json, &[letters("ada@Com"), vec![Key::Right, Key::Enter]].concat()), ["ada@Company.com"]);
    let inside =
        [letters("ad"), vec![Key::Left, Key::Right, Key::Char('a')], letters("@company.com"), vec![Key::Enter]];
    assert_eq!(answered(json, &inside.concat()), ["ada@company.com"], "inside the text → moves");
    let elsewhere = [letters("ada@example.org"), vec![Key::Right, Key::Enter]].concat();
    assert!(seen(json, &elsewhere).contains("is at another domain"));
    let any = r#"{"type": "email", "message": "Reviewer?"}"#;
    assert!(seen(any, &[letters("ada"), vec![Key::Right, Key::Enter]].concat()).contains("is not an email address"));
}

// F8
#[test]
fn a_day_is_typed_or_moved_by_its_parts_and_its_weekday_is_shown() {
    let json = r#"{"type": "date", "message": "Ship on?"}"#;
    assert!(seen(json, &letters("2026-01-24")).contains("> 2026-01-24  Saturday"));
    assert!(!seen(json, &letters("2026-02-30")).contains("day  "), "what is no day has no weekday");
    assert_eq!(answered(json, &[Key::Down, Key::Enter]), ["2026-11-16"], "from nothing it is today");
    assert_eq!(answered(json, &[Key::Up, Key::Up, Key::Enter]), ["2026-11-17"]);
    let month = [letters("2026-01-31"), vec![Key::Left, Key::Up, Key::Enter]].concat();
    assert_eq!(answered(json, &month), ["2026-02-28"], "a day that the month lacks is its last");
    let year =
        [letters("2024-02-29"), vec![Key::Left, Key::Left, Key::Left, Key::Down, Key::Right, Key::Enter]].concat();
    assert_eq!(answered(json, &year), ["2023-02-28"]);
    assert_eq!(answered(json, &[Key::Up, Key::PageDown, Key::Enter]), ["2026-10-16"], "a page is a month");
    assert!(seen(json, &[]).contains("↑↓ today") && !seen(json, &letters("2026-02-30")).contains("today"));
    let bound = r#"{"type": "date", "message": "Ship on?", "min": "2026-12-01", "max": "2026-12-24"}"#;
    assert!(seen(bound, &[]).contains("a day from 2026-12-01 to 2026-12-24"));
    assert_eq!(answered(bound, &[Key::Up, Key::Enter]), ["2026-12-01"], "today does not pass");
    assert!(seen(bound, &[]).contains("↑↓ 2026-12-01"), "{}", seen(bound, &[]));
    assert!(seen(bound, &[Key::Up, Key::Down]).contains("this is the first"));
    assert_eq!(answered(bound, &[Key::Up, Key::Left, Key::Up, Key::Enter]), ["2026-12-24"]);
}

// F9, Q4
#[test]
fn an_option_is_found_by_some_of_its_letters() {
    let json = r#"{"type": "dropdown", "message": "Country?", "options": ["Norway", "New Zealand", "Nepal"], "initial": "Nepal"}"#;
    assert_eq!(answered(json, &[Key::Enter]), ["Nepal"], "the focus is on what was filled in");
    assert_eq!(answered(json, &[letters("nze"), vec![Key::Enter]].concat()), ["New Zealand"]);
    let shown = seen(json, &letters("n l"));
    assert!(shown.contains("(2 of 3)") && !shown.contains("Norway"), "{shown}");
    assert!(seen(json, &[letters("xyz"), vec![Key::Enter]].concat()).contains("nothing matches; type something else"));
    assert_eq!(answered(json, &[letters("n"), vec![Key::Backspace, Key::Down, Key::Enter]].concat()), ["New Zealand"]);
}

// F4, F13, Q4
#[test]
fn what_was_searched_for_and_not_checked_is_not_confirmed_by_accident() {
    let options = r#"["red apple", "green apple", "red pear", "f", "g", "h", "i", "j", "k", "l"]"#;
    let json =
        format!(r#"{{"type": "choice", "message": "?", "multiSelect": true, "other": true, "options": {options}}}"#);
    let request = request(&json);
    let mut form = open(&request);
    assert_eq!(press(&mut form, &[letters("red pear"), vec![Key::Enter]].concat()), Verdict::Open);
    assert!(screen(&form).contains("1 checked, but not this one"), "{}", screen(&form));
    assert_eq!(answers(&press(&mut form, &[Key::Char(' '), Key::Enter])), ["red apple, red pear"]);
    let mut form = open(&request);
    let sure = [letters("red pear"), vec![Key::Enter, Key::Enter]].concat();
    assert_eq!(answers(&press(&mut form, &sure)), ["red apple"], "who says it twice means it");
    let mut form = open(&request);
    press(&mut form, &[vec![Key::Char(' '), Key::Up], letters("xyzzy"), vec![Key::Enter]].concat());
    assert!(screen(&form).contains("Please specify: xyzzy"), "{}", screen(&form));
    assert_eq!(answers(&press(&mut form, &[Key::Enter, Key::Enter])), ["red apple, xyzzy"]);
    let mut form = open(&request);
    press(&mut form, &[Key::End]);
    assert!(screen(&form).contains("> ☐ Other"), "{}", screen(&form));
}

// F10, Q4
#[test]
fn a_place_on_a_scale_is_gone_to_or_typed() {
    let json = r#"{"type": "rating", "message": "How was it?", "ends": {"low": "bad", "high": "great"}}"#;
    assert!(seen(json, &[]).contains("bad  ☆ ☆ ☆ ☆ ☆  great"), "nothing is chosen at first: {}", seen(json, &[]));
    assert!(seen(json, &[Key::Enter]).contains("please give a whole number from 1 to 5"));
    assert!(seen(json, &[Key::Right, Key::Right, Key::Right]).contains("bad  ★ ★ ★ ☆ ☆  great"));
    assert_eq!(answered(json, &[Key::Left, Key::Enter]), ["5"]);
    assert_eq!(answered(json, &[Key::Char('4'), Key::Enter]), ["4"]);
    assert_eq!(answered(json, &[Key::End, Key::Char('2'), Key::Enter]), ["2"], "a digit stands for where one was");
    assert!(seen(json, &[Key::Char('3'), Key::Char('4')]).contains("> 34"), "but what is typed is typed on");
    assert_eq!(answered(json, &[Key::End, Key::Right, Key::Left, Key::Home, Key::Enter]), ["1"]);
    assert!(seen(json, &[Key::Char('6'), Key::Enter]).contains("6 is too high"));
    assert!(seen(json, &letters("five")).contains("☆ ☆ ☆ ☆ ☆"));
    let scale = r#"{"type": "rating", "message": "?", "min": -10, "max": 10, "style": "numbers"}"#;
    assert!(seen(scale, &letters("-3")).contains(" -4   [-3]   -2 "), "{}", seen(scale, &letters("-3")));
    assert_eq!(answered(scale, &[letters("-10"), vec![Key::Right, Key::Enter]].concat()), ["-9"]);
    let rows: Vec<String> = seen(scale, &letters("-3")).lines().skip(2).take(2).map(str::to_owned).collect();
    assert!(rows[0].starts_with("│  -10") && rows[1].starts_with("│  2 "), "one below the other: {rows:?}");
    let faces = r#"{"type": "rating", "message": "?", "style": "emoji"}"#;
    assert!(seen(faces, &[Key::Char('4')]).contains(" 😡   🙁   😐  [🙂]  😄 "), "{}", seen(faces, &[Key::Char('4')]));
    let from_none = r#"{"type": "rating", "message": "?", "min": 0, "max": 3}"#;
    assert!(seen(from_none, &[Key::Char('0')]).contains("☆ ☆ ☆"), "none is none");
}

// L7
#[test]
fn a_question_back_is_a_key_away_in_every_kind() {
    for kind in askback_core::kind::KINDS {
        let options = if kind.required.contains(&"options") { r#", "options": ["a", "b"]"# } else { "" };
        let request = request(&format!(r#"{{"type": "{}", "message": "?"{options}}}"#, kind.name));
        let mut form = open(&request);
        press(&mut form, &[Key::AskBack]);
        let verdict = press(&mut form, &[letters("why?"), vec![Key::Enter]].concat());
        assert!(is_declined(&verdict), "{}", kind.name);
    }
}

// Q4, Q8
#[test]
fn in_a_form_every_kind_keeps_what_was_typed_and_ends_on_the_review() {
    let request = request(
        r#"{"questions": [
        {"type": "multiline", "message": "Notes?"}, {"type": "number", "message": "Port?"}, {"type": "email", "message": "Who?"},
        {"type": "date", "message": "When?"}, {"type": "dropdown", "message": "Where?", "options": ["here", "there"]},
        {"type": "rating", "message": "How?"}]}"#,
    );
    let mut form = open(&request);
    let typed = ["a\tb", "80", "ada@example.com", "2026-01-24"];
    for text in typed {
        paste(&mut form, text);
        press(&mut form, &[Key::Tab]);
    }
    press(&mut form, &[Key::Down, Key::Enter, Key::Right, Key::Tab]);
    let review = screen(&form);
    for shown in ["Notes? a b", "Port? 80", "Who? ada@example.com", "When? 2026-01-24", "Where? there", "How? 1"] {
        assert!(review.contains(shown), "{shown} in {review}");
    }
    press(&mut form, &[Key::BackTab]);
    assert!(screen(&form).contains("★ ☆ ☆ ☆ ☆"), "what was chosen is still there");
    let verdict = press(&mut form, &[Key::Enter, Key::Enter]);
    assert_eq!(answers(&verdict), ["a\tb", "80", "ada@example.com", "2026-01-24", "there", "1"]);
}
