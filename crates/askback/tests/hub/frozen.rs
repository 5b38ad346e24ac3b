//! A hub that is frozen, as by SIGSTOP: it accepts connections and answers nothing.

use crate::ASKBACK;
use askback_client::limits::RESPONSE;
use askback_testkit::home::{Home, printed, said};
use askback_testkit::wait::wait_until;
use std::process::Output;
use std::time::{Duration, Instant};

/// What a command may take beside its limit, on a busy machine.
const SLACK: Duration = Duration::from_secs(8);

const REQUEST: &str = r#"{"type": "confirm", "message": "Deploy?", "room": "shop"}"#;

fn timed(run: impl FnOnce() -> Output) -> (Output, Duration) {
    let begun = Instant::now();
    (run(), begun.elapsed())
}

// S3
#[test]
fn commands_on_a_frozen_hub_end_with_an_error_within_the_limit_of_a_call() {
    let home = Home::with_hub(ASKBACK);
    let id = home.ask(REQUEST);
    let frozen = home.freeze_hub();
    // An answer is sent once more, under the same key.
    let commands: [(&[&str], u32); 4] =
        [(&["list"], 1), (&["doctor"], 1), (&["wait", &id], 1), (&["answer", &id, "yes"], 2)];
    std::thread::scope(|scope| {
        for (arguments, tries) in commands {
            let home = &home;
            scope.spawn(move || {
                let (ended, took) = timed(|| home.run_as_person(arguments));
                let told = format!("{}{}", printed(&ended), said(&ended));
                assert!(!ended.status.success() && told.contains("it has not answered within 10"), "{told}");
                assert!(took < tries * RESPONSE + SLACK, "{arguments:?} took {took:?}");
            });
        }
    });
    drop(frozen);
    assert!(home.run(&["list"]).status.success(), "it goes on");
}

// S3, L3
#[test]
fn wait_with_a_timeout_ends_by_it_on_a_frozen_hub() {
    let home = Home::with_hub(ASKBACK);
    let id = home.ask(REQUEST);
    let _frozen = home.freeze_hub();
    let (ended, took) = timed(|| home.run(&["wait", &id, "--timeout", "2"]));
    assert_eq!(ended.status.code(), Some(124), "{}", said(&ended));
    assert!(took < RESPONSE, "it took {took:?}");
}

// L2, L3
#[test]
fn question_to_a_hub_that_is_frozen_meanwhile_is_asked_once_and_answered() {
    let home = Home::with_hub(ASKBACK);
    let frozen = home.freeze_hub();
    let mut gate = home.start(&["confirm", "Deploy?"]);
    let mut told = String::new();
    let mut stderr = gate.stderr.take().unwrap();
    wait_until("the command says that the hub does not answer, and sends its question again", || {
        let mut bytes = [0; 256];
        let count = std::io::Read::read(&mut stderr, &mut bytes).unwrap();
        told.push_str(std::str::from_utf8(&bytes[..count]).unwrap());
        told.contains("waiting until it is back")
    });
    drop(frozen);
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    assert_eq!(home.answer(&id, "yes").0, 200);
    let output = gate.wait_with_output().unwrap();
    assert_eq!((output.status.code(), printed(&output).as_str()), (Some(0), "yes\n"));
    assert!(home.pending().is_empty(), "it was asked once");
    assert_eq!(printed(&home.run_as_person(&["log"])).lines().count(), 2, "created and answered");
}
