//! Parts of the tools' schemas.

use crate::arguments::ASK_AGAIN;
use crate::result::{MESSAGE, REQUEST_ID, meta};
use askback_core::{Limits, Status, schema};
use rmcp::model::{JsonObject, MetaObject, Tool as Definition, ToolAnnotations};
use serde_json::{Value, json};
use std::sync::Arc;

/// The description that all tools which ask share.
pub(super) const ASKING: &str = "\
It waits for the person as long as your client allows. A result with status \"pending\" means that nobody has answered yet: call \
wait_for_answer with its request_id. Asking exactly the same again finds the question that is still open, or an answer that did not \
reach you; set ask_again to true if you mean to ask once more.";

/// Creates the definition of a tool.
pub(super) fn definition(
    (name, title): (&'static str, &str),
    description: impl Into<String>,
    input: Value,
    output: Value,
    annotations: ToolAnnotations,
) -> Definition {
    Definition::new(name, description.into(), as_object(input))
        .with_title(title)
        .with_raw_output_schema(as_object(output))
        .with_annotations(annotations)
}

/// The annotations of a tool that asks.
pub(super) fn asks() -> ToolAnnotations {
    ToolAnnotations::new().read_only(true).open_world(true)
}

/// Keeps a tool in the model's first request: Claude Code would send its name alone, and have the model search for the rest.
pub(super) fn always_loaded() -> MetaObject {
    meta("anthropic/alwaysLoad", true)
}

/// The keywords by which such a search finds a tool.
pub(super) fn search_hint(words: &str) -> MetaObject {
    meta("anthropic/searchHint", words)
}

fn as_object(schema: Value) -> Arc<JsonObject> {
    Arc::new(match schema {
        Value::Object(fields) => fields,
        _ => JsonObject::new(),
    })
}

pub(super) fn object(properties: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "additionalProperties": false, "properties": properties, "required": required})
}

pub(super) fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

pub(super) fn with_ask_again(mut schema: Value) -> Value {
    schema["properties"][ASK_AGAIN] = json!({
        "type": "boolean", "default": false,
        "description": "Ask once more, even if exactly this is still open or its answer has not reached you.",
    });
    schema
}

/// The schema of a tool's result. Only the message is required: clients check errors against the same schema.
pub(super) fn result(properties: Value) -> Value {
    let message = text("What happened, in words: the same text as the content.");
    let mut all = json!({MESSAGE: message});
    extend(&mut all, properties);
    json!({"type": "object", "properties": all, "required": [MESSAGE]})
}

/// The schema of the result of a tool that asks.
pub(super) fn asking_result(own: Value) -> Value {
    let mut properties = json!({
        "status": {"enum": Status::ALL.map(Status::name)},
        REQUEST_ID: text("For wait_for_answer and cancel_request."),
        "next": text("What to call next, while it is pending."),
    });
    extend(&mut properties, own);
    result(properties)
}

/// Adds properties, and replaces those of the same name.
pub(super) fn extend(properties: &mut Value, own: Value) {
    if let (Some(properties), Value::Object(own)) = (properties.as_object_mut(), own) {
        properties.extend(own);
    }
}

/// The properties of an outcome as in the API, without its id and status.
pub(super) fn outcome_properties() -> Value {
    let mut properties = schema::outcome(&Limits::DEFAULT)["properties"].take();
    if let Some(fields) = properties.as_object_mut() {
        fields.shift_remove("id");
        fields.shift_remove("status");
    }
    properties
}

/// The schema of the result for a request or a script.
pub(super) fn waited_result() -> Value {
    let mut properties = outcome_properties();
    extend(&mut properties, super::execute_code::properties());
    let statuses: Vec<&str> = Status::ALL.map(Status::name).into_iter().chain(["finished", "failed"]).collect();
    properties["status"] = json!({"enum": statuses});
    result(properties)
}
