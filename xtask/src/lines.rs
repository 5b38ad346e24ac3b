//! `cargo xtask lines`: the production lines of each crate, and the limit of the binary's crate.

use crate::Done;
use crate::production::{ProductionFile, production};
use crate::project;
use std::collections::BTreeMap;

/// The crate of the binary, which only connects the library crates to the command line.
const BINARY: &str = "askback";

/// The most production lines that the binary's crate may have, comments and blank lines included.
const BINARY_LINES: usize = 9_500;

/// Prints the production lines of each crate, and fails when the binary's crate is over its limit.
pub(crate) fn run() -> Done {
    let tree = project::texts()?;
    let files = production(&tree);
    print!("{}", table(&count(&files)));
    let complaints = check(&files);
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

/// A complaint when the binary's crate is over its limit.
pub(crate) fn check(files: &[ProductionFile<'_>]) -> Vec<String> {
    let lines = count(files).get(BINARY).copied().unwrap_or_default();
    let complaint = (lines > BINARY_LINES).then(|| {
        format!(
            "crates/{BINARY}: {lines} production lines, {} more than the limit of {BINARY_LINES}: move code that other \
             programs could use into a library crate; `cargo xtask lines` prints the count of every crate",
            lines - BINARY_LINES
        )
    });
    complaint.into_iter().collect()
}

/// The production lines of each crate.
fn count<'t>(files: &[ProductionFile<'t>]) -> BTreeMap<&'t str, usize> {
    let mut counts = BTreeMap::new();
    for file in files {
        *counts.entry(file.package).or_default() += file.lines.len();
    }
    counts
}

/// The counts and their total as text, one row for each crate.
fn table(counts: &BTreeMap<&str, usize>) -> String {
    let total = ("total", counts.values().sum());
    let rows = counts.iter().map(|(package, lines)| (*package, *lines)).chain([total]);
    rows.map(|(name, lines)| format!("{name:<16}{lines:>8}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::{BINARY_LINES, check, count, table};
    use crate::production::production;
    use crate::tidy::tree;

    #[test]
    fn table_has_each_crate_and_the_total_without_tests() {
        let tree = tree(&[
            ("crates/askback/src/main.rs", "//! A.\n\nfn main() {}\n#[cfg(test)]\nmod tests {\n}\n"),
            ("crates/askback/tests/cli.rs", "//! T.\n"),
            ("crates/askback-core/src/lib.rs", "//! C.\n"),
            ("crates/askback-core/src/text/tests.rs", "//! T.\n"),
        ]);
        let table = table(&count(&production(&tree)));
        let rows: Vec<Vec<&str>> = table.lines().map(|row| row.split_whitespace().collect()).collect();
        assert_eq!(rows, [["askback", "3"], ["askback-core", "1"], ["total", "4"]]);
    }

    #[test]
    fn binary_over_its_limit_fails_and_a_library_of_that_size_passes() {
        let long = "\n".repeat(BINARY_LINES + 1);
        let library = tree(&[("crates/askback-core/src/lib.rs", &long), ("crates/askback/src/main.rs", &long[1..])]);
        assert!(check(&production(&library)).is_empty());
        let binary = tree(&[("crates/askback/src/main.rs", &long)]);
        let found = check(&production(&binary));
        assert!(found.len() == 1 && found[0].contains("1 more than the limit"), "{found:?}");
    }
}
