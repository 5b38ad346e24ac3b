//! The descriptions of parameters.

use askback_api::limits::{LARGEST_EXACT_INTEGER, PAGE_ITEMS, PAGE_ITEMS_DEFAULT, WAIT_SECONDS};
use askback_core::limits::NAME_LENGTH;
use askback_core::{Limits, Status, schema};
use serde_json::{Value, json};

fn query(name: &str, description: &str, schema: &Value) -> Value {
    json!({"name": name, "in": "query", "description": description, "schema": schema})
}

/// The schema of a request's id.
fn id_schema() -> Value {
    schema::outcome(&Limits::DEFAULT)["properties"]["id"].take()
}

pub(super) fn path_id() -> Value {
    json!({"name": "id", "in": "path", "required": true, "description": "The request's id.", "schema": id_schema()})
}

pub(super) fn path_number() -> Value {
    let schema = json!({"type": "integer", "minimum": 1, "maximum": LARGEST_EXACT_INTEGER});
    json!({"name": "number", "in": "path", "required": true, "description": "The token's number.", "schema": schema})
}

pub(super) fn wait() -> Value {
    let schema = json!({"type": "integer", "minimum": 0, "maximum": WAIT_SECONDS, "default": 0});
    query("wait", "The seconds to wait for the outcome, which is answered as soon as there is one.", &schema)
}

pub(super) fn id() -> Value {
    query("id", "Only of the request with this id.", &id_schema())
}

pub(super) fn own_id() -> Value {
    query(
        "id",
        "The id that the request is to have; one is made up otherwise. Asking twice with it is asking once.",
        &id_schema(),
    )
}

pub(super) fn moment(name: &str, description: &str) -> Value {
    query(name, description, &json!({"type": "string", "format": "date-time"}))
}

pub(super) fn flag(name: &str, description: &str) -> Value {
    query(name, description, &json!({"type": "boolean", "default": false}))
}

pub(super) fn status(description: &str) -> Value {
    query("status", description, &json!({"enum": Status::ALL.map(Status::name)}))
}

/// The schema of a name. That it must have a visible character is beyond a schema.
fn name_schema() -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": NAME_LENGTH})
}

/// The schema of a room's name. Names that begin with `@` are reserved.
fn room_schema() -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": NAME_LENGTH, "pattern": "^[^@]"})
}

pub(super) fn room() -> Value {
    query("room", "Only what is asked in this room.", &room_schema())
}

/// The room whose audience is counted.
pub(super) fn audience_room() -> Value {
    query("room", "Only people who see what is asked in this room.", &room_schema())
}

/// The room that a Yjs client follows.
pub(super) fn path_room() -> Value {
    json!({
        "name": "room", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1, "maxLength": NAME_LENGTH},
        "description": "The name of a room, or `@inbox` for all that the token may see.",
    })
}

/// The token, for clients that can't set a header.
pub(super) fn sync_token() -> Value {
    query("token", "The token, for clients that can't send a header.", &json!({"type": "string"}))
}

pub(super) fn name(name: &str, description: &str) -> Value {
    query(name, description, &name_schema())
}

/// The start and the length of a page.
pub(super) fn page() -> [Value; 2] {
    let cursor = json!({"type": "string", "pattern": "^c(0|[1-9a-f][0-9a-f]{0,15})$"});
    let limit = json!({"type": "integer", "minimum": 1, "maximum": PAGE_ITEMS, "default": PAGE_ITEMS_DEFAULT});
    [
        query("cursor", "Where the page begins: `next` of the page before it.", &cursor),
        query("limit", "The most that is on the page.", &limit),
    ]
}

/// The start in the log.
pub(super) fn after() -> Value {
    let number = json!({"type": "integer", "minimum": 0, "maximum": LARGEST_EXACT_INTEGER});
    query("after", "Only what comes after the event of this number. A cursor counts before it.", &number)
}

/// The start of an event stream.
pub(super) fn since() -> [Value; 2] {
    let number = json!({"type": "integer", "minimum": 0, "maximum": LARGEST_EXACT_INTEGER});
    [
        query(
            "after",
            "The number of the last event that was seen; 0 for all there are. From now on unless given.",
            &number,
        ),
        json!({
            "name": "Last-Event-ID", "in": "header", "schema": number,
            "description": "The same, as browsers send it when they come back. It counts before `after`.",
        }),
    ]
}
