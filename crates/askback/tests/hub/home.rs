//! A data folder with a hub of its own, which ends with the test.

use askback_screen::{Screen, Size};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

pub(crate) const ASKBACK: &str = env!("CARGO_BIN_EXE_askback");
pub(crate) const USUAL: Size = Size { columns: 90, rows: 24 };

/// How long anything may take before a test gives up.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    /// Without a hub.
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// With one that runs.
    pub(crate) fn with_hub() -> Self {
        let home = Self::new();
        let started = home.run(&["hub", "start"]);
        assert!(started.status.success(), "{started:?}");
        home
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(ASKBACK);
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env("ASKBACK_DATA", self.data())
            .env("USER", "reviewer")
            .env_remove("ASKBACK_TOKEN")
            .env_remove("ASKBACK_HUB")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs askback without a terminal, to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The same as a person: with a person's token.
    pub(crate) fn run_as_person(&self, arguments: &[&str]) -> Output {
        self.command(arguments).env("ASKBACK_TOKEN", self.secret("person")).output().unwrap()
    }

    /// Starts askback without a terminal.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).spawn().unwrap()
    }

    /// Runs askback in a terminal.
    pub(crate) fn screen(&self, arguments: &[&str]) -> Screen {
        let data = self.data();
        let variables = [("ASKBACK_DATA", data.to_str().unwrap())];
        Screen::run(USUAL, &variables, ASKBACK, arguments).unwrap()
    }

    pub(crate) fn secret(&self, whose: &str) -> String {
        std::fs::read_to_string(self.data().join(format!("{whose}.token"))).unwrap().trim().to_owned()
    }

    /// The process that is the hub.
    pub(crate) fn hub(&self) -> Option<u32> {
        std::fs::read_to_string(self.data().join("hub.lock")).ok()?.trim().parse().ok()
    }

    /// A connection; a hub that was killed may be on its way back, under another address.
    fn connect(&self) -> (String, TcpStream) {
        let until = Instant::now() + PATIENCE;
        loop {
            let address = self.address();
            match TcpStream::connect(&address) {
                Ok(stream) => return (address, stream),
                Err(error) => assert!(Instant::now() < until, "{address}: {error}"),
            }
            sleep(Duration::from_millis(20));
        }
    }

    /// Where the hub listens. What one that was killed has left behind may be the address of another by now.
    pub(crate) fn address(&self) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            let info = std::fs::read_to_string(self.data().join("hub.json")).unwrap_or_default();
            let info: Value = serde_json::from_str(&info).unwrap_or_default();
            let pid = info["pid"].as_u64();
            if pid.is_some() && pid == self.hub().map(u64::from) && pid.is_some_and(is_alive) {
                return info["url"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned();
            }
            assert!(Instant::now() < until, "no hub is running: {info}");
            sleep(Duration::from_millis(10));
        }
    }

    /// A call over HTTP.
    pub(crate) fn call(&self, method: &str, path: &str, whose: &str, body: &str) -> (u16, Value) {
        loop {
            match self.try_call(method, path, whose, body) {
                Ok(answer) => return answer,
                // One that is being killed may have taken the connection; looking twice does no harm.
                Err(error) => assert!(method == "GET", "{method} {path}: {error}"),
            }
            sleep(Duration::from_millis(20));
        }
    }

    fn try_call(&self, method: &str, path: &str, whose: &str, body: &str) -> std::io::Result<(u16, Value)> {
        let (address, mut stream) = self.connect();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (secret, length) = (self.secret(whose), body.len());
        write!(
            stream,
            "{method} /api/v1{path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {secret}\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        let cut = || std::io::Error::other("the answer is not whole");
        let (head, body) = text.split_once("\r\n\r\n").ok_or_else(cut)?;
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Ok((status, serde_json::from_str(body).unwrap_or(Value::Null)))
    }

    /// Asks over HTTP, and gives the id.
    pub(crate) fn ask(&self, request: &str) -> String {
        let (status, record) = self.call("POST", "/requests", "asker", request);
        assert_eq!(status, 201, "{record}");
        record["id"].as_str().unwrap().to_owned()
    }

    pub(crate) fn answer(&self, id: &str, response: &str) -> (u16, Value) {
        let body = serde_json::json!({ "responses": [response] }).to_string();
        self.call("POST", &format!("/requests/{id}/answer"), "person", &body)
    }

    pub(crate) fn outcome(&self, id: &str) -> Value {
        self.call("GET", &format!("/requests/{id}"), "person", "").1
    }

    /// What is pending, the newest first.
    pub(crate) fn pending(&self) -> Vec<Value> {
        let (_, page) = self.call("GET", "/requests?status=pending&limit=200", "person", "");
        page["items"].as_array().unwrap().clone()
    }

    /// Waits until so many are pending, and gives their ids.
    #[track_caller]
    pub(crate) fn wait_for_pending(&self, count: usize) -> Vec<String> {
        let ids = |items: Vec<Value>| items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect();
        wait_until(&format!("{count} requests are pending"), || self.data().join("hub.json").exists());
        let until = Instant::now() + PATIENCE;
        loop {
            let pending = self.pending();
            if pending.len() == count {
                return ids(pending);
            }
            assert!(Instant::now() < until, "{count} were to be pending: {pending:?}");
            sleep(Duration::from_millis(20));
        }
    }

    /// Ends the hub as a power cut would.
    pub(crate) fn kill_hub(&self) {
        let hub = self.hub().unwrap();
        signal(hub, rustix::process::Signal::KILL);
        // Whoever waits for it may start another at once.
        wait_until("the hub is dead", || !is_alive(hub.into()));
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = self.run(&["hub", "stop"]);
    }
}

/// Whether a process still does anything.
pub(crate) fn is_alive(pid: u64) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z"))
}

pub(crate) fn signal(pid: u32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, signal).unwrap();
}

#[track_caller]
pub(crate) fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < until, "gave up waiting: {what}");
        sleep(Duration::from_millis(10));
    }
}

pub(crate) fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
