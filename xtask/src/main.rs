//! The project's own chores, run as `cargo xtask <chore>`.

use std::process::ExitCode;

mod bench;
mod captures;
mod fuzz;
mod generate;
mod kills;
mod lines;
mod needs;
mod page;
mod power;
mod production;
mod project;
mod skips;
mod test;
mod tidy;
mod torture;
mod trace;

const USAGE: &str = "\
Usage: cargo xtask <chore>

  test          everything that must hold: format, lints, tidy, trace, generated files, docs, all tests
  needs         install what the tests need
  tidy          the walls and habits of the code base
  lines         print the production lines of each crate; fails when the binary's crate is over its limit
  trace         which tests cite which rule of docs/rules.md
  gen           write the generated files; with --check only say which are stale
  page          build the page of web/ into the binary's crate; with --check only say whether it is stale
  captures      take the pictures of docs/captures; with --check only say which are stale
  torture       longer campaigns: every property against a mutant that must break it, and every mutant that
                cargo-mutants generates for the named functions; with the name of a test only the mutants that this
                test must notice; with mutants instead, the generated ones, or those of the named function or file;
                with power instead, whether what a hub acknowledged survives power cuts; with kills instead, whether it
                survives 1,000 SIGKILLs under mixed load and a disk that fails, or as many kills as given, perhaps with
                a seed after that number; with fuzz instead, ten million inputs for each fuzz target, or for the named
                one, and with a number that many
  bench         measure, and write bench/results/<name>.json; with a name only that one";

/// What a chore found wrong, in words that say what to do.
type Done = Result<(), String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test"] => test::run(),
        ["needs"] => needs::install(),
        ["tidy"] => tidy::run(),
        ["lines"] => lines::run(),
        ["trace"] => trace::run(),
        ["gen"] => generate::write(),
        ["gen", "--check"] => generate::check(),
        ["page"] => page::write(),
        ["page", "--check"] => page::check(),
        ["captures"] => captures::write(),
        ["captures", "--check"] => captures::check(),
        ["torture"] => torture::run(),
        ["torture", "power"] => power::run(),
        ["torture", "kills"] => kills::run(None, None),
        ["torture", "kills", count] => kills::run(Some(count), None),
        ["torture", "kills", count, seed] => kills::run(Some(count), Some(seed)),
        ["torture", "fuzz"] => fuzz::run(None, None),
        ["torture", "fuzz", only] => fuzz::run(Some(only), None),
        ["torture", "fuzz", only, inputs] => fuzz::run(Some(only), Some(inputs)),
        ["torture", "mutants"] => torture::run_generated(None),
        ["torture", "mutants", only] => torture::run_generated(Some(only)),
        ["torture", only] => torture::run_by_hand(Some(only)),
        ["bench"] => bench::run(None),
        ["bench", only] => bench::run(Some(only)),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
