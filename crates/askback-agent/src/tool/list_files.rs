//! The list_files tool.

use super::place::inside;
use super::{Tool, ToolContext, read_input};
use crate::limits::FOLDER_ENTRIES;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;

pub(super) const TOOL: Tool = Tool {
    name: "list_files",
    description: "List what is in a folder inside the folder you work in, one name a line; folders end with a slash.",
    schema: || {
        json!({
            "type": "object", "additionalProperties": false,
            "properties": {"path": {"type": "string", "description": "The folder, relative to the one you work in; that one itself if missing."}},
        })
    },
    start: |input, context| Box::pin(async move { list(input, &context) }),
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    #[serde(default = "here")]
    path: String,
}

fn here() -> String {
    ".".to_owned()
}

fn list(input: Value, context: &ToolContext) -> Result<String, String> {
    let Input { path } = read_input(input)?;
    names(&inside(&context.folder, &path)?).map_err(|error| format!("{path:?} can't be listed: {error}."))
}

fn names(place: &Path) -> std::io::Result<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(place)?.take(FOLDER_ENTRIES + 1) {
        let entry = entry?;
        let slash = if entry.file_type()?.is_dir() { "/" } else { "" };
        names.push(format!("{}{slash}", entry.file_name().to_string_lossy()));
    }
    let more = names.len() > FOLDER_ENTRIES;
    names.truncate(FOLDER_ENTRIES);
    names.sort_unstable();
    if more {
        names.push(format!("[there are more than {FOLDER_ENTRIES}]"));
    }
    Ok(if names.is_empty() { "The folder is empty.".to_owned() } else { names.join("\n") })
}
