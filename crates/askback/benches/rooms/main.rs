//! What rooms cost: telling a thousand clients, deciding on a proposal, and opening a room with a long past.
//!
//! `cargo xtask bench rooms` installs the peer, the server that comes with y-websocket, and runs this; if it is not there it is
//! left out, and said. Both servers are processes of their own. Their clients are this program: WebSockets written by hand,
//! the same for both, on one thread, and another one that writes. Each part can be run alone, by name, and quickly, to
//! see that it works: `cargo bench --package askback --bench rooms -- one-room --quick`.

use serde_json::Value;
use std::error::Error;
use std::future::Future;
use std::path::Path;
use std::process::Command;

#[path = "../server/client.rs"]
#[expect(dead_code, reason = "the server's own benchmark needs more of it")]
mod client;
mod contender;
mod crowd;
mod fanout;
mod hub;
#[path = "../server/library.rs"]
mod library;
mod memory;
mod node;
mod old;
#[path = "../../../askback-hub/benches/hub/report.rs"]
mod report;
#[path = "../server/server.rs"]
#[expect(dead_code, reason = "the server's own benchmark needs more of it")]
mod server;
mod socket;
#[path = "../../../askback-hub/benches/hub/times.rs"]
#[expect(dead_code, reason = "the hub's own benchmark needs more of it")]
mod times;
#[path = "../server/usage.rs"]
mod usage;
mod verdict;
mod writer;
mod yjs;

/// What fails in a benchmark ends it.
type Failure = Box<dyn Error + Send + Sync>;
type Done<T> = Result<T, Failure>;

/// How much is done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    Whole,
    /// Just enough to see that it works; the numbers mean little.
    Quick,
}

impl Effort {
    /// So much, or so much.
    fn of<T>(self, whole: T, quick: T) -> T {
        match self {
            Self::Whole => whole,
            Self::Quick => quick,
        }
    }
}

/// A part of the benchmark: what is measured in a folder that is its own, as results.
struct Part {
    name: &'static str,
    measure: fn(&Path, Effort) -> Done<Vec<Value>>,
}

const PARTS: [Part; 4] = [
    Part { name: "one-room", measure: fanout::one_room },
    Part { name: "many-rooms", measure: fanout::many_rooms },
    Part { name: "verdict", measure: verdict::measure },
    Part { name: "old", measure: old::measure },
];

const QUICK: &str = "--quick";

fn main() -> Done<()> {
    let effort = if std::env::args().any(|argument| argument == QUICK) { Effort::Quick } else { Effort::Whole };
    let named = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let results = match named {
        Some(name) => measure(&name, effort)?,
        None => PARTS.iter().map(|part| in_own_process(part.name, effort)).collect::<Done<Vec<_>>>()?.concat(),
    };
    println!("{:#}", Value::Array(results));
    Ok(())
}

fn measure(name: &str, effort: Effort) -> Done<Vec<Value>> {
    let part = PARTS.iter().find(|part| part.name == name).ok_or_else(|| {
        let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        format!("there is no part {name:?}, only {}", names.join(", "))
    })?;
    // Below the target directory: on the workspace's disk, which a folder for temporary files need not be.
    let folder = tempfile::Builder::new().prefix("rooms-bench-").tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    (part.measure)(folder.path(), effort)
}

/// Runs a part in another process of this program, and takes its results.
fn in_own_process(part: &str, effort: Effort) -> Done<Vec<Value>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(part).args((effort == Effort::Quick).then_some(QUICK));
    let output = command.stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("the part {part} failed: {}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Runs clients: one thread, so that the server has as much of the machine as there is.
fn on_one_thread<T>(work: impl Future<Output = Done<T>>) -> Done<T> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}
