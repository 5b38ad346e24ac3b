//! What keys do (Q4).

use super::*;
use askback_core::PromptStyle;

const ONE: &str = r#"{"type": "choice", "message": "Which?", "options": ["a", "b", {"value": "c", "disabled": true}], "other": true}"#;
const MANY: &str =
    r#"{"type": "choice", "message": "Which?", "options": ["a", "b", "c"], "multiSelect": true, "other": true}"#;

// Q4
#[test]
fn a_paste_never_answers() {
    for json in [APPROVAL, CONFIRM, ONE, MANY] {
        let request = request(json);
        let mut form = open(&request);
        for pasted in ["2\r", "a\r", "y\n", "1", "\r", " \r"] {
            assert_eq!(paste(&mut form, pasted), Verdict::Open, "{json} {pasted:?}");
        }
        if json == APPROVAL || json == CONFIRM {
            assert_eq!(press(&mut form, &[Key::Enter]), Verdict::Open, "nor does Enter make one of it");
        }
    }
    let request = request(r#"{"prompt": "Which?", "input_type": "choice", "choices": ["a", "b"]}"#);
    let mut form = shown(&request, PromptStyle::Stream);
    assert_eq!(paste(&mut form, "2\r"), Verdict::Open);
    assert!(screen(&form).contains("a paste chooses nothing"));
}

// Q4, S5
#[test]
fn keys_for_a_place_that_nobody_has_seen_move_on_and_decide_nothing() {
    let lines = "\\n".repeat(60);
    let request = request(&format!(
        r#"{{"context": [{{"type": "code", "text": "first{lines}last"}}], "questions": [
            {{"type": "choice", "message": "First?", "options": ["a", "b"]}}, {{"type": "approval", "message": "Second?"}},
            {{"type": "number", "message": "Third?", "min": 1}}, {{"type": "rating", "message": "Fourth?"}}]}}"#
    ));
    let mut form = open(&request);
    let unseen = |form: &mut Form<'_>, keys: &[Key]| {
        let verdicts = keys.iter().map(|key| form.update_unseen(&Input::Key(*key), LATER));
        verdicts.filter(|verdict| *verdict != Verdict::Open).collect::<Vec<_>>()
    };
    let decides = [Key::Enter, Key::Char('a'), Key::Char('1'), Key::Enter, Key::PageDown, Key::Escape, Key::Char('?')];
    for place in 0..4 {
        assert_eq!(form.place(), Place::Question(place));
        assert_eq!(unseen(&mut form, &decides), []);
        assert_eq!(form.place(), Place::Question(place));
        if place > 1 {
            assert_eq!(
                unseen(&mut form, &[Key::Up, Key::Right, Key::Down, Key::Down]),
                [],
                "they would change a value"
            );
        }
        assert_eq!(unseen(&mut form, &[Key::Tab]), []);
    }
    assert_eq!(form.place(), Place::Review);
    assert_eq!(unseen(&mut form, &[Key::Enter, Key::Up, Key::Enter]), []);
    assert_eq!(form.place(), Place::Review);
    assert_eq!(form.answers.iter().flatten().count(), 0);
    assert!(!form.is_read && form.reading_from == 0);
    assert_eq!(unseen(&mut form, &[Key::BackTab, Key::BackTab]), []);
    assert_eq!(form.place(), Place::Question(2));
    assert_eq!(unseen(&mut form, &[Key::Interrupt]), [Verdict::Interrupted]);
}

// Q4
#[test]
fn a_choice_of_one_is_taken_by_enter_or_by_its_number() {
    let request = request(ONE);
    assert_eq!(answers(&press(&mut open(&request), &[Key::Down, Key::Enter])), ["b"]);
    assert_eq!(answers(&press(&mut open(&request), &[Key::Char('1')])), ["a"]);
    assert_eq!(
        answers(&press(&mut open(&request), &[Key::Up, Key::Up, Key::Up, Key::Enter])),
        ["b"],
        "the list goes round"
    );
    let mut form = open(&request);
    assert_eq!(press(&mut form, &[Key::Char('3')]), Verdict::Open, "disabled");
    assert!(screen(&form).contains("is disabled"), "{}", screen(&form));
    assert_eq!(press(&mut form, &[Key::Char('7')]), Verdict::Open);
    assert!(screen(&form).contains("there are 4 to choose from"));
}

