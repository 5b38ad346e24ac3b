//! The bodies of calls.

use super::operation::reference;
use super::parameters::{name_schema, page_path_schema, room_schema};
use crate::serve::limits::DISMISS_SECONDS;
use askback_core::limits::REASON_LENGTH;
use askback_hub::Role;
use serde_json::{Value, json};

/// A body in JSON, with an example.
fn body(is_required: bool, schema: &Value, example: &Value) -> Value {
    json!({"required": is_required, "content": {"application/json": {"schema": schema, "example": example}}})
}

/// What may also be null, which is as good as not there.
fn optional(mut schema: Value) -> Value {
    schema["type"] = json!([schema["type"], "null"]);
    schema
}

fn reason() -> Value {
    optional(json!({"type": "string", "maxLength": REASON_LENGTH, "description": "Why, or a question back."}))
}

fn surface() -> Value {
    let description = "Where the person is, if a program before them calls. A browser is always `page`.";
    json!({"enum": ["terminal", "cli", null], "description": description})
}

fn client() -> Value {
    let description = "For an asker: the MCP client in whose own dialog the person answered, if such answers count.";
    json!({"type": ["string", "null"], "description": description})
}

fn key() -> Value {
    let mut key = optional(name_schema());
    key["description"] = "Told again with the same key, it counts as the same call, and not as too late.".into();
    key
}

pub(super) fn script() -> Value {
    let mut from = optional(name_schema());
    from["description"] =
        "Which program asks, as it says of itself: a claim, which every request of the script carries.".into();
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["code"],
        "properties": {
            "code": {"description": "The body of an async function.", "type": "string", "minLength": 1},
            "room": optional(room_schema()),
            "from": from,
        },
    });
    let code = "const answer = await requestUserInput({type: 'confirm', message: 'Deploy?'}); return answer.response";
    body(true, &schema, &json!({"code": code, "room": "shop"}))
}

pub(super) fn delivery() -> Value {
    let mut way = optional(name_schema());
    way["description"] = "Stands for one way there. What is said again by the same way is said once; and what the last way has said is taken \
                          back by that one alone."
        .into();
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["delivered"],
        "properties": {
            "delivered": {"description": "False takes it back.", "type": "boolean"},
            "key": way,
        },
    });
    body(true, &schema, &json!({"delivered": true}))
}

pub(super) fn ask() -> Value {
    let example = json!({
        "room": "shop", "title": "Before I touch production", "key": "deploy-2.4", "timeout": 3600,
        "context": [{"type": "command", "title": "what I will run", "text": "./deploy --env production"}],
        "questions": [
            {"id": "ok", "type": "approval", "message": "Deploy version 2.4 to production?"},
            {"id": "region", "type": "choice", "message": "Which region first?", "options": ["eu-west", "us-east"]},
        ],
    });
    body(true, &reference("Request"), &example)
}

pub(super) fn answer() -> Value {
    let texts = json!({"type": "array", "items": {"type": "string"}});
    let none = json!({"type": "null"});
    // Exactly one of these; the others may be null, which is as good as not there.
    let one = json!({"oneOf": [
        {"required": ["response"], "properties": {"response": {"type": "string"}, "selections": none, "custom": none}},
        {"required": ["selections"], "properties": {"selections": texts, "response": none}},
        {"required": ["custom"], "properties": {"custom": {"type": "string"}, "selections": none, "response": none}},
    ]});
    let given = json!({
        "type": "object", "additionalProperties": false,
        "properties": {
            "response": {"description": "The written form.", "type": ["string", "null"]},
            "selections": {"description": "What is chosen, in order.", "type": ["array", "null"], "items": {"type": "string"}},
            "custom": {"description": "Other's text.", "type": ["string", "null"]},
        },
        "oneOf": one["oneOf"],
    });
    let schema = json!({
        "type": "object", "additionalProperties": false,
        "properties": {
            "responses": {
                "description": "The written form of each answer, in the order of the questions.",
                "type": ["array", "null"], "items": {"type": "string"},
            },
            "answers": {"description": "The same in parts.", "type": ["array", "null"], "items": given},
            "key": key(), "surface": surface(), "client": client(),
        },
        "oneOf": [
            {"required": ["responses"], "properties": {"responses": {"type": "array"}, "answers": none}},
            {"required": ["answers"], "properties": {"answers": {"type": "array"}, "responses": none}},
        ],
    });
    body(true, &schema, &json!({"responses": ["approve", "eu-west"]}))
}

/// Declining.
pub(super) fn decline() -> Value {
    let properties = json!({"reason": reason(), "key": key(), "surface": surface(), "client": client()});
    let schema = json!({"type": "object", "additionalProperties": false, "properties": properties});
    body(false, &schema, &json!({"reason": "Which of the two regions do you mean?"}))
}

/// Cancelling.
pub(super) fn ending(example: &Value) -> Value {
    let properties = json!({"reason": reason(), "key": key(), "surface": surface()});
    body(false, &json!({"type": "object", "additionalProperties": false, "properties": properties}), example)
}

pub(super) fn dismiss() -> Value {
    let (least, most) = (DISMISS_SECONDS.start(), DISMISS_SECONDS.end());
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["unwaitedFor"],
        "properties": {
            "unwaitedFor": {
                "description": "The seconds for which nobody has waited for the outcome.",
                "type": "number", "minimum": least, "maximum": most,
            },
            "room": optional(room_schema()), "reason": reason(), "surface": surface(),
        },
    });
    body(true, &schema, &json!({"unwaitedFor": 86_400, "room": "shop"}))
}

pub(super) fn login_link() -> Value {
    let mut path = optional(page_path_schema());
    path["description"] =
        "Where on the page the browser goes on once it is logged in; to its beginning unless given.".into();
    let plain = json!({"description": "Whether it is for the page without scripts.", "type": ["boolean", "null"]});
    let properties = json!({"path": path, "plain": plain});
    let schema = json!({"type": "object", "additionalProperties": false, "properties": properties});
    body(false, &schema, &json!({"path": "/history"}))
}

pub(super) fn session() -> Value {
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["code", "redeem"],
        "properties": {
            "code": {"description": "The code in the fragment of a login link.", "type": "string"},
            "redeem": {"description": "Whether to log in; false only says as whom.", "type": "boolean"},
        },
    });
    body(true, &schema, &json!({"code": "askback_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG", "redeem": false}))
}

pub(super) fn token() -> Value {
    let roles = [Role::Asker, Role::Answerer, Role::Admin].map(Role::name);
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["role", "name"],
        "properties": {
            "role": {"enum": roles}, "name": name_schema(), "room": optional(room_schema()),
            "expiresAt": {"type": ["string", "null"], "format": "date-time"},
        },
        "if": {"properties": {"role": {"const": Role::Admin.name()}}},
        "then": {"properties": {"room": {"type": "null"}}},
    });
    body(true, &schema, &json!({"role": "asker", "name": "ci", "room": "shop"}))
}
