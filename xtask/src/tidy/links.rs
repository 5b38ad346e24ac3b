//! Links between our pages lead somewhere, and decisions are numbered without gaps.

use super::Complaint;
use std::path::{Component, Path, PathBuf};

const DECISIONS: &str = "docs/decisions/";

pub(super) fn check(tree: &[(String, String)]) -> Vec<Complaint> {
    let pages = tree.iter().filter(|(path, _)| path.ends_with(".md"));
    let broken = pages.flat_map(|(path, text)| broken_links(tree, path, text));
    broken.chain(misnumbered(tree)).collect()
}

fn broken_links(tree: &[(String, String)], page: &str, text: &str) -> Vec<Complaint> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let local = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    let missing = local.filter(|target| {
        let path = resolve(page, target.split('#').next().unwrap_or_default());
        !tree.iter().any(|(file, _)| *file == path || file.starts_with(&format!("{path}/")))
    });
    missing.map(|target| format!("{page}: the link to `{target}` leads nowhere")).collect()
}

/// The path from the root that a link on a page names.
fn resolve(page: &str, target: &str) -> String {
    let folder = Path::new(page).parent().unwrap_or(Path::new(""));
    let mut path = PathBuf::new();
    for part in folder.join(target).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::CurDir => {}
            other => path.push(other),
        }
    }
    path.to_string_lossy().into_owned()
}

fn misnumbered(tree: &[(String, String)]) -> Vec<Complaint> {
    let records = tree.iter().filter_map(|(path, _)| path.strip_prefix(DECISIONS));
    let wrong = records.enumerate().filter(|(index, name)| !name.starts_with(&format!("{:04}-", index + 1)));
    wrong.map(|(index, name)| format!("{DECISIONS}{name}: the next number is {:04}", index + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree;

    #[test]
    fn links_and_numbers_are_checked() {
        let page = "[a](b.md) [c](../README.md#top) [d](gone.md) [e](https://example.com) [f](#here) [g](../docs)";
        let files = [
            ("README.md", ""),
            ("docs/a.md", page),
            ("docs/b.md", ""),
            ("docs/decisions/0001-one.md", ""),
            ("docs/decisions/0003-three.md", ""),
        ];
        let found = check(&tree(&files));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("`gone.md` leads nowhere") && found[1].contains("the next number is 0002"));
    }
}