// Q4, F13
#[test]
fn other_takes_a_text_and_escape_goes_back_to_the_list() {
    let request = request(ONE);
    let mut form = open(&request);
    press(&mut form, &[Key::Char('4')]);
    assert!(screen(&form).contains("Please specify:"));
    press(&mut form, &letters("x?"));
    press(&mut form, &[Key::Escape]);
    assert!(!screen(&form).contains("Please specify:"));
    press(&mut form, &[Key::Enter, Key::Char('!')]);
    assert_eq!(answers(&press(&mut form, &[Key::Enter])), ["x?!"], "what was typed is still there");
    let mut form = open(&request);
    press(&mut form, &[Key::Char('4')]);
    assert_eq!(press(&mut form, &[Key::Enter]), Verdict::Open);
    assert!(screen(&form).contains("please give"), "an empty text is refused:\n{}", screen(&form));
}

// Q4, F4
#[test]
fn a_choice_of_many_keeps_the_order_of_choosing() {
    let request = request(MANY);
    let space = Key::Char(' ');
    let mut form = open(&request);
    press(&mut form, &[Key::Down, Key::Down, space, Key::Up, Key::Up, space, Key::Up, space]);
    press(&mut form, &letters("mine"));
    press(&mut form, &[Key::Enter]);
    assert!(screen(&form).contains("☑ Other: mine"));
    press(&mut form, &[Key::Down, Key::Down, space]);
    assert_eq!(answers(&press(&mut form, &[Key::Enter])), ["c, a, mine, b"]);
}

// Q4
#[test]
fn enter_with_nothing_checked_checks_and_says_so() {
    let request = request(MANY);
    let mut form = open(&request);
    assert_eq!(press(&mut form, &[Key::Down, Key::Enter]), Verdict::Open);
    assert!(screen(&form).contains("> ☑ b") && screen(&form).contains("Enter again confirms"), "{}", screen(&form));
    assert_eq!(answers(&press(&mut form, &[Key::Enter])), ["b"]);
}

// Q4
#[test]
fn ten_options_filter_as_one_types_and_digits_are_text() {
    let options: Vec<String> = (1..=12).map(|number| format!("\"option {number}\"")).collect();
    let request =
        request(&format!(r#"{{"type": "choice", "message": "Which?", "options": [{}]}}"#, options.join(", ")));
    let mut form = open(&request);
    assert_eq!(press(&mut form, &letters("11")), Verdict::Open);
    let seen = screen(&form);
    assert!(seen.contains("option 11") && !seen.contains("option 2"), "{seen}");
    assert_eq!(answers(&press(&mut form, &[Key::Enter])), ["option 11"]);
    let mut form = open(&request);
    press(&mut form, &letters("zzz"));
    assert_eq!(press(&mut form, &[Key::Enter]), Verdict::Open);
    assert!(screen(&form).contains("nothing matches"));
}

// Q4
#[test]
fn questions_are_changed_without_losing_anything() {
    let json = r#"{"questions": [
        {"id": "a", "type": "choice", "message": "First?", "options": ["x", "y"], "multiSelect": true},
        {"id": "b", "type": "text", "message": "Second?"},
        {"id": "c", "type": "choice", "message": "Third?", "options": ["p", "q"]}]}"#;
    let request = request(json);
    let mut form = open(&request);
    press(&mut form, &[Key::Down, Key::Char(' '), Key::Tab]);
    press(&mut form, &letters("half"));
    press(&mut form, &[Key::BackTab]);
    assert!(screen(&form).contains("☑ y"), "{}", screen(&form));
    press(&mut form, &[Key::Right]);
    assert!(screen(&form).contains("> half"));
    press(&mut form, &[Key::Left, Key::Left, Key::Char('!'), Key::Tab]);
    assert!(screen(&form).contains("Third?"), "in a text ← edits");
    press(&mut form, &[Key::Right]);
    let review = screen(&form);
    assert!(review.contains("First? y") && review.contains("ha!lf") && review.contains("not answered yet"), "{review}");
    assert_eq!(press(&mut form, &[Key::Enter]), Verdict::Open, "a question is missing");
    assert!(screen(&form).contains("Third?") && screen(&form).contains("not answered yet"));
    press(&mut form, &[Key::Down, Key::Enter]);
    assert!(screen(&form).contains("Submit"));
    assert_eq!(answers(&press(&mut form, &[Key::Enter])), ["y", "ha!lf", "q"]);
}

