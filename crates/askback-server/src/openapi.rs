//! The description of the HTTP API (OpenAPI 3.1), built from the server's own routes and limits.

use crate::app::typed;
use crate::routes::ROUTES;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

mod components;
pub(crate) mod operation;
pub(crate) mod operations;
mod parameters;

const ABOUT: &str = "\
An agent asks structured questions, a person answers, exactly once.\n\n\
An asker posts a request and waits for its outcome with `wait`, follows the events, or comes back with the id. An answerer \
sees what is asked and answers it. An admin may also give and take tokens. Nobody can do both: an asker never answers.\n\n\
Whatever is refused is refused with a problem (RFC 9457), whose `type` is a stable word to branch on. A method that a path \
does not have is refused with 405 and `method-not-allowed`, and what is at no path with 404 and `not-found`.\n\n\
Parameters and fields that are not described here are refused. A field that is null is one that is not there.";

/// The serialized document.
static TEXT: LazyLock<String> = LazyLock::new(|| format!("{:#}", build()));

/// The description of the API as JSON.
pub fn text() -> &'static str {
    &TEXT
}

/// `GET /openapi.json`
pub(crate) async fn document() -> Response {
    typed(StatusCode::OK, "application/json", text())
}

fn build() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES {
        // OpenAPI has no parameters that span slashes.
        let path = paths.entry(route.path.replace("{*", "{")).or_insert_with(|| json!({}));
        path[route.verb.name()] = (route.describe)().to_json();
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "askback",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT,
            "license": {"name": env!("CARGO_PKG_LICENSE"), "identifier": env!("CARGO_PKG_LICENSE")},
        },
        "servers": [{"url": "/", "description": "The hub that serves this."}],
        "paths": paths,
        "components": {
            "schemas": components::schemas(),
            "securitySchemes": {
                "bearer": {
                    "type": "http", "scheme": "bearer",
                    "description": "The token of a program, or the session of the page, which belongs to the hub's own origin.",
                },
            },
        },
    });
    // Sorted, so that the order of the source does not change the committed file.
    document.sort_all_objects();
    document
}

#[cfg(test)]
mod tests;
