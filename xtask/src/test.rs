//! `cargo xtask test`: the one command that says whether everything holds.

use crate::{Done, captures, generate, needs, page, project, skips, tidy, trace};
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Instant;

/// What MCP's conformance suite calls, which no other build of the server has.
const FIXTURES: &str = "askback/conformance";

/// The crates whose documentation must be whole.
const LIBRARIES: [&str; 14] = [
    "askback-agent",
    "askback-api",
    "askback-client",
    "askback-core",
    "askback-hub",
    "askback-mcp",
    "askback-process",
    "askback-script",
    "askback-server",
    "askback-sqlite",
    "askback-sse",
    "askback-term",
    "askback-websocket",
    "askback-yjs",
];

/// Runs every step in order, and stops at the first that fails.
pub(crate) fn run() -> Done {
    step("needs", needs::install)?;
    step("format", || {
        project::run("cargo", &["fmt", "--all", "--check"])
            .map_err(|error| format!("{error}; run `cargo fmt` (if it is missing: `rustup component add rustfmt`)"))
    })?;
    step("tidy", tidy::run)?;
    step("trace", trace::run)?;
    step("generated files", generate::check)?;
    step("lints", || {
        project::run(
            "cargo",
            &["clippy", "--workspace", "--all-targets", "--features", FIXTURES, "--", "--deny", "warnings"],
        )
        .map_err(|error| format!("{error} (if clippy is missing: `rustup component add clippy`)"))
    })?;
    step("documentation", || {
        // In one call: each package on its own would compile what they share with other features again.
        let mut arguments = vec!["RUSTDOCFLAGS=--deny warnings", "cargo", "doc", "--quiet", "--no-deps"];
        arguments.extend(LIBRARIES.iter().flat_map(|package| ["--package", package]));
        project::run("env", &arguments)
    })?;
    step("client", || {
        project::run("npm", &["--prefix", "clients/typescript", "run", "--silent", "check"])?;
        project::run("npm", &["--prefix", "clients/typescript", "test", "--silent"])
    })?;
    step("page", page::check)?;
    step("tests", tests)?;
    step("captures", captures::check)
}

fn step(name: &str, body: impl FnOnce() -> Done) -> Done {
    println!("── {name}");
    let start = Instant::now();
    body().map_err(|error| format!("{error}\n── {name}: failed"))?;
    println!("── {name}: {:.1} s", start.elapsed().as_secs_f32());
    Ok(())
}

fn tests() -> Done {
    let runner = format!("sh {}", project::root().join("tests/runner.sh").display());
    let mut child = project::command("cargo", &["test", "--workspace", "--no-fail-fast", "--features", FIXTURES])
        .env(runner_variable(&project::capture("rustc", &["-vV"])?)?, runner)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("can't run cargo: {error}"))?;
    let mut output = String::new();
    for line in child.stdout.take().into_iter().flat_map(|pipe| BufReader::new(pipe).lines()) {
        let line = line.map_err(|error| format!("can't read cargo's output: {error}"))?;
        println!("{line}");
        output.push_str(&line);
        output.push('\n');
    }
    let status = child.wait().map_err(|error| format!("can't wait for cargo: {error}"))?;
    let skipped = skips::in_output(&output);
    let (passed, failed) = (total(&output, "passed"), total(&output, "failed"));
    println!("{passed} passed, {failed} failed, {} skipped", skipped.len());
    if !status.success() {
        return Err("tests failed; see above".to_owned());
    }
    if passed == 0 {
        return Err("no test ran".to_owned());
    }
    skips::compare(&skipped)
}

/// The variable that names cargo's runner for this machine, from what `rustc -vV` prints.
fn runner_variable(version: &str) -> Result<String, String> {
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc names no host")?;
    Ok(format!("CARGO_TARGET_{}_RUNNER", host.to_uppercase().replace(['-', '.'], "_")))
}

/// Adds up a count over the closing lines of all test binaries.
fn total(output: &str, what: &str) -> usize {
    let closing = output.lines().filter_map(|line| line.strip_prefix("test result: "));
    let counts = closing.flat_map(|line| line.split([';', '.'])).filter_map(|count| count.trim().strip_suffix(what));
    counts.filter_map(|count| count.trim().parse::<usize>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::{runner_variable, total};

    #[test]
    fn runner_variable_has_the_host_in_cargos_spelling() {
        let found = runner_variable("rustc 1.95.0\nhost: x86_64-unknown-linux-gnu\nrelease: 1.95.0\n");
        assert_eq!(found.as_deref(), Ok("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER"));
        assert!(runner_variable("rustc 1.95.0\n").is_err());
    }

    #[test]
    fn counts_are_added_over_all_binaries() {
        let output = "test result: ok. 55 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 2.29s\n\
                      test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!((total(output, "passed"), total(output, "failed")), (57, 1));
    }
}
