//! The command that is run for every new request: a notification on this machine, or whatever else one can think of.

use crate::limits::{COMMAND_OUTPUT, COMMAND_PATIENCE, COMMAND_TITLE, COMMANDS, ERRANDS_PATIENCE};
use crate::service::views::new_record;
use crate::webhook::clipped;
use askback_core::Question;
use askback_core::show::{Layout, Purpose, show};
use askback_hub::{Events, Hub, Record};
use rustix::process::{Pid, Signal, kill_process_group};
use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

/// A program and its arguments. No shell reads them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    program: String,
    arguments: Vec<String>,
}

impl CommandLine {
    /// A command line from its words. None if nothing could be run: without a program, or with a character that no argument can have.
    pub fn parse(words: Vec<String>) -> Option<Self> {
        if words.iter().any(|word| word.contains('\0')) {
            return None;
        }
        let mut words = words.into_iter();
        let program = words.next().filter(|program| !program.trim().is_empty())?;
        Some(Self { program, arguments: words.collect() })
    }
}

/// The command of a hub, at work.
pub(crate) struct OnRequest(Option<Working>);

struct Working {
    stopping: oneshot::Sender<()>,
    following: JoinHandle<()>,
}

/// Begins to run it for every request that is made from now on.
pub(crate) async fn start(hub: &Hub, command: Option<&CommandLine>) -> io::Result<OnRequest> {
    let Some(line) = command.cloned() else { return Ok(OnRequest(None)) };
    let events = hub.events(hub.last_event()).await.map_err(io::Error::other)?;
    let (stopping, stopped) = oneshot::channel();
    Ok(OnRequest(Some(Working { stopping, following: tokio::spawn(follow(events, Arc::new(line), stopped)) })))
}

impl OnRequest {
    /// Ends it: commands under way have a moment, and are then killed.
    pub(crate) async fn stop(self) {
        let Some(Working { stopping, following }) = self.0 else { return };
        let _ = stopping.send(());
        // It ends in time by itself, and has nothing to say.
        let _ = following.await;
    }
}

async fn follow(mut events: Events, line: Arc<CommandLine>, mut stopped: oneshot::Receiver<()>) {
    let mut running = JoinSet::new();
    loop {
        // Whoever comes while all places are taken stays in the log until there is one.
        let event = tokio::select! {
            _ = &mut stopped => break,
            Some(_) = running.join_next() => continue,
            event = events.next(), if running.len() < COMMANDS => event,
        };
        // An error is the end of the hub.
        let Ok(event) = event else { break };
        if event.record.outcome.is_none() {
            let line = Arc::clone(&line);
            running.spawn(async move { run(&line, &event.record).await });
        }
    }
    let _ = timeout(ERRANDS_PATIENCE, async { while running.join_next().await.is_some() {} }).await;
    running.shutdown().await;
}

/// Runs it for one request. Whatever comes of it concerns nobody but whoever reads the log.
async fn run(line: &CommandLine, record: &Record) {
    let id = record.id.as_str();
    match timeout(COMMAND_PATIENCE, finish(line, record)).await {
        Ok(Ok((status, said))) if status.success() => {
            tracing::info!(id, said, "the command for a request has run");
        }
        Ok(Ok((status, said))) => tracing::warn!(id, %status, said, "the command for a request has failed"),
        Ok(Err(error)) => tracing::warn!(id, %error, program = line.program, "the command for a request can't be run"),
        Err(_) => {
            let seconds = COMMAND_PATIENCE.as_secs();
            tracing::warn!(id, seconds, "the command for a request took too long, and was killed");
        }
    }
}

/// Runs it to its end; dropped before that, it is killed with everything it started.
async fn finish(line: &CommandLine, record: &Record) -> io::Result<(ExitStatus, String)> {
    let title = record.request.title().or_else(|| record.request.questions().first().map(Question::message));
    let title = show(&clipped(title.unwrap_or_default(), COMMAND_TITLE), Layout::Line, Purpose::Exact);
    let child = Command::new(&line.program)
        .args(&line.arguments)
        .env("ASKBACK_ID", record.id.as_str())
        .env("ASKBACK_ROOM", show(record.room.as_str(), Layout::Line, Purpose::Exact))
        .env("ASKBACK_TITLE", title)
        // Whoever started the hub may have had one; it is not for this.
        .env_remove("ASKBACK_TOKEN")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let mut group = Group(child);
    let Group(child) = &mut group;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let telling = async {
        if let Some(mut stdin) = stdin {
            // A command need not read it.
            let _ = stdin.write_all(serde_json::to_string(&new_record(record)).unwrap_or_default().as_bytes()).await;
            let _ = stdin.shutdown().await;
        }
    };
    let ((), said, complained) = tokio::join!(telling, beginning(stdout), beginning(stderr));
    // Only now: as long as nobody has asked for its status, its number is no other process's, and its group can be killed.
    let status = child.wait().await?;
    Ok((status, [said, complained].concat()))
}

/// A process that leads a group. Dropped before it was waited for, all of it is killed.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0.id().and_then(|id| Pid::from_raw(id.cast_signed())) {
            // They may have ended by themselves.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// The beginning of what somebody says, harmless, in one line; the rest is read, so that they are not held up.
async fn beginning(from: Option<impl AsyncRead + Unpin>) -> String {
    let Some(mut from) = from else { return String::new() };
    let (mut kept, mut buffer) = (Vec::new(), [0; 1_024]);
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        let room = COMMAND_OUTPUT.saturating_sub(kept.len());
        kept.extend_from_slice(&buffer[..count.min(room)]);
    }
    show(String::from_utf8_lossy(&kept).trim(), Layout::Line, Purpose::Exact)
}
