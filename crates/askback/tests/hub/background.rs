//! The hub in the background: one, detached, found again, and never in the way.

use crate::ASKBACK;
use askback_testkit::home::{Home, is_alive, printed, said, signal};
use askback_testkit::http::Connection;
use askback_testkit::wait::{PATIENCE, wait_until};
use rustix::process::Signal;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Instant;

// L2
#[test]
fn fifty_commands_at_once_start_exactly_one() {
    let home = Home::new(ASKBACK);
    let commands: Vec<_> = (0..50).map(|number| home.start(&["confirm", &format!("Deploy {number}?")])).collect();
    let ids = home.wait_for_pending(50);
    let log = std::fs::read_to_string(home.data().join("hub.log")).unwrap();
    assert_eq!(log.matches("the hub listens").count(), 1, "{log}");
    for id in ids {
        assert_eq!(home.answer(&id, "yes").0, 200);
    }
    for command in commands {
        let output = command.wait_with_output().unwrap();
        assert_eq!((output.status.code(), printed(&output).as_str()), (Some(0), "yes\n"), "{}", said(&output));
    }
}

// L2
#[test]
fn fifty_commands_find_the_place_of_a_hub_that_was_killed() {
    let home = Home::with_hub(ASKBACK);
    let id = home.ask(r#"{"type": "text", "message": "Which region?", "room": "shop"}"#);
    home.kill_hub();
    let commands: Vec<_> = (0..50).map(|_| home.start(&["list", "--json"])).collect();
    for command in commands {
        let output = command.wait_with_output().unwrap();
        assert!(printed(&output).contains(&id), "{}", said(&output));
    }
    let log = std::fs::read_to_string(home.data().join("hub.log")).unwrap();
    assert_eq!(log.matches("the hub listens").count(), 2, "one before and one after: {log}");
}

// S4
#[test]
fn it_keeps_nothing_of_whoever_started_it() {
    let home = Home::new(ASKBACK);
    // Descriptor 7 is a pipe that is inherited; who reads it waits until nobody has its other end.
    let mut shell = Command::new("bash")
        .args(["-c", "exec 7>&1; exec \"$0\" hub start > /dev/null 2> /dev/null"])
        .arg(ASKBACK)
        .env("ASKBACK_DATA", home.data())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let mut text = String::new();
    shell.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(shell.wait().unwrap().success());
    assert!(begun.elapsed() < PATIENCE, "a hub that held the pipe would have held us");
    let hub = home.hub().unwrap();
    let stat = std::fs::read_to_string(format!("/proc/{hub}/stat")).unwrap();
    let session: u32 = stat.rsplit(") ").next().unwrap().split(' ').nth(3).unwrap().parse().unwrap();
    assert_eq!(session, hub, "it has a session of its own, so that no terminal ends it");
    assert_eq!(std::fs::read_link(format!("/proc/{hub}/cwd")).unwrap().to_str(), Some("/"));
    let inherited = |number: u32| std::fs::read_link(format!("/proc/{hub}/fd/{number}")).unwrap();
    assert_eq!(inherited(0).to_str(), Some("/dev/null"));
    assert_eq!(inherited(1).to_str(), Some("/dev/null"));
    assert_eq!(inherited(2), home.data().join("hub.log").canonicalize().unwrap());
}

// L2
#[test]
fn it_stops_when_told_to_and_keeps_what_is_pending() {
    let home = Home::with_hub(ASKBACK);
    let id = home.ask(r#"{"type": "text", "message": "Which region?", "room": "shop"}"#);
    let hub = home.hub();
    assert_eq!(printed(&home.run(&["hub", "stop"])), "the hub has stopped; what is pending is kept\n");
    assert!(!home.data().join("hub.json").exists() && !home.data().join("hub.sock").exists());
    let status = home.run(&["hub", "status"]);
    assert_eq!(status.status.code(), Some(1));
    assert!(printed(&status).starts_with("no hub is running in "), "{}", printed(&status));
    assert!(printed(&home.run(&["list"])).contains("Which region?"), "a command that needs it starts it again");
    assert_ne!(home.hub(), hub);
    assert_eq!(home.outcome(&id)["status"], "pending");
}

// S4
#[test]
fn one_that_speaks_another_language_is_not_talked_to() {
    let home = Home::with_hub(ASKBACK);
    let path = home.data().join("hub.json");
    let info = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, info.replace("\"api\": 1", "\"api\": 99").replace("0.1.0", "9.9.9")).unwrap();
    let output = home.run(&["list"]);
    assert_eq!(output.status.code(), Some(69));
    assert!(
        said(&output).contains("is askback 9.9.9") && said(&output).contains("askback hub stop"),
        "{}",
        said(&output)
    );
    std::fs::write(&path, info).unwrap();
    assert_eq!(home.run(&["list"]).status.code(), Some(0));
}

// S4
#[test]
fn one_whose_folder_is_removed_ends() {
    let home = Home::with_hub(ASKBACK);
    let hub = home.hub().unwrap();
    std::fs::remove_dir_all(home.data()).unwrap();
    wait_until("the hub ends", || !is_alive(hub.into()));
}

// S4
#[test]
fn one_whose_folder_was_removed_leaves_its_successor_alone() {
    let home = Home::with_hub(ASKBACK);
    let first = home.hub().unwrap();
    std::fs::remove_dir_all(home.data()).unwrap();
    assert!(home.run(&["hub", "start"]).status.success());
    wait_until("the first one ends", || !is_alive(first.into()));
    let status = home.run(&["hub", "status"]);
    assert_eq!(status.status.code(), Some(0), "{}", printed(&status));
    assert_eq!(home.run(&["list"]).status.code(), Some(0));
}

// S4
#[test]
fn it_has_no_secrets_of_whoever_started_it() {
    let home = Home::new(ASKBACK);
    let mut start = home.command(&["hub", "start"]);
    assert!(start.env("ANTHROPIC_API_KEY", "a-secret").env("LC_TIME", "C").output().unwrap().status.success());
    let environment = std::fs::read(format!("/proc/{}/environ", home.hub().unwrap())).unwrap();
    let environment = String::from_utf8_lossy(&environment).into_owned();
    assert!(!environment.contains("a-secret") && environment.contains("LC_TIME=C"), "{environment}");
}

// S3
#[test]
fn whoever_takes_all_connections_does_not_keep_commands_out() {
    let home = Home::new(ASKBACK);
    let mut shell = Command::new("bash");
    shell.args(["-c", "ulimit -n 160; exec \"$0\" hub start"]).arg(ASKBACK).env("ASKBACK_DATA", home.data());
    assert!(shell.stdin(Stdio::null()).output().unwrap().status.success());
    let address = home.address();
    let idle: Vec<_> = (0..150).filter_map(|_| Connection::open(&address).ok()).collect();
    assert!(idle.len() > 100, "{}", idle.len());
    assert_eq!(home.run(&["list"]).status.code(), Some(0));
    let log = std::fs::read_to_string(home.data().join("hub.log")).unwrap();
    assert!(log.lines().count() < 10, "{log}");
}

// S4
#[test]
fn where_it_can_not_be_started_it_is_said_why() {
    let home = Home::new(ASKBACK);
    std::fs::create_dir(home.data()).unwrap();
    std::fs::write(home.data().join("askback.db"), "this is no database, and long enough not to be empty").unwrap();
    let output = home.run(&["confirm", "Deploy?"]);
    assert_eq!(output.status.code(), Some(69), "{}", said(&output));
    assert!(said(&output).contains("is damaged or no database of askback"), "{}", said(&output));
    std::fs::write(home.data().join("config.toml"), "[server]\nlisten = 7\n").unwrap();
    std::fs::remove_file(home.data().join("askback.db")).unwrap();
    let output = home.run(&["confirm", "Deploy?"]);
    assert!(said(&output).contains("config.toml"), "{}", said(&output));
}

// L2
#[test]
fn a_signal_ends_it_as_gently() {
    let home = Home::with_hub(ASKBACK);
    signal(home.hub().unwrap(), Signal::TERM);
    wait_until("it has cleaned up", || !home.data().join("hub.json").exists());
}
