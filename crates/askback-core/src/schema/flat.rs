//! A form for models: one object at the root and one for every kind of question. Many clients can't choose between shapes, and a model
//! reads the schema of every tool with every turn, so it is short. What belongs to which kind is said in words; what is wrong with a
//! request is said by the parser.

use super::{as_map, envelope, question};
use crate::kind::KINDS;
use crate::limits::Limits;
use serde_json::{Map, Value, json};

/// One field as a kind has it.
struct Own {
    kind: &'static str,
    schema: Map<String, Value>,
}

/// A form alone.
pub fn form(limits: &Limits) -> Value {
    let mut properties = envelope(limits)["properties"].take();
    properties["questions"] = json!({
        "description": "What is asked, in order.",
        "type": "array", "minItems": 1, "maxItems": limits.questions, "items": any_question(limits),
    });
    json!({"type": "object", "required": ["questions"], "additionalProperties": false, "properties": properties})
}

/// A question of any kind.
fn any_question(limits: &Limits) -> Value {
    let mut fields: Vec<(String, Vec<Own>)> = Vec::new();
    for entry in KINDS {
        for (name, schema) in as_map(question(entry, limits)["properties"].take()) {
            let own = Own { kind: entry.name, schema: as_map(schema) };
            match fields.iter_mut().find(|(known, _)| *known == name) {
                Some((_, owners)) => owners.push(own),
                None => fields.push((name, vec![own])),
            }
        }
    }
    let mut properties: Map<String, Value> = fields.into_iter().map(|(name, owners)| (name, merged(&owners))).collect();
    let kinds: Vec<&str> = KINDS.iter().map(|entry| entry.name).collect();
    let described: Vec<String> = KINDS.iter().map(|entry| format!("{}: {}", entry.name, entry.summary)).collect();
    properties.insert("type".to_owned(), json!({"enum": kinds, "description": described.join(" ")}));
    json!({"type": "object", "required": ["type", "message"], "additionalProperties": false, "properties": properties})
}

/// What holds of a field whichever kind has it, and in words whose it is.
fn merged(owners: &[Own]) -> Value {
    let Some((first, others)) = owners.split_first() else { return json!({}) };
    let is_shared = |name: &str, value: &Value| others.iter().all(|own| own.schema.get(name) == Some(value));
    let mut schema: Map<String, Value> = first
        .schema
        .iter()
        .filter(|(name, value)| is_shared(name, value))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    if !schema.contains_key("type") {
        let mut types: Vec<Value> = Vec::new();
        for found in owners.iter().filter_map(|own| own.schema.get("type")) {
            if !types.contains(found) {
                types.push(found.clone());
            }
        }
        // A closed list of words has none.
        if !types.is_empty() {
            schema.insert("type".to_owned(), types.into());
        }
    }
    if owners.len() < KINDS.len() {
        schema.insert("description".to_owned(), by_kind(owners).into());
    }
    Value::Object(schema)
}

/// The descriptions of a field, each with the kinds that it is for.
fn by_kind(owners: &[Own]) -> String {
    let mut said: Vec<(&str, Vec<&str>)> = Vec::new();
    for own in owners {
        let text = own.schema.get("description").and_then(Value::as_str).unwrap_or_default();
        match said.iter_mut().find(|(known, _)| *known == text) {
            Some((_, kinds)) => kinds.push(own.kind),
            None => said.push((text, vec![own.kind])),
        }
    }
    let lines: Vec<String> = said.iter().map(|(text, kinds)| format!("For {}: {text}", kinds.join(", "))).collect();
    lines.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    // F15
    #[test]
    fn what_no_kind_has_does_not_fit() {
        let schema = jsonschema::draft202012::new(&form(&Limits::DEFAULT)).unwrap();
        let asks = |question: Value| schema.is_valid(&json!({"questions": [question]}));
        assert!(asks(json!({"type": "number", "message": "Port?", "min": 1})));
        assert!(asks(json!({"type": "date", "message": "When?", "min": "2026-01-01"})));
        assert!(!asks(json!({"type": "colour", "message": "Which?"})));
        assert!(!asks(json!({"type": "text"})));
        assert!(!asks(json!({"type": "text", "message": "Name?", "color": "red"})));
        assert!(!asks(json!({"type": "number", "message": "Port?", "min": true})));
    }

    #[test]
    fn it_is_short_and_has_one_shape() {
        let text = form(&Limits::DEFAULT).to_string();
        assert!(text.len() < 7_000, "{} bytes", text.len());
        assert!(!text.contains("$ref") && !text.contains("oneOf"), "{text}");
    }
}
