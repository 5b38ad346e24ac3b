//! A hub in a folder of its own, as a process, and calls to it.

use crate::eventually;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A folder with a configuration.
pub(crate) struct Data(TempDir);

impl Data {
    pub(crate) fn with(config: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("config.toml"), config).unwrap();
        Self(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_askback"));
        command.args(["serve", "--listen", "127.0.0.1:0"]).env("ASKBACK_DATA", self.path()).env_remove("ASKBACK_TOKEN");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    pub(crate) fn serve(&self) -> Hub {
        self.serve_with(self.command())
    }

    pub(crate) fn serve_with(&self, mut command: Command) -> Hub {
        let mut child = command.spawn().unwrap();
        let pid = child.id();
        let info = eventually("the hub's start", || {
            assert!(child.try_wait().unwrap().is_none(), "the hub has ended");
            let info: Value = serde_json::from_slice(&std::fs::read(self.path().join("hub.json")).ok()?).ok()?;
            // One that was killed has left its own.
            (info["pid"] == pid).then_some(info)
        });
        let address = info["url"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned();
        Hub { child, address, folder: self.path().to_owned() }
    }
}

/// A hub that runs, until it is dropped.
pub(crate) struct Hub {
    child: Child,
    pub(crate) address: String,
    folder: PathBuf,
}

impl Hub {
    /// Ends it as nothing should end, and at once.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends it as it should be ended, and says whether it took that well.
    pub(crate) fn stop(mut self) -> bool {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        self.child.wait().unwrap().success()
    }

    /// Asks something, and says by which id.
    pub(crate) fn ask(&self, message: &str) -> String {
        self.ask_in("shop", message)
    }

    pub(crate) fn ask_in(&self, room: &str, message: &str) -> String {
        let request = json!({"type": "text", "message": message, "room": room});
        let (status, body) = self.call("asker", "POST", "/api/v1/requests", &request.to_string());
        assert_eq!(status, 201, "{body}");
        let body: Value = serde_json::from_str(&body).unwrap();
        body["id"].as_str().unwrap().to_owned()
    }

    pub(crate) fn answer(&self, id: &str, response: &str) {
        let body = json!({"responses": [response]}).to_string();
        let (status, body) = self.call("person", "POST", &format!("/api/v1/requests/{id}/answer"), &body);
        assert_eq!(status, 200, "{body}");
    }

    /// A number of the metrics.
    pub(crate) fn metric(&self, name: &str) -> u64 {
        let (_, text) = self.call("person", "GET", "/metrics", "");
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name} is not in {text}")).parse().unwrap()
    }

    fn call(&self, whose: &str, method: &str, path: &str, body: &str) -> (u16, String) {
        let token = std::fs::read_to_string(self.folder.join(format!("{whose}.token"))).unwrap();
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            token.trim(),
            body.len()
        )
        .unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        // It may have been waited for already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
