//! JSON Schema 2020-12 of what crosses a border, built from the same registry and limits the parser uses.

use crate::context::Context;
use crate::kind::{KINDS, KindEntry};
use crate::limits::Limits;
use crate::outcome::{Status, Surface};
use crate::tool;
use serde_json::{Map, Value, json};

mod flat;

pub use flat::form;

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// A schema that is committed as `schemas/<name>.schema.json`.
pub struct Schema {
    /// The file's first word.
    pub name: &'static str,
    /// The schema.
    pub build: fn(&Limits) -> Value,
}

/// Every committed schema.
pub static SCHEMAS: &[Schema] = &[
    Schema { name: "request", build: request },
    Schema { name: "outcome", build: outcome },
    Schema { name: "ask-user-question", build: tool },
];

/// A request in exactly one of its shapes, with the fields that may stand beside each of them.
pub fn request(limits: &Limits) -> Value {
    let reference = |name: &str| json!({"$ref": format!("#/$defs/{name}")});
    let mut definitions: Map<String, Value> =
        KINDS.iter().map(|entry| (entry.name.to_owned(), question(entry, limits))).collect();
    definitions.insert("envelope".to_owned(), envelope(limits));
    let kinds: Vec<Value> = KINDS.iter().map(|entry| reference(entry.name)).collect();
    let questions = json!({
        "description": "What is asked, in order.",
        "type": "array", "minItems": 1, "maxItems": limits.questions,
        "items": {"oneOf": kinds, "unevaluatedProperties": false},
    });
    let shapes = [
        json!({"title": "A form: every question in full", "required": ["questions"], "properties": {"questions": questions}}),
        json!({"title": "One question inline", "oneOf": kinds}),
        tool_call(limits),
        json!({"title": "An input request of a stream", "oneOf": stream(limits)}),
    ];
    json!({
        "$schema": DIALECT, "title": "askback request", "type": "object",
        "allOf": [reference("envelope")], "oneOf": shapes, "unevaluatedProperties": false,
        "$defs": definitions,
    })
}

