//! Runs the shared vectors (F16). Every runner returns what failed, so that the mutation test can ask for failures.

use crate::json::Json;
use crate::problem::Problems;
use serde_json::{Map, Value};
use std::path::PathBuf;

mod answers;
mod dialects;
mod elicitation;
pub(crate) mod mutation;
mod outcomes;
mod properties;
mod requests;
mod schemas;
mod shown;

/// A vector file, with its shorthand for long texts and long lists written out.
fn load(name: &str) -> Map<String, Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(name).with_extension("json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    match expand(serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))) {
        Value::Object(file) => file,
        other => panic!("{}: {other}", path.display()),
    }
}

/// The cases of a vector file.
fn cases(name: &str) -> Vec<Value> {
    load(name)["cases"].as_array().unwrap().clone()
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

/// The `problems` of a case, and those found, as `path rule` in a fixed order.
fn compare_problems(expected: &Value, found: &Problems) -> Result<(), String> {
    let mut expected: Vec<String> = expected
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| format!("{} {}", problem["path"].as_str().unwrap(), problem["rule"].as_str().unwrap()))
        .collect();
    let mut names: Vec<String> = found.iter().map(|problem| format!("{} {}", problem.path, problem.rule)).collect();
    expected.sort();
    names.sort();
    if expected == names { Ok(()) } else { Err(format!("expected {expected:?}, found {names:?}: {found}")) }
}

/// Our JSON as serde_json's, for comparing without regard to the order of fields.
fn to_value(json: &Json) -> Value {
    serde_json::from_str(&json.to_string()).unwrap()
}
