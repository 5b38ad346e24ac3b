//! That the description is whole, that it can be read, and that the committed one is this one.

use super::*;
use askback_api::ProblemCode;
use http_body_util::BodyExt;
use std::collections::BTreeSet;

/// Every value of this field, wherever it stands.
fn everywhere<'v>(name: &str, value: &'v Value, found: &mut Vec<&'v Value>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get(name));
            fields.values().for_each(|value| everywhere(name, value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| everywhere(name, value, found)),
        _ => {}
    }
}

// S4
#[test]
fn every_route_is_described_once_and_nothing_else_is() {
    let document = build();
    let described: BTreeSet<(String, String)> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, verbs)| verbs.as_object().unwrap().keys().map(|verb| (path.clone(), verb.clone())))
        .collect();
    let routes = ROUTES.iter().map(|route| (route.path.replace("{*", "{"), route.verb.name().to_owned()));
    assert_eq!(described, routes.collect());
    let mut ids = Vec::new();
    everywhere("operationId", &document["paths"], &mut ids);
    let links = ids.len() - ROUTES.len();
    let different: BTreeSet<&str> = ids.iter().filter_map(|id| id.as_str()).collect();
    assert_eq!(
        (different.len(), links > 0),
        (ROUTES.len(), true),
        "each has its own id, and links lead to one of them"
    );
    for (path, parameter) in ROUTES.iter().filter_map(|route| Some((route.path, route.path.split_once('{')?.1))) {
        let name = parameter.trim_start_matches('*').split('}').next().unwrap();
        let of_path = document["paths"][path.replace("{*", "{")].to_string();
        assert!(of_path.contains(&format!("\"in\":\"path\",\"name\":\"{name}\"")), "{path}");
    }
}

/// A route that is not in the list would be served and not described.
// S4
#[test]
fn there_is_no_other_way_to_a_handler() {
    let source = include_str!("../routes.rs");
    assert_eq!(source.matches(".route(").count(), 1, "add it to ROUTES");
    assert_eq!(source.matches(".nest(").count(), 0, "add it to ROUTES");
    let merged: Vec<&str> = source.split(".merge(").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    // MCP describes itself to its clients.
    let expected = ["plain::routes(", "mcp::routes(&app", "pages"];
    assert_eq!(merged, expected, "pages and MCP alone are not described");
}

// F15
#[test]
fn every_reference_leads_somewhere() {
    let document = build();
    let mut references = Vec::new();
    everywhere("$ref", &document, &mut references);
    assert!(references.len() > 50, "{}", references.len());
    for reference in references {
        let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
    let mut definitions = Vec::new();
    everywhere("$defs", &document, &mut definitions);
    assert!(definitions.is_empty(), "what was defined stands among the schemas");
}

// F15
#[test]
fn every_kind_of_problem_is_somebodys() {
    let described: Vec<ProblemCode> = ROUTES.iter().flat_map(|route| (route.describe)().kinds()).collect();
    for kind in ProblemCode::ALL.iter().copied() {
        let name = kind.name();
        // The problems of unknown paths are in the description of the whole API.
        let expected = kind != ProblemCode::MethodNotAllowed;
        assert_eq!(described.contains(&kind), expected, "{name}");
        assert!(expected || ABOUT.contains(name));
    }
}

// F15
#[test]
fn the_committed_description_is_this_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
    let committed = std::fs::read_to_string(path).unwrap();
    assert!(
        committed.trim_end() == text(),
        "docs/openapi.json is stale: run `cargo xtask gen` and commit what it writes"
    );
}

// S3
#[tokio::test]
async fn document_is_sent_from_memory_that_all_connections_share() {
    let body = super::document().await.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(body.as_ptr(), super::text().as_ptr());
}
