//! JSON is read into types: production code reads a field by its name only in the files listed here.

use super::Complaint;
use crate::production::{Line, ProductionFile, is_identifier};

/// Sources that may read JSON fields by name.
struct Place {
    /// A file, or a folder with its slash.
    prefix: &'static str,
    reason: &'static str,
}

const LIST: &str = "PLACES of xtask/src/tidy/raw_json.rs";

const SCHEMAS: &str = "a JSON schema is edited as JSON";
const FOREIGN: &str = "the JSON of other programs has their shape";

const PLACES: &[Place] = &[
    Place {
        prefix: "crates/askback-core/src/",
        reason: "the core reads JSON by its own reader and builds the published schemas",
    },
    Place { prefix: "crates/askback-api/src/schema.rs", reason: SCHEMAS },
    Place { prefix: "crates/askback-server/src/openapi/", reason: SCHEMAS },
    Place { prefix: "crates/askback-mcp/src/tools/", reason: SCHEMAS },
    Place { prefix: "crates/askback/src/hook/claude_code/", reason: FOREIGN },
    Place { prefix: "crates/askback/src/setup/", reason: FOREIGN },
    Place { prefix: "crates/askback/src/chat/surface.rs", reason: "the inputs of tools have the tools' shapes" },
    Place { prefix: "crates/askback-agent/src/", reason: "the JSON of models and tools has their shape" },
    Place {
        prefix: "crates/askback-mcp/src/message.rs",
        reason: "a JSON-RPC message that can't be parsed still has an id to answer to",
    },
    Place { prefix: "crates/askback-server/src/mcp.rs", reason: "the metadata of an MCP message is an open map" },
    Place {
        prefix: "crates/askback-fuzz/",
        reason: "a fuzz target compares the lines of MCP clients and agents with the replies",
    },
    Place { prefix: "crates/askback-model/", reason: "a test server that answers as a model's API does" },
    Place { prefix: "crates/askback-crash/", reason: "the campaign sees the JSON of a hub as its other clients do" },
    Place { prefix: "crates/askback-testkit/", reason: "tests see the JSON of a hub as its other clients do" },
];

/// The calls that read a field by its name, up to its first quote.
const CALLS: [&str; 2] = [".get(\"", ".get_mut(\""];

pub(super) fn check(files: &[ProductionFile<'_>]) -> Vec<Complaint> {
    check_with(files, PLACES)
}

fn check_with(files: &[ProductionFile<'_>], places: &[Place]) -> Vec<Complaint> {
    let lines = files.iter().flat_map(|file| file.lines.iter().map(|line| (file.path, line)));
    let found: Vec<(&str, usize, &str)> = lines
        .flat_map(|(path, line)| accesses(line).into_iter().map(move |access| (path, line.number, access)))
        .collect();
    let outside = found.iter().filter(|(path, ..)| !places.iter().any(|place| path.starts_with(place.prefix)));
    let refused = outside.map(|(path, number, access)| {
        format!(
            "{path}:{number}: `{access}` reads a JSON field by name: parse the value into a serde type, or add the file \
             to {LIST} with its reason"
        )
    });
    let unused = places.iter().filter(|place| !found.iter().any(|(path, ..)| path.starts_with(place.prefix)));
    let unused = unused.map(|Place { prefix, reason }| {
        format!("{prefix}: no JSON field is read by name here ({reason}): remove the entry from {LIST}")
    });
    refused.chain(unused).collect()
}

/// The expressions of a line that read a field by name, each with the name.
fn accesses<'t>(line: &Line<'t>) -> Vec<&'t str> {
    let code = line.code.as_str();
    // HTTP headers are read by name too, and are not JSON.
    let calls = CALLS.iter().filter(|_| !code.contains("headers"));
    let calls = calls.flat_map(|call| code.match_indices(call)).filter_map(|(start, call)| {
        let end = literal_end(code, start + call.len(), ")")?;
        Some((start, end))
    });
    let indexes = code.match_indices("[\"").filter_map(|(start, open)| {
        let is_index = code[..start].ends_with(|char| is_identifier(char) || matches!(char, ')' | ']' | '?'));
        let end = literal_end(code, start + open.len(), "]").filter(|_| is_index)?;
        Some((start, end))
    });
    let mut found: Vec<(usize, usize)> = calls.chain(indexes).collect();
    found.sort_unstable();
    found.into_iter().map(|(start, end)| &line.text[start..end]).collect()
}

/// The end of the expression whose string literal has its content at `start`, when the literal is all it holds.
fn literal_end(code: &str, start: usize, closing: &str) -> Option<usize> {
    let behind = start + code[start..].find('"')? + 1;
    code[behind..].starts_with(closing).then_some(behind + closing.len())
}

#[cfg(test)]
mod tests {
    use super::{PLACES, Place, check_with};
    use crate::production::production;
    use crate::tidy::tree;

    const CODE: &str = "//! A: `value.get(\"comment\")`.\n\
        fn a(value: &Value) {\n    value.get(\"one\");\n    value.get_mut(\"two\");\n    value[\"three\"][\"four\"];\n\
        \x20   let [b] = [\"list\"];\n    vec![\"list\"];\n    names.get(key);\n    headers.get(\"accept\");\n\
        \x20   text(\".get(\\\"text\\\")\");\n    value.get(\"headers\");\n    read()?[\"five\"];\n}\n\
        #[cfg(test)]\nmod tests {\n    fn b(value: &Value) {\n        value[\"test\"];\n    }\n}\n";

    #[test]
    fn field_read_by_name_outside_the_list_is_refused() {
        let tree = tree(&[("crates/a/src/b.rs", CODE), ("crates/a/src/tests.rs", CODE), ("crates/a/tests/c.rs", CODE)]);
        let found = check_with(&production(&tree), &[]);
        let expected = [
            "b.rs:3: `.get(\"one\")`",
            "b.rs:4: `.get_mut(\"two\")`",
            "b.rs:5: `[\"three\"]`",
            "b.rs:5: `[\"four\"]`",
            "b.rs:11: `.get(\"headers\")`",
            "b.rs:12: `[\"five\"]`",
        ];
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        for (complaint, expected) in found.iter().zip(expected) {
            assert!(complaint.contains(expected), "{complaint}");
        }
    }

    #[test]
    fn listed_file_passes_and_unused_entry_is_refused() {
        let tree = tree(&[("crates/a/src/b.rs", CODE)]);
        let place = |prefix| Place { prefix, reason: "other programs' JSON" };
        assert!(check_with(&production(&tree), &[place("crates/a/src/")]).is_empty());
        let found = check_with(&production(&tree), &[place("crates/a/src/b.rs"), place("crates/c/")]);
        assert!(found.len() == 1 && found[0].starts_with("crates/c/: no JSON field"), "{found:?}");
    }

    #[test]
    fn every_entry_has_a_reason() {
        assert!(PLACES.iter().all(|place| place.prefix.starts_with("crates/") && !place.reason.is_empty()));
    }
}
