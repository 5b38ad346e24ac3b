//! The import cycles between modules that may stay, each with its reason.

use crate::tidy::Complaint;
use std::collections::BTreeSet;

/// The file of the lists, for messages.
pub(super) const LIST: &str = "xtask/src/tidy/cycles/allowed.rs";

/// The most modules that a cycle in [`SMALL_CYCLES`] may have.
pub(super) const SMALL: usize = 3;

/// A set of modules that import each other, directly or through each other, and may do so.
pub(super) struct AllowedCycle {
    /// The crate's name.
    pub(super) package: &'static str,
    /// The modules' names, sorted.
    pub(super) modules: &'static [&'static str],
    pub(super) reason: &'static str,
}

/// The cycles of two or three modules that may stay.
const SMALL_CYCLES: &[AllowedCycle] = &[
    AllowedCycle {
        package: "askback-agent",
        modules: &["agent", "model_loop"],
        reason: "a loop over a model is an `Agent`, and the agent for Anthropic's API is such a loop",
    },
    AllowedCycle {
        package: "askback-api",
        modules: &["problem", "schema"],
        reason: "a problem's fields name their schemas, which list the problem codes and rule names",
    },
    AllowedCycle {
        package: "askback-core",
        modules: &["consent_words", "kind"],
        reason: "an approval reads its labels as consent words, which mean one of its decisions",
    },
    AllowedCycle {
        package: "askback-core",
        modules: &["schema", "tool"],
        reason: "the published schemas include the tool's, which includes the schema of metadata",
    },
    AllowedCycle {
        package: "askback-hub",
        modules: &["record", "room"],
        reason: "a record has its room's name, and a room's document is a projection of records",
    },
    AllowedCycle {
        package: "askback-hub",
        modules: &["store", "token"],
        reason: "the store persists roles and purposes, and a token is built from its stored form",
    },
    AllowedCycle {
        package: "askback-script",
        modules: &["pool", "run"],
        reason: "a run queues itself in its pool, whose workers drive the queued runs",
    },
    AllowedCycle {
        package: "askback-server",
        modules: &["assets", "openapi", "routes"],
        reason: "a route has a handler and a description, the OpenAPI document lists the routes, and a missing page is a \
                 missing route",
    },
    AllowedCycle {
        package: "askback-term",
        modules: &["browser", "live", "plain"],
        reason: "a live window is painted or plain and shows a browser, which both draw with the types of `live`",
    },
    AllowedCycle {
        package: "askback-term",
        modules: &["editor", "prompt", "summary"],
        reason: "prompts use the editor and the summary of an answer, which use the directions and captions of `prompt`",
    },
];

/// The cycles that a check accepts.
pub(super) struct Allowed<'a>(pub(super) &'a [AllowedCycle]);

impl Allowed<'static> {
    /// The cycles of this file.
    pub(super) const LISTED: Self = Self(SMALL_CYCLES);
}

impl Allowed<'_> {
    /// Whether a cycle of exactly these modules is listed.
    pub(super) fn contains(&self, package: &str, modules: &[&str]) -> bool {
        modules.len() <= SMALL && self.0.iter().any(|cycle| cycle.package == package && cycle.modules == modules)
    }

    /// A complaint for every listed cycle that is not in the code.
    pub(super) fn stale(&self, cycles: &BTreeSet<(&str, Vec<&str>)>) -> Vec<Complaint> {
        let stale = self.0.iter().filter(|cycle| !cycles.contains(&(cycle.package, cycle.modules.to_vec())));
        stale
            .map(|AllowedCycle { package, modules, reason }| {
                format!(
                    "{LIST}: SMALL_CYCLES lists the modules {} of {package} ({reason}), but no cycle has exactly these \
                     modules: remove or correct the entry",
                    modules.join(", ")
                )
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{SMALL, SMALL_CYCLES};

    #[test]
    fn listed_cycles_are_sorted_and_within_their_limits() {
        for cycle in SMALL_CYCLES {
            assert!(cycle.modules.is_sorted() && !cycle.reason.is_empty(), "{}: {:?}", cycle.package, cycle.modules);
        }
        assert!(SMALL_CYCLES.iter().all(|cycle| (2..=SMALL).contains(&cycle.modules.len())));
    }
}