/// An outcome, or a request that is still pending.
pub fn outcome(_: &Limits) -> Value {
    let text_or_null = json!({"type": ["string", "null"]});
    let answer = json!({
        "type": "object", "additionalProperties": false,
        "required": ["id", "question", "header", "response", "selections", "custom"],
        "properties": {
            "id": {"description": "The question's id.", "type": "string"},
            "question": {"description": "The question's message.", "type": "string"},
            "header": text_or_null,
            "response": {"description": "The answer's written form.", "type": "string"},
            "selections": {"description": "What was chosen, in order, Other's text among it.", "type": "array", "items": {"type": "string"}},
            "custom": {"description": "Other's text.", "type": ["string", "null"]},
        },
    });
    let mut surfaces: Vec<Value> = Surface::NAMES.iter().copied().map(Value::from).collect();
    surfaces.push(Value::Null);
    json!({
        "$schema": DIALECT, "title": "askback outcome",
        "type": "object", "additionalProperties": false,
        "required": ["id", "status", "answers", "answeredBy", "surface", "answeredAt", "byDefault", "reason"],
        "properties": {
            "id": {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"},
            "status": {"enum": Status::NAMES},
            "response": {"description": "The answer's written form, if the request has one question.", "type": ["string", "null"]},
            "answers": {"type": "array", "items": answer},
            "answeredBy": {"description": "Who ended it.", "type": ["string", "null"]},
            "surface": {"description": "Where it ended.", "enum": surfaces},
            "answeredAt": {"description": "When it ended.", "type": ["string", "null"], "format": "date-time"},
            "byDefault": {"description": "Whether the answers are the declared default, since nobody answered.", "type": "boolean"},
            "reason": {"description": "Why it was declined or cancelled, or a question back.", "type": ["string", "null"]},
        },
        "if": {"properties": {"status": {"const": "pending"}}},
        "else": {"properties": {
            "answeredBy": {"type": "string"}, "surface": {"type": "string"}, "answeredAt": {"type": "string"},
        }},
    })
}

/// One kind of question: the fields that every kind has, and its own.
fn question(entry: &KindEntry, limits: &Limits) -> Value {
    let line = |description: &str, longest: usize| json!({"description": description, "type": "string", "minLength": 1, "maxLength": longest});
    let mut properties = as_map(json!({
        "type": {"const": entry.name},
        "id": line("What the question is called within its request; its position from 1 by default.", limits.id_length),
        "header": line("A short label.", limits.header_length),
        "message": line("What is asked.", limits.message_length),
        "placeholder": line("What an empty field shows.", limits.line_length),
    }));
    if !entry.starts_open {
        let description = "What is filled in at first, in its written form. Shown, never submitted by itself.";
        properties.insert("initial".to_owned(), json!({"description": description, "type": "string"}));
    }
    properties.extend(as_map((entry.properties)(limits)));
    let required = [&["type", "message"], entry.required].concat();
    json!({"description": entry.summary, "type": "object", "required": required, "properties": properties})
}

pub(crate) fn metadata(limits: &Limits) -> Value {
    json!({
        "description": "About the asking program.",
        "type": "object", "additionalProperties": false,
        "properties": {"source": {
            "description": "Which part of it asks.",
            "type": "string", "minLength": 1, "maxLength": limits.line_length,
        }},
    })
}

/// The tool's input as a file of its own, with what the model is told.
fn tool(limits: &Limits) -> Value {
    let mut schema = as_map(tool::schema(limits));
    schema.insert("$schema".to_owned(), json!(DIALECT));
    schema.insert("title".to_owned(), json!(tool::NAME));
    schema.insert("description".to_owned(), json!(tool::DESCRIPTION));
    Value::Object(schema)
}

/// The same as one shape of a request, open for the fields beside it.
fn tool_call(limits: &Limits) -> Value {
    let mut schema = as_map(tool::schema(limits));
    schema.remove("additionalProperties");
    schema.insert("title".to_owned(), json!("A call of the AskUserQuestion tool"));
    Value::Object(schema)
}

fn stream(limits: &Limits) -> [Value; 3] {
    let text = |longest: usize| json!({"type": "string", "minLength": 1, "maxLength": longest});
    let shape = |input_type: &str, least: usize, most: usize, longest: usize, required: &[&str]| {
        json!({"required": required, "properties": {
            "prompt": text(limits.message_length),
            "input_type": {"const": input_type},
            "choices": {"type": "array", "minItems": least, "maxItems": most, "items": text(longest)},
        }})
    };
    [
        shape("approval", 2, 2, limits.line_length, &["prompt", "choices"]),
        shape("choice", 1, limits.options, limits.value_length, &["prompt", "input_type", "choices"]),
        shape("text", 0, 0, limits.value_length, &["prompt", "input_type"]),
    ]
}

/// The fields that may stand beside every shape of a request.
fn envelope(limits: &Limits) -> Value {
    let line = |description: &str| json!({"description": description, "type": "string", "minLength": 1, "maxLength": limits.line_length});
    json!({"properties": {
        "room": line("Where it is asked: a project or a session."),
        "title": line("What it is about."),
        "from": line("Who asks."),
        "key": line("Asking twice with the same key is asking once."),
        "timeout": {"description": "The seconds it stays open.", "type": "integer", "minimum": 1, "maximum": limits.timeout_s},
        "onTimeout": {
            "description": "What is used when nobody answers in time, marked as such.",
            "type": "object", "required": ["default"], "additionalProperties": false,
            "properties": {"default": {
                "description": "One written form for each question; none for an approval, only `no` for a confirm.",
                "type": "array", "items": {"type": "string"},
            }},
        },
        "context": Context::property(limits),
        "metadata": metadata(limits),
    }})
}

fn as_map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
