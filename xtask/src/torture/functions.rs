//! The functions whose mutants cargo-mutants generates, with the tests that must notice them.

/// Functions of a file. Every mutant of theirs that compiles must be noticed by the tests, and so must those of the fields that any
/// function of the file gives to a struct before `..`: cargo-mutants can't leave these out.
pub(super) struct MutatedFunctions {
    pub(super) file: &'static str,
    /// Their names, as cargo-mutants writes them: `Caller::sees`, or `<impl Drop for Caller>::drop`.
    pub(super) functions: &'static [&'static str],
    /// The package whose tests are run.
    pub(super) package: &'static str,
    /// Its tests that are built: `--lib`, `--test=server`.
    pub(super) targets: &'static [&'static str],
    /// The beginnings of the names of the tests that are run.
    pub(super) tests: &'static [&'static str],
    pub(super) accepted: &'static [AcceptedMutant],
}

/// A mutant that no test notices, and why none needs to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AcceptedMutant {
    /// What it changes, in the words of cargo-mutants.
    pub(super) mutant: &'static str,
    /// A part of the line that it changes.
    pub(super) line: &'static str,
    pub(super) reason: &'static str,
}

impl MutatedFunctions {
    /// Its functions of this name; all of them if this is the name of the file, or none.
    pub(super) fn named(&self, only: Option<&str>) -> Vec<&'static str> {
        let is_named = |function: &str| only.is_none_or(|only| only == function || only == self.file);
        self.functions.iter().copied().filter(|function| is_named(function)).collect()
    }

    /// The package of the file.
    pub(super) fn owner(&self) -> &'static str {
        self.file.split('/').nth(1).unwrap_or_default()
    }
}

impl AcceptedMutant {
    /// Whether it is the mutant with this name, which begins with its place, in this line.
    pub(super) fn is(&self, name: &str, line: &str) -> bool {
        name.split_once(": ").is_some_and(|(_, mutant)| mutant == self.mutant) && line.contains(self.line)
    }

    /// Whether it is a mutant of this function.
    pub(super) fn is_of(&self, function: &str) -> bool {
        self.mutant.ends_with(&format!(" in {function}")) || self.mutant.starts_with(&format!("replace {function} "))
    }
}

const HUB: &str = "askback-hub";
const SERVER: &str = "askback-server";

const LIB: &[&str] = &["--lib"];
const LIB_AND_STORY: &[&str] = &["--lib", "--test=memory_store"];

