//! When Claude Code asks by itself: whenever nothing is decided here, and always with a clean standard output.

use crate::ASKBACK;
use crate::hooked::{PATIENT, asking, command, database, event, nothing, permission, questions, spawn, start};
use askback_core::Limits;
use askback_testkit::home::Home;
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::{Duration, Instant};

// S5, S3
#[test]
fn what_is_no_event_for_people_starts_nothing() {
    let home = Home::new(ASKBACK);
    let huge = format!("\"{}\"", "x".repeat(Limits::DEFAULT.request_bytes));
    let cases: &[(&str, &[u8])] = &[
        ("can't be read", b""),
        ("can't be read", b"   \n"),
        ("can't be read", b"{\"hook_event_name\":"),
        ("can't be read", b"\xff\xfe{}"),
        ("can't be read", huge.as_bytes()),
        ("names no event", b"null"),
        ("names no event", b"[]"),
        ("names no event", b"{\"tool_name\":\"Bash\"}"),
        ("names no tool", b"{\"hook_event_name\":\"PermissionRequest\"}"),
        ("has no input", b"{\"hook_event_name\":\"PermissionRequest\",\"tool_name\":\"Bash\"}"),
    ];
    for (why, input) in cases {
        let said = nothing(&start(&home, PATIENT, input).wait_with_output().unwrap());
        assert!(said.contains(why), "{said}");
    }
    assert_eq!(home.hub(), None, "nobody was to be asked");
}

// S5
#[test]
fn events_that_are_none_of_its_business_are_let_be() {
    let home = Home::new(ASKBACK);
    let input = json!({"command": "ls"});
    let answered =
        json!({"questions": database()["tool_input"]["questions"], "answers": {"Which database?": "SQLite"}});
    let cases: &[(&str, Value)] = &[
        ("is not decided here", event("PreToolUse", "Bash", &input)),
        ("is not decided here", event("PostToolUse", "AskUserQuestion", &input)),
        ("is not decided here", event("Stop\u{1b}[2J", "Bash", &input)),
        ("are none to approve", permission("AskUserQuestion", &database()["tool_input"])),
        ("answered already", event("PreToolUse", "AskUserQuestion", &answered)),
        ("no plan to be seen", permission("ExitPlanMode", &json!({}))),
        ("no plan to be seen", permission("ExitPlanMode", &json!({"plan": " \n"}))),
        ("can't be shown here", questions(&json!([]))),
        ("can't be shown here", questions(&json!([{"question": "How many?", "kind": "number", "min": 1, "max": 5}]))),
        ("can't be shown here", event("PreToolUse", "AskUserQuestion", &json!("which?"))),
    ];
    for (why, event) in cases {
        let said = nothing(&start(&home, PATIENT, event.to_string().as_bytes()).wait_with_output().unwrap());
        assert!(said.contains(why) && !said.contains('\u{1b}'), "{said}");
    }
    assert_eq!(home.hub(), None);
}

// S3, S5
#[test]
fn what_is_too_large_to_be_shown_whole_is_not_shown_in_part() {
    let home = Home::new(ASKBACK);
    let long = "x".repeat(Limits::DEFAULT.context_length + 1);
    for event in [
        command(&long),
        permission("Write", &json!({"file_path": "/a", "content": long})),
        permission("mcp__db__query", &json!({"sql": long})),
        permission(&"T".repeat(20_000), &json!({})),
    ] {
        let said = nothing(&start(&home, PATIENT, event.to_string().as_bytes()).wait_with_output().unwrap());
        assert!(said.contains("can't be shown here"), "{said}");
        assert!(said.len() < 2_000, "nobody reads {} bytes", said.len());
    }
    assert_eq!(home.hub(), None);
}

// S5
#[test]
fn a_wrong_command_line_forbids_nothing_and_allows_nothing() {
    let home = Home::new(ASKBACK);
    let wrong: &[&[&str]] = &[
        &["hook"],
        &["hook", "codex"],
        &["hook", "claude-code", "--timeout", "soon"],
        &["hook", "claude-code", "--nobody"],
        &["hook", "claude-code", "--room", " "],
        &["hook", "claude-code", "--allow"],
        &["hook", "claude-code", "approve"],
    ];
    for arguments in wrong {
        let output = start(&home, arguments, command("ls").to_string().as_bytes()).wait_with_output().unwrap();
        // 2 would forbid it.
        assert_eq!((output.status.code(), &*output.stdout), (Some(1), &b""[..]), "{arguments:?}");
        assert!(!output.stderr.is_empty());
    }
}