// Q4
#[test]
fn what_is_filled_in_is_not_submitted_by_itself() {
    let json = r#"{"questions": [{"type": "text", "message": "First?", "initial": "given"},
        {"type": "choice", "message": "Second?", "options": ["x", "y"], "initial": "y"}]}"#;
    let request = request(json);
    let mut form = open(&request);
    assert!(screen(&form).contains("> given"));
    press(&mut form, &[Key::Tab]);
    assert!(screen(&form).contains("> ● 2. y"), "{}", screen(&form));
    press(&mut form, &[Key::Tab]);
    assert_eq!(screen(&form).matches("not answered yet").count(), 2, "{}", screen(&form));
}

// L7
#[test]
fn a_question_back_is_one_key_away() {
    let request = request(ONE);
    let mut form = open(&request);
    assert!(screen(&form).contains("? ask back"));
    press(&mut form, &[Key::Char('?')]);
    press(&mut form, &letters("which region?"));
    let Verdict::Resolved(resolution) = press(&mut form, &[Key::Enter]) else { panic!("still open") };
    assert_eq!(resolution.reason().map(askback_core::Reason::as_str), Some("which region?"));
    assert_eq!(resolution.status(), askback_core::Status::Declined);
    let mut form = open(&request);
    press(&mut form, &[Key::AskBack, Key::Enter]);
    assert!(screen(&form).contains("type your question"));
    press(&mut form, &[Key::Escape]);
    assert!(screen(&form).contains("Which?") && !screen(&form).contains("Ask back instead"));
}

// Q4, L5
#[test]
fn escape_and_control_c_cancel() {
    for json in [APPROVAL, CONFIRM, ONE, MANY, r#"{"type": "text", "message": "?"}"#] {
        let request = request(json);
        assert!(is_cancelled(&press(&mut open(&request), &[Key::Escape])), "{json}");
        assert!(is_cancelled(&press(&mut open(&request), &[Key::Close])), "{json}");
        assert_eq!(press(&mut open(&request), &[Key::Interrupt]), Verdict::Interrupted, "{json}");
    }
    let request = request(ONE);
    for (key, verdict) in
        [(Key::Close, Verdict::Resolved(Resolution::cancelled(None))), (Key::Interrupt, Verdict::Interrupted)]
    {
        assert_eq!(press(&mut open(&request), &[Key::Char('4'), key]), verdict, "also in Other");
    }
}

