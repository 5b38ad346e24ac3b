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
    (
        "askback-core",
        Wall::Only(&[
            "bigdecimal",
            "caseless",
            "jiff",
            "ryu-js",
            "serde",
            "serde_json",
            "thiserror",
            "unicode-normalization",
        ]),
    ),
    (
        "askback-api",
        Wall::Only(&[
            "askback-core",
            "form_urlencoded",
            "jiff",
            "schemars",
            "serde",
            "serde_json",
            "serde_path_to_error",
            "thiserror",
        ]),
    ),
    ("askback-websocket", Wall::Only(&["base64", "sha1", "thiserror"])),
    ("askback-yjs", Wall::Only(&["askback-core", "thiserror"])),
    (
        "askback-client",
        Wall::Never(&["askback-server", "askback-mcp", "askback-term", "askback-agent", "axum", "rusqlite"]),
    ),
    (
        "askback-mcp",
        Wall::Never(&[
            "askback-client",
            "askback-server",
            "askback-hub",
            "askback-term",
            "askback-agent",
            "axum",
            "rusqlite",
        ]),
    ),
    ("askback-process", Wall::Only(&[])),
    ("askback-server", Wall::Never(&["askback-term", "askback-agent", "clap", "rusqlite", "toml"])),
    ("askback-sse", Wall::Only(&["thiserror"])),
    (
        "askback-hub",
        Wall::Never(&[
            "askback-api",
            "askback-client",
            "askback-term",
            "askback-agent",
            "axum",
            "rmcp",
            "crossterm",
            "rusqlite",
        ]),
    ),
    (
        "askback-sqlite",
        Wall::Never(&["askback-api", "askback-client", "askback-server", "askback-term", "askback-agent", "axum"]),
    ),
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
const TERM: &str = "crates/askback-term/src/";
/// The files of the terminal that do anything at all; prompts, layout and painter are not among them.
const TERMINAL_OWNERS: &[&str] = &[
    "crates/askback-term/src/tty",
    "crates/askback-term/src/stage.rs",
    "crates/askback-term/src/session.rs",
    "crates/askback-term/src/live/painted.rs",
    "crates/askback-term/src/plain.rs",
    "crates/askback-term/src/plain/session.rs",
    "crates/askback-term/src/plain/conversation.rs",
    "crates/askback-term/src/remote.rs",
    "crates/askback-term/src/simple.rs",
    "crates/askback-term/src/error.rs",
];
const ONE_ENVIRONMENT: &str = "a child inherits what its role allows: use askback_process::ChildRole::command";
const YJS: &str = "crates/askback-yjs/src/";
const WEBSOCKET: &str = "crates/askback-websocket/src/";
const NO_WORLD: &str = "the core does no I/O and reads no clock: let the caller pass it in";

const SANS_IO: &str = "the codec takes bytes and returns messages: sockets, files and clocks belong to its callers";

