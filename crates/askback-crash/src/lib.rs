//! The crash campaign: the real hub is killed again and again under mixed load over HTTP, rooms and MCP, and its disk fails.
//!
//! Everything that the hub acknowledged is noted in this process, which is not killed. After every restart, and in full at the
//! end, the store is compared with it: nothing acknowledged is lost, nothing is there twice, and no request has two outcomes.
//! Controls damage copies of the store and require that the comparison notices. Power cuts are a campaign of their own:
//! `cargo xtask torture power`.

use campaign::Campaign;
use std::error::Error;
use std::path::PathBuf;

pub use counters::Port;
pub use report::{Control, DiskFault, Moment, Report};
pub use violation::{Breach, Violation};

mod api;
mod campaign;
mod check;
mod clients;
mod control;
mod counters;
mod disk_faults;
mod driver;
mod hub;
mod kills;
mod ledger;
mod load;
mod random;
mod report;
mod stored_log;
mod violation;

/// The reason why a campaign could not be run to its end.
pub type Failure = Box<dyn Error + Send + Sync>;

/// What a campaign does.
#[derive(Debug, Clone)]
pub struct Options {
    /// The program `askback`.
    pub program: PathBuf,
    /// How often the hub is killed, at least.
    pub kills: u64,
    /// How often the disk fails in each way.
    pub disk_fault_rounds: usize,
    /// The seed of its choices. Threads and processes add chance of their own.
    pub seed: u64,
}

/// Runs a campaign in a temporary folder.
pub fn run(options: &Options) -> Result<Report, Failure> {
    let folder = tempfile::tempdir()?;
    let result = Campaign::prepare(options, folder.path()).and_then(Campaign::run);
    if result.as_ref().is_ok_and(Report::is_good) {
        return result;
    }
    // The data is evidence.
    println!("seed {}: the data directory is kept below {}", options.seed, folder.keep().display());
    result.map_err(|error| format!("seed {}: {error}", options.seed).into())
}
