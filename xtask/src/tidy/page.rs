//! What is written in TypeScript: it says what it is for, it never makes HTML of a text, and the page leans on little.

use super::Complaint;

const FOLDERS: [&str; 2] = ["web/src/", "clients/typescript/src/"];

/// Past this, ask what the second idea in the file is.
const LINES: usize = 450;

/// Ways for a text to become markup, a script or a request. What agents write goes into text nodes alone (S2).
const SINKS: [&str; 25] = [
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "dangerouslySetInnerHTML",
    "createContextualFragment",
    "setHTMLUnsafe",
    "parseHTMLUnsafe",
    "DOMParser",
    "document.write",
    "srcdoc",
    "srcDoc",
    "eval(",
    "new Function",
    "new Worker",
    "serviceWorker",
    "XMLHttpRequest",
    "sendBeacon",
    "EventSource",
    "new Image",
    "window.open",
    "createElement(\"script",
    "<script",
    "<iframe",
    "<object ",
    "<embed ",
];

/// The one file of the page that calls over HTTP.
const CALLS: &str = "web/src/hub/calls.ts";

/// What the page may import; all else is its own.
const IMPORTS: [&str; 7] =
    ["@askback/client", "@askback/client/provider", "@preact/signals", "marked", "preact", "preact/hooks", "yjs"];

pub(super) fn check(tree: &[(String, String)]) -> Vec<Complaint> {
    let is_source = |path: &str| path.ends_with(".ts") || path.ends_with(".tsx");
    let sources =
        tree.iter().filter(|(path, _)| is_source(path) && FOLDERS.iter().any(|folder| path.starts_with(folder)));
    sources.flat_map(|(path, text)| of_file(path, text)).collect()
}

fn of_file(path: &str, text: &str) -> Vec<Complaint> {
    let mut found = Vec::new();
    if !text.starts_with("// ") {
        found.push(format!("{path}: begin with `// ` and a sentence that says what the file is for"));
    }
    let count = text.lines().count();
    if count > LINES {
        found.push(format!("{path}: {count} lines; more than {LINES} hold a second idea: give it its own file"));
    }
    for (number, line) in (1..).zip(text.lines()) {
        for sink in SINKS.iter().filter(|sink| line.contains(**sink)) {
            found.push(format!("{path}:{number}: `{sink}` may not stand here: a text stays a text"));
        }
        if line.contains("fetch(") && path.starts_with("web/") && path != CALLS {
            found.push(format!("{path}:{number}: `fetch` may not stand here: {CALLS} alone calls the hub"));
        }
        if let Some(from) = imported(line).filter(|from| path.starts_with("web/") && !is_allowed(from)) {
            found.push(format!("{path}:{number}: the page may not import `{from}`: see ARCHITECTURE.md"));
        }
    }
    found
}

/// What a line imports.
fn imported(line: &str) -> Option<&str> {
    let is_import = line.starts_with("import ") || line.starts_with("} from ") || line.starts_with("export ");
    let named = line.split_once(" from \"").filter(|_| is_import);
    let (_, rest) = named.or_else(|| line.split_once("import \"")).or_else(|| line.split_once("import(\""))?;
    rest.split('"').next()
}

fn is_allowed(from: &str) -> bool {
    from.starts_with("./") || from.starts_with("../") || IMPORTS.contains(&from)
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree;

    // S2
    #[test]
    fn no_text_becomes_markup() {
        let sink = ["node.inner", "HTML = text;"].concat();
        let files = [
            ("web/src/a.tsx", format!("// A.\n{sink}\nimport x from \"lodash\";\nimport y from \"./y\";")),
            ("web/src/b.ts", "export const b = 1;".to_owned()),
            ("web/tests/c.mjs", sink),
        ];
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let found = check(&tree(&files));
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].contains("a.tsx:2") && found[1].contains("`lodash`") && found[2].contains("begin with"));
    }
}
