//! How fast the hub is on this disk, how soon whoever waits wakes, and what a waiter and a million requests cost.
//!
//! `cargo xtask bench hub` installs the peer and runs this; a peer that is not there is left out, and said. Each part is
//! a process of its own, so that none finds the memory of another, and can be run alone, by name:
//! `cargo bench --package askback-hub --bench hub -- wake`.

use serde_json::Value;
use std::error::Error;
use std::future::Future;
use std::path::Path;
use std::process::Command;

mod cast;
mod commits;
mod crowd;
mod cycles;
mod disk;
mod langgraph;
mod million;
mod pages;
mod report;
mod resident;
mod slow_sync;
mod times;
mod waiters;
mod wake;

/// What fails in a benchmark ends it.
type Failure = Box<dyn Error + Send + Sync>;
type Done<T> = Result<T, Failure>;

/// A part of the benchmark: what is measured in a folder that is its own, as results.
struct Part {
    name: &'static str,
    measure: fn(&Path) -> Done<Vec<Value>>,
}

const PARTS: [Part; 5] = [
    Part { name: cycles::NAME, measure: cycles::measure },
    Part { name: "slow-sync", measure: slow_sync::measure },
    Part { name: "wake", measure: wake::measure },
    Part { name: "waiters", measure: waiters::measure },
    Part { name: "million", measure: million::measure },
];

fn main() -> Done<()> {
    let named = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let results = match named {
        Some(name) => measure(&name)?,
        None => PARTS.iter().map(|part| in_own_process(part.name, &[])).collect::<Done<Vec<_>>>()?.concat(),
    };
    println!("{:#}", Value::Array(results));
    Ok(())
}

fn measure(name: &str) -> Done<Vec<Value>> {
    let part = PARTS.iter().find(|part| part.name == name).ok_or_else(|| {
        let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        format!("there is no part {name:?}, only {}", names.join(", "))
    })?;
    // Below the target directory: on the workspace's disk, which a folder for temporary files need not be.
    let folder = tempfile::Builder::new().prefix("hub-bench-").tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    (part.measure)(folder.path())
}

/// Runs a part in another process of this program, and takes its results.
fn in_own_process(part: &str, variables: &[(&str, &Path)]) -> Done<Vec<Value>> {
    let mut command = Command::new(std::env::current_exe()?);
    let output = command.arg(part).envs(variables.iter().copied()).stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("the part {part} failed: {}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Runs a future on a runtime as programs have it: as many threads as there are cores.
fn on_runtime<T>(work: impl Future<Output = Done<T>>) -> Done<T> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(work)
}
