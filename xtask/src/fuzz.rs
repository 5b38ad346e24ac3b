//! `cargo xtask torture fuzz`: ten million inputs for each fuzz target, guided by coverage.
//!
//! The targets are those of `crates/askback-fuzz`. libFuzzer mutates the committed corpus, and keeps every input that reaches
//! new code in `target/fuzz/corpus`. An input that breaks an invariant is written to `target/fuzz/failures`.

use crate::Done;
use crate::project::{self, root};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

/// The folder with a corpus for each target.
const CORPORA: &str = "crates/askback-fuzz/corpus";

/// The inputs for each target.
const INPUTS: &str = "10000000";

/// The longest input that libFuzzer tries, in bytes. Longer ones cost more and reach no other code; tests of their own cover limits.
const INPUT_BYTES: usize = 1_024;

/// The memory that a target may use, in MiB. The fuzzer's own corpus is in it.
const MEMORY_MIB: usize = 1_024;

/// The seconds that one input may take.
const TIMEOUT_S: usize = 5;

/// Instruments every edge of the code for libFuzzer. A sanitizer is not needed: the targets have no unsafe code of ours.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                     -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares";

/// The figures of one target's run.
#[derive(Debug, Default, PartialEq, Eq)]
struct Figures {
    inputs: u64,
    seconds: u64,
    /// Edges of the code that were reached.
    edges: u64,
}

/// Runs every target, or the named one, with the default number of inputs or the given one.
pub(crate) fn run(only: Option<&str>, inputs: Option<&str>) -> Done {
    let names = targets()?;
    if let Some(unknown) = only.filter(|only| !names.iter().any(|name| name == only)) {
        return Err(format!("there is no fuzz target {unknown}; there are {}", names.join(", ")));
    }
    let program = build()?;
    let mut failed = Vec::new();
    for name in names.iter().filter(|name| only.is_none_or(|only| only == *name)) {
        match fuzz(&program, name, inputs.unwrap_or(INPUTS))? {
            Some(Figures { inputs, seconds, edges }) => {
                println!("{name}: {inputs} inputs in {seconds} s, {edges} edges reached, nothing found");
            }
            None => failed.push(name.as_str()),
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(format!(
        "an invariant is broken in {}: the input is in target/fuzz/failures; fix the reader, and add the input to {CORPORA}",
        failed.join(", ")
    ))
}

/// The targets, by the folders of their corpora.
fn targets() -> Result<Vec<String>, String> {
    let folder = root().join(CORPORA);
    let failed = |error: std::io::Error| format!("can't read {CORPORA}: {error}");
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    let names = entries.map(|entry| Ok(entry.map_err(failed)?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<Result<Vec<String>, String>>()?;
    names.sort();
    Ok(names)
}

/// Builds the fuzzer and returns the path of its program.
fn build() -> Result<String, String> {
    let version = project::capture("rustc", &["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc -vV names no host")?;
    // With a target, the flags do not apply to build scripts and macros, which have no libFuzzer.
    let status = project::command("cargo", &["build", "--release", "--manifest-path", "fuzz/Cargo.toml"])
        .args(["--target-dir", "target/fuzz", "--target", host])
        .env("RUSTFLAGS", FLAGS)
        .status()
        .map_err(|error| format!("can't run cargo: {error}"))?;
    if status.success() {
        Ok(format!("target/fuzz/{host}/release/askback-coverage-fuzz"))
    } else {
        Err("the fuzzer can't be built; libFuzzer needs a C++ compiler (g++)".to_owned())
    }
}

/// Runs one target. No figures if an input breaks an invariant.
fn fuzz(program: &str, name: &str, inputs: &str) -> Result<Option<Figures>, String> {
    let found = format!("target/fuzz/corpus/{name}");
    let failures = format!("target/fuzz/failures/{name}/");
    for folder in [&found, &failures] {
        std::fs::create_dir_all(root().join(folder)).map_err(|error| format!("can't create {folder}: {error}"))?;
    }
    let mut child = project::command(program, &[&found, &format!("{CORPORA}/{name}")])
        .args([format!("-runs={inputs}"), format!("-max_len={INPUT_BYTES}"), format!("-artifact_prefix={failures}")])
        .args([format!("-rss_limit_mb={MEMORY_MIB}"), format!("-timeout={TIMEOUT_S}")])
        .env("FUZZ_TARGET", name)
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("can't run {program}: {error}"))?;
    let mut figures = Figures::default();
    let mut last = Vec::new();
    for line in child.stderr.take().into_iter().flat_map(|pipe| BufReader::new(pipe).split(b'\n')) {
        let line = line.map_err(|error| format!("can't read the fuzzer's output: {error}"))?;
        let line = String::from_utf8_lossy(&line).into_owned();
        note(&line, &mut figures);
        last.push(line);
        last.drain(..last.len().saturating_sub(LAST_LINES));
    }
    let status = child.wait().map_err(|error| format!("can't wait for the fuzzer: {error}"))?;
    match status.code() {
        Some(0) => Ok(Some(figures)),
        Some(INTERRUPTED) => {
            Err(format!("{name}: interrupted after {} inputs, of which none broke an invariant", figures.inputs))
        }
        _ => {
            println!("{}", last.join("\n"));
            Ok(None)
        }
    }
}

/// The exit status of libFuzzer after an interrupt.
const INTERRUPTED: i32 = 72;

/// Lines of a failed run that are printed.
const LAST_LINES: usize = 40;

/// Takes the figures from a line of libFuzzer.
fn note(line: &str, figures: &mut Figures) {
    match line.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["Done", inputs, "runs", "in", seconds, ..] => {
            figures.inputs = inputs.parse().unwrap_or_default();
            figures.seconds = seconds.parse().unwrap_or_default();
        }
        [count, _, "cov:", edges, ..] => {
            if let Some(inputs) = count.strip_prefix('#').and_then(|count| count.parse().ok()) {
                figures.inputs = inputs;
                figures.edges = edges.parse().unwrap_or_default();
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{Figures, note, targets};

    #[test]
    fn figures_are_those_of_the_last_lines() {
        let mut figures = Figures::default();
        for line in [
            "INFO: seed corpus: files: 24",
            "#2\tINITED cov: 35 ft: 40 corp: 1/1b exec/s: 0 rss: 30Mb",
            "#10000000\tDONE   cov: 412 ft: 1300 corp: 88/4Kb lim: 4096 exec/s: 200000 rss: 99Mb",
            "Done 10000000 runs in 50 second(s)",
        ] {
            note(line, &mut figures);
        }
        assert_eq!(figures, Figures { inputs: 10_000_000, seconds: 50, edges: 412 });
        note("#10000123\tREDUCE cov: 413 ft: 1301 corp: 88/4Kb", &mut figures);
        assert_eq!((figures.inputs, figures.edges), (10_000_123, 413));
    }

    #[test]
    fn every_corpus_is_a_target() {
        assert_eq!(
            targets().as_deref(),
            Ok(&["agent-line", "joined-answer", "mcp-line", "request", "websocket", "yjs"].map(str::to_owned)[..])
        );
    }
}
