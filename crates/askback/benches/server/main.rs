//! How fast the server is: starting, listing, asking durably, waking whoever waits, and ten thousand who do.
//!
//! The server is the binary as people have it, in a process of its own. The client is this program: HTTP written by hand over
//! connections that stay open, with requests made beforehand, on one thread, because it shares the machine with what it
//! measures. Each part is a process of its own, and can be run alone, by name:
//! `cargo bench --package askback --bench server -- ask`.

use serde_json::Value;
use std::error::Error;
use std::future::Future;
use std::path::Path;
use std::process::Command;

mod answer;
mod ask;
mod client;
mod crowd;
#[path = "../../../askback-hub/benches/hub/disk.rs"]
mod disk;
mod library;
mod list;
mod node;
#[path = "../../../askback-hub/benches/hub/report.rs"]
mod report;
mod server;
mod start;
mod stream;
#[path = "../../../askback-hub/benches/hub/times.rs"]
#[expect(dead_code, reason = "the hub's own benchmark needs more of it")]
mod times;
mod usage;

/// What fails in a benchmark ends it.
type Failure = Box<dyn Error + Send + Sync>;
type Done<T> = Result<T, Failure>;

/// A part of the benchmark: what is measured in a folder that is its own, as results.
struct Part {
    name: &'static str,
    measure: fn(&Path) -> Done<Vec<Value>>,
}

const PARTS: [Part; 5] = [
    Part { name: "start", measure: start::measure },
    Part { name: "list", measure: list::measure },
    Part { name: "ask", measure: ask::measure },
    Part { name: "answer", measure: answer::measure },
    Part { name: "crowd", measure: crowd::measure },
];

fn main() -> Done<()> {
    let named = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let results = match named {
        Some(name) => measure(&name)?,
        None => PARTS.iter().map(|part| in_own_process(part.name)).collect::<Done<Vec<_>>>()?.concat(),
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
    let folder = tempfile::Builder::new().prefix("server-bench-").tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    (part.measure)(folder.path())
}

/// Runs a part in another process of this program, and takes its results.
fn in_own_process(part: &str) -> Done<Vec<Value>> {
    let output = Command::new(std::env::current_exe()?).arg(part).stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("the part {part} failed: {}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Runs the client: one thread, so that the server has as much of the machine as there is.
fn on_one_thread<T>(work: impl Future<Output = Done<T>>) -> Done<T> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}
