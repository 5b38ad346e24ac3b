//! Starting a hub in the background: detached from whoever needs it first, and never twice.

use super::data_dir::{DataDir, Holder, Info};
use super::descriptors;
use crate::error::CliError;
use askback_api::API_VERSION;
use askback_client::HubStarter;
use askback_process::ChildRole;
use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a hub may take to start: a large database that was not closed well is looked through first.
const START: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_millis(5);

/// The hub that runs here, if there is one that this program can talk to.
pub(crate) fn running(data_dir: &DataDir) -> Result<Option<Info>, CliError> {
    if !data_dir.has_announcement() {
        return Ok(None);
    }
    data_dir.check()?;
    // Whoever is dead holds no lock, whatever it has left behind. Nothing is sent: a hub that is too busy to answer must not
    // keep a prompt from appearing.
    let is_its = |info: &Info| data_dir.holder().is_ok_and(|holder| holder == Holder::Process(Some(info.pid)));
    let Some(info) = data_dir.info().filter(is_its) else { return Ok(None) };
    data_dir.check_socket(&info)?;
    if info.api != API_VERSION {
        return Err(CliError::Wrong(format!(
            "the hub that runs here is askback {}, and this is {}, which can't talk to it: `askback hub stop` ends it, and \
             the next command that needs one starts it again",
            info.version,
            env!("CARGO_PKG_VERSION"),
        )));
    }
    Ok(Some(info))
}

/// A data directory starts its own hub for clients that need it.
impl HubStarter for DataDir {
    fn start(&self) -> io::Result<()> {
        running_or_started(self).map(drop).map_err(io::Error::other)
    }

    fn revive(&self) -> io::Result<bool> {
        // A hub that stops removes its announcement: one that is still there is of a hub that died.
        if self.info().is_none() {
            return Ok(false);
        }
        self.start().map(|()| true)
    }
}

/// The hub of this data directory, started if none is running.
pub(crate) fn running_or_started(data_dir: &DataDir) -> Result<Info, CliError> {
    if let Some(info) = running(data_dir)? {
        return Ok(info);
    }
    let data_dir = DataDir::make(&data_dir.folder)?;
    let until = Instant::now() + START;
    // Whoever has it starts one; all others wait here, and then find it.
    let Some(_turn) = data_dir.start_lock(until)? else { return Err(too_slow(&data_dir)) };
    let mut child = None;
    loop {
        if let Some(info) = running(&data_dir)? {
            return Ok(info);
        }
        // A hub that has the lock and does not listen yet is about to, or about to end.
        let is_held = data_dir.holder()? != Holder::Nobody;
        match &mut child {
            None if !is_held => child = Some(start(&data_dir)?),
            None => {}
            Some((started, from)) => match started.try_wait()? {
                Some(status) if !status.success() && !is_held => {
                    let why = said_since(&data_dir, *from);
                    return Err(CliError::Wrong(format!("the hub could not be started: {why}")));
                }
                // It made way for another, which is gone by now.
                Some(_) if !is_held => child = None,
                _ => {}
            },
        }
        if Instant::now() > until {
            return Err(too_slow(&data_dir));
        }
        sleep(LOOK);
    }
}

fn too_slow(data_dir: &DataDir) -> CliError {
    let (seconds, log) = (START.as_secs(), data_dir.log());
    CliError::Wrong(format!("the hub did not start within {seconds} seconds: look into {}", log.display()))
}

/// Starts one, and says where the log ended before.
fn start(data_dir: &DataDir) -> Result<(Child, u64), CliError> {
    let program = std::env::current_exe()?;
    let log = OpenOptions::new().create(true).append(true).mode(0o600).open(data_dir.log())?;
    let from = log.metadata()?.len();
    descriptors::close_on_exec();
    let child = ChildRole::Hub
        .command(program)
        .args(["serve", "--background"])
        .env("ASKBACK_DATA", std::path::absolute(&data_dir.folder)?)
        // A folder that somebody wants to unmount is not to be held.
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn();
    let child = child.map_err(|error| CliError::Wrong(format!("the hub can't be started here: {error}")))?;
    Ok((child, from))
}

/// What it wrote to its log since.
fn said_since(data_dir: &DataDir, from: u64) -> String {
    let read = || -> io::Result<String> {
        let mut file = std::fs::File::open(data_dir.log())?;
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.take(4_096).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
    };
    let said = read().unwrap_or_default();
    let said = said.strip_prefix("askback: ").unwrap_or(&said);
    if said.is_empty() { format!("look into {}", data_dir.log().display()) } else { said.to_owned() }
}
