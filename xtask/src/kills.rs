//! `cargo xtask torture kills`: the crash campaign of `crates/askback-crash` against the real binary.

use crate::Done;
use crate::project::{root, run as execute};
use std::time::SystemTime;

/// Kills unless another number is given.
const KILLS: &str = "1000";

/// How often the disk fails in each way.
const DISK_FAULT_ROUNDS: &str = "5";

/// The folder of the report.
const FOLDER: &str = "target/kills";

/// Runs a campaign with so many kills. Without a seed, the clock gives one; the report says which.
pub(crate) fn run(kills: Option<&str>, seed: Option<&str>) -> Done {
    let kills = kills.unwrap_or(KILLS);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs().to_string();
    let seed = seed.unwrap_or(&now);
    if kills.parse::<u64>().is_err() || seed.parse::<u64>().is_err() {
        return Err(format!("{kills} and {seed} must be whole numbers: `cargo xtask torture kills [COUNT [SEED]]`"));
    }
    execute("cargo", &["build", "--quiet", "--package", "askback"])?;
    execute("cargo", &["build", "--quiet", "--package", "askback-crash"])?;
    let folder = root().join(FOLDER);
    std::fs::create_dir_all(&folder).map_err(|error| format!("can't create {FOLDER}: {error}"))?;
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let (campaign, askback) = (this.with_file_name("askback-crash"), this.with_file_name("askback"));
    let report = folder.join("report.json");
    let [campaign, askback, report] = [&campaign, &askback, &report].map(|path| path.to_string_lossy());
    println!("seed {seed}, {kills} kills");
    execute(&campaign, &[&askback, kills, DISK_FAULT_ROUNDS, seed, &report])
        .map_err(|error| format!("{error}; the report is in {FOLDER}/report.json, if the campaign came to its end"))?;
    println!(
        "the report is in {FOLDER}/report.json; power cuts are a campaign of their own: cargo xtask torture power"
    );
    Ok(())
}