// F15, Q8
#[test]
fn what_a_rule_refuses_is_said_and_stays() {
    let request = request(r#"{"type": "number", "message": "Port?", "min": 1, "max": 10}"#);
    let mut form = open(&request);
    press(&mut form, &letters("99"));
    assert_eq!(press(&mut form, &[Key::Enter]), Verdict::Open);
    let seen = screen(&form);
    assert!(seen.contains("> 99") && seen.contains("99 is too large") && seen.contains("from 1 to 10"), "{seen}");
    press(&mut form, &[Key::Backspace]);
    assert!(!screen(&form).contains("too large"), "until the next key");
    assert_eq!(answers(&press(&mut form, &[Key::Enter])), ["9"]);
}

// Q8
#[test]
fn the_last_tenth_warns_and_dims() {
    let request = request(r#"{"type": "text", "message": "?", "timeout": 100}"#);
    let form = open(&request);
    let at = Duration::from_secs;
    assert_eq!(form.view(at(50)).light, crate::line::Light::Full);
    let frame = form.view(at(95));
    assert_eq!(frame.light, crate::line::Light::Dimmed);
    assert!(frame.lines.iter().any(|line| line.text().contains("! 0:05 left")));
}

// Q8
#[test]
fn a_taken_answer_turns_to_the_colour_of_success() {
    use crate::line::Role;
    let request = request(ONE);
    let mut form = open(&request);
    let successes = |form: &Form<'_>| {
        let lines = form.view(LATER).lines;
        lines.iter().flat_map(|line| &line.spans).filter(|span| span.style.role == Role::Success).count()
    };
    assert_eq!(successes(&form), 0);
    form.take();
    assert!(successes(&form) > 0);
}

// Q4, F13
#[test]
fn others_text_is_taken_along_when_one_goes_elsewhere() {
    let json = r#"{"questions": [
        {"type": "choice", "header": "A", "message": "First?", "options": ["x", "y"], "multiSelect": true, "other": true},
        {"type": "choice", "header": "B", "message": "Second?", "options": ["p", "q"], "other": true}]}"#;
    let request = request(json);
    let mut form = open(&request);
    press(&mut form, &[Key::Char(' '), Key::End]);
    press(&mut form, &letters("mine"));
    press(&mut form, &[Key::Tab, Key::End]);
    press(&mut form, &letters("own"));
    press(&mut form, &[Key::Tab]);
    let review = screen(&form);
    assert!(review.contains("A: x, mine") && review.contains("B: own"), "{review}");
    assert_eq!(answers(&press(&mut form, &[Key::Enter])), ["x, mine", "own"]);
}

// Q4
#[test]
fn nine_options_have_digits_with_other_below_them() {
    let options: Vec<String> = (1..=9).map(|number| format!("\"n{number}\"")).collect();
    let json = format!(r#"{{"type": "choice", "message": "?", "options": [{}], "other": true}}"#, options.join(", "));
    let request = request(&json);
    assert_eq!(answers(&press(&mut open(&request), &[Key::Char('9')])), ["n9"]);
}

// Q4
#[test]
fn moving_in_the_filter_keeps_the_focus_and_what_is_checked_is_counted() {
    let options: Vec<String> = (1..=30).map(|number| format!("\"n{number}\"")).collect();
    let json =
        format!(r#"{{"type": "choice", "message": "?", "multiSelect": true, "options": [{}]}}"#, options.join(", "));
    let request = request(&json);
    let mut form = open(&request);
    press(&mut form, &[Key::Char('2'), Key::Down, Key::Left]);
    assert!(screen(&form).contains("> ☐ n20"), "{}", screen(&form));
    press(&mut form, &[Key::Char(' '), Key::End, Key::Backspace]);
    press(&mut form, &letters("7"));
    assert!(screen(&form).contains("(3 of 30, 1 checked)"), "{}", screen(&form));
}

// Q8
#[test]
fn a_kind_that_is_typed_says_what_it_takes() {
    let request = request(r#"{"type": "number", "message": "Share?", "min": 0, "max": 1, "step": 0.05}"#);
    let mut form = open(&request);
    assert!(screen(&form).contains("  a number from 0 to 1 in steps of 0.05"), "{}", screen(&form));
    press(&mut form, &[Key::Enter]);
    assert!(screen(&form).contains("please give a number from 0 to 1"), "{}", screen(&form));
}

// Q3
#[test]
fn an_option_too_high_for_the_window_says_so() {
    let description: String = (1..=60).map(|number| format!("row {number}\\n")).collect();
    let json = format!(
        r#"{{"type": "choice", "message": "?", "options": [{{"value": "a", "description": "{description}"}}, "b"]}}"#
    );
    let request = request(&json);
    let mut form = open(&request);
    let mut seen = screen(&form);
    assert!(seen.contains("… all of it is below the list") && seen.contains("of 61 rows"), "{seen}");
    for _ in 0..12 {
        press(&mut form, &[Key::PageDown]);
        seen.push_str(&screen(&form));
    }
    assert!((1..=60).all(|number| seen.contains(&format!("row {number}\n"))), "every row can be reached");
}