// S5
#[test]
fn without_a_hub_it_asks_by_itself() {
    let home = Home::new(ASKBACK);
    let event = command("ls").to_string();
    let output = |variables: &[(&str, &str)]| {
        let mut command = home.command(PATIENT);
        command.envs(variables.iter().copied());
        spawn(command, event.as_bytes()).wait_with_output().unwrap()
    };
    // Where no folder can be, no hub starts.
    std::fs::write(home.path().join("file"), "").unwrap();
    let file = home.path().join("file/data");
    nothing(&output(&[("ASKBACK_DATA", file.to_str().unwrap())]));
    nothing(&output(&[("ASKBACK_HUB", "http://127.0.0.1:1"), ("ASKBACK_TOKEN", "ab_x")]));
    nothing(&output(&[("ASKBACK_HUB", "nonsense"), ("ASKBACK_TOKEN", "ab_x")]));
    nothing(&output(&[("ASKBACK_HUB", "http://127.0.0.1:1")]));
}

// S1
#[test]
fn a_token_that_may_not_ask_asks_nothing() {
    let home = Home::with_hub(ASKBACK);
    let hub = format!("http://{}", home.address());
    for token in ["wrong".to_owned(), home.secret("person")] {
        let mut hook = home.command(PATIENT);
        hook.env("ASKBACK_HUB", &hub).env("ASKBACK_TOKEN", token);
        nothing(&spawn(hook, command("ls").to_string().as_bytes()).wait_with_output().unwrap());
    }
    assert_eq!(home.pending().len(), 0);
}

// L4
#[test]
fn time_that_is_up_decides_nothing() {
    let home = Home::with_hub(ASKBACK);
    for event in [database(), command("ls")] {
        let arguments = ["hook", "claude-code", "--nobody", "1m", "--timeout", "1s"];
        let (hook, id) = asking(&home, &arguments, &event);
        let said = nothing(&hook.wait_with_output().unwrap());
        assert!(said.contains("not answered in time"), "{said}");
        assert_eq!(home.outcome(&id)["status"], "expired");
    }
}

// L5
#[test]
fn a_question_that_was_taken_away_decides_nothing() {
    let home = Home::with_hub(ASKBACK);
    for event in [database(), command("ls")] {
        let (hook, id) = asking(&home, PATIENT, &event);
        let (status, answer) = home.call("POST", &format!("/requests/{id}/cancel"), "person", "{}");
        assert_eq!(status, 200, "{answer}");
        nothing(&hook.wait_with_output().unwrap());
    }
}

// S5
#[test]
fn nothing_is_read_from_nowhere() {
    let home = Home::new(ASKBACK);
    let output = home.command(PATIENT).stdin(Stdio::null()).output().unwrap();
    nothing(&output);
}

// S3, L9
#[test]
fn hub_that_is_frozen_leaves_the_question_to_the_agent_within_the_limit_of_a_call() {
    let home = Home::with_hub(ASKBACK);
    let _frozen = home.freeze_hub();
    let begun = Instant::now();
    let told = nothing(&start(&home, PATIENT, database().to_string().as_bytes()).wait_with_output().unwrap());
    assert!(told.contains("it has not answered within 10 seconds"), "{told}");
    assert!(begun.elapsed() < Duration::from_secs(25), "it took {:?}", begun.elapsed());
}

// S3, L9
#[test]
fn hub_that_freezes_during_the_wait_leaves_the_question_to_the_agent_within_half_a_minute() {
    let home = Home::with_hub(ASKBACK);
    let (hook, _) = asking(&home, PATIENT, &database());
    let _frozen = home.freeze_hub();
    let begun = Instant::now();
    let told = nothing(&hook.wait_with_output().unwrap());
    assert!(told.contains("it has not answered within 20 seconds"), "{told}");
    assert!(begun.elapsed() < Duration::from_secs(30), "it took {:?}", begun.elapsed());
}