const CONFINED: &[Confined] = &[
    Confined {
        word: "std::{",
        within: CORE,
        below: &[],
        why: "name what is used from std one by one, for these checks to see",
    },
    Confined { word: "std::fs", within: CORE, below: &[], why: NO_WORLD },
    Confined { word: "std::net", within: CORE, below: &[], why: NO_WORLD },
    Confined { word: "std::env", within: CORE, below: &[], why: NO_WORLD },
    Confined { word: "std::process", within: CORE, below: &[], why: NO_WORLD },
    Confined { word: "SystemTime", within: CORE, below: &[], why: NO_WORLD },
    Confined { word: "Instant::", within: CORE, below: &[], why: NO_WORLD },
    Confined { word: "::now(", within: CORE, below: &[], why: NO_WORLD },
    Confined { word: "Command::new(", within: "crates/askback-agent/src/", below: &[], why: ONE_ENVIRONMENT },
    Confined { word: "Command::new(", within: "crates/askback-server/src/", below: &[], why: ONE_ENVIRONMENT },
    Confined {
        word: "Command::new(",
        within: "crates/askback/src/",
        below: &["crates/askback/src/cli.rs"],
        why: ONE_ENVIRONMENT,
    },
    Confined { word: "std::fs", within: YJS, below: &[], why: SANS_IO },
    Confined { word: "std::net", within: YJS, below: &[], why: SANS_IO },
    Confined { word: "std::io", within: YJS, below: &[], why: SANS_IO },
    Confined { word: "Instant::", within: YJS, below: &["crates/askback-yjs/src/wire_tests/"], why: SANS_IO },
    Confined { word: "std::fs", within: WEBSOCKET, below: &[], why: SANS_IO },
    Confined { word: "std::net", within: WEBSOCKET, below: &[], why: SANS_IO },
    Confined { word: "std::io", within: WEBSOCKET, below: &[], why: SANS_IO },
    Confined { word: "Instant::", within: WEBSOCKET, below: &[], why: SANS_IO },
    Confined {
        word: "rusqlite::",
        within: "crates/",
        // The controls of the crash campaign damage a database.
        below: &["crates/askback-sqlite/src/", "crates/askback-crash/src/control.rs"],
        why: "SQL stays in the stores",
    },
    Confined {
        word: "tokio_postgres::",
        within: "crates/",
        below: &["crates/askback-sqlite/src/"],
        why: "SQL stays in the stores",
    },
    Confined {
        word: "yrs::",
        within: "crates/",
        below: &[],
        why: "a room's document has one author, and what clients send is never integrated",
    },
    Confined {
        word: "axum::",
        within: "crates/",
        below: &["crates/askback-server/src/"],
        why: "the server alone speaks HTTP to callers",
    },
    Confined { word: "rustix::", within: TERM, below: TERMINAL_OWNERS, why: "the terminal has one owner" },
    Confined { word: "tokio::", within: TERM, below: TERMINAL_OWNERS, why: "prompts are pure: they wait for nothing" },
    Confined { word: "Instant::", within: TERM, below: TERMINAL_OWNERS, why: "prompts are told what time it is" },
    Confined {
        word: "std::env",
        within: TERM,
        below: &["crates/askback-term/src/caps.rs"],
        why: "what a terminal can do is told in one place",
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
    let allowed = |dependency: &str| match wall {
        Wall::Only(names) => names.contains(&dependency),
        Wall::Never(names) => !names.contains(&dependency),
    };
    let dependencies = dependencies(&table);
    let wrong = dependencies.iter().filter(|dependency| !allowed(dependency));
    wrong.map(|dependency| format!("{manifest}: {name} may not depend on {dependency}; see ARCHITECTURE.md")).collect()
}

/// What a manifest depends on to be built, for any target, under its real name.
fn dependencies(table: &toml::Table) -> Vec<String> {
    let mut names = Vec::new();
    for (key, value) in table {
        match (key.as_str(), value.as_table()) {
            ("dependencies" | "build-dependencies", Some(dependencies)) => {
                let real = |name: &String, value: &toml::Value| {
                    value.get("package").and_then(toml::Value::as_str).map_or_else(|| name.clone(), str::to_owned)
                };
                names.extend(dependencies.iter().map(|(name, value)| real(name, value)));
            }
            ("target", Some(targets)) => {
                names.extend(targets.values().filter_map(toml::Value::as_table).flat_map(dependencies));
            }
            _ => {}
        }
    }
    names
}

fn check_word(tree: &[(String, String)], confined: &Confined) -> Vec<Complaint> {
    let Confined { word, within, below, why } = confined;
    let sources = tree.iter().filter(|(path, _)| path.starts_with(within) && path.ends_with(".rs"));
    let outside = sources.filter(|(path, _)| !below.iter().any(|folder| path.starts_with(folder)));
    let lines = outside.flat_map(|(path, text)| code_lines(path, text).into_iter().map(move |line| (path, line)));
    let found = lines.filter(|(_, (_, line))| line.contains(word));
    found.map(|(path, (number, _))| format!("{path}:{number}: `{word}` may not stand here: {why}")).collect()
}

/// The numbered lines of a file that are neither comments nor for tests, which may touch the world.
fn code_lines<'t>(path: &str, text: &'t str) -> Vec<(usize, &'t str)> {
    if path.contains("/vectors") || path.ends_with("/tests.rs") {
        return Vec::new();
    }
    let mut kept = Vec::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.extend((!line.trim_start().starts_with("//")).then_some((number, line)));
            continue;
        }
        // What the attribute guards ends with a semicolon, or with a brace that stands as far left as it began.
        let indent = line.len() - line.trim_start().len();
        let ends = |line: &str| {
            let as_far_left = line.len() - line.trim_start().len() == indent;
            as_far_left && (line.ends_with(';') || line.ends_with('}'))
        };
        lines.by_ref().find(|(_, line)| ends(line));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree;

    #[test]
    fn the_core_may_not_touch_the_world() {
        let manifest = "[dependencies]\nserde = \"1\"\ntokio = \"1\"\nx = { package = \"rand\" }\n\
                        [target.'cfg(unix)'.dependencies]\nlibc = \"0\"";
        let source = "//! A.\nuse std::fs;\n#[cfg(test)]\nmod tests;\nuse std::{net, fmt};\n\
                      #[cfg(test)]\nmod more {\n    use std::env;\n}\nfn now() { Instant::now() }";
        let found =
            check(&tree(&[("crates/askback-core/Cargo.toml", manifest), ("crates/askback-core/src/a.rs", source)]));
        let says = |text: &str| found.iter().filter(|complaint| complaint.contains(text)).count();
        assert_eq!((says("depend on tokio"), says("depend on rand"), says("depend on libc")), (1, 1, 1), "{found:?}");
        assert_eq!((says("a.rs:2: `std::fs`"), says("a.rs:5: `std::{`"), says("a.rs:10: `Instant::`")), (1, 1, 1));
        assert_eq!(says("std::env"), 0, "tests may");
    }

    #[test]
    fn prompts_do_nothing_but_answer() {
        let code = "//! P.\nuse rustix::io;\nfn now() { Instant::now() }\nfn get() { std::env::var(\"TERM\") }";
        assert_eq!(check(&tree(&[("crates/askback-term/src/prompt/text.rs", code)])).len(), 3);
        assert_eq!(
            check(&tree(&[("crates/askback-term/src/tty/keys.rs", code)])).len(),
            1,
            "the owner may, but for one"
        );
    }

    #[test]
    fn command_without_a_role_is_refused_and_the_parser_of_arguments_passes() {
        let code = "//! C.\nfn start() { Command::new(\"sh\") }";
        for path in ["crates/askback-agent/src/a.rs", "crates/askback-server/src/a.rs", "crates/askback/src/a.rs"] {
            assert_eq!(check(&tree(&[(path, code)])).len(), 1, "{path}");
        }
        for path in ["crates/askback/src/cli.rs", "crates/askback/tests/a.rs", "crates/askback-process/src/lib.rs"] {
            assert!(check(&tree(&[(path, code)])).is_empty(), "{path}");
        }
    }

    #[test]
    fn codecs_may_not_touch_the_world() {
        let manifest = "[dependencies]\nthiserror = \"2\"\ntokio = \"1\"\naskback-hub = \"0\"";
        let code = "//! C.\nuse std::net::TcpStream;\nuse std::io::Read;";
        for codec in ["askback-yjs", "askback-websocket"] {
            let paths = [format!("crates/{codec}/Cargo.toml"), format!("crates/{codec}/src/message.rs")];
            let found = check(&tree(&[(&paths[0], manifest), (&paths[1], code)]));
            assert_eq!(found.len(), 4, "{found:?}");
        }
    }

    #[test]
    fn sql_stays_in_the_stores() {
        let code = "//! S.\nuse rusqlite::Connection;";
        let outside = tree(&[("crates/askback-hub/src/hub.rs", code)]);
        assert_eq!(check(&outside).len(), 1);
        let inside = tree(&[("crates/askback-sqlite/src/lib.rs", code)]);
        assert!(check(&inside).is_empty());
    }
}
