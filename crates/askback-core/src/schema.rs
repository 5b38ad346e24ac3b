//! JSON Schema 2020-12 of what crosses a border, built from the same registry and limits the parser uses.

use crate::context::Context;
use crate::dialect::ask_user_question;
use crate::kind::{KINDS, KindEntry};
use crate::limits::Limits;
use crate::outcome::Surface;
use crate::path::Step;
use crate::problem::Problem;
use crate::rule::Rule;
use serde_json::{Map, Value, json};

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

/// A request in any of its shapes.
pub fn request(limits: &Limits) -> Value {
    let question = |entry: &KindEntry| object(question_properties(entry, limits), &required(entry));
    let inline = |entry: &KindEntry| {
        let mut properties = envelope_properties(limits);
        properties.extend(question_properties(entry, limits));
        object(properties, &required(entry))
    };
    let mut form = envelope_properties(limits);
    form.insert(
        "questions".to_owned(),
        json!({
            "description": "What is asked, in order.",
            "type": "array", "minItems": 1, "maxItems": limits.questions,
            "items": {"anyOf": KINDS.iter().map(question).collect::<Vec<_>>()},
        }),
    );
    let mut tool_call = envelope_properties(limits);
    tool_call.extend(properties_of(ask_user_question::schema(limits)));
    let mut shapes = vec![
        titled("A form: every question in full", object(form, &["questions"])),
        titled("A call of the AskUserQuestion tool", object(tool_call, &["questions"])),
        titled("An input request of a stream", stream(limits)),
    ];
    shapes.extend(KINDS.iter().map(|entry| titled(&format!("One question of type {}", entry.name), inline(entry))));
    json!({"$schema": DIALECT, "title": "askback request", "anyOf": shapes})
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
    let mut surfaces: Vec<Value> = Surface::names().iter().map(|name| json!(name)).collect();
    surfaces.push(Value::Null);
    json!({
        "$schema": DIALECT, "title": "askback outcome",
        "type": "object", "additionalProperties": false,
        "required": ["id", "status", "answers", "answeredBy", "surface", "answeredAt", "byDefault", "reason"],
        "properties": {
            "id": {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"},
            "status": {"enum": ["pending", "answered", "declined", "cancelled", "expired"]},
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

/// The fields of one kind of question: those every kind has, and its own.
pub fn question_properties(entry: &KindEntry, limits: &Limits) -> Map<String, Value> {
    let line = |description: &str, longest: usize| json!({"description": description, "type": "string", "minLength": 1, "maxLength": longest});
    let mut properties = Map::new();
    let mut put = |name: &str, value| properties.insert(name.to_owned(), value);
    put("type", json!({"const": entry.name, "description": entry.summary}));
    put(
        "id",
        line("What the question is called within its request; its position from 1 by default.", limits.id_length),
    );
    put("header", line("A short label.", limits.header_length));
    put("message", line("What is asked.", limits.message_length));
    put("placeholder", line("What an empty field shows.", limits.line_length));
    if !entry.starts_open {
        put(
            "initial",
            json!({"description": "What is filled in at first, in its written form. Shown, never submitted by itself.", "type": "string"}),
        );
    }
    properties.extend(as_map((entry.properties)(limits)));
    properties
}

/// Whether a schema can express what is wrong. It can't where more than one field, arithmetic or Unicode is needed,
/// nor inside answers that stand in a request, which have the rules of their question.
pub fn expresses(problem: &Problem) -> bool {
    let in_answer = problem
        .path
        .steps()
        .iter()
        .any(|step| matches!(step, Step::Field(name) if name == "initial" || name == "default"));
    match problem.rule {
        Rule::Type | Rule::Required | Rule::UnknownField | Rule::Initial => true,
        Rule::Word | Rule::Length | Rule::Count => !in_answer,
        _ => false,
    }
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

fn tool(limits: &Limits) -> Value {
    let mut schema = as_map(ask_user_question::schema(limits));
    schema.insert("$schema".to_owned(), json!(DIALECT));
    schema.insert("title".to_owned(), json!(ask_user_question::NAME));
    schema.insert("description".to_owned(), json!(ask_user_question::DESCRIPTION));
    Value::Object(schema)
}

fn stream(limits: &Limits) -> Value {
    let choices = |least: usize, most: usize| json!({"type": "array", "minItems": least, "maxItems": most, "items": {"type": "string", "minLength": 1, "maxLength": limits.value_length}});
    let shape = |input_type: &str, choices: Value, required: &[&str]| {
        let mut properties = envelope_properties(limits);
        properties
            .insert("prompt".to_owned(), json!({"type": "string", "minLength": 1, "maxLength": limits.message_length}));
        properties.insert("input_type".to_owned(), json!({"const": input_type}));
        properties.insert("choices".to_owned(), choices);
        object(properties, required)
    };
    json!({"anyOf": [
        shape("approval", choices(2, 2), &["prompt", "choices"]),
        shape("choice", choices(1, limits.options), &["prompt", "input_type", "choices"]),
        shape("text", choices(0, 0), &["prompt", "input_type"]),
    ]})
}

/// The fields that may stand beside every shape of a request.
fn envelope_properties(limits: &Limits) -> Map<String, Value> {
    let line = |description: &str| json!({"description": description, "type": "string", "minLength": 1, "maxLength": limits.line_length});
    as_map(json!({
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
    }))
}

fn required(entry: &KindEntry) -> Vec<&'static str> {
    [&["type", "message"], entry.required].concat()
}

fn object(properties: Map<String, Value>, required: &[&str]) -> Value {
    let properties = Value::Object(properties);
    json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
}

fn titled(title: &str, schema: Value) -> Value {
    let mut schema = as_map(schema);
    schema.insert("title".to_owned(), json!(title));
    Value::Object(schema)
}

fn properties_of(schema: Value) -> Map<String, Value> {
    as_map(schema).remove("properties").map(as_map).unwrap_or_default()
}

fn as_map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
