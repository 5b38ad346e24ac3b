//! Tools: what a model may do besides writing. Any of them can ask the person.

use crate::event::{AskResult, ToolStatus};
use crate::limits::TOOL_OUTPUT;
use crate::model::ToolDescription;
use askback_core::{Asker, Asking, Request};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

mod ask_user_question;
mod consent;
mod list_files;
mod place;
mod read_file;
mod request_user_input;
mod run_command;
mod write_file;

pub use ask_user_question::AskUserQuestion;
pub use consent::Consents;
pub use list_files::ListFiles;
pub use read_file::ReadFile;
pub use request_user_input::RequestUserInput;
pub use run_command::RunCommand;
pub use write_file::WriteFile;

/// A tool at work. Dropping it stops it.
pub type Running<'a> = Pin<Box<dyn Future<Output = ToolOutput> + Send + 'a>>;

/// Something a model may do.
pub trait Tool: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// What the model is told about it.
    fn description(&self) -> String;

    /// The JSON Schema of its input.
    fn schema(&self) -> Value;

    /// Does it.
    fn run(&self, input: Value, context: ToolContext) -> Running<'_>;
}

/// What came of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolOutput {
    /// What the model reads.
    pub text: String,
    /// Whether it did what it should.
    pub status: ToolStatus,
}

impl ToolOutput {
    /// It did what it should. What is too long is cut in the middle, and says so.
    pub fn succeeded(text: impl Into<String>) -> Self {
        Self { text: clip(text.into()), status: ToolStatus::Succeeded }
    }

    /// It did not, and why.
    pub fn failed(text: impl Into<String>) -> Self {
        Self { text: clip(text.into()), status: ToolStatus::Failed }
    }
}

/// Where a tool works, and whom it can ask.
#[derive(Clone)]
pub struct ToolContext {
    /// The folder it works in.
    pub folder: PathBuf,
    /// What the person has approved for the whole session.
    pub consents: Arc<Consents>,
    asker: Arc<dyn Asker>,
}

/// The right to ask: tools that run together ask one after the other, and what one asks in a row stands together.
pub struct Floor<'c> {
    context: &'c ToolContext,
    _held: tokio::sync::MutexGuard<'c, ()>,
}

impl Floor<'_> {
    /// Asks the person, and waits for as long as it takes.
    pub fn ask(&self, request: Request) -> Asking<'_> {
        self.context.asker.ask(request)
    }
}

impl ToolContext {
    /// A context whose questions go to `asker`.
    pub fn new(folder: PathBuf, consents: Arc<Consents>, asker: Arc<dyn Asker>) -> Self {
        Self { folder, consents, asker }
    }

    /// Asks the person, and waits for as long as it takes.
    pub async fn ask(&self, request: Request) -> AskResult {
        self.floor().await.ask(request).await
    }

    /// Waits until no other tool asks, to ask several things in a row.
    pub async fn floor(&self) -> Floor<'_> {
        Floor { context: self, _held: self.consents.floor.lock().await }
    }
}

/// The tools that a model may use.
#[derive(Clone, Default)]
pub struct Registry {
    tools: Vec<Arc<dyn Tool>>,
}

impl Registry {
    /// No tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// The tools for asking, and for work in a folder.
    pub fn standard() -> Self {
        Self::new()
            .with(AskUserQuestion)
            .with(RequestUserInput)
            .with(ReadFile)
            .with(ListFiles)
            .with(WriteFile)
            .with(RunCommand)
    }

    /// The same with one more; a tool of the same name is replaced.
    pub fn with(mut self, tool: impl Tool + 'static) -> Self {
        self.tools.retain(|other| other.name() != tool.name());
        self.tools.push(Arc::new(tool));
        self
    }

    /// The tool of a name.
    pub fn find(&self, name: &str) -> Option<Arc<dyn Tool>> {
        self.tools.iter().find(|tool| tool.name() == name).cloned()
    }

    /// All of them, as the model sees them.
    pub fn describe(&self) -> Vec<ToolDescription> {
        let describe = |tool: &Arc<dyn Tool>| ToolDescription {
            name: tool.name().to_owned(),
            description: tool.description(),
            schema: tool.schema(),
        };
        self.tools.iter().map(describe).collect()
    }

    /// Their names, for a message.
    pub fn names(&self) -> String {
        self.tools.iter().map(|tool| tool.name()).collect::<Vec<_>>().join(", ")
    }
}

/// A tool's input as it is meant, or what the model should send instead.
fn read_input<T: DeserializeOwned>(input: Value) -> Result<T, ToolOutput> {
    serde_json::from_value(input).map_err(|error| {
        ToolOutput::failed(format!(
            "The input does not fit the tool's schema: {error}. Call it again with one that does."
        ))
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
