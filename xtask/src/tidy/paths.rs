//! The call chains of ARCHITECTURE.md: every function in them exists, and their counts are right.

use super::Complaint;
use crate::production::{ProductionFile, is_identifier};

const PAGE: &str = "ARCHITECTURE.md";
const SECTION: &str = "## The path of a request";

pub(crate) fn check(tree: &[(String, String)], files: &[ProductionFile<'_>]) -> Vec<Complaint> {
    let page = tree.iter().find(|(path, _)| path == PAGE).map_or("", |(_, text)| text.as_str());
    let section = page.split_once(SECTION).map_or("", |(_, rest)| rest.split("\n## ").next().unwrap_or_default());
    let mut complaints = Vec::new();
    for part in section.split("\n**").skip(1) {
        let (title, rest) = part.split_once("** (").unwrap_or((part, ""));
        let names = functions(rest.split("```").nth(1).unwrap_or_default());
        let count = rest.split(')').next().unwrap_or_default();
        if count != names.len().to_string() {
            complaints.push(format!("{PAGE}: the path \"{title}\" has {} functions, and says {count}", names.len()));
        }
        let missing = names.iter().filter(|name| !files.iter().any(|file| has_function(file, name)));
        complaints
            .extend(missing.map(|name| format!("{PAGE}: the path \"{title}\" names {name}, which does not exist")));
    }
    complaints
}

/// The functions of a chain, without remarks in parentheses.
fn functions(chain: &str) -> Vec<&str> {
    let outside = chain
        .split('(')
        .enumerate()
        .map(|(index, part)| if index == 0 { part } else { part.split_once(')').map_or("", |(_, rest)| rest) });
    outside
        .flat_map(|part| part.split(|char: char| !is_identifier(char) && char != ':'))
        .filter(|name| !name.is_empty())
        .collect()
}

/// Whether a file defines a function that is named by itself, by its module or by its type.
fn has_function(file: &ProductionFile<'_>, name: &str) -> bool {
    let (owner, function) = name.rsplit_once("::").unwrap_or(("", name));
    let names = |text: &str, word: &str| text.split(|char| !is_identifier(char)).any(|other| other == word);
    let defines =
        |text: &str| text.split_once(&format!("fn {function}")).is_some_and(|(_, rest)| rest.starts_with(['(', '<']));
    let is_owner = |word: &str| owner.starts_with(char::is_uppercase) && names(word, owner);
    let is_module = file.path.split(['/', '.']).any(|part| part == owner);
    file.lines.iter().any(|line| defines(&line.code))
        && (owner.is_empty() || is_module || file.lines.iter().any(|line| is_owner(&line.code)))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::production::production;
    use crate::tidy::tree;

    #[test]
    fn chain_with_a_wrong_count_or_an_unknown_function_is_reported() {
        let page = |count: usize, last: &str| {
            format!(
                "## The path of a request\n\n**Asking** ({count})\n\n```\nHub::ask → service::wait ⇒ (here) {last}\n```\n\n## Next\n"
            )
        };
        let complaints = |page: &str| {
            let tree = tree(&[
                ("ARCHITECTURE.md", page),
                ("crates/a/src/hub.rs", "impl Hub {\n    fn ask(&self) {}\n}\n"),
                ("crates/a/src/service.rs", "fn wait<T>() {}\nfn read() {}\n"),
            ]);
            check(&tree, &production(&tree))
        };
        assert!(complaints(&page(3, "read")).is_empty());
        assert!(complaints(&page(4, "read"))[0].contains("has 3 functions, and says 4"));
        assert!(complaints(&page(3, "Hub::wait"))[0].contains("names Hub::wait"));
    }
}
