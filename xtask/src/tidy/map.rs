//! ARCHITECTURE.md's map is the tree: it names every source file or its folder, and nothing that isn't there.

use super::Complaint;

const FILE: &str = "ARCHITECTURE.md";
const HEADING: &str = "## Code map";

pub(super) fn check(tree: &[(String, String)]) -> Vec<Complaint> {
    let Some((_, text)) = tree.iter().find(|(path, _)| path == FILE) else {
        return vec![format!("{FILE} is missing")];
    };
    let entries = entries(text);
    let exists =
        |entry: &&str| tree.iter().any(|(path, _)| path == *entry || entry.ends_with('/') && path.starts_with(*entry));
    let stale =
        entries.iter().filter(|entry| !exists(entry)).map(|entry| format!("{FILE}: `{entry}` is not in the tree"));
    let named =
        |path: &str| entries.iter().any(|entry| *entry == path || entry.ends_with('/') && path.starts_with(entry));
    let sources = tree.iter().map(|(path, _)| path.as_str()).filter(|path| is_source(path) && !named(path));
    let missing = sources.map(|path| format!("{FILE}: say under \"{HEADING}\" what `{path}` is for"));
    stale.chain(missing).collect()
}

fn is_source(path: &str) -> bool {
    path.ends_with(".rs") || path.starts_with("web/src/")
}

/// The paths in the map's table: the first thing in backticks of each row.
fn entries(text: &str) -> Vec<&str> {
    let section = text.split_once(HEADING).map_or("", |(_, rest)| rest);
    let section = section.split("\n## ").next().unwrap_or_default();
    section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree;

    #[test]
    fn the_map_and_the_tree_agree_both_ways() {
        let map =
            "# A\n## Code map\n| `a/b.rs` | b |\n| `a/kinds/` | kinds |\n| `gone.rs` | gone |\n## Next\n| `x` | |";
        let found = check(&tree(&[("ARCHITECTURE.md", map), ("a/b.rs", ""), ("a/kinds/c.rs", ""), ("a/new.rs", "")]));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("`gone.rs` is not in the tree") && found[1].contains("`a/new.rs`"));
    }
}
