//! A session of `askback mcp`, a process between its client and the hub. Both may be killed.

use super::mcp::{Session, WAIT_S, initialize, initialized, tool_call};
use crate::Failure;
use crate::load::{Load, ROOM, Token, end_child};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;

pub(super) struct StdioSession<'l> {
    load: &'l Load,
    token: &'l Token,
    /// A data directory without a hub, so that the program reaches the hub of the campaign and no other.
    data: PathBuf,
    process: Option<Process>,
    calls: u64,
}

/// The program, which is killed when the value is dropped.
struct Process {
    child: Arc<Mutex<Child>>,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl<'l> StdioSession<'l> {
    pub(super) fn new(load: &'l Load, token: &'l Token, data: &Path) -> Self {
        Self { load, token, data: data.to_owned(), process: None, calls: 1 }
    }

    /// The program that runs, with a session.
    fn process(&mut self) -> Result<&mut Process, Failure> {
        if self.process.is_none() {
            let mut process = self.start()?;
            process.send(&initialize())?;
            process.receive(1)?.ok_or("askback mcp ended before it began a session")?;
            process.send(&initialized())?;
            self.process = Some(process);
        }
        self.process.as_mut().ok_or_else(|| "askback mcp does not run".into())
    }

    fn start(&self) -> Result<Process, Failure> {
        let mut command = Command::new(&self.load.program);
        let hub = format!("http://{}", self.load.api.address);
        command.args(["mcp", "--hub", &hub, "--room", ROOM, "--wait", &format!("{WAIT_S}s")]);
        command.env("ASKBACK_DATA", &self.data).env("ASKBACK_TOKEN", &self.token.secret).env_remove("ASKBACK_HUB");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => {
                let child = Arc::new(Mutex::new(child));
                self.load.keep_child(&child);
                Ok(Process { child, input, output: BufReader::new(output) })
            }
            _ => Err("askback mcp has no pipes".into()),
        }
    }
}

impl Session for StdioSession<'_> {
    fn call(&mut self, tool: &str, arguments: &Value) -> Result<Option<Value>, Failure> {
        self.calls += 1;
        let id = self.calls;
        let process = self.process()?;
        process.send(&tool_call(id, tool, arguments))?;
        let message = process.receive(id)?.ok_or("askback mcp has ended while its hub was away")?;
        Ok(Some(message["result"]["structuredContent"].clone()))
    }

    fn die_in_call(&mut self, tool: &str, arguments: &Value, delay: Duration) -> Result<(), Failure> {
        self.calls += 1;
        let id = self.calls;
        self.process()?.send(&tool_call(id, tool, arguments))?;
        sleep(delay);
        self.process = None;
        Ok(())
    }
}

impl Process {
    fn send(&mut self, message: &Value) -> Result<(), Failure> {
        Ok(writeln!(self.input, "{message}")?)
    }

    /// The reply to a message; none if the program has ended.
    fn receive(&mut self, id: u64) -> Result<Option<Value>, Failure> {
        let mut line = String::new();
        while self.output.read_line(&mut line)? > 0 {
            let message: Value = serde_json::from_str(&line)?;
            if message["id"] == id {
                return Ok(Some(message));
            }
            line.clear();
        }
        Ok(None)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end_child(&self.child);
    }
}
