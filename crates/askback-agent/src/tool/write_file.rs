//! The write_file tool: the person sees the whole difference first.

use super::consent::{Shown, consent};
use super::place::inside;
use super::read_file::read_text;
use super::{Tool, ToolContext, read_input};
use crate::limits::{DIFF_TIME, FILE_BYTES};
use serde::Deserialize;
use serde_json::{Value, json};
use similar::TextDiff;
use std::path::Path;
use tokio::io::AsyncWriteExt;

pub(super) const TOOL: Tool = Tool {
    name: "write_file",
    description: "Write a text file inside the folder you work in, replacing what is in it. The person sees the whole \
                  difference and approves or rejects it, so do not ask them beforehand.",
    schema: || {
        json!({
            "type": "object", "required": ["path", "content"], "additionalProperties": false,
            "properties": {
                "path": {"type": "string", "description": "The file, relative to the folder you work in."},
                "content": {"type": "string", "description": "Everything that is to be in the file."},
            },
        })
    },
    start: |input, context| Box::pin(write(input, context)),
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    path: String,
    content: String,
}

async fn write(input: Value, context: ToolContext) -> Result<String, String> {
    let Input { path, content } = read_input(input)?;
    if content.len() > FILE_BYTES {
        return Err(format!("A file may have at most {FILE_BYTES} bytes. Nothing was written."));
    }
    let place = inside(&context.folder, &path)?;
    let before = read_text(&place).await?;
    if before.as_deref() == Some(content.as_str()) {
        return Ok("The file has exactly this content already. Nothing was written.".to_owned());
    }
    let remark = consent(shown(&real_path(&place, &context), before.as_deref(), &content), &context).await?;
    // An approval is for what was shown: whoever changed the file meanwhile must not be overwritten unseen (S5).
    let is_same_place = inside(&context.folder, &path).as_ref() == Ok(&place);
    if !is_same_place || read_text(&place).await? != before {
        return Err(format!("{path:?} changed while it was being approved. Nothing was written."));
    }
    replace(&place, &content).await.map_err(|error| format!("{path:?} can't be written: {error}."))?;
    Ok(format!("{remark}Wrote {} bytes to {path:?}.", content.len()))
}

/// The file that is really meant, relative to the folder: what a link says is not what is written.
fn real_path(place: &Path, context: &ToolContext) -> String {
    let folder = context.folder.canonicalize().unwrap_or_else(|_| context.folder.clone());
    place.strip_prefix(folder).unwrap_or(place).display().to_string()
}

/// Puts a whole new file in the place of the old one, and makes its folders: a disk that is full costs nothing, and a link
/// that has appeared there meanwhile is replaced, not followed.
async fn replace(place: &Path, content: &str) -> std::io::Result<()> {
    if let Some(parent) = place.parent() {
        tokio::fs::create_dir_all(parent).await?;
    }
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let beside = place.with_file_name(format!(".{name}.askback-{}", std::process::id()));
    let mut file = tokio::fs::OpenOptions::new().write(true).create_new(true).open(&beside).await?;
    let written = async {
        file.write_all(content.as_bytes()).await?;
        file.sync_all().await?;
        if let Ok(old) = tokio::fs::metadata(place).await {
            tokio::fs::set_permissions(&beside, old.permissions()).await?;
        }
        tokio::fs::rename(&beside, place).await
    };
    let written = written.await;
    if written.is_err() {
        let _ = tokio::fs::remove_file(&beside).await;
    }
    written
}

fn shown(path: &str, before: Option<&str>, content: &str) -> Shown {
    let (from, message) = match before {
        Some(_) => (path, format!("Change {path}?")),
        None => ("/dev/null", format!("Create {path}?")),
    };
    // Past its time the difference is only coarser, never wrong.
    let difference = TextDiff::configure().timeout(DIFF_TIME).diff_lines(before.unwrap_or_default(), content);
    let mut text = difference.unified_diff().header(from, path).to_string();
    if text.is_empty() {
        text = format!("--- {from}\n+++ {path}\n(an empty file)\n");
    }
    Shown { header: "Write file", message, approve: "Write it", form: "diff", text, exactly: "this exact change" }
}
