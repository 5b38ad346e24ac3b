//! `askback hub`: whether a hub runs here, and stopping it.

use super::background;
use super::data_dir::{DataDir, Holder, data_folder};
use crate::console::{print, say};
use crate::error::CliError;
use crate::exit::Exit;
use crate::subcommand::Subcommand;
use clap::Args;
use rustix::process::{Pid, Signal, kill_process};
use std::io;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// How long a hub may take to stop.
const STOP: Duration = Duration::from_secs(15);
const LOOK: Duration = Duration::from_millis(10);

/// Say whether a hub runs on this machine, or stop it
#[derive(Debug, Args)]
#[command(after_help = "For example: askback hub status")]
pub(crate) struct HubCommandArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Clone, Copy, clap::Subcommand)]
enum What {
    /// Say whether one runs, where, and since when
    #[command(after_help = "Exit status: 0 it runs · 1 it does not\n\nFor example: askback hub status")]
    Status,
    /// Stop it: what is pending stays, and the next command that needs a hub starts it again
    #[command(after_help = "For example: askback hub stop")]
    Stop,
    /// Start one in the background, if none runs
    #[command(after_help = "For example: askback hub start")]
    Start,
}

impl Subcommand for HubCommandArgs {
    fn run(&self) -> Result<Exit, CliError> {
        let data_dir = DataDir::at(&data_folder()?);
        if data_dir.has_announcement() {
            // Others could have another process of this user stopped.
            data_dir.check()?;
        }
        match self.what {
            What::Status => status(&data_dir),
            What::Stop => stop(&data_dir),
            What::Start => {
                background::running_or_started(&data_dir)?;
                status(&data_dir)
            }
        }
    }
}

fn status(data_dir: &DataDir) -> Result<Exit, CliError> {
    let holder = data_dir.holder()?;
    // What one has left behind that died says nothing of the next.
    let found = data_dir.info().map(|info| (info.pid, info)).filter(|(pid, _)| holder == Holder::Process(Some(*pid)));
    let Some((pid, info)) = found else {
        print(&format!("no hub is running in {}", data_dir.folder.display()))?;
        return Ok(Exit::Refused);
    };
    let url = info.url.as_deref().unwrap_or("no address");
    print(&format!(
        "askback {} is running: {url}\nprocess {pid}, since {}, data in {}",
        info.version,
        info.started_at,
        data_dir.folder.display()
    ))
}

/// Whether this process has said where it listens, and somebody does.
fn listens(data_dir: &DataDir, pid: u32) -> bool {
    data_dir.info().is_some_and(|info| info.pid == pid && UnixStream::connect(info.socket).is_ok())
}

fn stop(data_dir: &DataDir) -> Result<Exit, CliError> {
    let until = Instant::now() + STOP;
    let pid = loop {
        match data_dir.holder()? {
            Holder::Nobody => return print(&format!("no hub is running in {}", data_dir.folder.display())),
            // Until it listens, the number may still be that of the one before, and so of any process by now.
            Holder::Process(Some(pid)) if listens(data_dir, pid) || Instant::now() > until => break pid,
            Holder::Process(_) => std::thread::sleep(LOOK),
        }
    };
    let process = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let process = process.ok_or_else(|| CliError::wrong("the lock of the hub does not say which process has it"))?;
    kill_process(process, Signal::TERM).map_err(io::Error::from)?;
    let until = Instant::now() + STOP;
    while data_dir.holder()? == Holder::Process(Some(pid)) {
        if Instant::now() > until {
            say(&format!("process {pid} did not stop within {} seconds", STOP.as_secs()));
            return Ok(Exit::Nobody);
        }
        std::thread::sleep(LOOK);
    }
    print("the hub has stopped; what is pending is kept")
}
