//! `askback serve` as a process, in a data directory of its own.

use crate::http::{Call, Reply};
use crate::wait::{wait_for, wait_until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use tempfile::TempDir;

/// The arguments of a hub that listens on any free port of loopback.
const LOOPBACK: [&str; 2] = ["--listen", "127.0.0.1:0"];

/// A temporary data directory, which hubs may serve one after another.
#[derive(Debug)]
pub struct DataDir {
    program: &'static str,
    directory: TempDir,
}

impl DataDir {
    /// An empty one, for hubs of this program.
    pub fn new(program: &'static str) -> Self {
        Self { program, directory: tempfile::tempdir().unwrap() }
    }

    /// One with a configuration.
    pub fn with_config(program: &'static str, config: &str) -> Self {
        let data = Self::new(program);
        data.configure(config);
        data
    }

    /// Writes the configuration.
    pub fn configure(&self, config: &str) {
        std::fs::write(self.path().join("config.toml"), config).unwrap();
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// `askback serve` with these arguments, not started yet.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program);
        command.arg("serve").args(arguments).env("ASKBACK_DATA", self.path()).env_remove("ASKBACK_TOKEN");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// `askback serve` on any free port of loopback, not started yet.
    pub fn loopback_command(&self) -> Command {
        self.command(&LOOPBACK)
    }

    /// Starts a hub on any free port of loopback.
    pub fn serve(&self) -> HubProcess {
        self.serve_with(&LOOPBACK)
    }

    /// Starts a hub with these arguments.
    pub fn serve_with(&self, arguments: &[&str]) -> HubProcess {
        self.spawn(self.command(arguments).stderr(Stdio::null()))
    }

    /// Starts a hub by a command of this data directory.
    pub fn spawn(&self, command: &mut Command) -> HubProcess {
        let mut child = command.spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let port = line.trim_end().rsplit(':').next().and_then(|port| port.parse().ok());
        let address = SocketAddr::from(([127, 0, 0, 1], port.unwrap_or_else(|| panic!("{line}"))));
        let token = |name: &str| std::fs::read_to_string(self.path().join(name)).unwrap().trim().to_owned();
        let (asker, person) = (token("asker.token"), token("person.token"));
        HubProcess { child, data: None, _stdout: stdout, address, asker, person }
    }
}

/// A running hub. It is killed when the value is dropped.
#[derive(Debug)]
pub struct HubProcess {
    child: Child,
    /// The data directory, if it ends with the hub.
    data: Option<DataDir>,
    /// Held open, for the hub to write to.
    _stdout: BufReader<ChildStdout>,
    /// Where it listens.
    pub address: SocketAddr,
    /// The token of this machine's agents.
    pub asker: String,
    /// The token of this machine's person, who is an admin.
    pub person: String,
}

/// An issued token.
#[derive(Debug)]
pub struct IssuedToken {
    /// The secret.
    pub secret: String,
    /// The number by which it is revoked.
    pub number: u64,
}

impl HubProcess {
    /// Starts a hub in a data directory that ends with it.
    pub fn start(program: &'static str) -> Self {
        Self::in_own(DataDir::new(program))
    }

    /// The same, with a configuration.
    pub fn with_config(program: &'static str, config: &str) -> Self {
        Self::in_own(DataDir::with_config(program, config))
    }

    fn in_own(data: DataDir) -> Self {
        let mut hub = data.serve();
        hub.data = Some(data);
        hub
    }

    /// A call that is not sent yet.
    pub fn call(&self, method: &str, path: &str) -> Call {
        Call::new(&self.address, method, path)
    }

    /// A GET call.
    pub fn get(&self, path: &str) -> Call {
        self.call("GET", path)
    }

    /// A POST call.
    pub fn post(&self, path: &str, body: &Value) -> Call {
        self.call("POST", path).body(body.to_string())
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Its origin.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Issues a token, as this machine's person.
    #[track_caller]
    pub fn issue(&self, token: &Value) -> IssuedToken {
        let token = self.post("/api/v1/tokens", token).token(&self.person).send().is(201);
        IssuedToken { secret: token["token"].as_str().unwrap().to_owned(), number: token["number"].as_u64().unwrap() }
    }

    /// Revokes a token, as this machine's person.
    #[track_caller]
    pub fn revoke(&self, token: &IssuedToken) {
        self.call("DELETE", &format!("/api/v1/tokens/{}", token.number)).token(&self.person).send().is(204);
    }

    /// Asks [`question`] in a room with a token; the request's id.
    #[track_caller]
    pub fn ask(&self, token: &str, room: &str) -> String {
        self.ask_with(token, &question(room))
    }

    /// Asks as one of this machine's agents; the request's id.
    #[track_caller]
    pub fn ask_request(&self, request: &Value) -> String {
        self.ask_with(&self.asker, request)
    }

    #[track_caller]
    fn ask_with(&self, token: &str, request: &Value) -> String {
        let record = self.post("/api/v1/requests", request).token(token).send().is(201);
        record["id"].as_str().unwrap().to_owned()
    }

    /// Answers a request with a text.
    pub fn answer(&self, token: &str, id: &str, text: &str) -> Reply {
        self.post(&format!("/api/v1/requests/{id}/answer"), &json!({"responses": [text]})).token(token).send()
    }

    /// The pending requests, as this machine's person sees them.
    pub fn pending(&self) -> Vec<Value> {
        let page = self.get("/api/v1/requests?status=pending").token(&self.person).send().is(200);
        page["items"].as_array().unwrap().clone()
    }

    /// Waits until exactly `count` requests are pending, and returns them.
    #[track_caller]
    pub fn wait_for_pending(&self, count: usize) -> Vec<Value> {
        wait_for(&format!("{count} requests are pending"), || {
            Some(self.pending()).filter(|pending| pending.len() == count)
        })
    }

    /// Waits until a metric, named without `askback_`, has a value.
    #[track_caller]
    pub fn wait_for_metric(&self, name: &str, value: usize) {
        let line = format!("askback_{name} {value}");
        wait_until(&format!("the metric {line}"), || {
            self.get("/metrics").send().body.lines().any(|found| found == line)
        });
    }

    /// Its resident memory in bytes, now and at its highest.
    #[cfg(target_os = "linux")]
    pub fn resident_bytes(&self) -> (usize, usize) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let bytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.split_whitespace().next().unwrap().parse::<usize>().unwrap() << 10
        };
        (bytes("VmRSS:"), bytes("VmHWM:"))
    }

    /// Sends it the signal of service managers.
    pub fn terminate(&self) {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
    }

    /// Waits until it has ended.
    pub fn wait(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    /// Terminates it; whether it ended without an error.
    pub fn stop(mut self) -> bool {
        self.terminate();
        self.wait().success()
    }

    /// Kills it as the system does that runs out of memory.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for HubProcess {
    fn drop(&mut self) {
        // It may have ended before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A text question in a room.
pub fn question(room: &str) -> Value {
    json!({"room": room, "type": "text", "message": "What shall it be called?"})
}
