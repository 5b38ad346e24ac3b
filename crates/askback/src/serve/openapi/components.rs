//! The schemas that calls share. Those of requests and outcomes are the core's, told in the words of OpenAPI.

use super::operation::reference;
use super::parameters::{id_schema, name_schema};
use crate::fault::Kind;
use askback_core::{Limits, Rule, Status, schema};
use askback_hub::limits::{PENDING_COUNTED, UNATTENDED};
use askback_hub::{Purpose, Role};
use serde_json::{Map, Value, json};

/// Where schemas refer to each other in a file of their own.
const DEFINITIONS: &str = "#/$defs/";

pub(super) fn schemas() -> Value {
    let mut schemas = Map::new();
    adopt(&mut schemas, "Request", schema::request(&Limits::DEFAULT));
    adopt(&mut schemas, "Outcome", schema::outcome(&Limits::DEFAULT));
    for (name, schema) in own() {
        schemas.insert(name.to_owned(), schema);
    }
    Value::Object(schemas)
}

/// Takes a schema in, and what it defines, as schemas of their own.
fn adopt(schemas: &mut Map<String, Value>, name: &str, mut schema: Value) {
    let definitions = match schema.as_object_mut() {
        Some(fields) => {
            // The document says which dialect it is in.
            fields.remove("$schema");
            fields.remove("$defs")
        }
        None => None,
    };
    redirect(&mut schema);
    schemas.insert(name.to_owned(), schema);
    if let Some(Value::Object(definitions)) = definitions {
        for (name, mut definition) in definitions {
            redirect(&mut definition);
            schemas.insert(component(&name), definition);
        }
    }
}

