//! What `cargo xtask torture kills` runs: `askback-crash <askback> <kills> <disk fault rounds> <seed> <report.json>`.

use askback_crash::{Failure, Options, run};
use std::path::Path;
use std::process::ExitCode;

fn main() -> Result<ExitCode, Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, kills, rounds, seed, report_path] = arguments.as_slice() else {
        return Err("askback-crash <askback> <kills> <disk fault rounds> <seed> <report.json>".into());
    };
    let (kills, disk_fault_rounds, seed) = (kills.parse()?, rounds.parse()?, seed.parse()?);
    let report = run(&Options { program: Path::new(program).canonicalize()?, kills, disk_fault_rounds, seed })?;
    std::fs::write(report_path, format!("{:#}\n", report.to_json()))?;
    println!("{report}");
    Ok(if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
