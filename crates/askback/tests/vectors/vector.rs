//! One answer of a vector: its question, what is given, what should come of it, and a terminal in which it is asked.

use super::{ASKBACK, WINDOW};
use askback_core::{Answer, AnswerInput, Json, Limits, Question, Refusal, Request};
use askback_testkit::screen::Screen;
use serde_json::Value;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the core says.
pub(crate) type Verdict = Result<Answer, Refusal>;

pub(crate) struct Vector {
    pub(crate) kind: &'static str,
    /// The question, as it is asked.
    question: Value,
    request: Request,
    /// What is given, and the verdict.
    pub(crate) answer: Value,
}

impl fmt::Display for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short: String = self.answer.to_string().chars().take(200).collect();
        let question: String = self.question.to_string().chars().take(200).collect();
        write!(f, "{} {short} to {question}", self.kind)
    }
}

impl Vector {
    /// All of a kind.
    pub(crate) fn of_kind(kind: &'static str) -> Vec<Self> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(kind).with_extension("json");
        let file = expand(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap());
        let mut vectors = Vec::new();
        for case in file["cases"].as_array().unwrap().iter().filter(|case| case.get("answers").is_some()) {
            for answer in case["answers"].as_array().unwrap() {
                let question = case["question"].clone();
                let request = Request::from_json(&Json::from(question.clone()), &Limits::DEFAULT).unwrap();
                vectors.push(Self { kind, question, request, answer: answer.clone() });
            }
        }
        assert!(!vectors.is_empty(), "{kind} has no vectors");
        vectors
    }

    pub(crate) fn question(&self) -> &Question {
        &self.request.questions()[0]
    }

    /// What the core says of a text.
    pub(crate) fn verdict(&self, text: &str) -> Verdict {
        self.question().parse_answer(&AnswerInput::from(text))
    }

    /// What the vector says, which is what the core says of what is given.
    pub(crate) fn expected(&self) -> Verdict {
        let given = &self.answer["given"];
        let texts = |value: &Value| -> Vec<String> {
            value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
        };
        let verdict = match given.as_str() {
            Some(text) => self.verdict(text),
            None => self.question().parse_answer(&AnswerInput::Selections {
                selections: given.get("selections").map(texts).unwrap_or_default(),
                custom: given.get("custom").and_then(Value::as_str).map(str::to_owned),
            }),
        };
        match &verdict {
            Ok(answer) => assert_eq!(answer.written(), self.answer["written"], "{self}"),
            Err(refusal) => assert_eq!(refusal.rule.name(), self.answer["refused"], "{self}"),
        }
        verdict
    }
}

/// How a refusal of a text is said in a terminal.
pub(crate) fn words(refusal: &Refusal, text: &str) -> String {
    match text {
        "" => format!("please give {}", refusal.expected),
        _ => format!("{}; please give {}", refusal.message, refusal.expected),
    }
}

/// `{"$repeat": "x", "$times": 3}` is "xxx"; `{"$list": 3, "$item": "o#"}` is ["o1", "o2", "o3"].
fn expand(value: Value) -> Value {
    match value {
        Value::Object(map) if map.contains_key("$repeat") => {
            Value::String(map["$repeat"].as_str().unwrap().repeat(map["$times"].as_u64().unwrap() as usize))
        }
        Value::Object(map) if map.contains_key("$list") => {
            (1..=map["$list"].as_u64().unwrap()).map(|number| number_item(&map["$item"], number)).collect()
        }
        Value::Object(map) => map.into_iter().map(|(name, value)| (name, expand(value))).collect(),
        Value::Array(items) => items.into_iter().map(expand).collect(),
        other => other,
    }
}

fn number_item(item: &Value, number: u64) -> Value {
    match item {
        Value::String(text) => Value::String(text.replace('#', &number.to_string())),
        Value::Object(map) => map.iter().map(|(name, value)| (name.clone(), number_item(value, number))).collect(),
        other => other.clone(),
    }
}

/// A question in a file, and another for its outcome, both gone when it is over.
pub(crate) struct Asked {
    question: PathBuf,
    outcome: PathBuf,
}

impl Asked {
    pub(crate) fn new(vector: &Vector) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let place = std::env::temp_dir().join(format!("askback-vectors-{}-{number}", std::process::id()));
        let asked = Self { question: place.with_extension("json"), outcome: place.with_extension("outcome") };
        std::fs::write(&asked.question, vector.question.to_string()).unwrap();
        asked
    }

    /// Asks in a terminal, until the person can answer.
    pub(crate) fn ask(&self, flags: &[&str]) -> Screen {
        let (question, outcome) = (self.question.to_string_lossy(), self.outcome.to_string_lossy());
        let line = format!("exec {ASKBACK} ask '{question}' --json {} > '{outcome}'", flags.join(" "));
        Screen::run(WINDOW, &[], "sh", &["-c", &line]).unwrap()
    }

    /// Whether the outcome is what the core says it should be. What it refuses was cancelled in the end.
    pub(crate) fn compare(&self, verdict: &Verdict) -> Result<(), String> {
        let text = std::fs::read_to_string(&self.outcome).unwrap();
        let outcome: Value = serde_json::from_str(&text).map_err(|error| format!("{error}: {text:?}"))?;
        let is_same = match verdict {
            Ok(answer) => {
                let given = &outcome["answers"][0];
                let status = if answer.rejects() { "declined" } else { "answered" };
                outcome["status"] == status
                    && given["response"] == answer.written()
                    && given["selections"] == Value::from(answer.selections())
                    && given["custom"] == Value::from(answer.custom())
            }
            Err(_) => outcome["status"] == "cancelled",
        };
        if is_same { Ok(()) } else { Err(format!("{verdict:?} should have come of it, but {outcome} has")) }
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        // What is left over in a temporary folder does no harm.
        let _ = std::fs::remove_file(&self.question);
        let _ = std::fs::remove_file(&self.outcome);
    }
}
