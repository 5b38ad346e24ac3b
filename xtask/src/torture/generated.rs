//! `cargo xtask torture mutants`: cargo-mutants on named functions. Tests must notice every mutant that compiles.

use super::functions::{FUNCTIONS, MutatedFunctions};
use super::outcomes::{Tally, tally};
use super::working_copy::WorkingCopy;
use crate::Done;
use crate::project::{self, read, root};
use std::process::Command;
use std::time::Instant;

/// The version of cargo-mutants: another one generates other mutants.
const VERSION: &str = "27.1.0";

/// Where cargo-mutants is installed, for this project alone.
const FOLDER: &str = "target/cargo-mutants";

/// The seconds that the tests of a mutant may take. A mutant that makes them hang is noticed, too.
const TIMEOUT_S: &str = "30";

/// Exit statuses of cargo-mutants after it has tested all mutants: every one was noticed, some were not, some made the tests hang.
const FINISHED: [i32; 3] = [0, 2, 3];

/// Tests the mutants of every function in the list, or of one function or file.
pub(crate) fn run(only: Option<&str>) -> Done {
    let chosen = FUNCTIONS.iter().map(|group| (group, group.named(only))).filter(|(_, names)| !names.is_empty());
    let chosen: Vec<_> = chosen.collect();
    if chosen.is_empty() {
        return Err(format!("no mutants are generated for a function or file {}", only.unwrap_or_default()));
    }
    install()?;
    let copy = WorkingCopy::new();
    copy.refresh()?;
    let begun = Instant::now();
    let mut all = Tally::default();
    for (group, names) in chosen {
        let since = Instant::now();
        let tally = mutate(&copy, group, &names)?;
        println!("{}, {}: {tally} ({} s)", group.file, names.join(", "), since.elapsed().as_secs());
        tally.accepted.iter().for_each(|mutant| println!("  accepted: {mutant}"));
        tally.survived.iter().for_each(|mutant| println!("  SURVIVED: {mutant}"));
        all.add(tally);
    }
    println!("all functions: {all} ({} s)", begun.elapsed().as_secs());
    if all.survived.is_empty() {
        return Ok(());
    }
    let advice =
        "write the test that is missing, or accept the mutant with its reason in xtask/src/torture/functions.rs";
    Err(format!("no test notices: {}; {advice}", all.survived.join("; ")))
}

fn install() -> Done {
    let installed = format!("{FOLDER}/installed.txt");
    if read(&installed).is_ok_and(|version| version == VERSION) {
        return Ok(());
    }
    // It waits for cargo: optimised, it would take longer to build and save nothing.
    let options = ["--quiet", "--debug", "--locked", "--root", FOLDER];
    let package = format!("cargo-mutants@{VERSION}");
    project::run("cargo", &[&["install"], options.as_slice(), &[&package]].concat())?;
    std::fs::write(root().join(&installed), VERSION).map_err(|error| format!("can't write {installed}: {error}"))
}

/// Tests the mutants of these functions of a group.
fn mutate(copy: &WorkingCopy, group: &MutatedFunctions, names: &[&str]) -> Result<Tally, String> {
    check_unmutated(copy, group)?;
    let output = copy.folder().with_file_name("cargo-mutants-output");
    std::fs::create_dir_all(&output).map_err(|error| format!("can't create {}: {error}", output.display()))?;
    let mut command = Command::new(root().join(FOLDER).join("bin/cargo-mutants"));
    command.args(["mutants", "--in-place", "--no-config", "--baseline=skip", "--timeout", TIMEOUT_S]);
    command.args(["--package", group.owner(), "--file", group.file, "--test-package", group.package]);
    command.args(names.iter().map(|name| format!("--re={}", pattern(name))));
    command.args(group.targets.iter().map(|target| format!("--cargo-arg={target}")));
    command.arg("--output").arg(&output).args(["--colors=never", "--", "--"]).args(group.tests);
    command.current_dir(copy.folder()).env("CARGO_TARGET_DIR", copy.target());
    let ran = command.output().map_err(|error| format!("can't run cargo-mutants: {error}"))?;
    if !ran.status.code().is_some_and(|code| FINISHED.contains(&code)) {
        let said = [ran.stdout, ran.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
        return Err(format!("cargo-mutants failed on {}: {}\n{said}", group.file, ran.status));
    }
    let outcomes = output.join("mutants.out/outcomes.json");
    let outcomes = std::fs::read_to_string(&outcomes).map_err(|error| format!("{}: {error}", outcomes.display()))?;
    tally(&outcomes, &read(group.file)?, names, group.accepted).map_err(|error| format!("{}: {error}", group.file))
}

/// Checks that the tests pass without a mutant, and that each name in the list is one of a test: else they would notice everything,
/// or nothing.
fn check_unmutated(copy: &WorkingCopy, group: &MutatedFunctions) -> Done {
    let package = ["test", "--package", group.package];
    let tested = copy.cargo(&[package.as_slice(), group.targets, &["--"], group.tests].concat())?;
    let said = String::from_utf8_lossy(&tested.stdout);
    if !tested.status.success() {
        let errors = String::from_utf8_lossy(&tested.stderr);
        return Err(format!("the tests of {} fail without a mutant:\n{said}{errors}", group.file));
    }
    let ran = |test: &str| said.lines().any(|line| line.starts_with("test ") && line.contains(test));
    match group.tests.iter().find(|test| !ran(test)) {
        Some(test) => Err(format!("there is no test {test}")),
        None => Ok(()),
    }
}

/// The names of a function's mutants, as a regular expression: `replace NAME -> bool with true` and `replace < with > in NAME`.
fn pattern(name: &str) -> String {
    format!(": replace {name} (-> .*)?with | in {name}$")
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn pattern_is_of_one_function_and_not_of_another_whose_name_begins_alike() {
        assert_eq!(pattern("Caller::sees"), ": replace Caller::sees (-> .*)?with | in Caller::sees$");
    }
}
