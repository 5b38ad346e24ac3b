//! The input requests of a stream (T8, T9).

use super::*;

// T8
#[test]
fn a_streams_choice_is_numbered_and_can_be_rejected() {
    let request = request(r#"{"prompt": "Which?", "input_type": "choice", "choices": ["one", "two"]}"#);
    let open = || shown(&request, Look::Stream);
    assert!(screen(&open()).contains("▸ 1) one\n  2) two\n  r) Reject"), "{}", screen(&open()));
    assert_eq!(answers(&press(&mut open(), &[Key::Char('2')])), ["two"]);
    assert_eq!(answers(&press(&mut open(), &[Key::Down, Key::Enter])), ["two"]);
    assert!(is_declined(&press(&mut open(), &[Key::Char('r')])));
    assert!(is_declined(&press(&mut open(), &[Key::Up, Key::Enter])));
    for key in ['0', '3', 'x'] {
        let mut form = open();
        assert_eq!(press(&mut form, &[Key::Char(key)]), Verdict::Open);
        assert!(screen(&form).contains("type a number from 1 to 2, or r to reject"));
    }
}

// T8
#[test]
fn more_than_nine_choices_take_a_number_and_enter() {
    let choices: Vec<String> = (1..=12).map(|number| format!("\"n{number}\"")).collect();
    let request =
        request(&format!(r#"{{"prompt": "Which?", "input_type": "choice", "choices": [{}]}}"#, choices.join(", ")));
    let open = || shown(&request, Look::Stream);
    let mut form = open();
    assert_eq!(press(&mut form, &letters("12")), Verdict::Open);
    assert_eq!(answers(&press(&mut form, &[Key::Enter])), ["n12"]);
    let mut form = open();
    press(&mut form, &letters("13"));
    assert_eq!(press(&mut form, &[Key::Enter]), Verdict::Open);
    assert!(screen(&form).contains("from 1 to 12"));
    assert!(is_declined(&press(&mut form, &[Key::Char('r'), Key::Enter])));
}

// T9, T4
#[test]
fn a_streams_text_says_how_to_reject() {
    let request = request(r#"{"prompt": "Name?", "input_type": "text"}"#);
    let open = || shown(&request, Look::Stream);
    assert!(screen(&open()).contains("(type r or /reject to abort)\n? "), "{}", screen(&open()));
    for typed in ["r", "/reject"] {
        let mut form = open();
        press(&mut form, &letters(typed));
        assert!(is_declined(&press(&mut form, &[Key::Enter])));
    }
    let mut form = open();
    assert_eq!(press(&mut form, &[Key::Enter]), Verdict::Open);
    assert!(screen(&form).contains("input is required"));
    press(&mut form, &letters("reject"));
    assert_eq!(answers(&press(&mut form, &[Key::Enter])), ["reject"], "the word typed as text is text");
}
