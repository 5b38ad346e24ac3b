//! The hub as a process: started, killed, and timed until it answers.

use crate::Failure;
use askback_testkit::http::{Call, Connection};
use std::fs::{File, OpenOptions};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The longest a start may take before it counts as failed.
const START_PATIENCE: Duration = Duration::from_secs(30);

/// The pause between two attempts to reach a hub that starts.
const START_POLL: Duration = Duration::from_micros(500);

/// How to start a hub on a data directory, always at the same address.
#[derive(Debug, Clone)]
pub(crate) struct HubProgram {
    pub(crate) program: PathBuf,
    pub(crate) data: PathBuf,
    pub(crate) address: SocketAddr,
    /// More of its environment.
    pub(crate) environment: Vec<(String, PathBuf)>,
}

/// A hub that runs. It is killed when the value is dropped.
#[derive(Debug)]
pub(crate) struct Hub {
    child: Child,
    address: SocketAddr,
    started: Instant,
    output: PathBuf,
}

impl HubProgram {
    pub(crate) fn spawn(&self) -> Result<Hub, Failure> {
        let output = self.data.join("crash-campaign.log");
        let log = OpenOptions::new().create(true).append(true).open(&output)?;
        let mut command = Command::new(&self.program);
        command.args(["serve", "--listen", &self.address.to_string()]).env("ASKBACK_DATA", &self.data);
        command.env_remove("ASKBACK_TOKEN").env_remove("ASKBACK_HUB").envs(self.environment.iter().cloned());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        let started = Instant::now();
        let child = command.spawn().map_err(|error| format!("can't run {}: {error}", self.program.display()))?;
        Ok(Hub { child, address: self.address, started, output })
    }

    /// Starts a hub that answers, and says how long that took.
    pub(crate) fn start(&self) -> Result<(Hub, Duration), Failure> {
        let mut hub = self.spawn()?;
        let took = hub.wait_until_it_answers()?;
        Ok((hub, took))
    }

    /// The secret of a local credential.
    pub(crate) fn credential(&self, name: &str) -> Result<String, Failure> {
        Ok(std::fs::read_to_string(self.data.join(name))?.trim().to_owned())
    }
}

impl Hub {
    /// The time from its start to its first answer.
    pub(crate) fn wait_until_it_answers(&mut self) -> Result<Duration, Failure> {
        let health = Call::new(&self.address, "GET", "/healthz");
        loop {
            let reply = Connection::open(self.address).and_then(|connection| health.send_over(connection));
            if reply.is_ok_and(|reply| reply.status == 200) {
                return Ok(self.started.elapsed());
            }
            if let Some(status) = self.child.try_wait()? {
                return Err(format!("the hub ended at its start ({status}): {}", self.last_output()).into());
            }
            if self.started.elapsed() > START_PATIENCE {
                return Err(format!("the hub does not answer after {START_PATIENCE:?}: {}", self.last_output()).into());
            }
            sleep(START_POLL);
        }
    }

    /// The end of its log.
    pub(crate) fn last_output(&self) -> String {
        let text = std::fs::read_to_string(&self.output).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(5)..].join(" / ")
    }

    /// Its exit status, if it has ended by itself.
    pub(crate) fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }

    /// SIGKILL: no handler runs, no buffer is flushed.
    pub(crate) fn kill(mut self) -> Result<(), Failure> {
        if let Some(status) = self.child.try_wait()? {
            return Err(format!("the hub had ended by itself ({status}): {}", self.last_output()).into());
        }
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        // It may have ended before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An address of loopback that nobody listens on, outside the range from which the system takes ports for clients: while the
/// hub is away, no client may get its port.
pub(crate) fn free_address(seed: u64) -> Result<SocketAddr, Failure> {
    const PORTS: std::ops::Range<u16> = 20_000..30_000;
    let offset = u16::try_from(seed % 9_973).unwrap_or_default() ^ (std::process::id() as u16 & 0xff);
    let mut ports = PORTS.clone().cycle().skip(usize::from(offset)).take(PORTS.len());
    let is_free = |port: &u16| std::net::TcpListener::bind(("127.0.0.1", *port)).is_ok();
    let port = ports.find(is_free).ok_or("no port of loopback is free")?;
    Ok(SocketAddr::from(([127, 0, 0, 1], port)))
}

/// Copies the files of a data directory whose hub does not run.
pub(crate) fn copy_data(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()? {
            kind if kind.is_dir() => copy_data(&entry.path(), &target)?,
            kind if kind.is_file() => _ = std::fs::copy(entry.path(), target)?,
            // The socket, which the next hub makes anew.
            _ => {}
        }
    }
    File::open(to)?.sync_all()
}
