//! The run_command tool: the person sees the whole command first.

use super::consent::{Shown, consent};
use super::{Tool, ToolContext, read_input};
use crate::limits::{COMMAND_TIME, TOOL_OUTPUT};
use crate::process_group::ProcessGroup;
use askback_process::ChildRole;
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

pub(super) const TOOL: Tool = Tool {
    name: "run_command",
    description: "Run a shell command in the folder you work in, without input, and get what it prints and its exit \
                  status. The person sees the whole command and approves or rejects it, so do not ask them beforehand.",
    schema: || {
        json!({
            "type": "object", "required": ["command"], "additionalProperties": false,
            "properties": {"command": {"type": "string", "minLength": 1, "description": "The command, for `sh -c`."}},
        })
    },
    start: |input, context| Box::pin(run(input, context)),
};

/// How long what a command left running may go on to print into its result.
const AFTERWARDS: Duration = Duration::from_millis(200);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    command: String,
}

async fn run(input: Value, context: ToolContext) -> Result<String, String> {
    let Input { command } = read_input(input)?;
    if command.trim().is_empty() || command.contains('\0') {
        return Err("The command is blank or has a zero byte. Nothing was run.".to_owned());
    }
    let shown = Shown {
        header: "Command",
        message: format!("Run this command in {}?", context.folder.display()),
        approve: "Run it",
        form: "command",
        text: command.clone(),
        exactly: "this exact command",
    };
    let remark = consent(shown, &context).await?;
    let ran = execute(&command, &context.folder).await;
    let (status, kept) = ran.map_err(|error| format!("The command can't be run: {error}."))?;
    let printed = kept.text();
    let Some(status) = status else {
        return Err(format!("The command was stopped after {} minutes.\n{printed}", COMMAND_TIME.as_secs() / 60));
    };
    let printed = if printed.is_empty() { "It printed nothing." } else { &printed };
    if status.success() {
        return Ok(format!("{remark}The command succeeded.\n{printed}"));
    }
    Err(format!("{remark}The command failed: {status}.\n{printed}"))
}

/// How a command ended, or nothing if it was stopped after its time, and what it printed.
async fn execute(command: &str, folder: &Path) -> std::io::Result<(Option<ExitStatus>, Kept)> {
    // Both outputs in one pipe, so that they stay in the order in which they were printed.
    let (reader, writer) = std::io::pipe()?;
    let (mut child, group) = ProcessGroup::spawn(
        Command::from(ChildRole::Tool.command("sh"))
            .args(["-c", command])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(writer.try_clone()?)
            .stderr(writer),
    )?;
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
        return Ok((None, kept));
    };
    let status = status?;
    // What the command has left running on purpose was approved with it.
    group.release();
    let afterwards = Instant::now() + AFTERWARDS;
    while let Ok(Ok(count @ 1..)) = timeout_at(afterwards, output.read(&mut buffer)).await {
        kept.push(&buffer[..count]);
    }
    Ok((Some(status), kept))
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
