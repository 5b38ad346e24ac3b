//! The walls: which crate may depend on what, and which words stay in one place.

use super::Complaint;

/// What a crate may depend on.
enum Wall {
    /// Nothing but these.
    Only(&'static [&'static str]),
    /// Anything but these.
    Never(&'static [&'static str]),
}

const CRATES: &[(&str, Wall)] = &[
    ("askback-core", Wall::Only(&["bigdecimal", "jiff", "ryu-js", "serde", "serde_json", "thiserror"])),
    ("askback-hub", Wall::Never(&["askback-term", "askback-agent", "axum", "rmcp", "crossterm"])),
    ("askback-term", Wall::Never(&["askback-hub", "askback-agent", "axum", "reqwest", "hyper", "rusqlite"])),
    ("askback-agent", Wall::Never(&["askback-hub", "askback-term", "axum", "crossterm"])),
];

/// A word that may stand only below some folders of the crates.
struct Confined {
    word: &'static str,
    within: &'static str,
    below: &'static [&'static str],
    why: &'static str,
}

const CORE: &str = "crates/askback-core/src/";
const NO_WORLD: &str = "the core does no I/O and reads no clock: let the caller pass it in";

const CONFINED: &[Confined] = &[
    Confined { word: "std::fs", within: CORE, below: &[], why: NO_WORLD },
    Confined { word: "std::net", within: CORE, below: &[], why: NO_WORLD },
    Confined { word: "std::env", within: CORE, below: &[], why: NO_WORLD },
    Confined { word: "std::process", within: CORE, below: &[], why: NO_WORLD },
    Confined { word: "SystemTime", within: CORE, below: &[], why: NO_WORLD },
    Confined { word: "Instant::", within: CORE, below: &[], why: NO_WORLD },
    Confined { word: "::now(", within: CORE, below: &[], why: NO_WORLD },
    Confined {
        word: "rusqlite::",
        within: "crates/",
        below: &["crates/askback-hub/src/store/"],
        why: "SQL stays in the stores",
    },
    Confined {
        word: "tokio_postgres::",
        within: "crates/",
        below: &["crates/askback-hub/src/store/"],
        why: "SQL stays in the stores",
    },
    Confined {
        word: "yrs::",
        within: "crates/",
        below: &["crates/askback-hub/src/room/"],
        why: "a room's document has one author",
    },
    Confined {
        word: "crossterm::",
        within: "crates/",
        below: &["crates/askback-term/src/tty/"],
        why: "the terminal has one owner",
    },
];

pub(super) fn check(tree: &[(String, String)]) -> Vec<Complaint> {
    let dependencies = CRATES.iter().flat_map(|(name, wall)| check_crate(tree, name, wall));
    dependencies.chain(CONFINED.iter().flat_map(|confined| check_word(tree, confined))).collect()
}

fn check_crate(tree: &[(String, String)], name: &str, wall: &Wall) -> Vec<Complaint> {
    let manifest = format!("crates/{name}/Cargo.toml");
    let Some((_, text)) = tree.iter().find(|(path, _)| *path == manifest) else {
        return Vec::new();
    };
    let table: toml::Table = match text.parse() {
        Ok(table) => table,
        Err(error) => return vec![format!("{manifest}: {error}")],
    };
    let dependencies = table.get("dependencies").and_then(toml::Value::as_table).cloned().unwrap_or_default();
    let allowed = |dependency: &str| match wall {
        Wall::Only(names) => names.contains(&dependency),
        Wall::Never(names) => !names.contains(&dependency),
    };
    let wrong = dependencies.keys().filter(|dependency| !allowed(dependency));
    wrong.map(|dependency| format!("{manifest}: {name} may not depend on {dependency}; see ARCHITECTURE.md")).collect()
}

fn check_word(tree: &[(String, String)], confined: &Confined) -> Vec<Complaint> {
    let Confined { word, within, below, why } = confined;
    let sources = tree.iter().filter(|(path, _)| path.starts_with(within) && path.ends_with(".rs"));
    let outside = sources.filter(|(path, _)| !below.iter().any(|folder| path.starts_with(folder)));
    let found = outside
        .filter_map(|(path, text)| Some((path, 1 + code_lines(path, text).position(|line| line.contains(word))?)));
    found.map(|(path, line)| format!("{path}:{line}: `{word}` may not stand here: {why}")).collect()
}

/// The lines of a file up to its tests, which may touch the world.
fn code_lines<'t>(path: &str, text: &'t str) -> impl Iterator<Item = &'t str> {
    let is_test = path.contains("/vectors") || path.ends_with("/tests.rs");
    text.lines().take_while(move |line| !is_test && line.trim() != "#[cfg(test)]")
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree;

    #[test]
    fn the_core_may_not_touch_the_world() {
        let manifest = ("crates/askback-core/Cargo.toml", "[dependencies]\nserde = \"1\"\ntokio = \"1\"");
        let source = ("crates/askback-core/src/a.rs", "//! A.\nuse std::fs;\n#[cfg(test)]\nuse std::env;");
        let found = check(&tree(&[manifest, source]));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("may not depend on tokio"));
        assert!(found[1].starts_with("crates/askback-core/src/a.rs:2: `std::fs`"));
    }

    #[test]
    fn sql_stays_in_the_stores() {
        let code = "//! S.\nuse rusqlite::Connection;";
        let outside = tree(&[("crates/askback-hub/src/hub.rs", code)]);
        assert_eq!(check(&outside).len(), 1);
        let inside = tree(&[("crates/askback-hub/src/store/sqlite.rs", code)]);
        assert!(check(&inside).is_empty());
    }
}
