//! The hub under bad conditions: a full disk, an exceeded quota, few open files, a wrong clock, a setting below the rules.
#![cfg(target_os = "linux")]

use crate::ASKBACK;
use askback_testkit::http::Connection;
use askback_testkit::hub_process::{DataDir, HubProcess, question};
use askback_testkit::wait::wait_until;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The library that sets the clock of a program.
const CLOCK_SHIM: &str = "tests/server/clock_shim.c";

/// Where a child of the test finds its disk.
const DISK: &str = "ASKBACK_TEST_DISK";

/// Runs a test of this file again, in a mount namespace of its own with a disk of 4 MiB for temporary files.
fn on_a_small_disk(test: &str) {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new("unshare")
        .args(["--mount", "--map-root-user", "sh", "-c", r#"mount -t tmpfs -o size=4m tmpfs "$0" && exec "$@""#])
        .arg(folder.path())
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .envs([(DISK, folder.path()), ("TMPDIR", folder.path())])
        .output()
        .expect("unshare, of util-linux, is there");
    let told = format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && told.contains("1 passed"), "{told}");
}

/// Asks until the hub refuses, and returns how often it did not.
fn ask_until_full(hub: &HubProcess) -> usize {
    (0..).find(|_| hub.post("/api/v1/requests", &question("shop")).token(&hub.asker).send().status == 507).unwrap()
}

fn list(data: &Path) -> Output {
    Command::new(ASKBACK).args(["list", "--limit", "1"]).env("ASKBACK_DATA", data).output().unwrap()
}

// L2, S3
#[test]
fn hub_that_was_killed_on_a_full_disk_starts_for_reading_and_goes_on_when_there_is_room() {
    let Some(disk) = std::env::var_os(DISK).map(PathBuf::from) else {
        let test = "conditions::hub_that_was_killed_on_a_full_disk_starts_for_reading_and_goes_on_when_there_is_room";
        return on_a_small_disk(test);
    };
    let data = DataDir::new(ASKBACK);
    let mut hub = data.serve();
    hub.get("/readyz").send().is(200);
    let id = hub.ask(&hub.asker, "shop");
    // Until nothing more fits.
    let ballast = disk.join("ballast");
    let _ = std::fs::write(&ballast, vec![b'x'; 8 << 20]);
    let asked = 1 + ask_until_full(&hub);
    wait_until("the hub is not ready", || hub.get("/readyz").send().status == 503);
    hub.kill();

    let hub = data.serve();
    let counted = hub.get("/api/v1/requests/unattended").token(&hub.person).send().is(200)["pending"].as_u64();
    assert_eq!(counted, Some(asked as u64), "all that was acknowledged");
    assert_eq!(hub.get(&format!("/api/v1/requests/{id}")).token(&hub.asker).send().is(200)["status"], "pending");
    let events = hub.get("/api/v1/audit?limit=1").token(&hub.person).send().is(200);
    assert_eq!(events["items"][0]["number"], 1);
    assert!(list(data.path()).status.success(), "commands find it");
    let problem = hub.get("/readyz").send().is_problem(503, "store-failed");
    assert!(problem["detail"].as_str().unwrap().contains("disk is full"), "{problem}");
    hub.get("/healthz").send().is(200);
    // What was moved out of the write-ahead log has left a little room.
    let mut replies = (0..).map(|_| hub.post("/api/v1/requests", &question("shop")).token(&hub.asker).send());
    let refused = replies.find(|reply| reply.status != 201).unwrap().is_problem(507, "store-full");
    assert!(refused["detail"].as_str().unwrap().contains("make room, then try again"), "{refused}");

    std::fs::remove_file(ballast).unwrap();
    hub.ask(&hub.asker, "shop");
    wait_until("the hub is ready", || hub.get("/readyz").send().status == 200);
}

/// `askback serve`, not started yet, which may have 18 connections over TCP.
pub(crate) fn command_with_few_files(data: &DataDir) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", r#"ulimit -n 64; exec "$0" serve --listen 127.0.0.1:0"#, ASKBACK]);
    command.env("ASKBACK_DATA", data.path()).stdout(Stdio::piped());
    command
}

// S3
#[test]
fn hub_with_few_open_files_reports_it_and_serves_all_in_turn() {
    let data = DataDir::new(ASKBACK);
    let log = data.path().join("log");
    let hub = data.spawn(command_with_few_files(&data).stderr(File::create(&log).unwrap()));
    wait_until("the hub says that it may open few files", || {
        let said = std::fs::read_to_string(&log).unwrap();
        said.contains("only 18 connections over TCP") && said.contains("ulimit -n")
    });
    let doctor = Command::new(ASKBACK).arg("doctor").env("ASKBACK_DATA", data.path()).output().unwrap();
    let told = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(!doctor.status.success() && told.contains("only 18 connections"), "{told}");
    // More than it may have: they wait for each other, and each is served.
    let calls: Vec<_> = (0..60).map(|_| hub.get("/healthz").open()).collect();
    for call in calls {
        assert_eq!(call.reply().unwrap().status, 200);
    }
    hub.get("/readyz").send().is(200);
    let said = std::fs::read_to_string(&log).unwrap();
    assert!(said.matches("connections can't be taken").count() <= 1, "{said}");
}

/// The numbers by which the shim of disk faults knows an exceeded quota (EDQUOT), and writes.
const QUOTA_EXCEEDED: [u32; 2] = [122, 1];

