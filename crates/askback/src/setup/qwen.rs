//! `askback setup qwen`: the server in Qwen Code's settings, and how long a call may take.

use super::file::Reach;
use super::home;
use super::limits::{TOOL_SECONDS, TOOL_WAIT};
use super::merging::merged_server;
use super::plan::{Merged, Part, Plan};
use super::program::Program;
use crate::error::CliError;
use askback_core::Object;
use std::path::{Path, PathBuf};

/// The fields by which Qwen Code knows a server that it reaches at an address.
const ADDRESSES: [&str; 3] = ["httpUrl", "url", "tcp"];

pub(super) fn plan(program: &Program) -> Result<Plan, CliError> {
    let merge = |text: &str| merged(text, program);
    let part = Part::plan(&folder()?.join("settings.json"), Reach::Private, "Qwen Code's settings", merge)?;
    let next = vec!["Restart Qwen Code; `askback inbox` or `askback open` shows what it asks.".to_owned()];
    Ok(Plan { command: "askback setup qwen".to_owned(), parts: vec![part], next })
}

/// The directory of Qwen Code's own files: `QWEN_HOME`, in which it expands a leading `~`, or `~/.qwen`.
fn folder() -> Result<PathBuf, CliError> {
    // Qwen Code treats an empty variable as unset.
    let Some(folder) = std::env::var_os("QWEN_HOME").filter(|folder| !folder.is_empty()) else {
        return Ok(home()?.join(".qwen"));
    };
    match Path::new(&folder).strip_prefix("~") {
        Ok(below) => Ok(home()?.join(below)),
        Err(_) => Ok(std::path::absolute(&folder)?),
    }
}

/// Without `alwaysLoadTools` Qwen Code sends the model none of the tools.
fn merged(text: &str, program: &Program) -> Result<Merged, String> {
    let entry = Object::new()
        .put("command", program.as_str())
        .put("args", vec!["mcp", "--wait", TOOL_WAIT])
        .put("timeout", TOOL_SECONDS * 1_000)
        .put("alwaysLoadTools", true);
    merged_server(text, &ADDRESSES, &entry.into())
}
