//! Every kind's form: shown, filled in as a browser does it, and read back.

use super::form::{Submission, complaints};
use super::request::{FormState, View};
use super::{Html, list};
use crate::fault::Fault;
use askback_api::AnswerItem;
use askback_api::ProblemCode;
use askback_core::kind::KINDS;
use askback_core::{Answer, AnswerInput, Answers, Limits, Name, Path, Problems, Request, RequestId};
use askback_hub::{Attendance, Listed, Page, Record, Room, Timestamp};
use browser::{Form, Token, forms, tokens};
use jiff::SignedDuration;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

#[path = "../../../askback/tests/page/form.rs"]
mod browser;

/// One moment for all of a page.
fn now() -> Timestamp {
    "2026-11-15T17:40:00Z".parse().unwrap()
}

fn record(request: &Value) -> Record {
    let request = Request::parse(request.to_string().as_bytes(), &Limits::STORED).unwrap();
    let created_at = now() - SignedDuration::from_mins(5);
    Record {
        number: 1,
        id: RequestId::parse("019a8b3c-0000-7000-8000-000000000000").unwrap(),
        room: Room::parse("shop").unwrap(),
        asker: Name::parse("builder").unwrap(),
        request: Arc::new(request),
        created_at,
        deadline: None,
        waited_at: created_at,
        outcome: None,
        size: 0,
    }
}

fn page(record: &Record, refused: &FormState) -> String {
    let reader = Name::parse("ada").unwrap();
    View { record, attendance: Attendance::Waiting, reader: &reader, now: now() }.pending(refused).into_string()
}

fn form(record: &Record) -> Form {
    forms(&page(record, &FormState::initial(&record.request))).swap_remove(0)
}

/// The core's verdict on a form.
fn answers(record: &Record, form: &Form) -> Result<Answers, Problems> {
    let Submission::Answer(values) = Submission::read(&record.request, form.posted().as_bytes()).unwrap() else {
        panic!("this is the form of the answers")
    };
    let given = values.answers(&record.request).unwrap();
    let inputs: Vec<AnswerInput> = given.iter().cloned().filter_map(AnswerItem::into_input).collect();
    record.request.parse_answers(&inputs, &Path::root().field("answers"))
}

fn written(answers: &Answers) -> Vec<String> {
    answers.iter().map(Answer::written).collect()
}

/// One question with how a person answers it, and what that is written as.
struct Case {
    question: Value,
    fill: fn(&mut Form),
    written: &'static str,
}

fn case(question: Value, fill: fn(&mut Form), written: &'static str) -> Case {
    Case { question, fill, written }
}

fn cases() -> Vec<Case> {
    let options =
        json!(["SQLite", {"value": "pg", "label": "PostgreSQL", "description": "a server", "preview": "x"}, "a, b"]);
    vec![
        case(json!({"type": "approval", "labels": ["Ship it", "Stop"]}), |form| form.choose("Ship it"), "approve"),
        case(json!({"type": "approval"}), |form| form.choose("Reject"), "reject"),
        case(json!({"type": "text"}), |form| form.type_in("q0", " <b>&\"' é "), " <b>&\"' é "),
        case(json!({"type": "multiline"}), |form| form.type_in("q0", "\n\na\nb"), "\n\na\nb"),
        case(json!({"type": "choice", "options": options}), |form| form.choose("PostgreSQL"), "pg"),
        case(json!({"type": "choice", "options": options, "other": true}), |form| form.choose("a, b"), "a, b"),
        case(json!({"type": "choice", "options": options, "other": true}), |form| form.type_in("q0.other", "0"), "0"),
        case(
            json!({"type": "choice", "options": options, "multiSelect": true, "other": true}),
            |form| {
                form.choose("a, b");
                form.choose("SQLite");
                form.choose("Other (please specify)");
                form.type_in("q0.other", "mine");
            },
            "SQLite, a, b, mine",
        ),
        case(json!({"type": "confirm"}), |form| form.choose("No"), "no"),
        case(json!({"type": "number", "min": -2, "max": 8000}), |form| form.type_in("q0", " 8e3 "), "8000"),
        case(
            json!({"type": "email", "domain": "example.com"}),
            |form| form.type_in("q0", "a@example.com"),
            "a@example.com",
        ),
        case(json!({"type": "date", "min": "2026-01-01"}), |form| form.type_in("q0", "2026-02-28"), "2026-02-28"),
        case(json!({"type": "dropdown", "options": options}), |form| form.choose("PostgreSQL — a server"), "pg"),
        case(
            json!({"type": "rating", "ends": {"low": "bad", "high": "good"}}),
            |form| form.choose("5 ★★★★★ (good)"),
            "5",
        ),
        case(json!({"type": "rating", "min": 0, "max": 10, "style": "emoji"}), |form| form.choose("10 😀"), "10"),
    ]
}

