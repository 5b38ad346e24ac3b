//! `askback hub`: whether a hub runs here, and stopping it.

use super::background;
use super::place::{Holder, Place};
use crate::cli::{Runs, print};
use crate::data;
use crate::exit::Exit;
use clap::{Args, Subcommand};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{self, Write};
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

#[derive(Debug, Clone, Copy, Subcommand)]
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

impl Runs for HubCommandArgs {
    const NAME: &'static str = "hub";

    fn run(&self) -> io::Result<Exit> {
        let place = Place::at(&data::folder()?);
        match self.what {
            What::Status => status(&place),
            What::Stop => stop(&place),
            What::Start => {
                background::running_or_started(&place)?;
                status(&place)
            }
        }
    }
}

fn status(place: &Place) -> io::Result<Exit> {
    let holder = place.holder()?;
    // What one has left behind that died says nothing of the next.
    let found = place.info().map(|info| (info.pid, info)).filter(|(pid, _)| holder == Holder::Process(Some(*pid)));
    let Some((pid, info)) = found else {
        print(&format!("no hub is running in {}", place.folder().display()))?;
        return Ok(Exit::Refused);
    };
    let url = info.url.as_deref().unwrap_or("no address");
    print(&format!(
        "askback {} is running: {url}\nprocess {pid}, since {}, data in {}",
        info.version,
        info.started_at,
        place.folder().display()
    ))
}

/// Whether this process has said where it listens, and somebody does.
fn listens(place: &Place, pid: u32) -> bool {
    place.info().is_some_and(|info| info.pid == pid && UnixStream::connect(info.socket).is_ok())
}

fn stop(place: &Place) -> io::Result<Exit> {
    let until = Instant::now() + STOP;
    let pid = loop {
        match place.holder()? {
            Holder::Nobody => return print(&format!("no hub is running in {}", place.folder().display())),
            // Until it listens, the number may still be that of the one before, and so of any process by now.
            Holder::Process(Some(pid)) if listens(place, pid) || Instant::now() > until => break pid,
            Holder::Process(_) => std::thread::sleep(LOOK),
        }
    };
    let process = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let process = process.ok_or_else(|| io::Error::other("the lock of the hub does not say which process has it"))?;
    kill_process(process, Signal::TERM)?;
    let until = Instant::now() + STOP;
    while place.holder()? == Holder::Process(Some(pid)) {
        if Instant::now() > until {
            let _ = writeln!(io::stderr(), "askback: process {pid} did not stop within {} seconds", STOP.as_secs());
            return Ok(Exit::Nobody);
        }
        std::thread::sleep(LOOK);
    }
    print("the hub has stopped; what is pending is kept")
}
