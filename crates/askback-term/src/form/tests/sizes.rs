//! Any content in any window: nothing too wide, nothing too high, nothing out of sight without a word.

use super::*;
use crate::width::width;
use askback_core::{Json, Object, PromptStyle};
use proptest::prelude::*;

/// Text that terminals disagree about, in every script, with things that hide.
fn awkward() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        "[a-zA-Z ]{1,12}",
        "[日本語한국어]{1,8}",
        Just("👩\u{200d}👩\u{200d}👧".to_owned()),
        Just("❤\u{fe0f}⚠\u{fe0f}👍🏽".to_owned()),
        Just("e\u{301}\u{302}\u{303}".to_owned()),
        Just("\u{1b}[31m\u{202e}\u{200b}\u{7}".to_owned()),
        Just("\u{9b}2J\u{85}\u{2028}".to_owned()),
        Just("x".repeat(90)),
    ];
    proptest::collection::vec(part, 1..6).prop_map(|parts| parts.concat())
}

/// What may stand in one line of a request.
fn line() -> impl Strategy<Value = String> {
    let printable = |text: String| text.chars().filter(|c| !c.is_control()).take(180).collect::<String>();
    awkward().prop_map(printable).prop_filter("blank", |text| !askback_core::text::is_blank(text))
}

fn block() -> impl Strategy<Value = String> {
    proptest::collection::vec(awkward(), 1..8)
        .prop_map(|lines| lines.join("\n"))
        .prop_filter("blank", |text| !askback_core::text::is_blank(text))
}

fn question() -> impl Strategy<Value = Json> {
    let options = proptest::collection::btree_set(line(), 2..14).prop_map(|options| {
        options.into_iter().map(|option| askback_core::text::trim(&option).to_owned()).collect::<Vec<_>>()
    });
    let described = (options, block(), any::<bool>(), any::<bool>()).prop_map(|(options, text, many, other)| {
        let option = |(index, value): (usize, &String)| {
            let object = Object::new().put("value", value.as_str()).put("description", text.as_str());
            Json::from(if index == 0 { object.put("preview", text.as_str()) } else { object })
        };
        let options: Vec<Json> = options.iter().enumerate().map(option).collect();
        Object::new().put("type", "choice").put("options", options).put("multiSelect", many).put("other", other)
    });
    let kind = prop_oneof![
        Just(Object::new().put("type", "approval")),
        (line(), line()).prop_map(|(a, b)| {
            let labels: Vec<Json> = vec![format!("a{a}").into(), format!("b{b}").into()];
            Object::new().put("type", "approval").put("labels", labels)
        }),
        Just(Object::new().put("type", "confirm")),
        line().prop_map(|text| Object::new().put("type", "text").put("placeholder", text)),
        Just(Object::new().put("type", "multiline")),
        Just(Object::new().put("type", "number").put("min", 1.0).put("max", 65_535.0).put("integer", true)),
        Just(Object::new().put("type", "email").put("domain", "company.example.com")),
        Just(Object::new().put("type", "date").put("min", "2026-01-01")),
        (line(), line(), proptest::sample::select(vec!["stars", "numbers", "emoji"])).prop_map(|(low, high, style)| {
            let ends = Object::new().put("low", low).put("high", high);
            Object::new().put("type", "rating").put("min", -10.0).put("max", 10.0).put("style", style).put("ends", ends)
        }),
        proptest::collection::btree_set(line(), 1..14).prop_map(|options| {
            let options: Vec<Json> = options.iter().map(|option| askback_core::text::trim(option).into()).collect();
            Object::new().put("type", "dropdown").put("options", options)
        }),
        described,
    ];
    (kind, block(), proptest::option::of("[^\\p{C}\\s]{1,40}"))
        .prop_map(|(kind, message, header)| kind.put("message", message).put_some("header", header).into())
}

fn requests() -> impl Strategy<Value = Option<Request>> {
    let questions = proptest::collection::vec(question(), 1..4);
    (questions, proptest::option::of(block()), proptest::option::of(line())).prop_map(|(questions, context, title)| {
        let context = context.map(|text| vec![Json::from(Object::new().put("type", "diff").put("text", text))]);
        let json = Object::new()
            .put("timeout", 100.0)
            .put_some("title", title)
            .put_some("context", context)
            .put("questions", questions);
        Request::from_json(&json.into(), &Limits::DEFAULT).ok()
    })
}

