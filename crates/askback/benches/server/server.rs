//! The server that is measured: the binary as people have it, in a folder of its own.

use crate::client::{Call, Connection, text};
use crate::{Done, usage};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Those who ask: one token may ask only so often, and so much.
pub(crate) const ASKERS: usize = 64;
/// The rooms that they ask in.
pub(crate) const ROOMS: usize = 8;
const PATIENCE: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_micros(200);

/// The binary, with nothing of the environment that changes what it does.
pub(crate) fn askback(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_askback"));
    command.env("ASKBACK_DATA", folder).env_remove("ASKBACK_HUB").env_remove("ASKBACK_TOKEN");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// A server that runs, until this is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) socket: PathBuf,
    /// The secret of the person at this machine.
    pub(crate) person: String,
}

impl Server {
    /// Starts one, and comes back when it has answered.
    pub(crate) fn start(folder: &Path) -> Done<Self> {
        std::fs::create_dir_all(folder)?;
        let child = askback(folder).args(["serve", "--background", "--listen", "127.0.0.1:0"]).spawn()?;
        let start = Instant::now();
        let mut started = Started { child: Some(child) };
        let info = loop {
            if start.elapsed() > PATIENCE {
                return Err("the server does not start".into());
            }
            if let Some(info) = announced(folder).filter(|info| started.is(info))
                && answers(info["socket"].as_str().unwrap_or_default())
            {
                break info;
            }
            sleep(LOOK);
        };
        let child = started.child.take().ok_or("the server is gone")?;
        let url = info["url"].as_str().unwrap_or_default();
        Ok(Self {
            child,
            address: url.trim_start_matches("http://").parse()?,
            socket: info["socket"].as_str().unwrap_or_default().into(),
            person: std::fs::read_to_string(folder.join("person.token"))?.trim().to_owned(),
        })
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn processor(&self) -> Done<Duration> {
        usage::processor(self.id())
    }

    pub(crate) fn resident(&self) -> Done<f64> {
        usage::resident(self.id())
    }

    /// The secrets of those who ask, each with a name and in a room.
    pub(crate) async fn askers(&self) -> Done<Vec<String>> {
        let tokens = (0..ASKERS).map(|number| {
            let (name, room) = (format!("agent-{number}"), format!("project-{}", number % ROOMS));
            json!({"role": "asker", "name": name, "room": room})
        });
        self.issue(tokens).await
    }

    /// The secrets of this many more people.
    pub(crate) async fn people(&self, count: usize) -> Done<Vec<String>> {
        self.issue((0..count).map(|number| json!({"role": "answerer", "name": format!("person-{number}")}))).await
    }

    async fn issue(&self, tokens: impl Iterator<Item = Value>) -> Done<Vec<String>> {
        let mut connection = Connection::open(self.address).await?;
        let mut secrets = Vec::new();
        for token in tokens {
            let made = connection.must(&Call::post("/tokens", &self.person, self.address, &token.to_string())).await?;
            secrets.push(text(made, "token")?);
        }
        Ok(secrets)
    }

    pub(crate) fn stop(self) {}
}

impl Drop for Server {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// A server on its way, which is not to outlive a benchmark that fails.
struct Started {
    child: Option<Child>,
}

impl Started {
    fn is(&self, info: &Value) -> bool {
        self.child.as_ref().is_some_and(|child| info["pid"] == child.id())
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        self.child.iter_mut().for_each(end);
    }
}

/// Tells a process to end, and waits for it.
pub(crate) fn end(child: &mut Child) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if pid.is_none_or(|pid| kill_process(pid, Signal::TERM).is_err()) {
        let _ = child.kill();
    }
    let _ = child.wait();
}

/// What the hub of this folder says of itself.
fn announced(folder: &Path) -> Option<Value> {
    serde_json::from_slice(&std::fs::read(folder.join("hub.json")).ok()?).ok()
}

/// Whether it answers on its socket.
fn answers(socket: &str) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = UnixStream::connect(socket)?;
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: hub\r\n\r\n")?;
        let mut beginning = [0; 15];
        stream.read_exact(&mut beginning)?;
        Ok(beginning.starts_with(b"HTTP/1.1 200 OK"))
    };
    ask().unwrap_or(false)
}
