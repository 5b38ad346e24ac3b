//! The vectors' own test: with any rule turned off, some vector fails.
//!
//! A rule that is turned off is not enforced; where there is no value to go on with, such as text that is no number, it is
//! reported under another name instead.

use super::{answers, dialects, requests};
use crate::dialect::DIALECTS;
use crate::kind::KINDS;
use crate::rule::Rule;
use std::cell::Cell;

thread_local! {
    /// The rule that is turned off, so that a test can show that some vector misses it.
    static DISABLED: Cell<Option<Rule>> = const { Cell::new(None) };
}

pub(crate) fn is_enforced(rule: Rule) -> bool {
    DISABLED.get() != Some(rule)
}

/// Runs `body` with `rule` turned off on this thread.
fn without<T>(rule: Rule, body: impl FnOnce() -> T) -> T {
    DISABLED.set(Some(rule));
    let result = body();
    DISABLED.set(None);
    result
}

// F16
#[test]
fn without_any_rule_of_a_kind_its_vectors_fail() {
    for entry in KINDS {
        for rule in entry.rules {
            let failed = without(*rule, || answers::failures(entry.name));
            assert!(!failed.is_empty(), "{}.json has no vector that needs the rule `{rule}`", entry.name);
        }
    }
}

// F16
#[test]
fn without_any_rule_at_all_some_vector_fails() {
    for rule in Rule::ALL {
        let caught = without(*rule, || {
            !requests::failures().is_empty()
                || KINDS.iter().any(|entry| !answers::failures(entry.name).is_empty())
                || DIALECTS.iter().any(|dialect| !dialects::failures(dialect.name).is_empty())
        });
        assert!(caught, "no vector needs the rule `{rule}`");
    }
}
