//! The command that is run for every new request.

use crate::{answer, ask, data_with};
use askback_testkit::receiver::WebhookReceiver;
use askback_testkit::wait::{wait_for, wait_until};
use serde_json::Value;
use std::time::{Duration, Instant};

fn shell(script: &str) -> String {
    format!("[on_request]\ncommand = [\"sh\", \"-c\", '''{script}''', \"sh\"]\n")
}

// S2
#[test]
fn it_gets_the_request_and_a_title_that_is_safe() {
    let data = data_with("");
    let out = data.path().join("out").display().to_string();
    let script = format!("cat > {out}.json; echo \"$ASKBACK_ID|$ASKBACK_ROOM|$ASKBACK_TITLE\" >> {out}");
    data.configure(&shell(&script));
    let hub = data.serve();
    let id = ask(&hub, "Deploy\n\u{1b}[31m?");
    let lines = |count: usize| {
        wait_for("the command", || std::fs::read_to_string(&out).ok().filter(|said| said.lines().count() >= count))
    };
    assert_eq!(lines(1), format!("{id}|shop|Deploy<U+000A><U+001B>[31m?\n"));
    let record: Value = serde_json::from_slice(&std::fs::read(format!("{out}.json")).unwrap()).unwrap();
    assert_eq!((record["id"].as_str(), record["status"].as_str()), (Some(id.as_str()), Some("pending")));
    assert_eq!(record["request"]["questions"][0]["message"], "Deploy\n\u{1b}[31m?");
    answer(&hub, &id, "yes");
    // Events are in order: a command for the answer would have been started before this one.
    let next = ask(&hub, "And now?");
    let said = lines(2);
    assert!(said.lines().nth(1).unwrap().starts_with(&next), "an answer is no new request: {said}");
}

// S4
#[test]
fn on_request_command_inherits_neither_token_nor_provider_key() {
    let data = data_with("");
    let out = data.path().join("out").display().to_string();
    data.configure(&shell(&format!("env > {out}.new; mv {out}.new {out}")));
    let mut command = data.loopback_command();
    command.env("ASKBACK_TOKEN", "a-token").env("ANTHROPIC_API_KEY", "a-key").env("LC_TIME", "C");
    let hub = data.spawn(&mut command);
    ask(&hub, "Deploy?");
    let environment = wait_for("the command", || std::fs::read_to_string(&out).ok());
    assert!(!environment.contains("a-token") && !environment.contains("a-key"), "{environment}");
    assert!(environment.contains("LC_TIME=C"), "{environment}");
}

// S3
#[test]
fn one_that_hangs_delays_nobody_and_ends_with_the_hub() {
    let data = data_with("");
    let out = data.path().join("pids").display().to_string();
    let receiver = WebhookReceiver::accepting();
    let webhook = format!("[[webhook]]\nname = \"program\"\nurl = \"{}\"\n", receiver.url());
    data.configure(&format!("{}{webhook}", shell(&format!("sleep 60 & echo $! >> {out}; wait"))));
    let hub = data.serve();
    let begun = Instant::now();
    for at in 0..10 {
        let id = ask(&hub, &format!("Question {at}"));
        answer(&hub, &id, "yes");
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    let started = || std::fs::read_to_string(&out).unwrap_or_default();
    wait_until("four of them run", || started().lines().count() == 4);
    // The hub has passed on every event by the time that the last one is delivered.
    let told: Vec<_> = (0..20).map(|_| receiver.next().json()["event"].clone()).collect();
    assert_eq!(told.last().unwrap(), "request.answered");
    assert!(hub.stop());
    assert_eq!(started().lines().count(), 4, "as many as may run at once");
    for pid in started().lines() {
        let process = rustix::process::Pid::from_raw(pid.parse().unwrap()).unwrap();
        wait_until("the end of what it started", || rustix::process::test_kill_process(process).is_err());
    }
}

// S3
#[test]
fn what_can_not_be_run_or_fails_is_no_concern_of_the_hub() {
    for config in
        ["[on_request]\ncommand = [\"/nowhere/at/all\"]\n".to_owned(), shell("exec 0<&-; yes | head -c 100000; exit 3")]
    {
        let data = data_with(&config);
        let log = std::fs::File::create(data.path().join("said")).unwrap();
        let mut command = data.loopback_command();
        command.stderr(log);
        let hub = data.spawn(&mut command);
        let id = ask(&hub, "Deploy?");
        answer(&hub, &id, "yes");
        let said = wait_for("a line in the log", || {
            std::fs::read_to_string(data.path().join("said"))
                .ok()
                .filter(|said| said.contains("the command for a request"))
        });
        assert!(said.contains(&id) && said.len() < 10_000, "{said}");
        assert!(hub.stop());
    }
}