fn asking(case: &Case) -> Record {
    let mut question = case.question.clone();
    question["message"] = json!("?");
    record(&question)
}

// S7, F0
#[test]
fn what_a_label_means_stands_under_it_and_in_the_outcome() {
    let labelled = record(&json!({"type": "approval", "message": "?", "labels": ["Delete them", "Keep them"]}));
    let page = page(&labelled, &FormState::initial(&labelled.request));
    let meaning = |sign: &str, word: &str| {
        format!("<small class=\"meaning\"><span aria-hidden=\"true\">{sign} </span>{word}</small></span></label>")
    };
    let approve = format!("<bdi>Delete them</bdi> {}", meaning("✓", "approve"));
    let reject = format!("<bdi>Keep them</bdi> {}", meaning("✗", "reject"));
    let (first, second) = (page.find(&approve).unwrap(), page.find(&reject).unwrap());
    assert!(first < second, "{page}");
    for (written, told) in [("approve", "Delete them (approve)"), ("reject", "Keep them (reject)")] {
        let question = &labelled.request.questions()[0];
        let answer = question.parse_answer(&askback_core::AnswerInput::from(written)).unwrap();
        assert_eq!(super::kinds::of(question.kind()).answer_text(&answer), told);
    }
    let usual = record(&json!({"type": "approval", "message": "?"}));
    assert!(!super::tests::page(&usual, &FormState::initial(&usual.request)).contains("meaning"));
}

/// Whether an element is a control of the first question.
fn is_control(token: &Token) -> bool {
    match token {
        Token::Open { tag, attributes } => {
            let is_named = attributes.iter().any(|(name, value)| name == "name" && value == "q0");
            is_named && ["input", "select", "textarea"].contains(&tag.as_str())
        }
        Token::Close(_) | Token::Text(_) => false,
    }
}

// F15
#[test]
fn every_kind_of_the_registry_has_a_control() {
    for entry in KINDS {
        let mut cases = cases().into_iter().filter(|case| case.question["type"] == entry.name).peekable();
        assert!(cases.peek().is_some(), "{} has no case", entry.name);
        for case in cases {
            let record = asking(&case);
            let page = page(&record, &FormState::initial(&record.request));
            assert!(tokens(&page).iter().any(is_control), "{}: {page}", case.question);
        }
    }
}

// F0, F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F13
#[test]
fn every_kind_is_answered_by_its_form() {
    for case in cases() {
        let record = asking(&case);
        let mut form = form(&record);
        (case.fill)(&mut form);
        let given = answers(&record, &form).unwrap_or_else(|problems| panic!("{}: {problems}", case.question));
        assert_eq!(written(&given), [case.written], "{}", case.question);
    }
}

// F15
#[test]
fn nothing_is_an_answer_by_itself_and_the_page_says_so() {
    for case in cases() {
        let record = asking(&case);
        let form = form(&record);
        let problems = answers(&record, &form).expect_err("nothing was filled in");
        let Submission::Answer(values) = Submission::read(&record.request, form.posted().as_bytes()).unwrap() else {
            panic!()
        };
        let fault = Fault::of_problems(ProblemCode::InvalidAnswer, &problems);
        let complaints = complaints(&record.request, &values, &fault);
        assert!(complaints[0].is_some());
        let refused = FormState { values, complaints, ..FormState::initial(&record.request) };
        let page = page(&record, &refused);
        assert!(page.contains("id=\"q0-error\"") && page.contains("href=\"#q0\""), "{page}");
    }
}

