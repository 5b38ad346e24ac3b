//! Approvals and confirms: nothing decides by accident (T7, S2).

use super::*;
use askback_core::PromptStyle;

// T7
#[test]
fn an_approval_is_typed_and_confirmed() {
    let request = request(APPROVAL);
    for (typed, written) in
        [("a", "approve"), ("A", "approve"), ("1", "approve"), ("r", "reject"), ("R", "reject"), ("2", "reject")]
    {
        let mut form = open(&request);
        assert_eq!(press(&mut form, &letters(typed)), Verdict::Open, "one key decides nothing");
        assert_eq!(answers(&press(&mut form, &[Key::Enter])), [written]);
    }
}

const DELETE: &str = r#"{"type": "approval", "message": "Delete 3 files?", "labels": ["Delete them", "Keep them"]}"#;

// S7, F0
#[test]
fn what_a_label_means_stands_beside_it() {
    let delete = request(DELETE);
    assert!(screen(&open(&delete)).contains("│ [a] Delete them (approve)\n│ [r] Keep them (reject)\n"));
    let told = open(&delete).told_body().iter().map(Line::text).collect::<Vec<_>>().join("\n");
    assert!(told.starts_with("a. Delete them (approve)\nr. Keep them (reject)\n"), "{told}");
    let usual = request(APPROVAL);
    assert!(screen(&open(&usual)).contains("[a] Approve  [r] Reject\n"), "{}", screen(&open(&usual)));
}

