//! The run_command tool: the person sees the whole command first.

use super::consent::{Consent, Shown, consent};
use super::{Running, Tool, ToolContext, ToolOutput, read_input};
use crate::limits::{COMMAND_TIME, TOOL_OUTPUT};
use crate::process_group::{ProcessGroup, SessionLeader};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;
use tokio::process::Command;
use tokio::time::{Instant, timeout_at};

/// Runs a shell command in the folder, if the person approves it.
#[derive(Debug)]
pub struct RunCommand;

/// How long what a command left running may go on to print into its result.
const AFTERWARDS: Duration = Duration::from_millis(200);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    command: String,
}

impl Tool for RunCommand {
    fn name(&self) -> &'static str {
        "run_command"
    }

    fn description(&self) -> String {
        "Run a shell command in the folder you work in, without input, and get what it prints and its exit status. The \
         person sees the whole command and approves or rejects it, so do not ask them beforehand."
            .to_owned()
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object", "required": ["command"], "additionalProperties": false,
            "properties": {"command": {"type": "string", "minLength": 1, "description": "The command, for `sh -c`."}},
        })
    }

    fn run(&self, input: Value, context: ToolContext) -> Running<'_> {
        Box::pin(async move { run(input, &context).await.unwrap_or_else(|failed| failed) })
    }
}

async fn run(input: Value, context: &ToolContext) -> Result<ToolOutput, ToolOutput> {
    let Input { command } = read_input(input)?;
    if command.trim().is_empty() || command.contains('\0') {
        return Err(ToolOutput::failed("The command is blank or has a zero byte. Nothing was run."));
    }
    let folder = context.folder.display();
    let shown = Shown {
        header: "Command",
        message: format!("Run this command in {folder}?"),
        approve: "Run it",
        form: "command",
        text: command.clone(),
        exactly: "this exact command",
    };
    let consent = consent(shown, context).await?;
    execute(&command, &context.folder, consent)
        .await
        .unwrap_or_else(|error| Err(ToolOutput::failed(format!("The command can't be run: {error}."))))
}

async fn execute(command: &str, folder: &Path, consent: Consent) -> std::io::Result<Result<ToolOutput, ToolOutput>> {
    // Both outputs in one pipe, so that they stay in the order in which they were printed.
    let (reader, writer) = std::io::pipe()?;
    let mut child = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        // What the model's server is paid with is not the model's to see.
        .env_remove("ANTHROPIC_API_KEY")
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .in_a_session_of_its_own()
        .spawn()?;
    let group = ProcessGroup::of(&child);
    let mut output = pipe::Receiver::from_owned_fd(reader.into())?;
    let deadline = Instant::now() + COMMAND_TIME;
    let mut kept = Kept::default();
    let mut buffer = vec![0; 16 * 1024];
    let status = loop {
        tokio::select! {
            biased;
            read = output.read(&mut buffer) => match read? {
                0 => break timeout_at(deadline, child.wait()).await,
                count => kept.push(&buffer[..count]),
            },
            status = timeout_at(deadline, child.wait()) => break status,
        }
    };
    let Ok(status) = status else {
        // Dropping the group ends it.
        let said = format!("The command was stopped after {} minutes.\n{}", COMMAND_TIME.as_secs() / 60, kept.text());
        return Ok(Err(ToolOutput::failed(said)));
    };
    let status = status?;
    // What the command has left running on purpose was approved with it.
    group.release();
    let afterwards = Instant::now() + AFTERWARDS;
    while let Ok(Ok(count @ 1..)) = timeout_at(afterwards, output.read(&mut buffer)).await {
        kept.push(&buffer[..count]);
    }
    Ok(Ok(report(status, &kept, consent)))
}

fn report(status: ExitStatus, kept: &Kept, consent: Consent) -> ToolOutput {
    let remark = consent.remark();
    let printed = kept.text();
    let printed = if printed.is_empty() { "It printed nothing.".to_owned() } else { printed };
    if status.success() {
        return ToolOutput::succeeded(format!("{remark}The command succeeded.\n{printed}"));
    }
    ToolOutput::failed(format!("{remark}The command failed: {status}.\n{printed}"))
}

/// The start and the end of what a command prints, however much that is.
#[derive(Default)]
struct Kept {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: usize,
}

impl Kept {
    const HALF: usize = TOOL_OUTPUT / 2 - 256;

    fn push(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(Self::HALF - self.head.len()));
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(Self::HALF);
        self.tail.drain(..over);
        self.left_out += over;
    }

    fn text(&self) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        match self.left_out {
            0 => text(&[self.head.as_slice(), &tail].concat()),
            count => format!("{}\n[… {count} bytes left out …]\n{}", text(&self.head), text(&tail)),
        }
    }
}
