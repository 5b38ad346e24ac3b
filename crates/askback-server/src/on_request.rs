//! The command that is run for every new request, such as a notification on this machine.

use crate::limits::{BACKGROUND_STOP_TIMEOUT, COMMAND_OUTPUT, COMMAND_TIMEOUT, COMMAND_TITLE, COMMANDS};
use crate::service::views::new_record;
use crate::webhook::clipped;
use askback_core::Question;
use askback_core::show::{Layout, Purpose, show};
use askback_hub::{Events, Hub, Record};
use askback_process::ChildRole;
use rustix::process::{Pid, Signal, kill_process_group};
use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

/// A program and its arguments, run without a shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    program: String,
    arguments: Vec<String>,
}

impl CommandLine {
    /// A command line from its words. Returns `None` without a program, or with a NUL character, which no argument can have.
    pub fn parse(words: Vec<String>) -> Option<Self> {
        if words.iter().any(|word| word.contains('\0')) {
            return None;
        }
        let mut words = words.into_iter();
        let program = words.next().filter(|program| !program.trim().is_empty())?;
        Some(Self { program, arguments: words.collect() })
    }
}

/// The task that runs the command.
pub(crate) struct OnRequest {
    stopping: oneshot::Sender<()>,
    following: JoinHandle<()>,
}

/// Starts to run the command for every request that is made from now on.
pub(crate) async fn start(hub: &Hub, line: CommandLine) -> io::Result<OnRequest> {
    let events = hub.events(hub.last_event()).await.map_err(io::Error::other)?;
    let (stopping, stopped) = oneshot::channel();
    Ok(OnRequest { stopping, following: tokio::spawn(follow(events, Arc::new(line), stopped)) })
}

impl OnRequest {
    /// Stops it. Running commands get a short time, and are then killed.
    pub(crate) async fn stop(self) {
        let _ = self.stopping.send(());
        // The task ends in time by itself, without a result.
        let _ = self.following.await;
    }
}

async fn follow(mut events: Events, line: Arc<CommandLine>, mut stopped: oneshot::Receiver<()>) {
    let mut running = JoinSet::new();
    loop {
        // While the maximum number of commands runs, further requests wait in the log.
        let event = tokio::select! {
            _ = &mut stopped => break,
            Some(_) = running.join_next() => continue,
            event = events.next(), if running.len() < COMMANDS => event,
        };
        // An error means that the hub has stopped.
        let Ok(event) = event else { break };
        if event.record.outcome.is_none() {
            let line = Arc::clone(&line);
            running.spawn(async move { run(&line, &event.record).await });
        }
    }
    let _ = timeout(BACKGROUND_STOP_TIMEOUT, async { while running.join_next().await.is_some() {} }).await;
    running.shutdown().await;
}

/// Runs the command for one request, and logs the result.
async fn run(line: &CommandLine, record: &Record) {
    let id = record.id.as_str();
    match timeout(COMMAND_TIMEOUT, finish(line, record)).await {
        Ok(Ok((status, said))) if status.success() => {
            tracing::info!(id, said, "the command for a request has run");
        }
        Ok(Ok((status, said))) => tracing::warn!(id, %status, said, "the command for a request has failed"),
        Ok(Err(error)) => tracing::warn!(id, %error, program = line.program, "the command for a request can't be run"),
        Err(_) => {
            let seconds = COMMAND_TIMEOUT.as_secs();
            tracing::warn!(id, seconds, "the command for a request took too long, and was killed");
        }
    }
}

/// Runs the command to its end. If the future is dropped before, the whole process group is killed.
async fn finish(line: &CommandLine, record: &Record) -> io::Result<(ExitStatus, String)> {
    let title = record.request.title().or_else(|| record.request.questions().first().map(Question::message));
    let title = show(&clipped(title.unwrap_or_default(), COMMAND_TITLE), Layout::Line, Purpose::Exact);
    let child = Command::from(ChildRole::Tool.command(&line.program))
        .args(&line.arguments)
        .env("ASKBACK_ID", record.id.as_str())
        .env("ASKBACK_ROOM", show(record.room.as_str(), Layout::Line, Purpose::Exact))
        .env("ASKBACK_TITLE", title)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let mut group = ProcessGroup(child);
    let ProcessGroup(child) = &mut group;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let writing = async {
        if let Some(mut stdin) = stdin {
            // A command need not read its input.
            let _ = stdin.write_all(serde_json::to_string(&new_record(record)).unwrap_or_default().as_bytes()).await;
            let _ = stdin.shutdown().await;
        }
    };
    let ((), output, errors) = tokio::join!(writing, beginning(stdout), beginning(stderr));
    // Only now: until the process is waited for, its id is not reused, and its group can be killed.
    let status = child.wait().await?;
    Ok((status, [output, errors].concat()))
}

/// The leader of a process group, which is killed if this is dropped before the leader was waited for.
struct ProcessGroup(Child);

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        if let Some(group) = self.0.id().and_then(|id| Pid::from_raw(id.cast_signed())) {
            // The processes may have ended by themselves.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// The beginning of the output, safe to show on one line. The rest is read, so that the command does not block.
async fn beginning(from: Option<impl AsyncRead + Unpin>) -> String {
    let Some(mut from) = from else { return String::new() };
    let (mut kept, mut buffer) = (Vec::new(), [0; 1_024]);
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        let room = COMMAND_OUTPUT.saturating_sub(kept.len());
        kept.extend_from_slice(&buffer[..count.min(room)]);
    }
    show(String::from_utf8_lossy(&kept).trim(), Layout::Line, Purpose::Exact)
}
