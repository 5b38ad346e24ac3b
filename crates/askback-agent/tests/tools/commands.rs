//! Running commands.

use crate::support::{Desk, answer, is_alive, until};
use crate::{Work, failed, succeeded};
use askback_agent::limits::TOOL_OUTPUT;
use askback_agent::tool::ToolOutput;
use askback_core::Form;
use serde_json::json;
use std::time::{Duration, Instant};

impl Work {
    /// Runs a command that is approved this once.
    async fn command(&self, command: &str) -> ToolOutput {
        let desk = Desk::with([answer("approve"), answer("Only this time")]);
        self.run("run_command", json!({"command": command}), &desk).await
    }
}

// S5
#[tokio::test]
async fn a_command_is_shown_whole_and_then_run_in_the_folder() {
    let work = Work::new();
    let desk = Desk::with([answer("approve"), answer("For this session")]);
    let command = format!("pwd # {}", "x".repeat(5_000));
    let output = work.run("run_command", json!({"command": command}), &desk).await;
    assert_eq!(succeeded(&output), format!("The command succeeded.\n{}\n", work.folder.path().display()));
    let asked = desk.asked();
    assert_eq!((asked[0].context()[0].form(), asked[0].context()[0].text()), (Form::Command, command.as_str()));
    assert!(asked[0].questions()[0].message().contains(&*work.folder.path().to_string_lossy()));
    // For the session, and for nothing but this.
    succeeded(&work.run_unasked("run_command", json!({"command": command})).await);
    let other = Desk::with([answer("reject")]);
    failed(&work.run("run_command", json!({"command": format!("{command} ")}), &other).await);
}

// S5
#[tokio::test]
async fn consents_asked_for_at_once_do_not_mix() {
    let work = Work::new();
    let desk = Desk::with([
        answer("approve"),
        answer("Only this time"),
        answer("approve"),
        answer("For this session"),
        answer("reject"),
    ]);
    let run = |command: &str| work.run("run_command", json!({"command": command}), &desk);
    let (one, two, same, three) = tokio::join!(run("echo 1"), run("echo 2"), run("echo 2"), run("echo 3"));
    assert!([one, two, same].iter().all(|output| succeeded(output).contains("The command succeeded.")));
    failed(&three);
    let asked: Vec<String> = desk
        .asked()
        .iter()
        .map(|request| request.context().first().map_or("how long", |piece| piece.text()).to_owned())
        .collect();
    assert_eq!(asked, ["echo 1", "how long", "echo 2", "how long", "echo 3"]);
}

// S3
#[tokio::test]
async fn what_is_printed_comes_back_in_order_with_the_exit_status() {
    let work = Work::new();
    let output = work.command("for n in 1 2 3; do echo out $n; echo err $n >&2; done; exit 3").await;
    assert_eq!(failed(&output), "The command failed: exit status: 3.\nout 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n");
    assert_eq!(succeeded(&work.command("true").await), "The command succeeded.\nIt printed nothing.");
    assert!(failed(&work.command("kill -9 $$").await).contains("signal: 9"));
    assert!(failed(&work.command("no-such-command-here").await).contains("127"));
    assert_eq!(succeeded(&work.command("cat").await), "The command succeeded.\nIt printed nothing.", "no input");
}

// S3
#[tokio::test]
async fn output_of_many_megabytes_is_cut_in_the_middle() {
    let work = Work::new();
    let output =
        work.command("echo start; head -c 30000000 /dev/zero | tr '\\0' x; head -c 9000 /dev/urandom; echo end").await;
    let text = succeeded(&output);
    assert!(text.starts_with("The command succeeded.\nstart\nxxx") && text.ends_with("end\n"));
    assert!(text.contains("bytes left out") && text.len() < TOOL_OUTPUT + 100, "{}", text.len());
}

// S3
#[tokio::test]
async fn what_a_command_has_started_ends_with_it_when_it_is_dropped() {
    let work = Work::new();
    let running = work.command("sleep 1000 & echo $! > child; sh -c 'echo $$ > self; sleep 1000'; true");
    let pids = {
        let started = until("both run", || {
            let read = |name: &str| Some(work.folder.read(name)).filter(|text| text.ends_with('\n'));
            Some([read("child")?, read("self")?])
        });
        tokio::select! {
            output = running => panic!("{output:?}"),
            pids = started => pids,
        }
    };
    until("both are gone", || pids.iter().all(|pid| !is_alive(pid)).then_some(())).await;
}

// S3
#[tokio::test]
async fn a_command_that_leaves_something_running_returns() {
    let work = Work::new();
    let begun = Instant::now();
    let output = work.command("sleep 1000 & echo $!").await;
    assert!(begun.elapsed() < Duration::from_secs(5));
    let pid = succeeded(&output).lines().nth(1).unwrap().to_owned();
    assert!(is_alive(&pid), "it was approved with the command");
    let killed = std::process::Command::new("kill").arg(&pid).status().unwrap();
    assert!(killed.success());
}

// S3
#[tokio::test]
async fn a_command_that_closes_its_output_is_waited_for() {
    let work = Work::new();
    let output = work.command("exec >&- 2>&-; sleep 0.2; exit 4").await;
    assert!(failed(&output).contains("exit status: 4"), "{}", output.text);
}

// S3
#[tokio::test]
async fn what_is_no_command_is_not_asked() {
    let work = Work::new();
    for command in ["", "  \n", "a\0b"] {
        assert!(
            failed(&work.run_unasked("run_command", json!({"command": command})).await).contains("Nothing was run")
        );
    }
    assert!(failed(&work.run_unasked("run_command", json!({"cmd": "ls"})).await).contains("schema"));
    let large = work.run_unasked("run_command", json!({"command": "x".repeat(2_000_000)})).await;
    assert!(failed(&large).contains("can't be shown for approval"), "{}", large.text);
}
