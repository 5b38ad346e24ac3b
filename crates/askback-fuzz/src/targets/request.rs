//! `Request::parse`: the canonical form of a request is a request, and the same one.

use super::{check_printable, check_problems};
use askback_core::{Limits, Request, show};

pub(super) const WORDS: &[&str] = &[
    "\"type\":",
    "\"message\":",
    "\"questions\":[",
    "\"options\":[",
    "\"multiSelect\":true",
    "\"other\":true",
    "\"initial\":",
    "\"default\":",
    "\"onTimeout\":{\"default\":",
    "\"timeout\":",
    "\"choice\"",
    "\"confirm\"",
    "\"approval\"",
    "\"number\"",
    "\"min\":",
    "\"max\":",
    "\"step\":",
    "\"value\":",
    "\"disabled\":true",
    "\"input_type\":",
    "\"prompt\":",
    "\"header\":",
    "\"context\":[",
    "null",
    "1e308",
    "-0",
    "\\u0000",
    "\\ud83d\\ude00",
    "\u{202e}",
    ", ",
    "{",
    "}",
    "[",
    "]",
];

pub(super) fn accepts(input: &[u8]) -> bool {
    match Request::parse(input, &Limits::DEFAULT) {
        Ok(request) => {
            check(&request);
            true
        }
        Err(problems) => {
            check_problems(&problems);
            false
        }
    }
}

/// Checks that the canonical form is read as the same request, by a port and by a store.
fn check(request: &Request) {
    let canonical = request.to_json().to_string();
    for limits in [&Limits::DEFAULT, &Limits::STORED] {
        assert_eq!(Request::parse(canonical.as_bytes(), limits).as_ref(), Ok(request), "{canonical}");
    }
    assert!(!request.questions().is_empty());
    check_printable(&show::quote(&request.summary()));
}
