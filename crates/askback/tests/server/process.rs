//! `askback serve` in a folder of its own.

use crate::http::{Answer, Call};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub(crate) const ASKBACK: &str = env!("CARGO_BIN_EXE_askback");

/// Longer than anything takes that does not hang.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A running server, which ends with this value.
pub(crate) struct Server {
    child: Child,
    folder: PathBuf,
    /// The same, if it is this server's own, and so ends with it.
    own: Option<TempDir>,
    /// What it still says must go somewhere.
    _said: BufReader<ChildStdout>,
    pub(crate) address: SocketAddr,
    /// The credentials of this machine.
    pub(crate) asker: String,
    pub(crate) person: String,
}

/// A token that was given.
pub(crate) struct Given {
    pub(crate) secret: String,
    pub(crate) number: u64,
}

/// The command, not started yet.
pub(crate) fn serve(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(ASKBACK);
    command.arg("serve").args(arguments).env("ASKBACK_DATA", folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs it to its end, which is to come by itself.
pub(crate) fn refused(folder: &Path, arguments: &[&str]) -> Output {
    serve(folder, arguments).output().unwrap()
}

impl Server {
    pub(crate) fn start() -> Self {
        let own = tempfile::tempdir().unwrap();
        let mut server = Self::start_in(own.path(), &["--listen", "127.0.0.1:0"]);
        server.own = Some(own);
        server
    }

    pub(crate) fn start_in(folder: &Path, arguments: &[&str]) -> Self {
        let mut child = serve(folder, arguments).stderr(Stdio::null()).spawn().unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let port = line.trim_end().rsplit(':').next().and_then(|port| port.parse().ok());
        let address = SocketAddr::from(([127, 0, 0, 1], port.unwrap_or_else(|| panic!("{line}"))));
        let token = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap().trim().to_owned();
        let (asker, person) = (token("asker.token"), token("person.token"));
        Self { child, folder: folder.to_owned(), own: None, _said: said, address, asker, person }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn get(&self, path: &str) -> Call {
        Call::new(self.address, "GET", path)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Call {
        Call::new(self.address, "POST", path).body(body.to_string())
    }

    pub(crate) fn call(&self, method: &str, path: &str) -> Call {
        Call::new(self.address, method, path)
    }

    /// Its own address, as a page of it would say.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Has an admin give a token.
    pub(crate) fn give(&self, token: &Value) -> Given {
        let answer = self.post("/api/v1/tokens", token).token(&self.person).send();
        assert_eq!(answer.status, 201, "{answer:?}");
        let token = answer.json();
        Given { secret: token["token"].as_str().unwrap().to_owned(), number: token["number"].as_u64().unwrap() }
    }

    pub(crate) fn revoke(&self, token: &Given) {
        let answer = self.call("DELETE", &format!("/api/v1/tokens/{}", token.number)).token(&self.person).send();
        assert_eq!(answer.status, 204, "{answer:?}");
    }

    /// Asks a question, and gives its id.
    pub(crate) fn ask(&self, token: &str, room: &str) -> String {
        let answer = self.post("/api/v1/requests", &question(room)).token(token).send();
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    pub(crate) fn answer(&self, token: &str, id: &str, text: &str) -> Answer {
        self.post(&format!("/api/v1/requests/{id}/answer"), &json!({"responses": [text]})).token(token).send()
    }

    /// Waits until so many calls wait, or so many streams are open.
    pub(crate) fn until(&self, gauge: &str, count: usize) {
        let line = format!("askback_{gauge} {count}");
        let until = Instant::now() + PATIENCE;
        while !self.get("/metrics").send().body.lines().any(|found| found == line) {
            assert!(Instant::now() < until, "there is never `{line}`");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Tells it to stop, as a service manager does.
    pub(crate) fn terminate(&self) {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
    }

    pub(crate) fn ended(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    /// Ends it as the system does that runs out of memory.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A question to ask in a room.
pub(crate) fn question(room: &str) -> Value {
    json!({"room": room, "type": "text", "message": "What shall it be called?"})
}
