//! What a process has used of the machine, as Linux tells it.

use crate::{Done, Failure};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::time::Duration;

/// In what Linux counts processor time, wherever it runs.
const TICK: Duration = Duration::from_millis(10);

/// The processor time that a process has taken since its start, with all its threads, also those that have ended.
pub(crate) fn processor(pid: u32) -> Done<Duration> {
    let Spent { program, kernel } = spent(pid)?;
    Ok(program + kernel)
}

/// Processor time by who took it.
#[derive(Clone, Copy)]
pub(crate) struct Spent {
    pub(crate) program: Duration,
    /// On the program's behalf: sending, for the most part, with what loopback does of receiving.
    pub(crate) kernel: Duration,
}

pub(crate) fn spent(pid: u32) -> Done<Spent> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name before it may have spaces and parentheses of its own.
    let (_, rest) = stat.rsplit_once(')').ok_or("there is no name in a process's numbers")?;
    let mut ticks = rest.split_whitespace().skip(11).map(str::parse::<u32>);
    let mut next = || Ok::<_, Failure>(TICK * ticks.next().ok_or("a process's numbers are cut off")??);
    Ok(Spent { program: next()?, kernel: next()? })
}

/// The bytes of memory that are resident.
pub(crate) fn resident(pid: u32) -> Done<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|rest| rest.split_whitespace().next()).ok_or("there is no VmRSS")?;
    Ok(kibibytes.parse::<f64>()? * 1024.0)
}

/// Lets this process open as many files as the system allows, if that is enough.
pub(crate) fn need_files(count: u64) -> Done<()> {
    let limit = getrlimit(Resource::Nofile);
    if limit.maximum.is_some_and(|most| most < count) {
        return Err(
            format!("{count} open files are needed, and {:?} allowed: raise `ulimit -Hn`", limit.maximum).into()
        );
    }
    Ok(setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit })?)
}