// S7
#[test]
fn a_stored_approval_with_the_labels_the_wrong_way_round_says_what_they_do() {
    let text = APPROVAL.replace('}', r#", "labels": ["Reject", "Approve"]}"#);
    let stored = Request::parse(text.as_bytes(), &Limits::STORED).unwrap();
    assert!(screen(&open(&stored)).contains("│ [a] Reject (approve)\n│ [r] Approve (reject)\n"));
}

// S7, Q5
#[test]
fn the_line_that_stays_says_what_was_decided_however_long_the_label_is() {
    let long = "x".repeat(200);
    for labels in [["Delete them", "Keep them"], [long.as_str(), "Keep them"]] {
        let request = request(&DELETE.replace("Delete them", labels[0]));
        for (key, word) in [('a', "(approve)"), ('r', "(reject)")] {
            let mut form = open(&request);
            let Verdict::Resolved(resolution) = press(&mut form, &[Key::Char(key), Key::Enter]) else {
                panic!("{key} decides");
            };
            let lines = crate::summary::of(&request, &resolution, "cancelled", &PAGE);
            assert!(lines[0].text().ends_with(word) && lines[0].width() <= PAGE.full_width(), "{:?}", lines[0].text());
        }
    }
}

// S7
#[test]
fn the_review_says_what_a_label_means() {
    let request = request(&format!(r#"{{"questions": [{DELETE}, {CONFIRM}]}}"#));
    let mut form = open(&request);
    press(&mut form, &[Key::Char('a'), Key::Enter, Key::Char('n'), Key::Enter]);
    assert!(screen(&form).contains("Delete 3 files? Delete them (approve)"), "{}", screen(&form));
}

// F12
#[test]
fn our_own_footers_are_known_as_such() {
    let text = r#"{"type": "text", "message": "?"}"#;
    let choice = |more: &str| format!(r#"{{"type": "choice", "message": "?", "options": ["A", "B"]{more}}}"#);
    let stream = r#"{"prompt": "?", "input_type": "choice", "choices": ["A", "B"]}"#;
    let forms = [
        APPROVAL.to_owned(),
        CONFIRM.to_owned(),
        text.to_owned(),
        choice(""),
        choice(r#", "multiSelect": true, "other": true"#),
        r#"{"type": "multiline", "message": "?"}"#.to_owned(),
        r#"{"type": "number", "message": "?"}"#.to_owned(),
        r#"{"type": "date", "message": "?"}"#.to_owned(),
        r#"{"type": "rating", "message": "?"}"#.to_owned(),
        stream.to_owned(),
        format!(r#"{{"questions": [{text}, {}]}}"#, choice("")),
    ];
    for json in forms {
        let request = request(&json);
        for (look, alphabet) in [(PromptStyle::Question, Alphabet::Unicode), (PromptStyle::Stream, Alphabet::Ascii)] {
            let mut form = Form::new(&request, look, Page { columns: 200, alphabet, ..PAGE }, TODAY);
            form.appear(Duration::ZERO);
            let screen = screen(&form);
            // Below the rule of a question's frame, or the last gap of a stream's.
            let last = screen.rsplit("\n\n").next().unwrap();
            let footer = last.rsplit_once("─\n").map_or(last, |(_, footer)| footer);
            assert!(askback_core::controls::imitated(footer).is_some(), "{footer}");
        }
    }
}

// T7
#[test]
fn anything_else_gets_the_hint_and_no_default() {
    for (json, hint) in
        [(APPROVAL, "type a or 1 to approve, r or 2 to reject"), (CONFIRM, "type y or 1 for yes, n or 2 for no")]
    {
        let request = request(json);
        for typed in ["", "x", "aa", "approve", "yes", "3", " "] {
            let mut form = open(&request);
            press(&mut form, &letters(typed));
            assert_eq!(press(&mut form, &[Key::Enter]), Verdict::Open, "{typed:?}");
            assert!(screen(&form).contains(hint), "{typed:?}\n{}", screen(&form));
        }
    }
}

// T7
#[test]
fn keys_of_the_first_quarter_second_are_ignored() {
    for json in [APPROVAL, CONFIRM] {
        let request = request(json);
        let key = if json == APPROVAL { 'a' } else { 'y' };
        let at = Duration::from_millis;
        let mut form = Form::new(&request, PromptStyle::Question, PAGE, TODAY);
        form.appear(at(1_000));
        for millis in [1_000, 1_100, 1_249] {
            assert_eq!(form.update(&Input::Key(Key::Char(key)), at(millis)), Verdict::Open);
            assert_eq!(form.update(&Input::Key(Key::Enter), at(millis)), Verdict::Open);
            assert_eq!(form.update(&Input::Key(Key::Escape), at(millis)), Verdict::Open);
        }
        assert!(!screen(&form).contains("then Enter"), "not even the hint");
        form.update(&Input::Key(Key::Char(key)), at(1_250));
        assert!(matches!(form.update(&Input::Key(Key::Enter), at(1_260)), Verdict::Resolved(_)));
        let mut form = Form::new(&request, PromptStyle::Question, PAGE, TODAY);
        form.appear(at(1_000));
        assert_eq!(form.update(&Input::Key(Key::Interrupt), at(1_001)), Verdict::Interrupted, "Ctrl+C always works");
    }
}

// T7
#[test]
fn an_approval_inside_a_form_has_its_own_quarter_second() {
    let request =
        request(r#"{"questions": [{"type": "text", "message": "Why?"}, {"type": "approval", "message": "Go?"}]}"#);
    let mut form = open(&request);
    let at = Duration::from_secs;
    form.update(&Input::Key(Key::Char('x')), at(5));
    form.update(&Input::Key(Key::Enter), at(5));
    assert!(screen(&form).contains("Go?"));
    form.update(&Input::Key(Key::Char('a')), at(5));
    form.update(&Input::Key(Key::Enter), at(5));
    assert!(screen(&form).contains("Go?"), "keys that followed too fast decide nothing");
    form.update(&Input::Key(Key::Char('a')), at(6));
    form.update(&Input::Key(Key::Enter), at(6));
    assert!(screen(&form).contains("Submit"));
    assert_eq!(form.update(&Input::Key(Key::Enter), at(6)), Verdict::Open, "and the review has its own");
    assert!(matches!(form.update(&Input::Key(Key::Enter), at(7)), Verdict::Resolved(_)));
}

// T7, F5
#[test]
fn a_confirm_is_yes_or_no() {
    let request = request(CONFIRM);
    for (typed, written) in [("y", "yes"), ("Y", "yes"), ("n", "no"), ("N", "no")] {
        let mut form = open(&request);
        press(&mut form, &letters(typed));
        assert_eq!(answers(&press(&mut form, &[Key::Enter])), [written]);
    }
}

// S2
#[test]
fn a_long_question_is_in_sight_before_its_context() {
    let context: String = (1..=60).map(|number| format!("context {number}\\n")).collect();
    let message: String = (1..=9).map(|number| format!("question {number}\\n")).collect();
    let json = format!(
        r#"{{"type": "approval", "message": "{message}", "context": [{{"type": "code", "text": "{context}"}}]}}"#
    );
    let request = request(&json);
    let form = open(&request);
    let seen = screen(&form);
    assert!(seen.contains("question 1") && seen.contains("[a] Approve") && seen.contains("pgup/pgdn"), "{seen}");
}

// S2
#[test]
fn what_cant_be_seen_at_all_is_not_approved() {
    let request =
        request(r#"{"type": "approval", "message": "Go?", "context": [{"type": "command", "text": "rm -rf /"}]}"#);
    let mut form = open(&request);
    form.fit(Page { rows: 2, ..PAGE });
    press(&mut form, &[Key::Char('a')]);
    assert_eq!(press(&mut form, &[Key::Enter]), Verdict::Open);
    form.fit(PAGE);
    assert!(screen(&form).contains("? a"), "what was typed is still there:\n{}", screen(&form));
    assert_eq!(answers(&press(&mut form, &[Key::Enter])), ["approve"]);
}

// S2
#[test]
fn what_was_refused_unseen_is_not_taken_along_by_tab() {
    let json = r#"{"context": [{"type": "command", "text": "rm -rf /"}],
        "questions": [{"type": "approval", "message": "Go?"}, {"type": "text", "message": "Why?"}]}"#;
    let request = request(json);
    let mut form = open(&request);
    form.fit(Page { rows: 2, ..PAGE });
    press(&mut form, &[Key::Char('a'), Key::Enter, Key::Tab, Key::Tab]);
    form.fit(PAGE);
    assert_eq!(screen(&form).matches("not answered yet").count(), 2, "{}", screen(&form));
}

// S2
#[test]
fn a_review_hides_nothing_of_what_is_approved() {
    let json =
        r#"{"questions": [{"type": "approval", "message": "Run a\u200db?"}, {"type": "text", "message": "Why?"}]}"#;
    let request = request(json);
    let mut form = open(&request);
    press(&mut form, &[Key::Tab, Key::Tab]);
    assert!(screen(&form).contains("a<U+200D>b"), "{}", screen(&form));
}

// S5, T7
#[test]
fn what_was_not_read_to_its_end_is_not_approved() {
    let text: Vec<String> = (1..=60).map(|number| format!("line {number}")).collect();
    let context = serde_json_text(&text.join("\n"));
    let request = request(&format!(
        r#"{{"type": "approval", "message": "Run it?", "context": [{{"type": "command", "text": {context}}}]}}"#
    ));
    let mut form = open(&request);
    assert_eq!(press(&mut form, &[Key::Char('a'), Key::Enter]), Verdict::Open);
    assert!(screen(&form).contains("there is more to read"), "{}", screen(&form));
    // Rejecting needs no reading, and neither does going on to read.
    assert!(is_declined(&press(&mut open(&request), &[Key::Char('r'), Key::Enter])));
    let mut form = open(&request);
    for _ in 0..10 {
        press(&mut form, &[Key::PageDown]);
    }
    assert!(screen(&form).contains("line 60"), "{}", screen(&form));
    assert_eq!(answers(&press(&mut form, &[Key::PageUp, Key::Char('a'), Key::Enter])), ["approve"], "once is enough");
}

/// A text as JSON.
fn serde_json_text(text: &str) -> String {
    askback_core::Json::from(text).to_string()
}
