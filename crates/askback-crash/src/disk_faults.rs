//! Disk faults: for a while every write or sync of the files that grow fails, and then none any more.

use crate::Failure;
use crate::clients::asker::note_creation;
use crate::driver::Driver;
use crate::hub::{Hub, HubProgram};
use crate::ledger::{Ask, Repeats, written};
use crate::load::{Load, ROOM};
use crate::report::DiskFault;
use crate::violation::Violation;
use serde_json::json;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The shim's source, which the tests of the hub use as well.
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../askback-hub/tests/shim/sync_shim.c");

/// The errors, with their names and Linux's numbers.
const ERRORS: [(&str, u32); 3] = [("EIO", 5), ("ENOSPC", 28), ("EDQUOT", 122)];

/// The calls that fail while the hub runs, with the bits by which the shim knows them.
const CALLS: [(&str, u32); 2] = [("write", 1), ("sync", 2)];

/// Those that fail while it starts.
const CALLS_AT_START: [(&str, u32); 2] = [("write, at start", 1), ("sync, at start", 2)];

/// The longest a fault lasts that no call meets.
const FAULT_PATIENCE: Duration = Duration::from_secs(5);

/// What became of a hub after a fault.
const WENT_ON: &str = "the hub went on by itself";
const STARTED_AGAIN: &str = "the hub took nothing more until it was started again, and said so";
const REFUSED_TO_START: &str = "the hub did not start, and said why";
const STARTED_FOR_READING: &str = "the hub started, to be read";

/// What tells an operator that the hub has to be started again.
const ADVICE: &str = "start the hub again";

/// The library that makes a disk fail, and the file that tells it when.
pub(crate) struct Shim {
    library: PathBuf,
    control_path: PathBuf,
    control: File,
}

impl Shim {
    pub(crate) fn build(folder: &Path) -> Result<Self, Failure> {
        let (library, control_path) = (folder.join("sync_shim.so"), folder.join("disk_faults"));
        let status = Command::new("cc").args(["-O1", "-shared", "-fPIC", SOURCE, "-o"]).arg(&library).status();
        if !status.map_err(|error| format!("can't run cc, which SQLite needs as well: {error}"))?.success() {
            return Err("the shim does not compile".into());
        }
        std::fs::write(&control_path, [0; 12])?;
        let control = File::options().read(true).write(true).open(&control_path)?;
        Ok(Self { library, control_path, control })
    }

    /// The environment of a program whose disk it makes fail.
    fn environment(&self) -> Vec<(String, PathBuf)> {
        let variable = |name: &str, path: &Path| (name.to_owned(), path.to_owned());
        vec![variable("LD_PRELOAD", &self.library), variable("ASKBACK_SHIM_FAULTS", &self.control_path)]
    }

    /// From now on these calls fail with this error; with error 0 none does.
    fn set(&self, error: u32, calls: u32) -> Result<(), Failure> {
        self.control.write_all_at(&calls.to_ne_bytes(), 4)?;
        Ok(self.control.write_all_at(&error.to_ne_bytes(), 0)?)
    }

    /// The number of calls that have failed.
    fn failed_calls(&self) -> Result<u64, Failure> {
        let mut count = [0; 4];
        self.control.read_exact_at(&mut count, 8)?;
        Ok(u32::from_ne_bytes(count).into())
    }
}