/// Lets every reference to a definition lead to its schema here.
fn redirect(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for (name, value) in fields {
                let target = value.as_str().filter(|_| name == "$ref").and_then(|to| to.strip_prefix(DEFINITIONS));
                match target.map(component) {
                    Some(target) => *value = reference(&target)["$ref"].take(),
                    None => redirect(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(redirect),
        _ => {}
    }
}

/// The name of a definition among the schemas here.
fn component(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// An object with these fields and no others; all are there but for those that are named.
fn object(properties: &Value, absent: &[&str]) -> Value {
    let names = properties.as_object().into_iter().flat_map(Map::keys);
    let required: Vec<&String> = names.filter(|name| !absent.contains(&name.as_str())).collect();
    json!({"type": "object", "additionalProperties": false, "required": required, "properties": properties})
}

fn page(of: &str) -> Value {
    let next =
        json!({"description": "The cursor of the next page; null if there is none.", "type": ["string", "null"]});
    object(&json!({"items": {"type": "array", "items": reference(of)}, "next": next}), &[])
}

fn own() -> Vec<(&'static str, Value)> {
    let moment = json!({"type": "string", "format": "date-time"});
    let moment_or_null = json!({"type": ["string", "null"], "format": "date-time"});
    let text = json!({"type": "string"});
    let count = json!({"type": "integer", "minimum": 0});
    let outcome_or_null = json!({"anyOf": [reference("Outcome"), {"type": "null"}]});
    let statuses = [Status::Pending, Status::Answered, Status::Declined, Status::Cancelled, Status::Expired];
    let record = json!({
        "id": id_schema(), "status": {"enum": statuses.map(Status::name)},
        "room": text, "asker": text, "createdAt": moment, "expiresAt": moment_or_null,
        "waiting": {"description": "Whether its asker waits for the outcome now.", "type": "boolean"},
        "lastWaitedAt": moment_or_null, "request": reference("Request"), "outcome": outcome_or_null,
    });
    let event = json!({
        "number": {"type": "integer", "minimum": 1},
        "event": {"enum": ["request.created", "request.answered", "request.declined", "request.cancelled", "request.expired"]},
        "at": moment, "by": text, "surface": {"type": ["string", "null"]}, "id": id_schema(), "room": text, "asker": text,
        "request": reference("Request"), "outcome": reference("Outcome"),
    });
    let mut new_token = token();
    new_token["token"] = json!({"description": "Its secret, told this once.", "type": "string"});
    let mut me = token();
    me["dialogs"] = json!({
        "description": "MCP clients whose own dialog counts as a surface, by what they call themselves.",
        "type": "array", "items": text,
    });
    me["people"] =
        json!({"description": "Connections of people who are looking on now.", "type": "integer", "minimum": 0});
    me["told"] = json!({"description": "Whether a webhook or a command is told of new requests.", "type": "boolean"});
    let login = json!({
        "name": text, "room": {"type": ["string", "null"]},
        "expiresAt": {"description": "When the link or the session expires.", "type": ["string", "null"], "format": "date-time"},
    });
    let mut session = login.clone();
    session["secret"] = json!({"description": "The secret of the session, returned this once.", "type": "string"});
    let unattended_list = json!({
        "items": {"type": "array", "maxItems": UNATTENDED, "items": reference("Unattended")},
        "pending": {
            "description": "How many are pending, whether or not somebody waits for them. The most stands for as many or more.",
            "type": "integer", "minimum": 0, "maximum": PENDING_COUNTED,
        },
    });
    let health = json!({
        "status": {"const": "ok"}, "version": text, "api": {"description": "The number of the API.", "type": "integer"},
        "lastEvent": {"description": "The number of the newest event.", "type": "integer", "minimum": 0},
    });
    let asked = json!({"id": id_schema(), "status": {"enum": statuses.map(Status::name)}, "message": text});
    let script = json!({
        "id": id_schema(), "status": {"enum": ["running", "finished", "failed"]},
        "result": {"description": "What it returned."},
        "error": {"description": "Why it failed.", "type": ["string", "null"]},
        "console": {"description": "What it wrote, a text for each call.", "type": "array", "items": text},
        "requests": {"description": "What it has asked.", "type": "array", "items": object(&asked, &[])},
    });
    vec![
        ("Script", object(&script, &[])),
        ("Problem", problem()),
        ("Record", object(&record, &[])),
        ("RecordPage", page("Record")),
        ("Event", object(&event, &["request", "outcome"])),
        ("EventPage", page("Event")),
        ("Token", object(&token(), &[])),
        ("NewToken", object(&new_token, &[])),
        ("Me", object(&me, &[])),
        ("TokenList", object(&json!({"items": {"type": "array", "items": reference("Token")}}), &[])),
        ("LoginLink", object(&json!({"url": {"type": "string", "format": "uri"}, "expiresAt": moment}), &[])),
        ("Login", object(&login, &[])),
        ("Session", object(&session, &[])),
        ("Unattended", object(&json!({"id": id_schema(), "lastWaitedAt": moment}), &[])),
        ("UnattendedList", object(&unattended_list, &[])),
        ("Dismissed", object(&json!({"dismissed": count}), &[])),
        ("Changed", object(&json!({"changed": {"type": "boolean"}}), &[])),
        ("Health", object(&health, &[])),
        ("Document", json!({"type": "object"})),
    ]
}

fn token() -> Value {
    let purposes: Vec<_> = Purpose::all().map(Purpose::name).collect();
    let roles = [Role::Asker, Role::Answerer, Role::Admin].map(Role::name);
    json!({
        "number": {"type": "integer", "minimum": 1},
        "purpose": {"enum": purposes},
        "role": {"enum": roles},
        "name": name_schema(), "room": {"type": ["string", "null"]},
        "createdAt": {"type": "string", "format": "date-time"},
        "expiresAt": {"type": ["string", "null"], "format": "date-time"},
    })
}

fn problem() -> Value {
    let types: Vec<String> = Kind::all().map(|(kind, ..)| kind.type_name()).collect();
    let rules: Vec<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
    let text = json!({"type": "string"});
    let error = json!({
        "path": {"description": "The field, as in `questions[1].step`; all of it is `$`.", "type": "string"},
        "rule": {"description": "The rule that it breaks.", "enum": rules},
        "message": text, "expected": {"description": "What would pass.", "type": "string"},
    });
    let properties = json!({
        "type": {"enum": types}, "title": text, "status": {"type": "integer"}, "detail": text,
        "errors": {"type": "array", "minItems": 1, "items": object(&error, &[])},
        "moreErrors": {"description": "How many there are that are not listed.", "type": "integer", "minimum": 1},
        "outcome": reference("Outcome"),
    });
    let mut problem = object(&properties, &["errors", "moreErrors", "outcome"]);
    problem["description"] = "What went wrong, as RFC 9457 has it.".into();
    problem
}
