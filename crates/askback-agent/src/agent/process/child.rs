//! The program of an external agent: its lines in, its lines out, and how it ended.

use crate::limits::{AGENT_GRACE, AGENT_LINE_BYTES, AGENT_STDERR, EVENTS_WAITING};
use crate::process_group::ProcessGroup;
use askback_core::Json;
use askback_process::ChildRole;
use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// A running program. Dropping it ends it, and everything it has started.
pub(super) struct Child {
    process: tokio::process::Child,
    lines: Receiver<Received>,
    input: Sender<Vec<u8>>,
    last_words: Arc<Mutex<VecDeque<u8>>>,
    listening: Option<JoinHandle<()>>,
    _group: ProcessGroup,
}

/// How long the last words of a program may take to arrive after its end; something it started may still hold the line.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// What a program does next.
pub(super) enum Received {
    Line(Vec<u8>),
    TooLong,
    /// It has ended; how, for the person.
    Ended(String),
}

impl Child {
    pub(super) fn start(command: &str, folder: &Path) -> io::Result<Self> {
        // Ctrl+C is for us to understand, and what it starts ends with it.
        let (mut process, group) = ProcessGroup::spawn(
            Command::from(ChildRole::Agent.command("sh"))
                .args(["-c", command])
                .current_dir(folder)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped()),
        )?;
        let last_words = Arc::default();
        let (line_sender, lines) = channel(EVENTS_WAITING);
        let (input, input_receiver) = channel(EVENTS_WAITING);
        let mut listening = None;
        if let (Some(stdin), Some(stdout), Some(stderr)) =
            (process.stdin.take(), process.stdout.take(), process.stderr.take())
        {
            tokio::spawn(write_lines(stdin, input_receiver));
            tokio::spawn(read_lines(stdout, line_sender));
            listening = Some(tokio::spawn(listen(stderr, Arc::clone(&last_words))));
        }
        Ok(Self { process, lines, input, last_words, listening, _group: group })
    }

    /// Writes a line. A program that does not read its lines would wait for its answers for ever: it is ended.
    pub(super) fn write(&mut self, line: &Json) {
        let mut bytes = line.to_string().into_bytes();
        bytes.push(b'\n');
        if let Err(TrySendError::Full(_)) = self.input.try_send(bytes) {
            tracing::warn!("the agent does not read its input, and is ended");
            let _ = self.process.start_kill();
        }
    }

    /// Forgets what it has said so far.
    pub(super) fn discard(&mut self) {
        while self.lines.try_recv().is_ok() {}
    }

    pub(super) fn has_ended(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }

    /// May be dropped at any time without losing a line.
    pub(super) async fn next(&mut self) -> Received {
        let received = tokio::select! {
            biased;
            line = self.lines.recv() => line,
            // Something it has started may hold its output open for ever.
            _ = self.process.wait() => timeout(LAST_WORDS, self.lines.recv()).await.unwrap_or_default(),
        };
        match received {
            Some(received) => received,
            None => Received::Ended(self.obituary().await),
        }
    }

    async fn obituary(&mut self) -> String {
        let how = match timeout(AGENT_GRACE, self.process.wait()).await {
            Ok(Ok(status)) => format!("it ended ({status})"),
            Ok(Err(error)) => format!("it was lost ({error})"),
            Err(_) => "it closed its output".to_owned(),
        };
        if let Some(listening) = self.listening.take() {
            let _ = timeout(LAST_WORDS, listening).await;
        }
        let words: Vec<u8> = self.last_words.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        let words = String::from_utf8_lossy(&words);
        match words.trim() {
            "" => format!("The agent was not done when {how}."),
            words => format!("The agent was not done when {how}. It last wrote:\n{words}"),
        }
    }
}

async fn write_lines(mut stdin: ChildStdin, mut lines: Receiver<Vec<u8>>) {
    while let Some(line) = lines.recv().await {
        if stdin.write_all(&line).await.and(stdin.flush().await).is_err() {
            return;
        }
    }
}

async fn read_lines(stdout: ChildStdout, lines: Sender<Received>) {
    let mut reader = BufReader::new(stdout);
    while let Ok(Some(line)) = read_line(&mut reader).await {
        let is_blank = matches!(&line, Received::Line(line) if line.trim_ascii().is_empty());
        if !is_blank && lines.send(line).await.is_err() {
            return;
        }
    }
}

/// One line, of which no more is kept than a line may have; nothing at the end.
async fn read_line(reader: &mut BufReader<impl AsyncRead + Unpin>) -> io::Result<Option<Received>> {
    let mut line = Vec::new();
    let most = AGENT_LINE_BYTES as u64 + 1;
    if (&mut *reader).take(most).read_until(b'\n', &mut line).await? == 0 {
        return Ok(None);
    }
    if line.len() as u64 == most && line.last() != Some(&b'\n') {
        // The rest of it, in pieces that nobody keeps.
        let mut rest = Vec::new();
        while (&mut *reader).take(64 * 1024).read_until(b'\n', &mut rest).await? > 0 && rest.last() != Some(&b'\n') {
            rest.clear();
        }
        return Ok(Some(Received::TooLong));
    }
    Ok(Some(Received::Line(line)))
}

/// Keeps the end of what the program writes to its standard error, which would spoil the screen.
async fn listen(mut stderr: ChildStderr, last_words: Arc<Mutex<VecDeque<u8>>>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = stderr.read(&mut buffer).await {
        tracing::info!("the agent wrote: {}", String::from_utf8_lossy(&buffer[..count]));
        let mut words = last_words.lock().unwrap_or_else(PoisonError::into_inner);
        words.extend(&buffer[..count]);
        let over = words.len().saturating_sub(AGENT_STDERR);
        words.drain(..over);
    }
}