// L2, S3
#[test]
fn hub_over_its_quota_refuses_writes_starts_for_reading_and_goes_on_when_there_is_room() {
    let (data, folder) = (DataDir::new(ASKBACK), tempfile::tempdir().unwrap());
    let (faults, shim) = (folder.path().join("faults"), shim(folder.path(), "../askback-hub/tests/shim/sync_shim.c"));
    // The process has the file mapped.
    let set = |[error, calls]: [u32; 2]| {
        let bytes = [error, calls, 0].map(u32::to_ne_bytes).concat();
        File::options().write(true).create(true).truncate(false).open(&faults).unwrap().write_all(&bytes).unwrap();
    };
    let serve = || {
        let mut command = data.loopback_command();
        command.env("LD_PRELOAD", &shim).env("ASKBACK_SHIM_FAULTS", &faults);
        data.spawn(command.stderr(Stdio::null()))
    };
    let ask = |hub: &HubProcess| hub.post("/api/v1/requests", &question("shop")).token(&hub.asker).send();
    set([0, 0]);
    let mut hub = serve();
    let id = hub.ask(&hub.asker, "shop");
    set(QUOTA_EXCEEDED);
    for _ in 0..3 {
        ask(&hub).is_problem(507, "store-full");
    }
    set([0, 0]);
    hub.ask(&hub.asker, "shop");

    set(QUOTA_EXCEEDED);
    ask(&hub).is_problem(507, "store-full");
    hub.kill();
    let hub = serve();
    assert_eq!(hub.get(&format!("/api/v1/requests/{id}")).token(&hub.asker).send().is(200)["status"], "pending");
    let problem = hub.get("/readyz").send().is_problem(503, "store-failed");
    assert!(problem["detail"].as_str().unwrap().contains("disk is full"), "{problem}");
    ask(&hub).is_problem(507, "store-full");
    set([0, 0]);
    hub.ask(&hub.asker, "shop");
    wait_until("the hub is ready", || hub.get("/readyz").send().status == 200);
}

/// A library that is loaded before a program, built of a source of this project.
fn shim(folder: &Path, source: &str) -> PathBuf {
    let (source, shim) = (Path::new(env!("CARGO_MANIFEST_DIR")).join(source), folder.join("shim.so"));
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&shim, &source]).status();
    assert!(built.expect("cc is there").success());
    shim
}

// S3
#[test]
fn clock_before_1970_is_told_and_ends_no_process_by_a_panic() {
    let (data, folder) = (DataDir::new(ASKBACK), tempfile::tempdir().unwrap());
    let shim = shim(folder.path(), CLOCK_SHIM);
    let before_1970 = |command: &mut Command| {
        let output = command.env("LD_PRELOAD", &shim).env("ASKBACK_CLOCK", "-86400").output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!told.contains("panicked") && output.status.code().is_some_and(|code| code != 101), "{told}");
        (output, told)
    };
    let (output, told) = before_1970(&mut data.loopback_command());
    assert!(!output.status.success() && told.contains("this machine's clock says 1969-12-31T"), "{told}");
    // A hub elsewhere has another clock.
    let hub = data.serve();
    let commands: [&[&str]; 3] = [&["list"], &["doctor"], &["text", "Name?", "--timeout", "1"]];
    for arguments in commands {
        let mut command = Command::new(ASKBACK);
        before_1970(command.args(arguments).env("ASKBACK_DATA", data.path()).stdin(Stdio::null()));
    }
    let asked = hub.get("/api/v1/requests").token(&hub.person).send().is(200);
    assert_eq!(asked["items"].as_array().unwrap().len(), 1, "{asked}");
}

// L3, S3
#[test]
fn clock_set_before_1970_under_a_running_hub_loses_no_reply_of_a_kept_alive_connection() {
    let (data, folder) = (DataDir::new(ASKBACK), tempfile::tempdir().unwrap());
    let (clock, log) = (folder.path().join("clock"), folder.path().join("log"));
    let jump = |seconds: i64| std::fs::write(&clock, seconds.to_ne_bytes()).unwrap();
    jump(0);
    let mut command = data.loopback_command();
    command.env("LD_PRELOAD", shim(folder.path(), CLOCK_SHIM)).env("ASKBACK_CLOCK_FILE", &clock);
    let hub = data.spawn(command.stderr(File::create(&log).unwrap()));
    let mut kept_alive = Connection::open(hub.address).unwrap();
    kept_alive.send(format!("HEAD /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", hub.address).as_bytes()).unwrap();
    let head = kept_alive.read_head();
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");

    let thousand_years = 1_000 * 366 * 86_400;
    jump(-thousand_years);
    let ask = hub.post("/api/v1/requests", &question("shop")).token(&hub.asker);
    let reply = ask.send_over(kept_alive).unwrap();
    assert_eq!(reply.status, 201, "{}", reply.body);
    // Enough connections for each thread of the hub.
    for _ in 0..20 {
        hub.ask(&hub.asker, "shop");
    }
    jump(0);
    assert_eq!(hub.get("/api/v1/requests").token(&hub.person).send().is(200)["items"].as_array().unwrap().len(), 21);
    let said = std::fs::read_to_string(&log).unwrap();
    assert!(!said.contains("panicked"), "{said}");
}

// L9
#[test]
fn hub_that_is_told_to_count_askers_as_gone_within_a_minute_warns_of_it() {
    for (attended_for, warns) in [("59s", true), ("60s", false)] {
        let data = DataDir::with_config(ASKBACK, &format!("[server]\nattended_for = \"{attended_for}\"\n"));
        let log = data.path().join("log");
        let _hub = data.spawn(data.loopback_command().stderr(File::create(&log).unwrap()));
        let told = std::fs::read_to_string(&log).unwrap();
        assert_eq!(told.contains("attended_for in config.toml is less than a minute"), warns, "{told}");
    }
}
