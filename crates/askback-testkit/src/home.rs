//! A user's directory with a hub in the background, which askback's commands start and find.

use crate::http::{Call, Connection};
use crate::screen::{Screen, Size};
use crate::wait::{wait_for, wait_until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// The size of a user's terminal.
pub const USUAL: Size = Size { columns: 90, rows: 24 };

/// A temporary directory of a user. The hub in it is stopped when the value is dropped.
#[derive(Debug)]
pub struct Home {
    program: &'static str,
    directory: TempDir,
}

impl Home {
    /// Without a hub.
    pub fn new(program: &'static str) -> Self {
        Self { program, directory: tempfile::tempdir().unwrap() }
    }

    /// With a hub that runs.
    #[track_caller]
    pub fn with_hub(program: &'static str) -> Self {
        let home = Self::new(program);
        home.start_hub();
        home
    }

    /// With a hub that runs with this config.toml.
    #[track_caller]
    pub fn with_config(program: &'static str, config: &str) -> Self {
        let home = Self::new(program);
        std::fs::DirBuilder::new().mode(0o700).create(home.data()).unwrap();
        std::fs::write(home.data().join("config.toml"), config).unwrap();
        home.start_hub();
        home
    }

    /// Starts the hub.
    #[track_caller]
    pub fn start_hub(&self) {
        let started = self.run(&["hub", "start"]);
        assert!(started.status.success(), "{started:?}");
    }

    /// The user's directory.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The data directory.
    pub fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    /// askback without a terminal, not started yet.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program);
        command
            .args(arguments)
            .current_dir(self.directory.path())
            .env("ASKBACK_DATA", self.data())
            .env("USER", "reviewer")
            .env_remove("ASKBACK_TOKEN")
            .env_remove("ASKBACK_HUB")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs askback without a terminal.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// [`Home::run`] with the person's token.
    pub fn run_as_person(&self, arguments: &[&str]) -> Output {
        self.command(arguments).env("ASKBACK_TOKEN", self.secret("person")).output().unwrap()
    }

    /// Starts askback without a terminal.
    pub fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).spawn().unwrap()
    }

    /// Runs askback in a terminal.
    pub fn screen(&self, arguments: &[&str]) -> Screen {
        let data = self.data();
        let variables = [("ASKBACK_DATA", data.to_str().unwrap())];
        Screen::run(USUAL, &variables, self.program, arguments).unwrap()
    }

    /// The token of this machine's `asker` or `person`.
    pub fn secret(&self, role: &str) -> String {
        std::fs::read_to_string(self.data().join(format!("{role}.token"))).unwrap().trim().to_owned()
    }

    /// The process id of the hub.
    pub fn hub(&self) -> Option<u32> {
        std::fs::read_to_string(self.data().join("hub.lock")).ok()?.trim().parse().ok()
    }

    /// Where the hub listens. The address that a killed hub has left behind may be another program's by now.
    #[track_caller]
    pub fn address(&self) -> String {
        wait_for("a hub runs", || {
            let info = std::fs::read_to_string(self.data().join("hub.json")).ok()?;
            let info: Value = serde_json::from_str(&info).ok()?;
            let pid = info["pid"].as_u64().filter(|pid| self.hub().map(u64::from) == Some(*pid) && is_alive(*pid));
            pid.map(|_| info["url"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned())
        })
    }

    fn http(&self, method: &str, path: &str, role: &str, body: &str) -> Call {
        Call::new(&self.address(), method, &format!("/api/v1{path}")).token(&self.secret(role)).body(body)
    }

    /// A call of the API with the token of `asker` or `person`. A hub that was killed may be on its way back, at another
    /// address; only a call that reads is sent twice.
    #[track_caller]
    pub fn call(&self, method: &str, path: &str, role: &str, body: &str) -> (u16, Value) {
        let reply = wait_for(&format!("a reply to {method} {path}"), || {
            let connection = Connection::open(self.address()).ok()?;
            let reply = self.http(method, path, role, body).send_over(connection);
            assert!(reply.is_ok() || method == "GET", "{method} {path}: {reply:?}");
            reply.ok()
        });
        (reply.status, serde_json::from_str(&reply.body).unwrap_or(Value::Null))
    }

    /// Follows the events for as long as the connection is held.
    #[track_caller]
    pub fn follow(&self, role: &str, query: &str) -> Connection {
        let mut connection = self.http("GET", &format!("/events{query}"), role, "").open();
        let head = connection.read_head();
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        connection
    }

    /// Asks as an agent; the request's id.
    #[track_caller]
    pub fn ask(&self, request: &str) -> String {
        let (status, record) = self.call("POST", "/requests", "asker", request);
        assert_eq!(status, 201, "{record}");
        record["id"].as_str().unwrap().to_owned()
    }

    /// Answers a request as the person.
    pub fn answer(&self, id: &str, response: &str) -> (u16, Value) {
        let body = json!({ "responses": [response] }).to_string();
        self.call("POST", &format!("/requests/{id}/answer"), "person", &body)
    }

    /// The state of a request.
    pub fn outcome(&self, id: &str) -> Value {
        self.call("GET", &format!("/requests/{id}"), "person", "").1
    }

    /// The pending requests, the newest first.
    pub fn pending(&self) -> Vec<Value> {
        let (_, page) = self.call("GET", "/requests?status=pending&limit=200", "person", "");
        page["items"].as_array().unwrap().clone()
    }

    /// Waits until exactly `count` requests are pending, and returns their ids.
    #[track_caller]
    pub fn wait_for_pending(&self, count: usize) -> Vec<String> {
        let pending = wait_for(&format!("{count} requests are pending"), || {
            Some(self.pending()).filter(|pending| pending.len() == count)
        });
        pending.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
    }

    /// Ends the hub as a power cut would.
    #[track_caller]
    pub fn kill_hub(&self) {
        let hub = self.hub().unwrap();
        signal(hub, Signal::KILL);
        // A client that waits for it may start another one at once.
        wait_until("the hub is dead", || !is_alive(hub.into()));
    }
}

/// A hub that is stopped by SIGSTOP, as by a debugger or a machine without memory. It goes on when the value is dropped.
#[derive(Debug)]
pub struct FrozenHub(u32);

impl Home {
    /// Freezes the hub.
    #[track_caller]
    pub fn freeze_hub(&self) -> FrozenHub {
        let hub = self.hub().unwrap();
        signal(hub, Signal::STOP);
        let stat = format!("/proc/{hub}/stat");
        wait_until("the hub is frozen", || std::fs::read_to_string(&stat).unwrap().contains(") T "));
        FrozenHub(hub)
    }
}

impl Drop for FrozenHub {
    fn drop(&mut self) {
        signal(self.0, Signal::CONT);
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = self.run(&["hub", "stop"]);
    }
}

/// Whether a process runs; one that has ended and was not waited for does not.
pub fn is_alive(pid: u64) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z"))
}

/// Sends a process a signal.
pub fn signal(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), signal).unwrap();
}

/// What a program wrote to standard output.
pub fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What a program wrote to standard error.
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
