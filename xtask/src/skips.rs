//! No test is skipped silently: what a run left out must be what `tests/skips.toml` says, with its reason.

use crate::Done;
use crate::project::read;
use std::collections::BTreeSet;

const FILE: &str = "tests/skips.toml";

/// A test that was not run, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Skip {
    test: String,
    reason: String,
}

/// The skips in what `cargo test` printed.
pub(crate) fn in_output(output: &str) -> BTreeSet<Skip> {
    output.lines().filter_map(in_line).collect()
}

fn in_line(line: &str) -> Option<Skip> {
    let (test, verdict) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let reason = verdict.strip_prefix("ignored")?.trim_start_matches(", ");
    Some(Skip { test: test.to_owned(), reason: reason.to_owned() })
}

/// Fails unless the run skipped exactly what is committed.
pub(crate) fn compare(skipped: &BTreeSet<Skip>) -> Done {
    for Skip { test, reason } in skipped {
        println!("skipped: {test}: {reason}");
    }
    compare_with(skipped, &committed(&read(FILE)?)?)
}

fn compare_with(skipped: &BTreeSet<Skip>, committed: &BTreeSet<Skip>) -> Done {
    let silent: Vec<&str> = skipped.difference(committed).map(|skip| skip.test.as_str()).collect();
    let stale: Vec<&str> = committed.difference(skipped).map(|skip| skip.test.as_str()).collect();
    match (silent.as_slice(), stale.as_slice()) {
        ([], []) => Ok(()),
        ([], stale) => {
            Err(format!("{FILE} lists tests that ran, or have another reason: {}; remove them there", stale.join(", ")))
        }
        (silent, _) => Err(format!(
            "skipped, but not in {FILE} with that reason: {}; run them or list them there",
            silent.join(", ")
        )),
    }
}

fn committed(text: &str) -> Result<BTreeSet<Skip>, String> {
    let file: toml::Table = text.parse().map_err(|error| format!("{FILE}: {error}"))?;
    let skips = file.get("skip").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    skips
        .iter()
        .map(|skip| {
            let text = |name: &str| skip.get(name).and_then(toml::Value::as_str).map(str::to_owned);
            match (text("test"), text("reason")) {
                (Some(test), Some(reason)) if !reason.is_empty() => Ok(Skip { test, reason }),
                _ => Err(format!("{FILE}: every [[skip]] needs a `test` and a `reason`")),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_skip_and_a_stale_entry_both_fail() {
        let output = "test a::b ... ok\ntest c::d ... ignored, needs a kernel module\ntest result: ok. 1 passed";
        let skipped = in_output(output);
        let listed = committed("[[skip]]\ntest = \"c::d\"\nreason = \"needs a kernel module\"").unwrap();
        assert_eq!(compare_with(&skipped, &listed), Ok(()));
        assert!(compare_with(&skipped, &BTreeSet::new()).unwrap_err().contains("c::d"));
        assert!(compare_with(&BTreeSet::new(), &listed).unwrap_err().contains("c::d"));
        assert!(committed("[[skip]]\ntest = \"c::d\"").is_err(), "a reason is needed");
    }
}