// F15
#[test]
fn what_was_typed_is_still_there() {
    for case in cases() {
        let record = asking(&case);
        let mut form = form(&record);
        (case.fill)(&mut form);
        let Submission::Answer(values) = Submission::read(&record.request, form.posted().as_bytes()).unwrap() else {
            panic!()
        };
        let again = page(&record, &FormState { values, ..FormState::initial(&record.request) });
        assert_eq!(forms(&again)[0].posted(), form.posted(), "{}", case.question);
    }
}

// F15
#[test]
fn what_the_asker_filled_in_is_there_at_first() {
    for case in cases() {
        let mut question = case.question.clone();
        (question["message"], question["initial"]) = (json!("?"), json!(case.written));
        if ["approval", "confirm"].contains(&question["type"].as_str().unwrap()) {
            continue;
        }
        let record = record(&question);
        let given = answers(&record, &form(&record)).unwrap_or_else(|problems| panic!("{question}: {problems}"));
        assert_eq!(written(&given), [case.written], "{question}");
    }
}

// S2
#[test]
fn what_hides_in_a_filled_in_text_is_told() {
    let hiding = record(&json!({"type": "text", "message": "?", "initial": "a\u{202e}b"}));
    assert!(
        page(&hiding, &FormState::initial(&hiding.request)).contains("a<span class=\"mark\">&lt;U+202E&gt;</span>b")
    );
}

// F13
#[test]
fn an_option_and_a_text_of_ones_own_exclude_each_other() {
    let record = record(&json!({"type": "choice", "message": "?", "options": ["A", "B"], "other": true}));
    let mut form = form(&record);
    form.choose("A");
    form.type_in("q0.other", "mine");
    assert!(answers(&record, &form).is_err());
    form.choose("Other (please specify)");
    assert_eq!(written(&answers(&record, &form).unwrap()), ["mine"]);
}

// F15
#[test]
fn what_no_form_holds_is_refused() {
    let record = record(&json!({"type": "choice", "message": "?", "options": ["A", "B"], "other": true}));
    for body in [
        "",
        "form=no",
        "form=answer&q1=0",
        "form=answer&q00=0",
        "form=answer&form=answer",
        "form=answer&q0.other=a&q0.other=b",
    ] {
        assert!(Submission::read(&record.request, body.as_bytes()).is_err(), "{body}");
    }
    for body in ["form=answer&q0=2", "form=answer&q0=A", "form=answer&q0=00", "form=answer&q0="] {
        let Ok(Submission::Answer(values)) = Submission::read(&record.request, body.as_bytes()) else {
            panic!("{body}")
        };
        assert!(values.answers(&record.request).is_err(), "{body}");
    }
}

// L9
#[test]
fn the_list_says_where_nobody_is_waiting() {
    let now = now();
    let item = |attendance| Listed { record: record(&json!({"type": "text", "message": "Name?\nYours."})), attendance };
    let render = |attendance| list::render(&Page { items: vec![item(attendance)], next: None }, now).into_string();
    assert!(render(Attendance::Absent(now - SignedDuration::from_mins(1))).contains("nobody is waiting"));
    assert!(!render(Attendance::Idle(now - SignedDuration::from_secs(1))).contains("nobody is waiting"));
    let waiting = render(Attendance::Waiting);
    assert!(!waiting.contains("nobody is waiting"));
    assert!(waiting.contains("Name? Yours.") && waiting.contains("5 minutes ago"), "{waiting}");
}

/// A request in which an agent has written this wherever it can.
fn all_over(text: &str) -> Record {
    let option = |end: &str| json!({"value": format!("{text}{end}"), "label": format!("{text}:{end}"), "description": text, "preview": text});
    let mut questions = vec![
        json!({"type": "approval", "labels": [format!("{text}1"), format!("{text}2")]}),
        json!({"type": "text", "initial": text}),
        json!({"type": "multiline", "initial": text}),
        json!({"type": "choice", "options": [option("1"), option("2")], "other": true, "initial": text}),
        json!({"type": "choice", "options": [option("1"), option("2")], "multiSelect": true}),
        json!({"type": "dropdown", "options": [option("1"), option("2")]}),
        json!({"type": "rating", "ends": {"low": text, "high": text}}),
    ];
    for question in &mut questions {
        (question["message"], question["header"], question["placeholder"]) = (json!(text), json!(text), json!(text));
    }
    record(&json!({
        "title": text, "from": text, "questions": questions,
        "context": [{"type": "code", "title": text, "language": text, "text": text}],
    }))
}

