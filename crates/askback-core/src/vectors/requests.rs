//! `vectors/request.json`: whole requests, right and wrong, as JSON, as text and as bytes.

use super::{cases, compare_problems, to_value};
use crate::{Limits, Request};
use serde_json::Value;

/// The bytes a case stands for.
pub(super) fn bytes(case: &Value) -> Vec<u8> {
    let hex =
        |text: &str| (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap()).collect();
    match (case.get("text"), case.get("hex")) {
        (Some(text), _) => text.as_str().unwrap().as_bytes().to_vec(),
        (_, Some(text)) => hex(text.as_str().unwrap()),
        _ => case["request"].to_string().into_bytes(),
    }
}

/// What goes wrong.
pub(super) fn failures() -> Vec<String> {
    cases("request")
        .iter()
        .filter_map(|case| check(case).map_err(|wrong| format!("{}: {wrong}", case["name"])).err())
        .collect()
}

fn check(case: &Value) -> Result<(), String> {
    match (Request::parse(&bytes(case), &Limits::DEFAULT), case.get("problems")) {
        (Err(found), Some(expected)) => compare_problems(expected, &found),
        (Ok(request), None) => same_canonical(&request, &case["canonical"]),
        (Ok(_), Some(expected)) => Err(format!("accepted, expected {expected}")),
        (Err(found), None) => Err(format!("refused: {found}")),
    }
}

/// The canonical form is the expected one, and reads back as the same request.
pub(super) fn same_canonical(request: &Request, expected: &Value) -> Result<(), String> {
    let canonical = request.to_json();
    if to_value(&canonical) != *expected {
        return Err(format!("canonical form is {canonical}"));
    }
    match Request::from_json(&canonical, &Limits::STORED) {
        Ok(again) if again == *request => Ok(()),
        other => Err(format!("reads back as {other:?}")),
    }
}

// F12, F15, F16, L4, S3
#[test]
fn requests_pass_their_vectors() {
    let failed = failures();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

// S3
#[test]
fn problems_are_counted_beyond_the_limit() {
    let options = vec!["\"\""; 100_000].join(",");
    let text = format!(r#"{{"type":"dropdown","message":"?","options":[{options}]}}"#);
    let problems = Request::parse(text.as_bytes(), &Limits::DEFAULT).unwrap_err();
    assert_eq!((problems.len(), problems.more()), (crate::limits::PROBLEMS, 100_000 - crate::limits::PROBLEMS));
    assert!(problems.to_string().ends_with("; and 99900 more"));
}
