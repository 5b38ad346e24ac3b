//! docs/extending.md lists the files that don't compile without a new kind of question: all of them, and no others.

use super::Complaint;
use super::kinds::matches::{KindMatch, kind_matches};
use crate::production::mask;
use askback_core::kind::KINDS;

const PAGE: &str = "docs/extending.md";
const HEADING: &str = "## A kind of question";

/// Stands for a kind's name in the path of a file that every kind has.
const PLACEHOLDER: &str = "<kind>";

/// A kind whose code is in the file of another.
const SHARED: (&str, &str) = ("multiline", "text");

/// The types of TypeScript that have a field for every kind.
const RECORDS: [&str; 2] = ["in KindName]", "Record<KindName"];

pub(super) fn check(tree: &[(String, String)]) -> Vec<Complaint> {
    let Some((_, text)) = tree.iter().find(|(path, _)| path == PAGE) else {
        return vec![format!("{PAGE} is missing")];
    };
    let (each_kind, listed): (Vec<&str>, Vec<&str>) = rows(text).into_iter().partition(|row| row.contains(PLACEHOLDER));
    let found = tree.iter().filter(|(path, text)| names_every_kind(path, text));
    let found: Vec<&str> = found.map(|(path, _)| path.as_str()).collect();
    let unlisted = found.iter().filter(|path| !listed.contains(path)).map(|path| {
        format!("{path}: a match or a record here names every kind of question: add the file to the list in {PAGE}")
    });
    let stale = listed.iter().filter(|path| !found.contains(path)).map(|path| {
        format!(
            "{PAGE}: nothing in `{path}` names every kind of question: remove it from the list, or name the kinds there"
        )
    });
    let exists = |path: &str| tree.iter().any(|(other, _)| other == path);
    let missing =
        each_kind.iter().flat_map(|row| KINDS.iter().map(move |kind| (row, kind.name))).filter(|(row, name)| {
            let shared = if *name == SHARED.0 { SHARED.1 } else { name };
            ![*name, shared].iter().any(|name| exists(&row.replace(PLACEHOLDER, name)))
        });
    let missing = missing.map(|(row, name)| format!("{PAGE}: the kind {name} has no file `{row}`"));
    unlisted.chain(stale).chain(missing).collect()
}

/// The paths in the section's tables: the first thing in backticks of each row.
fn rows(text: &str) -> Vec<&str> {
    let section = text.split_once(HEADING).map_or("", |(_, rest)| rest);
    let section = section.split("\n## ").next().unwrap_or_default();
    section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect()
}

/// Whether a source, of tests too, has something that does not compile when there is one more kind.
fn names_every_kind(path: &str, text: &str) -> bool {
    if path.ends_with(".rs") {
        return kind_matches(path, &mask(text)).iter().any(KindMatch::is_exhaustive);
    }
    (path.ends_with(".ts") || path.ends_with(".tsx")) && RECORDS.iter().any(|record| text.contains(record))
}

#[cfg(test)]
mod tests {
    use super::{KINDS, check};
    use crate::tidy::tree;

    /// A source with a match that names every kind but the first `left_out`.
    fn source(left_out: usize) -> String {
        let arms = KINDS.iter().skip(left_out).map(|kind| {
            let (first, rest) = kind.name.split_at(1);
            format!("Kind::{}{rest}(_) => 1,\n", first.to_uppercase())
        });
        format!("fn f(kind: &Kind) {{\n    match kind {{\n{}    }}\n}}\n", arms.collect::<String>())
    }

    fn complaints(page: &str, files: &[(&str, &str)]) -> Vec<String> {
        let page = format!("# E\n## A kind of question\n\n{page}\n## Next\n\n| `other.rs` | |\n");
        check(&[tree(&[("docs/extending.md", &page)]), tree(files)].concat())
    }

    #[test]
    fn list_that_names_each_exhaustive_match_passes() {
        let files = [("a.rs", &*source(0)), ("b.rs", &*source(1)), ("c.ts", "const C: Record<KindName, D> = {}")];
        assert!(complaints("| `a.rs` | a |\n| `c.ts` | c |", &files).is_empty());
    }

    #[test]
    fn exhaustive_match_that_is_not_listed_is_refused() {
        let found = complaints("", &[("a.rs", &source(0)), ("c.ts", "{ [Kind in KindName]: D }")]);
        assert!(found.len() == 2 && found[0].starts_with("a.rs:") && found[1].starts_with("c.ts:"), "{found:?}");
    }

    #[test]
    fn listed_file_without_exhaustive_match_is_refused() {
        let found = complaints("| `a.rs` | a |\n| `gone.rs` | gone |", &[("a.rs", &source(1))]);
        assert!(found.len() == 2 && found[0].contains("`a.rs`") && found[1].contains("`gone.rs`"), "{found:?}");
    }

    #[test]
    fn file_of_every_kind_that_one_kind_lacks_is_refused() {
        let paths: Vec<String> = KINDS.iter().map(|kind| format!("k/{}.rs", kind.name)).collect();
        let all = paths.iter().map(|path| (path.as_str(), ""));
        let files: Vec<(&str, &str)> =
            all.filter(|(path, _)| *path != "k/multiline.rs" && *path != "k/date.rs").collect();
        let found = complaints("| `k/<kind>.rs` | k |", &files);
        assert!(found.len() == 1 && found[0].contains("the kind date has no file"), "{found:?}");
    }
}