/// The elements of a page, without its texts.
fn skeleton(page: &str) -> Vec<Token> {
    let mut tokens = tokens(page);
    tokens.retain(|token| !matches!(token, Token::Text(_)));
    for token in &mut tokens {
        if let Token::Open { attributes, .. } = token {
            attributes
                .iter_mut()
                .filter(|(name, _)| name == "value" || name == "placeholder")
                .for_each(|(_, value)| value.clear());
        }
    }
    tokens
}

/// Whether every tag that is opened is closed again, in order.
fn is_balanced(page: &str) -> bool {
    let mut open = Vec::new();
    tokens(page).into_iter().all(|token| match token {
        Token::Open { tag, .. } => {
            if tag != "input" {
                open.push(tag);
            }
            true
        }
        Token::Close(tag) => open.pop() == Some(tag),
        Token::Text(_) => true,
    }) && open.is_empty()
}

fn pages(record: &Record) -> [String; 2] {
    let listed = Listed { record: record.clone(), attendance: Attendance::Waiting };
    let list: Html = list::render(&Page { items: vec![listed], next: None }, now());
    [page(record, &FormState::initial(&record.request)), list.into_string()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    // S2
    #[test]
    fn no_text_of_an_agent_changes_what_a_page_is_made_of(text in "x[<>&\"'=/ a-z!\\-\u{202e}\u{200b}]{0,30}x") {
        let harmless: String = text.chars().map(|c| if "<>&\"'=/!".contains(c) { 'y' } else { c }).collect();
        for (hostile, harmless) in pages(&all_over(&text)).iter().zip(&pages(&all_over(&harmless))) {
            prop_assert!(skeleton(hostile) == skeleton(harmless), "{}", hostile);
            prop_assert!(is_balanced(hostile), "{}", hostile);
        }
    }
}

// S2
#[test]
fn the_usual_attacks_are_text() {
    for attack in [
        "</title><script>alert(1)</script>",
        "\" onfocus=alert(1) autofocus x=\"",
        "</textarea><img src=x>",
        "--><svg>",
    ] {
        for page in pages(&all_over(attack)) {
            for tag in ["<script", "<img", "<svg", "-->"] {
                assert!(!page.contains(tag), "{page}");
            }
            let is_ours = |token: Token| match token {
                Token::Open { attributes, .. } => {
                    !attributes.iter().any(|(name, _)| name.starts_with("on") || name == "autofocus")
                }
                _ => true,
            };
            assert!(tokens(&page).into_iter().all(is_ours), "{page}");
        }
    }
}

/// The colours of the style, light or dark, by their names.
fn colours(css: &str) -> Vec<(&str, [f64; 3])> {
    let colours = css.lines().filter_map(|line| line.trim().strip_prefix("--")?.strip_suffix(';')?.split_once(": #"));
    let part = |hex: &str, at: usize| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
    colours.map(|(name, hex)| (name, [part(hex, 0), part(hex, 2), part(hex, 4)])).collect()
}

/// As WCAG has it.
fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let linear = |part: f64| if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
    let light = |[red, green, blue]: [f64; 3]| 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    let (one, other) = (light(one) + 0.05, light(other) + 0.05);
    (one / other).max(other / one)
}

#[test]
fn every_text_can_be_read_on_its_ground() {
    let css = include_str!("style.css");
    let (light, dark) = css.split_once("@media (prefers-color-scheme: dark)").unwrap();
    for colours in [colours(light), colours(dark)] {
        let find = |name: &str| colours.iter().find(|(other, _)| *other == name).unwrap().1;
        for text in ["text", "muted", "accent", "error", "mark", "edge"] {
            for ground in ["ground", "card"] {
                assert!(contrast(find(text), find(ground)) >= 4.5, "{text} on {ground}");
            }
        }
        assert!(contrast(find("on-accent"), find("accent")) >= 4.5);
    }
}
