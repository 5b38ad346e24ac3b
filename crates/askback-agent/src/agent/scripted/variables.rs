//! What a script remembers: the answers it got, by the names it gave them.

use askback_core::{Outcome, Request, Status};
use serde_json::Value;
use std::collections::HashMap;

#[derive(Debug, Default)]
pub(super) struct Variables {
    values: HashMap<String, Variable>,
}

#[derive(Debug)]
struct Variable {
    text: String,
    /// What was chosen, one by one.
    selections: Vec<String>,
}

impl Variables {
    pub(super) fn set_text(&mut self, name: &str, text: &str) {
        self.set(name, text.to_owned(), Vec::new());
    }

    /// Under `name` how a question was answered, under `name.status` how it ended, and under `name.id` each answer of a
    /// form by the question's id. Without an answer the text is the status.
    pub(super) fn set_outcome(&mut self, name: &str, request: &Request, outcome: Option<&Outcome>) {
        let status = outcome.map_or(Status::Cancelled, |outcome| outcome.resolution().status());
        let reason = outcome.and_then(|outcome| outcome.resolution().reason());
        self.set_text(&format!("{name}.status"), status.name());
        self.set_text(&format!("{name}.reason"), reason.map_or("", |reason| reason.as_str()));
        self.set_text(name, status.name());
        let Some(answers) = outcome.and_then(|outcome| outcome.resolution().answers()) else {
            return;
        };
        for (question, answer) in request.questions().iter().zip(answers.iter()) {
            let selections: Vec<String> = answer.selections().into_iter().map(str::to_owned).collect();
            self.set(&format!("{name}.{}", question.id()), answer.written(), selections.clone());
            if request.questions().len() == 1 {
                self.set(name, answer.written(), selections);
            }
        }
    }

    fn set(&mut self, name: &str, text: String, selections: Vec<String>) {
        self.values.insert(name.to_owned(), Variable { text, selections });
    }

    /// Whether an answer is one of these, or has one of them among what was chosen.
    pub(super) fn is_any(&self, name: &str, values: &[String]) -> bool {
        let is = |variable: &Variable, value: &String| variable.text == *value || variable.selections.contains(value);
        self.values.get(name).is_some_and(|variable| values.iter().any(|value| is(variable, value)))
    }

    /// A text with `{name}` replaced by the answer of that name; other braces are text.
    pub(super) fn fill(&self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find('{') {
            filled.push_str(&rest[..start]);
            let name = rest[start + 1..].split('}').next().unwrap_or_default();
            match self.values.get(name).filter(|_| rest[start + 1 + name.len()..].starts_with('}')) {
                Some(variable) => {
                    filled.push_str(&variable.text);
                    rest = &rest[start + name.len() + 2..];
                }
                None => {
                    filled.push('{');
                    rest = &rest[start + 1..];
                }
            }
        }
        filled.push_str(rest);
        filled
    }

    /// The same for every text in a value.
    pub(super) fn fill_all(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.fill(text)),
            Value::Array(items) => items.iter().map(|item| self.fill_all(item)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(name, value)| (name.clone(), self.fill_all(value)))
                .collect::<serde_json::Map<_, _>>()
                .into(),
            other => other.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // T3
    #[test]
    fn names_are_filled_in_and_other_braces_are_text() {
        let mut variables = Variables::default();
        variables.set_text("a", "{b}");
        variables.set_text("a.b", "2");
        assert_eq!(variables.fill("x {a} {a.b}{c} fn() { {a"), "x {b} 2{c} fn() { {a");
    }
}
