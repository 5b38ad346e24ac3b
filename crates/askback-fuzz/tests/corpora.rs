//! Each target over its committed corpus, and over a fixed number of mutations of it.

#![expect(clippy::unwrap_used, reason = "a failure of a test should fail it")]

use askback_fuzz::{Mutator, TARGETS, Target};
use std::path::PathBuf;

/// Mutations of each corpus in the test run.
const INPUTS: usize = 50_000;

/// One input of so many is accepted at least, so that the code behind the parser is tested, too.
const ACCEPTED_ONE_OF: usize = 100;

/// Prints the input that a target panics on.
struct Current<'a> {
    target: &'a Target,
    input: &'a [u8],
}

impl Drop for Current<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the target {} fails on b\"{}\"", self.target.name, self.input.escape_ascii());
        }
    }
}

fn accepts(target: &Target, input: &[u8]) -> bool {
    let current = Current { target, input };
    (current.target.accepts)(current.input)
}

/// The entries of a target's corpus, sorted by name.
fn corpus(target: &Target) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// Runs a target over its corpus and its mutations.
fn run(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let corpus = corpus(target);
    let accepted = corpus.iter().filter(|input| accepts(target, input)).count();
    assert!(accepted >= 5 && accepted < corpus.len(), "{accepted} of {} corpus entries are accepted", corpus.len());
    let mutated = Mutator::new(20_261_118, &corpus, target.words).take(INPUTS);
    let accepted = mutated.filter(|input| accepts(target, input)).count();
    assert!(accepted * ACCEPTED_ONE_OF >= INPUTS, "only {accepted} of {INPUTS} mutations are accepted");
}

// S3
#[test]
fn yjs_codec_keeps_its_invariants() {
    run("yjs");
}

// S3
#[test]
fn request_parser_keeps_its_invariants() {
    run("request");
}

// F11
#[test]
fn joined_answers_keep_their_invariants() {
    run("joined-answer");
}

// S3
#[test]
fn mcp_lines_keep_their_invariants() {
    run("mcp-line");
}

// S3
#[test]
fn agent_lines_keep_their_invariants() {
    run("agent-line");
}

// S3
#[test]
fn websocket_reader_keeps_its_invariants() {
    run("websocket");
}

#[test]
fn every_target_has_a_test_and_a_corpus_within_its_size() {
    let source = include_str!("corpora.rs");
    let (mut files, mut bytes) = (0, 0);
    for target in &TARGETS {
        assert!(source.contains(&format!("run(\"{}\")", target.name)), "{}", target.name);
        let corpus = corpus(target);
        files += corpus.len();
        bytes += corpus.iter().map(Vec::len).sum::<usize>();
    }
    assert!(files <= 250 && bytes <= 300_000, "{files} files with {bytes} bytes");
}
