//! The schemas that calls share: those of the API's types, and beside them those of requests and outcomes, which are the core's, told in
//! the words of OpenAPI.

use askback_api::schema::{reference, responses};
use askback_core::{Limits, schema};
use askback_hub::limits::{PENDING_COUNTED, UNATTENDED};
use serde_json::{Map, Value, json};

/// Where schemas refer to each other in a file of their own.
const DEFINITIONS: &str = "#/$defs/";

pub(super) fn schemas() -> Value {
    let mut schemas = responses();
    // The most that the hub lists and counts is its own to say.
    let unattended = &mut schemas["UnattendedList"]["properties"];
    unattended["items"]["maxItems"] = UNATTENDED.into();
    unattended["pending"]["maximum"] = PENDING_COUNTED.into();
    schemas.insert("Document".to_owned(), json!({"type": "object"}));
    adopt(&mut schemas, "Request", schema::request(&Limits::DEFAULT));
    adopt(&mut schemas, "Outcome", schema::outcome(&Limits::DEFAULT));
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
