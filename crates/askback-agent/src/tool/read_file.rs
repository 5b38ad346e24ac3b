//! The read_file tool.

use super::place::inside;
use super::{Running, Tool, ToolContext, ToolOutput, read_input};
use crate::limits::FILE_BYTES;
use rustix::fs::OFlags;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;
use tokio::fs::OpenOptions;
use tokio::io::AsyncReadExt;

/// Reads a text file inside the folder.
#[derive(Debug)]
pub struct ReadFile;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    path: String,
}

impl Tool for ReadFile {
    fn name(&self) -> &'static str {
        "read_file"
    }

    fn description(&self) -> String {
        "Read a text file inside the folder you work in, and get its whole content.".to_owned()
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object", "required": ["path"], "additionalProperties": false,
            "properties": {"path": {"type": "string", "description": "The file, relative to the folder you work in."}},
        })
    }

    fn run(&self, input: Value, context: ToolContext) -> Running<'_> {
        Box::pin(async move {
            let read = async {
                let input: Input = read_input(input)?;
                let place = inside(&context.folder, &input.path).map_err(ToolOutput::failed)?;
                match read_text(&place).await.map_err(ToolOutput::failed)? {
                    Some(text) => Ok(ToolOutput::succeeded(text)),
                    None => Err(ToolOutput::failed(format!("There is no file {:?}.", input.path))),
                }
            };
            read.await.unwrap_or_else(|failed| failed)
        })
    }
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
