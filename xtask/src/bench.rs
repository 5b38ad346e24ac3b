//! `cargo xtask bench`: runs the benchmarks and keeps their results with the machine and the commit.

use crate::Done;
use crate::needs;
use crate::project::{capture, root, run as execute};
use serde_json::{Value, json};

/// A benchmark, which prints JSON, and what it needs to be there first.
struct Bench {
    name: &'static str,
    program: Program,
    prepare: fn() -> Done,
}

/// What a benchmark is.
enum Program {
    /// A bench target of this package.
    Target(&'static str),
    /// A script for Node.js, which finds the binary by `ASKBACK_BIN`.
    Script(&'static str),
}

use Program::{Script, Target};

impl Bench {
    /// Runs it, and gives what it printed.
    fn run(&self) -> Result<String, String> {
        match self.program {
            Target(package) => capture("cargo", &["bench", "--quiet", "--package", package, "--bench", self.name]),
            Script(path) => {
                execute("cargo", &["build", "--quiet", "--release", "--package", "askback"])?;
                let binary = format!("ASKBACK_BIN={}", root().join("target/release/askback").display());
                capture("env", &[&binary, "node", path])
            }
        }
    }
}

const BENCHES: &[Bench] = &[
    Bench { name: "core", program: Target("askback-core"), prepare: || Ok(()) },
    Bench { name: "terminal", program: Target("askback"), prepare: peers },
    Bench { name: "conversation", program: Target("askback"), prepare: peers },
    Bench { name: "hub", program: Target("askback-hub"), prepare: langgraph },
    Bench { name: "server", program: Target("askback"), prepare: || Ok(()) },
    Bench { name: "rooms", program: Target("askback"), prepare: yjs },
    Bench { name: "page", program: Script("web/bench/page.mjs"), prepare: browser },
    Bench { name: "mcp", program: Script("tests/mcp/bench/mcp.mjs"), prepare: needs::install },
];

/// Builds and installs the prompts that ours are measured beside. One that can't be had here is left out by the
/// benchmark, which says so.
fn peers() -> Done {
    let peers = root().join("bench/peers");
    let folder = |name: &str| peers.join(name).to_string_lossy().into_owned();
    let (rust, target) = (folder("rust/Cargo.toml"), root().join("target/peers").to_string_lossy().into_owned());
    execute("cargo", &["build", "--release", "--package", "askback-term", "--examples"])?;
    execute("cargo", &["build", "--release", "--locked", "--manifest-path", &rust, "--target-dir", &target])?;
    leave_out([node(), python("requirements.txt")]);
    Ok(())
}

/// Installs what the hub is measured beside, which the terminal does not need.
fn langgraph() -> Done {
    leave_out([python("langgraph.txt")]);
    Ok(())
}

/// Installs Yjs and the server that comes with y-websocket, which rooms are measured beside.
fn yjs() -> Done {
    leave_out([node()]);
    Ok(())
}

/// Installs what the page is measured with and beside, all of which it needs.
fn browser() -> Done {
    needs::install()?;
    node()
}

/// Installs the packages of Node.js that are pinned.
fn node() -> Done {
    let folder = root().join("bench/peers/node");
    execute("npm", &["ci", "--no-audit", "--no-fund", "--prefix", &folder.to_string_lossy()])
}

/// Installs the Python packages that a file of `bench/peers/python` pins.
fn python(requirements: &str) -> Done {
    let folder = root().join("bench/peers/python");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    execute("python3", &["-m", "venv", &path("venv")])?;
    execute(&path("venv/bin/pip"), &["install", "--quiet", "--requirement", &path(requirements)])
}

fn leave_out(prepared: impl IntoIterator<Item = Done>) {
    for problem in prepared.into_iter().filter_map(Result::err) {
        println!("left out: {problem}");
    }
}

/// Runs every benchmark, or the one that is named.
pub(crate) fn run(only: Option<&str>) -> Done {
    for bench in BENCHES.iter().filter(|bench| only.is_none_or(|only| only == bench.name)) {
        (bench.prepare)()?;
        let printed = bench.run()?;
        let results: Value = serde_json::from_str(&printed)
            .map_err(|error| format!("the benchmark {} printed no JSON: {error}\n{printed}", bench.name))?;
        let file = json!({
            "name": bench.name,
            "commit": commit()?,
            "date": capture("date", &["-u", "+%Y-%m-%d"])?.trim(),
            "machine": machine()?,
            "results": results,
        });
        let path = root().join("bench/results").join(bench.name).with_extension("json");
        std::fs::write(&path, format!("{file:#}\n"))
            .map_err(|error| format!("can't write {}: {error}", path.display()))?;
        print_table(&file);
        println!("written to bench/results/{}.json; `cargo xtask gen` takes the README's figures from it", bench.name);
    }
    Ok(())
}

fn print_table(file: &Value) {
    for result in file["results"].as_array().into_iter().flatten() {
        let name = result["name"].as_str().unwrap_or_default();
        let ns = |value: &Value| value.as_f64().unwrap_or_default();
        if let Some(bytes) = result["bytes"].as_f64() {
            println!("{name:60} {bytes:>14.0} bytes");
            for peer in result["peers"].as_array().into_iter().flatten() {
                let name = peer["name"].as_str().unwrap_or_default();
                println!(
                    "  {name:58} {:>14.0} bytes: we take {:.2} times that",
                    ns(&peer["bytes"]),
                    ns(&peer["ratio"])
                );
            }
            continue;
        }
        let rate = result["per_second"].as_f64().map_or_else(String::new, |rate| format!(", {rate:.0} a second"));
        println!("{name:60} {:>14.0} ns (p95 {:.0}){rate}", ns(&result["median_ns"]), ns(&result["p95_ns"]));
        for peer in result["peers"].as_array().into_iter().flatten() {
            let name = peer["name"].as_str().unwrap_or_default();
            println!("  {name:58} {:>14.0} ns: we take {:.2} times that", ns(&peer["median_ns"]), ns(&peer["ratio"]));
        }
    }
}

/// The commit, marked where the tree differs from it.
fn commit() -> Result<String, String> {
    let commit = capture("git", &["rev-parse", "--short=12", "HEAD"])?.trim().to_owned();
    let changed = !capture("git", &["status", "--porcelain", "--untracked-files=no"])?.trim().is_empty();
    Ok(if changed { format!("{commit} with changes") } else { commit })
}

fn machine() -> Result<Value, String> {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map(|rest| rest.trim_start_matches([':', ' ', '\t']));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Ok(json!({
        "cpu": model.unwrap_or("unknown"),
        "cores": cores,
        "system": capture("uname", &["-sm"])?.trim(),
        "rustc": capture("rustc", &["--version"])?.trim(),
    }))
}
