//! A question goes when nobody waits for its answer any more.

use crate::ASKBACK;
use crate::hooked::{PATIENT, asking, command, database};
use askback_testkit::home::{Home, signal};
use askback_testkit::wait::{PATIENCE, wait_until};
use rustix::process::Signal;
use std::time::Instant;

// L9, S5
#[test]
fn a_signal_ends_it_and_takes_the_question_away() {
    let home = Home::with_hub(ASKBACK);
    for (number, code) in [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)] {
        let (hook, id) = asking(&home, PATIENT, &database());
        signal(hook.id(), number);
        let output = hook.wait_with_output().unwrap();
        assert_eq!((output.status.code(), &*output.stdout), (Some(code), &b""[..]), "{output:?}");
        let outcome = home.outcome(&id);
        assert_eq!(outcome["status"], "cancelled");
        assert_eq!(outcome["reason"], "Claude Code does not wait for it any more");
    }
}

// L9
#[test]
fn who_started_it_is_gone_and_so_is_the_question() {
    let home = Home::with_hub(ASKBACK);
    let (mut hook, id) = asking(&home, PATIENT, &command("ls"));
    // As when Claude Code is killed: nobody reads what would be printed.
    drop(hook.stdout.take());
    let begun = Instant::now();
    wait_until("it is taken away", || home.outcome(&id)["status"] == "cancelled");
    assert_eq!(hook.wait().unwrap().code(), Some(0));
    assert_eq!(home.outcome(&id)["reason"], "Claude Code does not wait for it any more");
    assert!(begun.elapsed() < PATIENCE);
}

// L9
#[test]
fn a_hook_that_is_killed_leaves_a_question_that_nobody_waits_for() {
    let home = Home::with_config(ASKBACK, "[server]\nattended_for = \"5s\"\n");
    let (mut hook, id) = asking(&home, PATIENT, &command("ls"));
    wait_until("it waits", || home.pending()[0]["waiting"] == true);
    hook.kill().unwrap();
    hook.wait().unwrap();
    wait_until("nobody waits", || home.pending().iter().all(|record| record["waiting"] == false));
    assert_eq!(home.outcome(&id)["status"], "pending", "it can be dismissed, and expires");
}
