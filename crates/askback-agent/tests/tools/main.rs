//! The tools, each by itself, with somebody at a desk who answers.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what fails in a test should fail it")]

use askback_agent::ToolStatus;
use askback_agent::tool::{Consents, Registry, ToolContext, ToolOutput};
use serde_json::Value;
use std::sync::Arc;
use support::{Desk, Folder};

mod asking;
mod commands;
mod files;
#[path = "../support/mod.rs"]
mod support;

/// A folder to work in, and what was approved for the session.
struct Work {
    folder: Folder,
    consents: Arc<Consents>,
}

impl Work {
    fn new() -> Self {
        Self { folder: Folder::new(), consents: Arc::default() }
    }

    async fn run(&self, tool: &str, input: Value, desk: &Desk) -> ToolOutput {
        let context = ToolContext::new(self.folder.path(), Arc::clone(&self.consents), Arc::new(desk.clone()));
        Registry::standard().find(tool).unwrap().run(input, context).await
    }

    /// Runs a tool that asks nobody.
    async fn run_unasked(&self, tool: &str, input: Value) -> ToolOutput {
        self.run(tool, input, &Desk::default()).await
    }
}

/// The text of a tool that failed.
fn failed(output: &ToolOutput) -> &str {
    assert_eq!(output.status, ToolStatus::Failed, "{}", output.text);
    &output.text
}

/// The text of a tool that did what it should.
fn succeeded(output: &ToolOutput) -> &str {
    assert_eq!(output.status, ToolStatus::Succeeded, "{}", output.text);
    &output.text
}
