//! `askback check` from outside: its output, its exit status, and every broken request of the vectors.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use askback_testkit::command::piped;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const ASKBACK: &str = env!("CARGO_BIN_EXE_askback");

fn askback(arguments: &[&str], input: &[u8]) -> Output {
    piped(ASKBACK, arguments, input)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}

/// Every case of the vectors that has problems, as the bytes of a request; long ones are left to the core's tests.
fn broken() -> Vec<(String, Vec<u8>, Value)> {
    let mut broken = Vec::new();
    for entry in std::fs::read_dir(vectors()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let file: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        for case in file["cases"].as_array().unwrap() {
            let request = case.get("request").or(case.get("question"));
            let bytes = match (request, case.get("text").and_then(Value::as_str)) {
                (Some(request), _) if !request.to_string().contains("\"$") => request.to_string().into_bytes(),
                (None, Some(text)) => text.as_bytes().to_vec(),
                _ => continue,
            };
            if let Some(problems) = case.get("problems") {
                broken.push((format!("{}: {case}", path.display()), bytes, problems.clone()));
            }
        }
    }
    broken
}

// F15
#[test]
fn every_broken_request_is_explained() {
    let broken = broken();
    assert!(broken.len() > 150, "{}", broken.len());
    for (name, bytes, problems) in broken {
        let people = askback(&["check", "-"], &bytes);
        assert_eq!(people.status.code(), Some(2), "{name}");
        assert!(people.stdout.is_empty(), "{name}");
        let report = text(&people.stderr);
        let programs = askback(&["check", "-", "--json"], &bytes);
        assert_eq!(programs.status.code(), Some(2), "{name}");
        let json: Value = serde_json::from_slice(&programs.stdout).unwrap();
        for problem in problems.as_array().unwrap() {
            let errors = json["errors"].as_array().unwrap();
            let error =
                errors.iter().find(|error| error["path"] == problem["path"] && error["rule"] == problem["rule"]);
            let error = error.unwrap_or_else(|| panic!("{name}: no {problem} in {json}"));
            let (message, expected) = (error["message"].as_str().unwrap(), error["expected"].as_str().unwrap());
            assert!(
                report.contains(&format!("error[{}]: {message}", error["rule"].as_str().unwrap())),
                "{name}\n{report}"
            );
            assert!(report.contains(&format!("= expected {expected}")), "{name}\n{report}");
            let path = error["path"].as_str().unwrap();
            assert!(path == "$" || report.contains(&format!(": {path}\n")), "{name}\n{report}");
        }
    }
}

// S2
#[test]
fn a_report_never_repeats_what_would_act_on_a_terminal() {
    for (name, bytes, _) in broken() {
        let report = askback(&["check", "-"], &bytes).stderr;
        let acts = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c) || c == '\u{200b}';
        assert!(!text(&report).contains(acts), "{name}");
    }
}

// F15
#[test]
fn the_exit_status_tells_a_wrong_request_from_a_wrong_answer() {
    let number = br#"{"type":"number","message":"?","max":5}"#;
    let status = |arguments: &[&str], input: &[u8]| askback(arguments, input).status.code();
    assert_eq!(status(&["check", "-"], number), Some(0));
    assert_eq!(status(&["check", "-", "--response", "5"], number), Some(0));
    assert_eq!(status(&["check", "-", "--response", "-5"], number), Some(0), "a value may look like a flag");
    assert_eq!(status(&["check", "-", "--response", "6"], number), Some(1));
    assert_eq!(status(&["check", "-", "--response", "1", "--response", "2"], number), Some(1));
    assert_eq!(status(&["check", "-"], b"{}"), Some(2));
    assert_eq!(status(&["check", "no/such/file"], b""), Some(2));
    assert_eq!(status(&["check"], b""), Some(2));
    assert_eq!(status(&["chekc"], b""), Some(2));
    assert_eq!(status(&[], b""), Some(2));
}

