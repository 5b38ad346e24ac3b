//! `--context`: a file becomes something to look at, by what its name says it is.

use crate::error::CliError;
use crate::source::{self, utf8};
use askback_core::{Json, Object};
use std::path::Path;

pub(super) fn read(path: &Path) -> Result<Json, CliError> {
    let (name, bytes) = source::read(path)?;
    let text = utf8(&name, &bytes)?;
    if text.trim().is_empty() {
        return Err(CliError::Wrong(format!("{name} is empty: give --context a file with something to see")));
    }
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let form = match extension {
        "diff" | "patch" => "diff",
        "md" | "markdown" => "markdown",
        "json" => "json",
        _ if looks_like_a_diff(text) => "diff",
        _ => "code",
    };
    let title = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let language = (form == "code" && !extension.is_empty()).then(|| extension.to_owned());
    Ok(Object::new()
        .put("type", form)
        .put_some("title", title.filter(|title| title != "-"))
        .put_some("language", language)
        .put("text", text)
        .into())
}

/// What a pipe or a process substitution brings has no extension to go by.
fn looks_like_a_diff(text: &str) -> bool {
    ["diff --git ", "--- ", "Index: "].iter().any(|start| text.starts_with(start))
}
