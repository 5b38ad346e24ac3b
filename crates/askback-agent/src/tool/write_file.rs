//! The write_file tool: the person sees the whole difference first.

use super::consent::{Shown, consent};
use super::place::inside;
use super::read_file::read_text;
use super::{Running, Tool, ToolContext, ToolOutput, read_input};
use crate::limits::FILE_BYTES;
use serde::Deserialize;
use serde_json::{Value, json};
use similar::TextDiff;

/// Writes a text file inside the folder, if the person approves the difference.
#[derive(Debug)]
pub struct WriteFile;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    path: String,
    content: String,
}

impl Tool for WriteFile {
    fn name(&self) -> &'static str {
        "write_file"
    }

    fn description(&self) -> String {
        "Write a text file inside the folder you work in, replacing what is in it. The person sees the whole difference \
         and approves or rejects it, so do not ask them beforehand."
            .to_owned()
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object", "required": ["path", "content"], "additionalProperties": false,
            "properties": {
                "path": {"type": "string", "description": "The file, relative to the folder you work in."},
                "content": {"type": "string", "description": "Everything that is to be in the file."},
            },
        })
    }

    fn run(&self, input: Value, context: ToolContext) -> Running<'_> {
        Box::pin(async move { write(input, &context).await.unwrap_or_else(|failed| failed) })
    }
}

async fn write(input: Value, context: &ToolContext) -> Result<ToolOutput, ToolOutput> {
    let Input { path, content } = read_input(input)?;
    if content.len() > FILE_BYTES {
        return Err(ToolOutput::failed(format!("A file may have at most {FILE_BYTES} bytes. Nothing was written.")));
    }
    let place = inside(&context.folder, &path).map_err(ToolOutput::failed)?;
    let before = read_text(&place).await.map_err(ToolOutput::failed)?;
    if before.as_deref() == Some(content.as_str()) {
        return Ok(ToolOutput::succeeded("The file has exactly this content already. Nothing was written."));
    }
    consent(shown(&path, before.as_deref(), &content), context).await?;
    // An approval is for what was shown: whoever changed the file meanwhile must not be overwritten unseen (S5).
    let is_same_place = inside(&context.folder, &path).as_ref() == Ok(&place);
    if !is_same_place || read_text(&place).await.map_err(ToolOutput::failed)? != before {
        return Err(ToolOutput::failed(format!("{path:?} changed while it was being approved. Nothing was written.")));
    }
    let failed = |error: std::io::Error| ToolOutput::failed(format!("{path:?} can't be written: {error}."));
    if let Some(parent) = place.parent() {
        tokio::fs::create_dir_all(parent).await.map_err(failed)?;
    }
    tokio::fs::write(&place, &content).await.map_err(failed)?;
    Ok(ToolOutput::succeeded(format!("Wrote {} bytes to {path:?}.", content.len())))
}

fn shown(path: &str, before: Option<&str>, content: &str) -> Shown {
    let (from, message) = match before {
        Some(_) => (path, format!("Change {path}?")),
        None => ("/dev/null", format!("Create {path}?")),
    };
    let difference = TextDiff::from_lines(before.unwrap_or_default(), content);
    let mut text = difference.unified_diff().header(from, path).to_string();
    if text.is_empty() {
        text = format!("--- {from}\n+++ {path}\n(an empty file)\n");
    }
    Shown { header: "Write file", message, approve: "Write it", form: "diff", text, exactly: "this exact change" }
}