// S2
#[test]
fn a_wrong_usage_never_repeats_what_would_act_on_a_terminal() {
    let output = askback(&["check", "a.json", "b\u{1b}]0;owned\u{7}\u{202e}.json"], b"");
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("<U+202E>") && !said.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{said}");
    assert_eq!(askback(&["--help"], b"").status.code(), Some(0));
    assert_eq!(askback(&["--version"], b"").status.code(), Some(0));
}

// F11
#[test]
fn json_carries_the_selections_beside_the_string() {
    let choice = br#"{"type":"choice","message":"?","options":["a, b","c"],"multiSelect":true,"other":true}"#;
    let output = askback(&["check", "-", "--json", "--response", "x, a, b"], choice);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["valid"], true);
    assert_eq!(json["answers"][0]["response"], "x, a, b");
    assert_eq!(json["answers"][0]["selections"], serde_json::json!(["x", "a, b"]));
    assert_eq!(json["answers"][0]["custom"], "x");
}

// S3
#[test]
fn ten_megabytes_of_nesting_get_a_short_report() {
    for input in ["[".repeat(10 << 20), "{\"a\":".repeat(1 << 20), "[".repeat(4 << 20)] {
        let output = askback(&["check", "-"], input.as_bytes());
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stderr.len() < 2_000, "{}", text(&output.stderr));
    }
}

// S3
#[test]
fn output_that_nobody_reads_changes_no_verdict() {
    let valid = br#"{"type": "text", "message": "?"}"#;
    let cases: [(&[&str], &[u8], i32); 5] = [
        (&["check", "-"], valid, 0),
        (&["check", "-", "--json"], valid, 0),
        (&["check", "-", "--response", ""], valid, 1),
        (&["check", "-", "--json"], b"{", 2),
        (&["check", "-"], b"{", 2),
    ];
    for (arguments, input, status) in cases {
        let mut command = Command::new(env!("CARGO_BIN_EXE_askback"));
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Nobody reads from here on, and only then does it get something to talk about.
        drop((child.stdout.take(), child.stderr.take()));
        child.stdin.take().unwrap().write_all(input).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(status), "{arguments:?}");
    }
}

// S3
#[test]
fn a_hostile_request_is_reported_in_bounded_work() {
    let fields: Vec<String> = (0..200_000).map(|number| format!("\"k{number}\":1")).collect();
    let many_fields = format!("{{\"type\":\"text\",\"message\":\"?\",{}}}", fields.join(","));
    let long_line = format!(
        "{{\"type\":\"dropdown\",\"message\":\"?\",\"placeholder\":\"{}\",\"options\":[{}]}}",
        "x".repeat(3_000_000),
        vec!["\"\""; 50_000].join(",")
    );
    let repeated = vec!["\"a\":1"; 200_000].join(",");
    let long_name = format!("{{\"type\":\"text\",\"message\":\"?\",\"{}\":{{{repeated}}}}}", "k".repeat(2_000_000));
    let marks = format!("{{\"type\":\"text\",\"message\":\"?\",\"a{}b\":1}}", "\u{301}".repeat(200_000));
    for input in [many_fields, long_line, long_name, marks] {
        for arguments in [&["check", "-"][..], &["check", "-", "--json"]] {
            let output = askback(arguments, input.as_bytes());
            assert_eq!(output.status.code(), Some(2));
            assert!(output.stderr.len() + output.stdout.len() < 100_000, "{arguments:?}");
        }
    }
}

#[test]
fn completions_load_in_bash_and_know_the_commands() {
    let script = askback(&["completions", "bash"], b"");
    assert_eq!(script.status.code(), Some(0));
    let ask = "COMP_WORDS=(askback che); COMP_CWORD=1; _askback askback che askback; echo \"${COMPREPLY[@]}\"";
    let shell = format!("{}\n{ask}", text(&script.stdout));
    let output = Command::new("bash").args(["-c", &shell]).output().unwrap();
    assert_eq!(text(&output.stdout).trim(), "check");
    for shell in ["zsh", "fish", "elvish", "powershell"] {
        assert!(text(&askback(&["completions", shell], b"").stdout).contains("check"), "{shell}");
    }
}
