//! The command that is run for every new request.

use crate::eventually;
use crate::hub::Data;
use serde_json::Value;
use std::time::{Duration, Instant};

fn shell(script: &str) -> String {
    format!("[on_request]\ncommand = [\"sh\", \"-c\", '''{script}''', \"sh\"]\n")
}

// S2
#[test]
fn it_gets_the_request_and_a_title_that_is_safe() {
    let data = Data::with("");
    let out = data.path().join("out").display().to_string();
    let script =
        format!("cat > {out}.json; echo \"$ASKBACK_ID|$ASKBACK_ROOM|$ASKBACK_TITLE\" > {out}.env; mv {out}.env {out}");
    std::fs::write(data.path().join("config.toml"), shell(&script)).unwrap();
    let hub = data.serve();
    let id = hub.ask("Deploy\n\u{1b}[31m?");
    let said = eventually("the command", || std::fs::read_to_string(&out).ok());
    assert_eq!(said, format!("{id}|shop|Deploy<U+000A><U+001B>[31m?\n"));
    let record: Value = serde_json::from_slice(&std::fs::read(format!("{out}.json")).unwrap()).unwrap();
    assert_eq!((record["id"].as_str(), record["status"].as_str()), (Some(id.as_str()), Some("pending")));
    assert_eq!(record["request"]["questions"][0]["message"], "Deploy\n\u{1b}[31m?");
    hub.answer(&id, "yes");
    std::fs::remove_file(&out).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    assert!(!std::path::Path::new(&out).exists(), "an answer is no new request");
}

// S4
#[test]
fn on_request_command_inherits_neither_token_nor_provider_key() {
    let data = Data::with("");
    let out = data.path().join("out").display().to_string();
    std::fs::write(data.path().join("config.toml"), shell(&format!("env > {out}.new; mv {out}.new {out}"))).unwrap();
    let mut command = data.command();
    command.env("ASKBACK_TOKEN", "a-token").env("ANTHROPIC_API_KEY", "a-key").env("LC_TIME", "C");
    let hub = data.serve_with(command);
    hub.ask("Deploy?");
    let environment = eventually("the command", || std::fs::read_to_string(&out).ok());
    assert!(!environment.contains("a-token") && !environment.contains("a-key"), "{environment}");
    assert!(environment.contains("LC_TIME=C"), "{environment}");
}

// S3
#[test]
fn one_that_hangs_delays_nobody_and_ends_with_the_hub() {
    let data = Data::with("");
    let out = data.path().join("pids").display().to_string();
    std::fs::write(data.path().join("config.toml"), shell(&format!("sleep 60 & echo $! >> {out}; wait"))).unwrap();
    let hub = data.serve();
    let begun = Instant::now();
    for at in 0..10 {
        let id = hub.ask(&format!("Question {at}"));
        hub.answer(&id, "yes");
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    let started = || std::fs::read_to_string(&out).unwrap_or_default();
    eventually("four of them", || (started().lines().count() == 4).then_some(()));
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(started().lines().count(), 4, "as many as there may be at once");
    assert!(hub.stop());
    for pid in started().lines() {
        let process = rustix::process::Pid::from_raw(pid.parse().unwrap()).unwrap();
        eventually("the end of what it started", || rustix::process::test_kill_process(process).is_err().then_some(()));
    }
}

// S3
#[test]
fn what_can_not_be_run_or_fails_is_no_concern_of_the_hub() {
    for config in
        ["[on_request]\ncommand = [\"/nowhere/at/all\"]\n".to_owned(), shell("exec 0<&-; yes | head -c 100000; exit 3")]
    {
        let data = Data::with(&config);
        let log = std::fs::File::create(data.path().join("said")).unwrap();
        let mut command = data.command();
        command.stderr(log);
        let hub = data.serve_with(command);
        let id = hub.ask("Deploy?");
        hub.answer(&id, "yes");
        let said = eventually("a line in the log", || {
            std::fs::read_to_string(data.path().join("said"))
                .ok()
                .filter(|said| said.contains("the command for a request"))
        });
        assert!(said.contains(&id) && said.len() < 10_000, "{said}");
        assert!(hub.stop());
    }
}
