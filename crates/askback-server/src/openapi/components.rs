//! The schemas that calls share: those of the API's types, and those of the core's requests and outcomes, adapted to OpenAPI.

use askback_api::schema::{reference, responses};
use askback_core::{Limits, schema};
use askback_hub::limits::{PENDING_COUNTED, UNATTENDED};
use serde_json::{Map, Value, json};

/// The prefix of references within a JSON Schema file.
const DEFINITIONS: &str = "#/$defs/";

pub(super) fn schemas() -> Value {
    let mut schemas = responses();
    // These maximums are limits of the hub.
    let unattended = &mut schemas["UnattendedList"]["properties"];
    unattended["items"]["maxItems"] = UNATTENDED.into();
    unattended["pending"]["maximum"] = PENDING_COUNTED.into();
    schemas.insert("Document".to_owned(), json!({"type": "object"}));
    adopt(&mut schemas, "Request", schema::request(&Limits::DEFAULT));
    adopt(&mut schemas, "Outcome", schema::outcome(&Limits::DEFAULT));
    Value::Object(schemas)
}

/// Adds a schema, and its definitions as separate schemas.
fn adopt(schemas: &mut Map<String, Value>, name: &str, mut schema: Value) {
    let definitions = match schema.as_object_mut() {
        Some(fields) => {
            // The document declares the dialect.
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

/// Rewrites every reference to a definition to its component.
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

/// The name of a definition's component.
fn component(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