fn inputs() -> impl Strategy<Value = Vec<Input>> {
    let key = proptest::sample::select(vec![
        Key::Char('a'),
        Key::Char(' '),
        Key::Char('2'),
        Key::Char('?'),
        Key::Char('日'),
        Key::Enter,
        Key::AltEnter,
        Key::Tab,
        Key::BackTab,
        Key::Up,
        Key::Down,
        Key::Left,
        Key::Right,
        Key::PageDown,
        Key::PageUp,
        Key::Backspace,
        Key::End,
        Key::AskBack,
    ]);
    proptest::collection::vec(prop_oneof![8 => key.prop_map(Input::Key), 1 => awkward().prop_map(Input::Paste)], 0..24)
}

// Q3
#[test]
fn the_row_of_the_cursor_stays_even_if_nothing_fits_on_it() {
    let request = request(r#"{"type": "text", "message": "A", "placeholder": "abc"}"#);
    let page = Page { columns: 1, rows: 3, alphabet: Alphabet::Ascii, spacing: Spacing::Roomy };
    let frame = Form::new(&request, PromptStyle::Question, page, TODAY).view(LATER);
    assert_eq!((frame.cursor, frame.lines.len()), (Some((1, 0)), 2));
}

proptest! {
    // Q3, S2
    #[test]
    fn no_line_is_wider_than_the_terminal_and_no_frame_higher(
        request in requests(), inputs in inputs(), columns in 1usize..=200, rows in 2usize..60, ascii in any::<bool>(), stream in any::<bool>(),
    ) {
        prop_assume!(request.is_some());
        let Some(request) = request else { return Ok(()) };
        let alphabet = if ascii { Alphabet::Ascii } else { Alphabet::Unicode };
        let look = if stream { PromptStyle::Stream } else { PromptStyle::Question };
        let page = Page { columns, rows, alphabet, spacing: Spacing::Roomy };
        let mut form = Form::new(&request, look, page, TODAY);
        form.appear(Duration::ZERO);
        let mut now = LATER;
        for input in std::iter::once(None).chain(inputs.iter().map(Some)) {
            if let Some(input) = input {
                now += LATER;
                if form.update(input, now) != Verdict::Open {
                    break;
                }
            }
            let frame = form.view(now);
            prop_assert!(!frame.lines.is_empty() && frame.lines.len() <= rows.saturating_sub(1).max(1), "{} rows of {rows}", frame.lines.len());
            for line in &frame.lines {
                let text = line.text();
                prop_assert!(width(&text) <= columns, "{} columns of {columns}: {text:?}", width(&text));
                prop_assert!(!text.contains(|c: char| c.is_control() || askback_core::text::is_bidi_control(c)), "{text:?}");
                prop_assert!(!ascii || text.is_ascii(), "{text:?}");
            }
            if let Some((row, column)) = frame.cursor {
                prop_assert!(row < frame.lines.len() && column < columns.max(2), "{row} {column}");
            }
        }
    }

    // S2, Q3
    #[test]
    fn what_is_approved_can_be_read_whole(context in block(), message in block(), columns in 20usize..120, rows in 8usize..40) {
        let piece: Json = Object::new().put("type", "code").put("text", context.as_str()).into();
        let json = Object::new().put("type", "approval").put("message", message.as_str()).put("context", vec![piece]);
        let request = Request::from_json(&json.into(), &Limits::DEFAULT);
        prop_assume!(request.is_ok());
        let Ok(request) = request else { return Ok(()) };
        let page = Page { columns, rows, alphabet: Alphabet::Unicode, spacing: Spacing::Roomy };
        let mut form = Form::new(&request, PromptStyle::Question, page, TODAY);
        form.appear(Duration::ZERO);
        let mut seen: Vec<String> = Vec::new();
        let mut last = String::new();
        for step in 1..400 {
            let now = screen(&form);
            if now == last {
                break;
            }
            seen.extend(now.lines().map(str::to_owned));
            last = now;
            form.update(&Input::Key(Key::PageDown), LATER * step);
        }
        // That laying out loses nothing is another property: here every row of it must have been on the screen.
        let question = form.head(&page, LATER);
        for row in form.reading.iter().chain(&question).map(Line::text) {
            prop_assert!(seen.iter().any(|line| line.starts_with(&row)), "{row:?} is not in\n{}", seen.join("\n"));
        }
        let first = question.first().map(Line::text).unwrap_or_default();
        let height = page.height();
        prop_assert!(seen.iter().take(height).any(|line| line.starts_with(&first)), "the question is not in sight at first");
    }
}
