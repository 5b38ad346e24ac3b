//! How long the core takes, beside peers in the same run. Prints JSON; `cargo xtask bench` keeps it.

use askback_core::format::model_text;
use askback_core::{AnswerInput, Json, Limits, Outcome, Path, Request, RequestId, Resolution, Surface};
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Rounds in which every contender takes its turn.
const ROUNDS: usize = 60;
/// How long one turn lasts.
const TURN: Duration = Duration::from_millis(4);

/// Something to measure, by name.
type Contender<'a> = (&'a str, Box<dyn FnMut() + 'a>);

/// Times of one contender, in nanoseconds a call.
struct Times {
    median: f64,
    p95: f64,
}

/// Lets the contenders take turns, so that a slow moment of the machine hits them all.
fn race(contenders: &mut [Contender<'_>]) -> Vec<Times> {
    let calls: Vec<u32> = contenders.iter_mut().map(|(_, body)| calls_per_turn(body)).collect();
    let mut samples = vec![Vec::with_capacity(ROUNDS); contenders.len()];
    for _ in 0..ROUNDS {
        for (index, (_, body)) in contenders.iter_mut().enumerate() {
            let start = Instant::now();
            for _ in 0..calls[index] {
                body();
            }
            samples[index].push(start.elapsed().as_nanos() as f64 / f64::from(calls[index]));
        }
    }
    samples
        .into_iter()
        .map(|mut times| {
            times.sort_by(f64::total_cmp);
            Times { median: times[times.len() / 2], p95: times[times.len() * 95 / 100] }
        })
        .collect()
}

fn calls_per_turn(body: &mut dyn FnMut()) -> u32 {
    let start = Instant::now();
    let mut calls = 0;
    while start.elapsed() < TURN {
        body();
        calls += 1;
    }
    calls
}

/// Whether the README shows a figure.
#[derive(Clone, Copy, PartialEq)]
enum Show {
    Headline,
    Detail,
}

/// Measures the first contender against the others.
fn measure(show: Show, mut contenders: Vec<Contender<'_>>) -> Value {
    let times = race(&mut contenders);
    let peers: Vec<Value> = contenders[1..]
        .iter()
        .zip(&times[1..])
        .map(|((name, _), peer)| json!({"name": name, "median_ns": peer.median, "p95_ns": peer.p95, "ratio": times[0].median / peer.median}))
        .collect();
    json!({"name": contenders[0].0, "headline": show == Show::Headline, "median_ns": times[0].median, "p95_ns": times[0].p95, "peers": peers})
}

fn tool_call() -> String {
    let option =
        |label: &str| json!({"label": label, "description": "What choosing it means, in a sentence of usual length."});
    let question = |number: usize| {
        json!({
            "question": format!("Which of these should we use for part {number} of the project?"), "header": "Database",
            "options": [option("PostgreSQL (Recommended)"), option("SQLite"), option("MongoDB"), option("Redis")],
            "multiSelect": number.is_multiple_of(2),
        })
    };
    json!({"questions": (1..=4).map(question).collect::<Vec<_>>()}).to_string()
}

fn whole_requests(results: &mut Vec<Value>) {
    let text = tool_call();
    let schema =
        jsonschema::draft202012::new(&askback_core::tool::schema(&Limits::DEFAULT)).expect("the schema is valid");
    results.push(measure(
        Show::Headline,
        vec![
            (
                "read and validate a call with four questions",
                Box::new(|| drop(black_box(Request::parse(text.as_bytes(), &Limits::DEFAULT)))),
            ),
            (
                "serde_json reading it without validating",
                Box::new(|| drop(black_box(serde_json::from_str::<Value>(&text)))),
            ),
            (
                "serde_json and the jsonschema crate",
                Box::new(|| {
                    let value: Value = serde_json::from_str(&text).expect("it is JSON");
                    black_box(schema.is_valid(&value));
                }),
            ),
        ],
    ));
    let request = Request::parse(text.as_bytes(), &Limits::DEFAULT).expect("it is a request");
    let value: Value = serde_json::from_str(&request.to_json().to_string()).expect("it is JSON");
    results.push(measure(
        Show::Headline,
        vec![
            ("write its canonical form", Box::new(|| drop(black_box(request.to_json().to_string())))),
            ("serde_json writing the same", Box::new(|| drop(black_box(value.to_string())))),
        ],
    ));
}

fn answers(results: &mut Vec<Value>) {
    let of_each_kind = [
        (json!({"type": "approval"}), "approve"),
        (json!({"type": "text"}), "Fix the login bug"),
        (json!({"type": "multiline"}), "line 1\r\nline 2\r\nline 3"),
        (
            json!({"type": "choice", "options": ["Dark mode", "Offline support", "Push"], "multiSelect": true, "other": true}),
            "Dark mode, my own, Push",
        ),
        (json!({"type": "confirm"}), "yes"),
        (json!({"type": "number", "min": 0, "max": 1, "step": 0.1}), "0.3"),
        (json!({"type": "email", "domain": "example.com"}), "someone@example.com"),
        (json!({"type": "date", "min": "2026-01-01"}), "2026-11-15"),
        (json!({"type": "dropdown", "options": ["Norway", "Sweden", "Denmark"]}), "Denmark"),
        (json!({"type": "rating"}), "4"),
    ];
    for (mut question, answer) in of_each_kind {
        let name = format!("read and write one answer: {}", question["type"].as_str().unwrap_or_default());
        question["message"] = "?".into();
        let request = Request::from_json(&Json::from(question), &Limits::DEFAULT).expect("it is a request");
        let question = &request.questions()[0];
        results.push(measure(
            Show::Detail,
            vec![(
                &name,
                Box::new(|| {
                    drop(black_box(question.parse_answer(&AnswerInput::from(answer)).map(|answer| answer.written())));
                }),
            )],
        ));
    }
}

/// What a port does with the answers: the outcome as JSON, and the text for the model.
fn outcomes(results: &mut Vec<Value>) {
    let request = Request::parse(tool_call().as_bytes(), &Limits::DEFAULT).expect("it is a request");
    let raw = [
        AnswerInput::from("SQLite"),
        AnswerInput::from("Redis, my own"),
        AnswerInput::from("my own"),
        AnswerInput::from("SQLite, Redis"),
    ];
    let answers = request.parse_answers(&raw, &Path::root()).expect("they pass");
    let id = RequestId::parse("019a8b3c-0000-7000-8000-000000000000").expect("it is an id");
    let at = "2026-11-15T17:40:00Z".parse().expect("it is a moment");
    let outcome =
        Outcome::new(id, Resolution::from_answers(answers), "reviewer", Surface::Page, at).expect("it has a name");
    let checked = || drop(black_box(request.parse_answers(&raw, &Path::root())));
    results.push(measure(Show::Headline, vec![("check the four answers", Box::new(checked))]));
    let written = || drop(black_box(outcome.to_json(&request).to_string()));
    results.push(measure(Show::Detail, vec![("write the outcome", Box::new(written))]));
    let text = || drop(black_box(model_text(&request, &outcome)));
    results.push(measure(Show::Detail, vec![("write the text for the model", Box::new(text))]));
}

/// What is wrong costs no more than what is right, however much of it there is.
fn problems(results: &mut Vec<Value>) {
    let unknown: serde_json::Map<String, Value> =
        (0..100_000).map(|number| (format!("field{number}"), json!(1))).collect();
    let mut text = Value::Object(unknown);
    text["type"] = "text".into();
    text["message"] = "?".into();
    let options = json!({"type": "dropdown", "message": "?", "options": vec![""; 100_000]}).to_string();
    for (name, text) in [("report 100000 unknown fields", text.to_string()), ("report 100000 empty options", options)] {
        results.push(measure(
            Show::Detail,
            vec![
                (name, Box::new(|| drop(black_box(Request::parse(text.as_bytes(), &Limits::DEFAULT))))),
                (
                    "serde_json reading it without validating",
                    Box::new(|| drop(black_box(serde_json::from_str::<Value>(&text)))),
                ),
            ],
        ));
    }
}

/// Linear if ten times the options take ten times as long.
fn many_options(results: &mut Vec<Value>) {
    let mut before: Option<f64> = None;
    for count in [1_000, 10_000, 100_000] {
        let options: Vec<String> = (0..count).map(|number| format!("option number {number}")).collect();
        let text = json!({"type": "dropdown", "message": "?", "options": options}).to_string();
        let name = format!("read a request with {count} options");
        let mut result = measure(
            if count == 100_000 { Show::Headline } else { Show::Detail },
            vec![
                (&name, Box::new(|| drop(black_box(Request::parse(text.as_bytes(), &Limits::DEFAULT))))),
                (
                    "serde_json reading it without validating",
                    Box::new(|| drop(black_box(serde_json::from_str::<Value>(&text)))),
                ),
            ],
        );
        let median = result["median_ns"].as_f64().unwrap_or_default();
        result["growth_for_ten_times_the_options"] = before.map(|before| median / before).into();
        before = Some(median);
        results.push(result);
    }
}

/// The worst we know for the reader of joined answers, at a quarter, a half and all of what is allowed.
fn adversarial_options(results: &mut Vec<Value>) {
    type Case = (&'static str, fn(usize) -> (Vec<String>, String));
    let cases: [Case; 4] = [
        // Every option is the beginning of every longer one, and every rest dangles.
        ("options nested in each other", |parts| {
            let lengths = (1..).scan(0, |sum, length| {
                *sum += length;
                (*sum <= parts).then_some(length)
            });
            let options: Vec<String> = lengths.map(|length| format!("b{}", ", a".repeat(length - 1))).collect();
            (options, format!("b{}, x", ", a".repeat(6_000)))
        }),
        // The same options before and after a stretch that is none: every pair of ends has to be tried.
        ("repeats around a long Other", |parts| {
            let options: Vec<String> = (0..parts).map(|number| format!("o{number}")).collect();
            let half = options[..parts / 2].join(", ");
            (options, format!("{half}, {}{half}", "x, ".repeat(3_000)))
        }),
        // One option of empty parts, which fits everywhere until its last part.
        ("one deep option", |parts| {
            let deep = format!("{}y", ", ".repeat(parts.min(499)));
            (vec![deep, "z".to_owned()], format!("{}x", ", ".repeat(4_900)))
        }),
        // Two ways to go on at every part, until the very end.
        ("two ways at every part", |parts| {
            let mut options: Vec<String> = (0..parts / 4).map(|number| format!("a{number}, b{number}")).collect();
            options.extend((0..parts / 4).map(|number| format!("b{number}, a{}", number + 1)));
            let text = (0..parts / 4).map(|number| format!("a{number}, b{number}")).collect::<Vec<_>>().join(", ");
            (options, format!("{text}, {text}, x"))
        }),
    ];
    for (name, case) in cases {
        let mut before: Option<f64> = None;
        for parts in [500, 1_000, 2_000] {
            let (options, answer) = case(parts);
            let text =
                json!({"type": "choice", "message": "?", "multiSelect": true, "other": true, "options": options})
                    .to_string();
            let name = format!("joined answer, {parts} parts: {name}");
            let mut result = measure(
                Show::Detail,
                vec![(
                    &name,
                    Box::new(|| {
                        let request = Request::parse(text.as_bytes(), &Limits::DEFAULT).expect("it is a request");
                        let _ = black_box(request.questions()[0].parse_answer(&AnswerInput::from(&answer)));
                    }),
                )],
            );
            let median = result["median_ns"].as_f64().unwrap_or_default();
            result["growth_for_twice_the_parts"] = before.map(|before| median / before).into();
            before = Some(median);
            results.push(result);
        }
    }
}

fn main() {
    // `cargo test --benches` starts us too; there is nothing to check here.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let mut results = Vec::new();
    whole_requests(&mut results);
    answers(&mut results);
    outcomes(&mut results);
    problems(&mut results);
    many_options(&mut results);
    adversarial_options(&mut results);
    println!("{}", Value::Array(results));
}