pub(super) const FUNCTIONS: &[MutatedFunctions] = &[
    MutatedFunctions {
        file: "crates/askback-server/src/service/caller.rs",
        functions: &[
            "Caller::in_room",
            "Caller::is_browser",
            "Caller::check_valid",
            "Caller::asks",
            "Caller::answers",
            "Caller::administers",
            "Caller::acts_as",
            "Caller::sees",
            "Caller::owns",
            "Caller::narrow",
            "Caller::narrow_room",
            "Caller::signature",
        ],
        package: SERVER,
        targets: LIB,
        tests: &["service::tests::rights::"],
        accepted: &[],
    },
    MutatedFunctions {
        file: "crates/askback-server/src/service/ending.rs",
        functions: &["Service::dismiss", "Service::cancellable", "Service::may_answer", "Service::answering_signature"],
        package: SERVER,
        targets: LIB,
        tests: &["service::tests::ending::"],
        accepted: &[],
    },
    MutatedFunctions {
        file: "crates/askback-server/src/service/reading.rs",
        functions: &["FollowedEvents::next", "Service::listed"],
        package: SERVER,
        targets: LIB,
        tests: &["service::tests::reading::"],
        accepted: &[],
    },
    MutatedFunctions {
        file: "crates/askback-server/src/service/delivery_claims.rs",
        functions: &["DeliveryClaims::claim", "DeliveryClaims::revert"],
        package: SERVER,
        targets: LIB,
        tests: &["service::delivery_claims::"],
        accepted: &[],
    },
    MutatedFunctions {
        file: "crates/askback-server/src/gate.rs",
        functions: &[
            "Gate::check",
            "Gate::check_own_origin",
            "Gate::check_own_form",
            "PublicUrl::parse",
            "is_canonical_host",
        ],
        package: SERVER,
        targets: LIB,
        tests: &["gate::tests::"],
        accepted: &[],
    },
    MutatedFunctions {
        file: "crates/askback-hub/src/hub/resolve.rs",
        functions: &["Shared::resolve"],
        package: HUB,
        targets: LIB,
        tests: &["hub::tests::ending::", "hub::tests::time::", "hub::tests::authority::"],
        accepted: &[],
    },
    MutatedFunctions {
        file: "crates/askback-hub/src/hub/hook_leases.rs",
        functions: &[
            "LeaseTime::left_since",
            "HookLeases::to_renew",
            "HookLeases::renewed",
            "HookLeases::fence",
            "HookLeases::forget",
            "HookLeases::retain",
            "HookLeases::clear",
        ],
        package: HUB,
        targets: LIB,
        tests: &["hub::hook_leases::"],
        accepted: &[],
    },
    MutatedFunctions {
        file: "crates/askback-hub/src/store/memory/outbox.rs",
        functions: &[
            "Outbox::set_hooks",
            "Outbox::due",
            "Outbox::lease",
            "Outbox::release",
            "Outbox::settle",
            "Outbox::next",
            "Outbox::waiting",
        ],
        package: HUB,
        targets: LIB_AND_STORY,
        tests: &["store_in_memory_lives_through_the_story", "hub::tests::outbox::"],
        accepted: &[],
    },
    MutatedFunctions {
        file: "crates/askback-hub/src/token.rs",
        functions: &["Token::is_live", "Token::is_valid", "Token::gone", "Token::settle", "Token::end", "permit_of"],
        package: HUB,
        targets: LIB,
        tests: &["hub::tests::tokens::", "hub::tests::authority::"],
        accepted: &[],
    },
    MutatedFunctions {
        file: "crates/askback-hub/src/hub/tokens.rs",
        functions: &[
            "Hub::authenticate",
            "Shared::issue",
            "Shared::revoke",
            "Shared::forget",
            "Shared::end",
            "shares_requests",
            "check_live",
            "earlier",
        ],
        package: HUB,
        targets: LIB,
        tests: &["hub::tests::tokens::", "hub::tests::authority::"],
        accepted: &[],
    },
    MutatedFunctions {
        file: "crates/askback-hub/src/hub/logins.rs",
        functions: &[
            "Shared::check_login_limits",
            "Shared::end_oldest_session",
            "Shared::redeem",
            "Shared::login_link",
            "Shared::revoke_sessions",
        ],
        package: HUB,
        targets: LIB,
        tests: &["hub::tests::tokens::", "hub::tests::authority::"],
        accepted: &[AcceptedMutant {
            mutant: "delete field is_local from struct StoredToken expression in Shared::redeem",
            line: "is_local: false,",
            reason: "the link, from which the session would take it, is never local either",
        }],
    },
    MutatedFunctions {
        file: "crates/askback-hub/src/keyring.rs",
        functions: &["Keyring::sessions_and_links", "Keyring::family", "Keyring::descendants"],
        package: HUB,
        targets: LIB,
        tests: &["hub::tests::tokens::"],
        accepted: &[],
    },
    MutatedFunctions {
        file: "crates/askback-hub/src/store/memory.rs",
        functions: &["Kept::same", "Kept::create", "Kept::resolve", "<impl RequestStore for MemoryStore>::deliver"],
        package: HUB,
        targets: LIB_AND_STORY,
        tests: &[
            "store_in_memory_lives_through_the_story",
            "repeated_creation_finds_its_own_request_in_memory",
            "without_the_compare_and_set_the_model_notices",
            "hub::tests::asking::",
            "hub::tests::lost_replies::",
            "hub::tests::outbox::nothing_is_lost_or_doubled",
        ],
        accepted: &[AcceptedMutant {
            mutant: "replace += with *= in Kept::resolve",
            line: "row.record.size += bytes;",
            reason: "a larger size makes pages shorter and leaves nothing out",
        }],
    },
];

#[cfg(test)]
mod tests {
    use super::FUNCTIONS;
    use crate::project::{read, texts};

    #[test]
    fn every_mutated_function_stands_in_its_file_and_every_accepted_mutant_in_its_line() {
        for group in FUNCTIONS {
            let text = read(group.file).unwrap();
            for function in group.functions {
                assert!(
                    function.chars().all(|c| c.is_alphanumeric() || "_:<>' ".contains(c)),
                    "{function} is a pattern"
                );
                let (owner, name) = function.rsplit_once("::").unwrap_or(("", function));
                let is_owner = |line: &str| line.starts_with("impl") && line.contains(owner.trim_matches(['<', '>']));
                assert!(owner.is_empty() || text.lines().any(is_owner), "{} has no {owner}", group.file);
                let is_there = ["(", "<"].iter().any(|after| text.contains(&format!("fn {name}{after}")));
                assert!(is_there, "{} has no function {function}", group.file);
            }
            for accepted in group.accepted {
                assert!(text.contains(accepted.line), "{} has no line {}", group.file, accepted.line);
                let is_known = group.functions.iter().any(|function| accepted.is_of(function));
                assert!(is_known, "{} is of no function in the list", accepted.mutant);
            }
        }
    }

    #[test]
    fn every_test_of_a_mutated_function_stands_in_its_package() {
        let texts = texts().unwrap();
        for group in FUNCTIONS {
            let folder = format!("crates/{}/", group.package);
            let sources = || texts.iter().filter(|(path, _)| path.starts_with(&folder) && path.ends_with(".rs"));
            for test in group.tests {
                let mut parts = test.split("::").filter(|part| !part.is_empty());
                let is_there = |part: &str| {
                    let item = [format!("fn {part}"), format!("mod {part}")];
                    sources().any(|(_, text)| item.iter().any(|item| text.contains(item)))
                };
                assert!(parts.all(is_there), "{} has no test {test}", group.package);
            }
        }
    }
}
