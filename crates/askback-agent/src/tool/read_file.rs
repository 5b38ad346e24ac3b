//! The read_file tool.

use super::place::inside;
use super::{Tool, ToolContext, read_input};
use crate::limits::FILE_BYTES;
use rustix::fs::OFlags;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;
use tokio::fs::OpenOptions;
use tokio::io::AsyncReadExt;

pub(super) const TOOL: Tool = Tool {
    name: "read_file",
    description: "Read a text file inside the folder you work in, and get its whole content.",
    schema: || {
        json!({
            "type": "object", "required": ["path"], "additionalProperties": false,
            "properties": {"path": {"type": "string", "description": "The file, relative to the folder you work in."}},
        })
    },
    start: |input, context| Box::pin(read(input, context)),
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    path: String,
}

async fn read(input: Value, context: ToolContext) -> Result<String, String> {
    let Input { path } = read_input(input)?;
    let text = read_text(&inside(&context.folder, &path)?).await?;
    text.ok_or_else(|| format!("There is no file {path:?}."))
}

/// The text of a file, or nothing if there is none.
pub(super) async fn read_text(place: &Path) -> Result<Option<String>, String> {
    let shown = place.display();
    let failed = |error: std::io::Error| format!("{shown} can't be read: {error}.");
    // A pipe that nobody writes to would keep us for ever: it is opened without waiting, and then not read.
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let opened = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(place).await;
    let file = match opened {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    if !file.metadata().await.map_err(failed)?.is_file() {
        return Err(format!("{shown} is not a file."));
    }
    let mut bytes = Vec::new();
    file.take(FILE_BYTES as u64 + 1).read_to_end(&mut bytes).await.map_err(failed)?;
    if bytes.len() > FILE_BYTES {
        return Err(format!("{shown} has more than {FILE_BYTES} bytes, which is too much to read."));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| format!("{shown} is not a text file: it is not UTF-8."))
}