impl Driver {
    /// Makes the disk fail in every way, so many times, while the hub runs and while it starts.
    pub(crate) fn fail_disk_repeatedly(
        &mut self,
        program: &mut HubProgram,
        hub: Hub,
        load: &Load,
        shim: &Shim,
        rounds: usize,
    ) -> Result<Hub, Failure> {
        if rounds == 0 {
            return Ok(hub);
        }
        program.environment = shim.environment();
        hub.kill()?;
        let mut hub = self.restart(program)?;
        for _ in 0..rounds {
            for (error, number) in ERRORS {
                for (calls, bit) in CALLS {
                    load.check_clients()?;
                    let before = shim.failed_calls()?;
                    sleep(self.random.micros(10_000, 150_000));
                    shim.set(number, bit)?;
                    let since = Instant::now();
                    sleep(self.random.micros(20_000, 200_000));
                    while shim.failed_calls()? == before && since.elapsed() < FAULT_PATIENCE {
                        sleep(self.random.micros(1_000, 5_000));
                    }
                    shim.set(0, 0)?;
                    let failed_calls = shim.failed_calls()? - before;
                    let afterwards = self.state_after_fault(&mut hub, load)?;
                    self.require(error, calls, failed_calls, afterwards);
                    self.report.disk_faults.push(DiskFault { error, calls, failed_calls, afterwards });
                    if afterwards != WENT_ON || self.random.one_in(2) {
                        hub.kill()?;
                        hub = self.restart(program)?;
                    }
                    self.check_changes(load)?;
                }
                for calls in CALLS_AT_START {
                    hub = self.start_with_fault(program, hub, shim, (error, number), calls)?;
                }
            }
        }
        // The rest of the campaign is without the shim.
        program.environment.clear();
        hub.kill()?;
        self.restart(program)
    }

    /// What a hub says when something is asked after a fault.
    fn state_after_fault(&mut self, hub: &mut Hub, load: &Load) -> Result<&'static str, Failure> {
        if let Some(status) = hub.ended()? {
            return Err(format!("the hub ended while its disk failed ({status}): {}", hub.last_output()).into());
        }
        let token = &load.askers[0];
        let mark = load.ledger.begin(Ask::new(Repeats::Identified));
        let request = json!({"room": ROOM, "type": "text", "message": written(mark), "key": format!("key {mark}")});
        let response = load.api.send(&load.api.post("/api/v1/requests", &token.secret, &request))?;
        match response.status {
            201 => {
                note_creation(load, mark, &response.json())?;
                Ok(WENT_ON)
            }
            503 if response.body.contains(ADVICE) => Ok(STARTED_AGAIN),
            _ => Err(format!("after a disk fault, asking got {response:?}").into()),
        }
    }

    /// What the documentation promises of a fault.
    fn require(&mut self, error: &str, calls: &str, failed_calls: u64, afterwards: &str) {
        let promised = match (error, calls) {
            ("ENOSPC" | "EDQUOT", "write") => WENT_ON,
            ("ENOSPC" | "EDQUOT", "write, at start") => STARTED_FOR_READING,
            (_, "write, at start" | "sync, at start") => REFUSED_TO_START,
            _ => STARTED_AGAIN,
        };
        if failed_calls == 0 || afterwards != promised {
            let what = format!("{error} on {calls}: {failed_calls} calls failed, and {afterwards}, not: {promised}");
            self.checker.violations.push(Violation::wrong(what));
        }
    }

    /// Starts the hub while its disk fails, and again when it works.
    fn start_with_fault(
        &mut self,
        program: &HubProgram,
        hub: Hub,
        shim: &Shim,
        (error, number): (&'static str, u32),
        (calls, bit): (&'static str, u32),
    ) -> Result<Hub, Failure> {
        hub.kill()?;
        let before = shim.failed_calls()?;
        shim.set(number, bit)?;
        let mut failing = program.spawn()?;
        let started = failing.wait_until_it_answers();
        shim.set(0, 0)?;
        let afterwards = match &started {
            Ok(_) => STARTED_FOR_READING,
            Err(why) if why.to_string().contains("askback: ") || why.to_string().contains("can't") => REFUSED_TO_START,
            Err(why) => return Err(format!("the hub ended at its start, and did not say why: {why}").into()),
        };
        if started.is_ok() {
            failing.kill()?;
        }
        let failed_calls = shim.failed_calls()? - before;
        self.require(error, calls, failed_calls, afterwards);
        self.report.disk_faults.push(DiskFault { error, calls, failed_calls, afterwards });
        self.restart(program)
    }
}
