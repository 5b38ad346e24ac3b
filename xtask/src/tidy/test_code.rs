//! Tests use the harness: they open no sockets of their own, and wait for events instead of sleeping.

use super::Complaint;
use crate::production::{ProductionFile, is_identifier, mask};
use std::collections::BTreeSet;

const KIT: &str = "crates/askback-testkit/";

/// A word that test code may not use.
struct Refused {
    word: &'static str,
    /// Whether unit tests may use it: their clock can be paused.
    in_unit_tests: bool,
    instead: &'static str,
}

const REFUSED: &[Refused] = &[
    Refused { word: "TcpStream", in_unit_tests: false, instead: "call by askback_testkit::http" },
    Refused { word: "sleep(", in_unit_tests: true, instead: "wait for the event by askback_testkit::wait" },
    Refused { word: "sleep_until(", in_unit_tests: true, instead: "wait for the event by askback_testkit::wait" },
    Refused { word: "park_timeout(", in_unit_tests: false, instead: "wait for the event by askback_testkit::wait" },
    Refused { word: "thread::sleep(", in_unit_tests: false, instead: "wait for the event by askback_testkit::wait" },
];

/// Test code that may sleep.
struct Sleeper {
    /// A file, or a folder with its slash.
    prefix: &'static str,
    reason: &'static str,
}

const LIST: &str = "SLEEPERS of xtask/src/tidy/test_code.rs";

const SLEEPERS: &[Sleeper] = &[
    Sleeper {
        prefix: "crates/askback-hub/tests/acknowledged/",
        reason: "its programs run without the harness: a watchdog, and a lock that another process still holds",
    },
    Sleeper { prefix: "crates/askback-script/src/meter.rs", reason: "time that passes is no CPU time" },
    Sleeper { prefix: "crates/askback-script/tests/many.rs", reason: "time that passes is no CPU time" },
    Sleeper {
        prefix: "crates/askback/tests/terminal/resize.rs",
        reason: "the window changes while the program paints, and nothing is read meanwhile",
    },
    Sleeper {
        prefix: "crates/askback/tests/terminal/tmux.rs",
        reason: "a window has to rest before its prompt is painted anew, which may change no text",
    },
];

pub(super) fn check(tree: &[(String, String)], files: &[ProductionFile<'_>]) -> Vec<Complaint> {
    check_with(tree, files, SLEEPERS)
}

fn check_with(tree: &[(String, String)], files: &[ProductionFile<'_>], sleepers: &[Sleeper]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let mut used = BTreeSet::new();
    for (path, text) in tree.iter().filter(|(path, _)| is_candidate(path)) {
        for (number, line) in test_lines(path, text, files) {
            let found = REFUSED.iter().find(|refused| refuses(refused, path, &line));
            let Some(Refused { word, instead, .. }) = found else { continue };
            let sleeper = sleepers.iter().position(|sleeper| path.starts_with(sleeper.prefix));
            if let Some(index) = sleeper.filter(|_| word.contains("sleep")) {
                used.insert(index);
            } else {
                complaints.push(format!("{path}:{number}: no `{word}` in tests: {instead}, or see {LIST}"));
            }
        }
    }
    let unused = sleepers.iter().enumerate().filter(|(index, _)| !used.contains(index));
    complaints.extend(unused.map(|(_, Sleeper { prefix, reason })| {
        format!("{prefix}: no test sleeps here ({reason}): remove the entry from {LIST}")
    }));
    complaints
}

fn is_candidate(path: &str) -> bool {
    path.starts_with("crates/") && path.ends_with(".rs") && !path.starts_with(KIT)
}

fn is_integration_test(path: &str) -> bool {
    path.split('/').nth(2) == Some("tests")
}

/// The numbered lines of a file that are test code, without comments and the contents of literals.
fn test_lines(path: &str, text: &str, files: &[ProductionFile<'_>]) -> Vec<(usize, String)> {
    let is_unit_test = path.split('/').nth(2) == Some("src");
    if !is_integration_test(path) && !is_unit_test {
        return Vec::new();
    }
    let production = files.iter().find(|file| file.path == path).map_or(&[][..], |file| &file.lines);
    let production: BTreeSet<usize> = production.iter().map(|line| line.number).collect();
    let lines = (1..).zip(mask(text).lines().map(str::to_owned).collect::<Vec<_>>());
    lines.filter(|(number, _)| !production.contains(number)).collect()
}

fn refuses(refused: &Refused, path: &str, line: &str) -> bool {
    let applies = is_integration_test(path) || !refused.in_unit_tests;
    let is_word = |start: usize| !line[..start].ends_with(is_identifier);
    applies && line.match_indices(refused.word).any(|(start, _)| is_word(start))
}

#[cfg(test)]
mod tests {
    use super::{Complaint, SLEEPERS, Sleeper, check_with};
    use crate::production::production;
    use crate::tidy::tree;

    const TEST: &str = "//! A test without sleep(.\nuse std::net::TcpStream;\n\
        fn a() {\n    std::thread::sleep(SHORT);\n    sleep(SHORT).await;\n    nosleep(\"sleep(\");\n}\n";

    const LIBRARY: &str = "//! A library.\nuse std::net::TcpStream;\nfn a() {\n    thread::sleep(SHORT);\n}\n\
        #[cfg(test)]\nmod tests {\n    use std::net::TcpStream;\n    fn b() {\n        sleep(PAUSED);\n\
        \x20       thread::sleep(SHORT);\n    }\n}\n";

    fn check(files: &[(&str, &str)], sleepers: &[Sleeper]) -> Vec<Complaint> {
        let tree = tree(files);
        check_with(&tree, &production(&tree), sleepers)
    }

    #[track_caller]
    fn assert_found(found: &[Complaint], expected: &[&str]) {
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        for (complaint, expected) in found.iter().zip(expected) {
            assert!(complaint.contains(expected), "{complaint}");
        }
    }

    #[test]
    fn integration_test_with_a_socket_or_a_sleep_is_refused() {
        let found = check(&[("crates/a/tests/b.rs", TEST)], &[]);
        assert_found(&found, &["b.rs:2: no `TcpStream`", "b.rs:4: no `sleep(`", "b.rs:5: no `sleep(`"]);
    }

    #[test]
    fn unit_test_with_a_socket_or_a_real_sleep_is_refused_and_production_code_passes() {
        let found = check(&[("crates/a/src/lib.rs", LIBRARY)], &[]);
        assert_found(&found, &["lib.rs:8: no `TcpStream`", "lib.rs:11: no `thread::sleep(`"]);
    }

    #[test]
    fn harness_and_benchmarks_pass() {
        let files = [("crates/askback-testkit/src/http.rs", TEST), ("crates/a/benches/b.rs", TEST)];
        assert_found(&check(&files, &[]), &[]);
    }

    #[test]
    fn listed_file_may_sleep_and_opens_no_socket_and_unused_entry_is_refused() {
        let sleeper = |prefix| Sleeper { prefix, reason: "time has to pass" };
        let found = check(&[("crates/a/tests/b.rs", TEST)], &[sleeper("crates/a/tests/"), sleeper("crates/c/")]);
        assert_found(&found, &["b.rs:2: no `TcpStream`", "crates/c/: no test sleeps here"]);
    }

    #[test]
    fn every_entry_has_a_reason() {
        assert!(SLEEPERS.iter().all(|sleeper| sleeper.prefix.starts_with("crates/") && !sleeper.reason.is_empty()));
    }
}
