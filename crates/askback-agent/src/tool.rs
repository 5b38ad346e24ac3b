//! Tools: what a model may do besides writing. Any of them can ask the person.

use crate::event::ToolStatus;
use crate::limits::TOOL_OUTPUT;
use crate::model::ToolDescription;
use askback_core::{Asker, BoxFuture};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

mod ask_user_question;
mod consent;
mod list_files;
mod place;
mod read_file;
mod request_user_input;
mod run_command;
mod write_file;

pub use consent::Consents;

/// A run of a tool, which gives the model a text as its success or as its failure. Dropping it stops the tool.
type Running = BoxFuture<'static, Result<String, String>>;

/// Something a model may do.
pub struct Tool {
    name: &'static str,
    description: &'static str,
    /// Makes the JSON Schema of its input.
    schema: fn() -> Value,
    start: fn(Value, ToolContext) -> Running,
}

impl Tool {
    /// Runs the tool with an input.
    pub async fn run(&self, input: Value, context: ToolContext) -> ToolOutput {
        match (self.start)(input, context).await {
            Ok(text) => ToolOutput { text: clip(text), status: ToolStatus::Succeeded },
            Err(text) => ToolOutput { text: clip(text), status: ToolStatus::Failed },
        }
    }
}

/// What came of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolOutput {
    /// The text for the model; one that is too long is cut in the middle, and says so.
    pub text: String,
    /// Whether it did what it should.
    pub status: ToolStatus,
}

/// Where a tool works, and whom it can ask.
#[derive(Clone)]
pub struct ToolContext {
    folder: PathBuf,
    consents: Arc<Consents>,
    asker: Arc<dyn Asker>,
}

impl ToolContext {
    /// A context with a folder to work in, the consents of the session, and an asker for questions.
    pub fn new(folder: PathBuf, consents: Arc<Consents>, asker: Arc<dyn Asker>) -> Self {
        Self { folder, consents, asker }
    }
}

/// The tools that a model may use.
#[derive(Clone, Copy, Default)]
pub struct Registry {
    tools: &'static [Tool],
}

impl Registry {
    /// No tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// The tools for asking, and for work in a folder.
    pub fn standard() -> Self {
        let tools = &[
            ask_user_question::TOOL,
            request_user_input::TOOL,
            read_file::TOOL,
            list_files::TOOL,
            write_file::TOOL,
            run_command::TOOL,
        ];
        Self { tools }
    }

    /// The tool of a name.
    pub fn find(&self, name: &str) -> Option<&'static Tool> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// All of them, as the model sees them.
    pub fn describe(&self) -> Vec<ToolDescription> {
        let describe = |tool: &Tool| ToolDescription {
            name: tool.name.to_owned(),
            description: tool.description.to_owned(),
            schema: (tool.schema)(),
        };
        self.tools.iter().map(describe).collect()
    }

    /// Their names, for a message.
    pub fn names(&self) -> String {
        self.tools.iter().map(|tool| tool.name).collect::<Vec<_>>().join(", ")
    }
}

/// A tool's input as it is meant, or what the model should send instead.
fn read_input<T: DeserializeOwned>(input: Value) -> Result<T, String> {
    serde_json::from_value(input).map_err(|error| {
        format!("The input does not fit the tool's schema: {error}. Call it again with one that does.")
    })
}

/// At most as much as the model gets to read: the start and the end of it.
fn clip(text: String) -> String {
    if text.len() <= TOOL_OUTPUT {
        return text;
    }
    let half = TOOL_OUTPUT / 2;
    let head = (0..=half).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let tail = (text.len() - half..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    format!("{}\n[… {} bytes left out …]\n{}", &text[..head], tail - head, &text[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    // S3
    #[test]
    fn what_is_too_long_keeps_its_start_and_its_end() {
        assert_eq!(clip("é".repeat(10)), "é".repeat(10));
        let long = clip(format!("start{}end", "é".repeat(TOOL_OUTPUT)));
        assert!(long.starts_with("start") && long.ends_with("end") && long.len() < TOOL_OUTPUT + 64);
        assert!(long.contains("bytes left out"));
    }

    // Q7
    #[test]
    fn every_tool_says_what_it_takes() {
        let tools = Registry::standard().describe();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(
            names,
            ["AskUserQuestion", "request_user_input", "read_file", "list_files", "write_file", "run_command"]
        );
        for tool in &tools {
            assert_eq!(tool.schema["type"], "object", "{}", tool.name);
            assert!(tool.description.len() > 40, "{}", tool.name);
        }
    }
}
