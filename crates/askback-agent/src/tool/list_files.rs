//! The list_files tool.

use super::place::inside;
use super::{Running, Tool, ToolContext, ToolOutput, read_input};
use crate::limits::FOLDER_ENTRIES;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;

/// Lists a folder inside the folder.
#[derive(Debug)]
pub struct ListFiles;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    #[serde(default = "here")]
    path: String,
}

fn here() -> String {
    ".".to_owned()
}

impl Tool for ListFiles {
    fn name(&self) -> &'static str {
        "list_files"
    }

    fn description(&self) -> String {
        "List what is in a folder inside the folder you work in, one name a line; folders end with a slash.".to_owned()
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object", "additionalProperties": false,
            "properties": {"path": {"type": "string", "description": "The folder, relative to the one you work in; that one itself if missing."}},
        })
    }

    fn run(&self, input: Value, context: ToolContext) -> Running<'_> {
        Box::pin(async move {
            let list = || {
                let input: Input = read_input(input)?;
                let place = inside(&context.folder, &input.path).map_err(ToolOutput::failed)?;
                let failed = |error| ToolOutput::failed(format!("{:?} can't be listed: {error}.", input.path));
                names(&place).map(ToolOutput::succeeded).map_err(failed)
            };
            list().unwrap_or_else(|failed| failed)
        })
    }
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
