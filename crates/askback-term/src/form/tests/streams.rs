//! The input requests of a stream (T8, T9).

use super::*;
use askback_core::dialect::stream::{Reply, StreamRequest};
use askback_core::{Json, Outcome, PromptStyle, RequestId, Surface};
use jiff::Timestamp;
use proptest::prelude::*;

// T8
#[test]
fn a_streams_choice_is_numbered_and_can_be_rejected() {
    let request = request(r#"{"prompt": "Which?", "input_type": "choice", "choices": ["one", "two"]}"#);
    let open = || shown(&request, PromptStyle::Stream);
    assert!(screen(&open()).contains("▸ 1) one\n  2) two\n──────\n  r) Reject"), "{}", screen(&open()));
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

// T8, F12
#[test]
fn choices_that_imitate_our_own_row_are_quoted_and_set_apart() {
    let text =
        r#"{"prompt": "Which?", "input_type": "choice", "choices": ["keep", "r) Reject", "Reject", "R) Re\u0458ect"]}"#;
    let json = Json::parse(text.as_bytes(), &Limits::DEFAULT).unwrap();
    let asked = StreamRequest::parse(&json, &Limits::DEFAULT).unwrap();
    let request = asked.request().clone();
    let form = shown(&request, PromptStyle::Stream);
    let expected = "▸ 1) keep\n  2) \"r) Reject\"\n  3) Reject\n  4) \"R) Reјect\"\n──────\n  r) Reject";
    assert!(screen(&form).contains(expected), "{}", screen(&form));
    let told = form.told_body().iter().map(Line::text).collect::<Vec<_>>().join("\n");
    assert!(told.contains("1. keep\n2. \"r) Reject\"\n3. Reject\n"), "{told}");
    assert_eq!(
        answers(&press(&mut shown(&request, PromptStyle::Stream), &[Key::Char('2')])),
        ["r) Reject"],
        "to the byte"
    );
}

// T8, S2
#[test]
fn odd_choices_are_shown_safely_and_taken_by_their_number() {
    let text = r#"{"input_type": "choice", "choices": ["  left", "left", "left\n", "\u001b[31mred\u0007", "", "選択肢を選ぶ"]}"#;
    let asked =
        StreamRequest::parse(&Json::parse(text.as_bytes(), &Limits::DEFAULT).unwrap(), &Limits::DEFAULT).unwrap();
    let form = shown(asked.request(), PromptStyle::Stream);
    let expected = "▸ 1) left\n  2) \"left\" (choice 2)\n  3) \"left\" (choice 3)\n  4) <U+001B>[31mred<U+0007>\n  5) \"\"\n  \
                    6) 選択肢を選ぶ\n──────\n  r) Reject";
    assert!(screen(&form).contains(expected), "{}", screen(&form));
    for (number, choice) in asked.choices().iter().enumerate() {
        let digit = char::from(b'1' + u8::try_from(number).unwrap());
        let verdict = press(&mut shown(asked.request(), PromptStyle::Stream), &[Key::Char(digit)]);
        let Verdict::Resolved(resolution) = verdict else { panic!("{verdict:?}") };
        let id = RequestId::parse("019a8b3c-0000-7000-8000-000000000000").unwrap();
        let outcome = Outcome::new(id, resolution, "reviewer", Surface::Terminal, Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(Reply::of(&asked, &outcome), Ok(Reply::Choice { index: number, value: choice.clone() }));
    }
}

// T8
#[test]
fn the_way_to_reject_is_seen_in_a_low_window() {
    let request = request(r#"{"prompt": "Which?", "input_type": "choice", "choices": ["one", "two", "three"]}"#);
    for rows in 1..12 {
        let mut form = Form::new(&request, PromptStyle::Stream, Page { rows, ..PAGE }, TODAY);
        form.appear(Duration::ZERO);
        press(&mut form, &[Key::Up]);
        assert!(screen(&form).contains("r) Reject"), "{rows} rows:\n{}", screen(&form));
    }
}

// T8
#[test]
fn more_than_nine_choices_take_a_number_and_enter() {
    let choices: Vec<String> = (1..=12).map(|number| format!("\"n{number}\"")).collect();
    let request =
        request(&format!(r#"{{"prompt": "Which?", "input_type": "choice", "choices": [{}]}}"#, choices.join(", ")));
    let open = || shown(&request, PromptStyle::Stream);
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
    let open = || shown(&request, PromptStyle::Stream);
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

proptest! {
    // T7, T8, T9
    #[test]
    fn property_8_what_is_not_valid_gets_a_hint_and_decides_nothing(lines in prop::collection::vec("[a-s0-9]{0,2}", 1..8)) {
        let approval = request(r#"{"prompt": "Sure?", "choices": ["Yes", "No"]}"#);
        let choice = request(r#"{"prompt": "Which?", "input_type": "choice", "choices": ["one", "two", "three"]}"#);
        let text = request(r#"{"prompt": "Name?", "input_type": "text"}"#);
        let (mut decides, mut chooses, mut names) = (shown(&approval, PromptStyle::Stream), shown(&choice, PromptStyle::Stream), shown(&text, PromptStyle::Stream));
        for line in &lines {
            let keys = [letters(line), vec![Key::Enter]].concat();
            let verdict = press(&mut decides, &keys);
            match line.as_str() {
                "a" | "1" => prop_assert_eq!(answers(&verdict), ["approve"]),
                "r" | "2" => prop_assert!(is_declined(&verdict)),
                _ => {
                    prop_assert_eq!(&verdict, &Verdict::Open, "{}", line);
                    prop_assert!(screen(&decides).contains("type a or 1 to approve, r or 2 to reject, then Enter"));
                }
            }
            if verdict != Verdict::Open {
                decides = shown(&approval, PromptStyle::Stream);
            }
            for key in letters(line) {
                let verdict = press(&mut chooses, &[key]);
                match key {
                    Key::Char(digit @ '1'..='3') => prop_assert_eq!(answers(&verdict), [["one", "two", "three"][digit as usize - '1' as usize]]),
                    Key::Char('r') => prop_assert!(is_declined(&verdict)),
                    _ => {
                        prop_assert_eq!(&verdict, &Verdict::Open);
                        prop_assert!(screen(&chooses).contains("type a number from 1 to 3, or r to reject"));
                    }
                }
                if verdict != Verdict::Open {
                    chooses = shown(&choice, PromptStyle::Stream);
                }
            }
            let verdict = press(&mut names, &keys);
            match line.as_str() {
                "" => {
                    prop_assert_eq!(&verdict, &Verdict::Open);
                    prop_assert!(screen(&names).contains("input is required"));
                }
                "r" => prop_assert!(is_declined(&verdict)),
                line => prop_assert_eq!(answers(&verdict), [line]),
            }
            if verdict != Verdict::Open {
                names = shown(&text, PromptStyle::Stream);
            }
        }
    }
}
