//! Runs every console block of the README as a reader would, and compares what it prints.

use std::path::Path;
use std::process::Command;

/// A command of a block and what the README says it prints.
struct Step {
    command: String,
    printed: String,
}

fn steps(readme: &str) -> Vec<Step> {
    let blocks = readme.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut steps = Vec::new();
    for line in blocks.flat_map(str::lines) {
        match line.strip_prefix("$ ") {
            Some(command) => steps.push(Step { command: command.to_owned(), printed: String::new() }),
            None => {
                let step: &mut Step = steps.last_mut().expect("a block begins with a command");
                step.printed.push_str(line);
                step.printed.push('\n');
            }
        }
    }
    steps
}

// F15
#[test]
fn the_readme_prints_what_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_askback")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let steps = steps(&readme);
    assert!(steps.len() >= 5, "the README has blocks to run");
    let data = tempfile::tempdir().unwrap();
    let run = |command: &str| {
        let mut shell = Command::new("bash");
        shell.args(["-c", &format!("exec 2>&1; {command}")]).current_dir(&root).env("PATH", &path);
        let output = shell.env("ASKBACK_DATA", data.path()).env_remove("ASKBACK_TOKEN").output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for Step { command, printed } in steps {
        // The usual port may be taken by a hub that is not the test's.
        let said = run(&command).lines().map(usual_port).collect::<String>();
        assert_eq!(said, printed, "$ {command}");
    }
    run("askback hub stop");
}

/// A line with the port that readers know.
fn usual_port(line: &str) -> String {
    match line.split_once("http://127.0.0.1:") {
        Some((before, after)) => {
            let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{before}http://127.0.0.1:4770{rest}\n")
        }
        None => format!("{line}\n"),
    }
}

// F15
#[test]
fn the_documented_request_and_outcome_are_real() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/requests.md")).unwrap();
    let mut blocks = page.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next());
    let limits = askback_core::Limits::DEFAULT;
    let request = askback_core::Request::parse(blocks.next().unwrap().as_bytes(), &limits);
    assert_eq!(request.map(|request| request.questions().len()), Ok(2));
    let question = r#"{"type": "choice", "message": "Which features?", "options": ["Dark mode", "Push"],
                       "multiSelect": true, "other": true}"#;
    let request = askback_core::Request::parse(question.as_bytes(), &limits).unwrap();
    let outcome = askback_core::Outcome::parse(blocks.next().unwrap().as_bytes(), &request);
    assert_eq!(outcome.map(|outcome| outcome.by().to_owned()), Ok("reviewer".to_owned()));
}
