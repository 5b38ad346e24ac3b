//! The processes in which a hub runs scripts: confined, replaced when they die, and never outliving the hub.

use crate::ASKBACK;
use askback_script::{Answering, Ended, Host, Script, WorkerLimits, WorkerProgram, Workers};
use askback_testkit::hub_process::{DataDir, HubProcess};
use askback_testkit::wait::{wait_for, wait_for_async, wait_until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

const ASKS: &str = "return (await requestUserInput({type: 'text', message: 'Name?'})).response";

fn start(server: &HubProcess, token: &str, code: &str) -> (u16, Value) {
    let reply = server.post("/api/v1/scripts", &json!({"code": code, "room": "shop"})).token(token).send();
    (reply.status, reply.json())
}

fn state(server: &HubProcess, script: &Value) -> Value {
    let path = format!("/api/v1/scripts/{}?wait=20", script["id"].as_str().unwrap());
    server.get(&path).token(&server.asker).send().is(200)
}

/// The worker processes of a process.
fn workers_of(parent: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_worker = |process: &u32| {
        let read = |name: &str| fs::read_to_string(format!("/proc/{process}/{name}")).unwrap_or_default();
        let stat = read("stat");
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        let is_child = fields.get(1).is_some_and(|found| *found == parent.to_string());
        is_child && fields[0] != "Z" && read("cmdline").contains("script-worker")
    };
    processes.filter(is_worker).collect()
}

fn worker_of(server: &HubProcess) -> u32 {
    wait_for("there is a worker", || workers_of(server.pid()).first().copied())
}

fn signal(process: u32, signal: Signal) {
    // It may be dead already.
    let _ = kill_process(Pid::from_raw(process.cast_signed()).unwrap(), signal);
}

fn is_alive(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}

// S3, L5
#[test]
fn killed_worker_ends_its_scripts_and_is_replaced() {
    let server = HubProcess::start(ASKBACK);
    for (killed, name) in [(Signal::KILL, "SIGKILL"), (Signal::SEGV, "SIGSEGV")] {
        let (_, script) = start(&server, &server.asker, ASKS);
        server.wait_for_pending(1);
        let worker = worker_of(&server);
        // Rust's own handler takes the first SIGSEGV that is no fault, and removes itself.
        wait_until("the worker is dead", || {
            signal(worker, killed);
            !is_alive(worker)
        });
        let ended = state(&server, &script);
        let error = ended["error"].as_str().unwrap_or_default();
        assert_eq!(ended["status"], "failed", "{ended}");
        assert!(error.contains("the worker process that ran this script has ended") && error.contains(name), "{error}");
        assert!(error.contains("run it again"), "{error}");
        // What it asked is cancelled, as at every other end of a script.
        server.wait_for_pending(0);
        let (_, next) = start(&server, &server.asker, "return 1 + 1");
        assert_eq!(state(&server, &next)["result"], 2);
    }
}

// S3, S4
#[test]
fn worker_inherits_nothing_and_is_confined() {
    let data = DataDir::new(ASKBACK);
    // A descriptor that whoever started the hub has left open.
    let mut shell = Command::new("bash");
    shell.args(["-c", "exec 7</dev/zero; exec \"$0\" serve --listen 127.0.0.1:0", ASKBACK]);
    shell.env("ASKBACK_DATA", data.path()).env("ANTHROPIC_API_KEY", "key");
    shell.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null());
    let server = data.spawn(&mut shell);
    start(&server, &server.asker, ASKS);
    server.wait_for_pending(1);
    let worker = worker_of(&server);
    let process = PathBuf::from(format!("/proc/{worker}"));
    assert_eq!(fs::read_to_string(process.join("environ")).unwrap(), "");
    let descriptors = fs::read_dir(process.join("fd")).unwrap().map(|entry| entry.unwrap());
    let mut descriptors: Vec<(String, String)> = descriptors
        .map(|entry| {
            let target = fs::read_link(entry.path()).unwrap().to_string_lossy().into_owned();
            let target = target.split(':').next().unwrap_or_default().to_owned();
            (entry.file_name().to_string_lossy().into_owned(), target)
        })
        .collect();
    descriptors.sort();
    let expected = [("0", "pipe"), ("1", "pipe"), ("2", "/dev/null")];
    assert_eq!(descriptors, expected.map(|(number, target)| (number.to_owned(), target.to_owned())));
    let status = fs::read_to_string(process.join("status")).unwrap();
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    assert_eq!((field("Seccomp:"), field("NoNewPrivs:")), (Some("2"), Some("1")), "{status}");
    let limits = fs::read_to_string(process.join("limits")).unwrap();
    for (name, value) in
        [("Max core file size", "0"), ("Max file size", "0"), ("Max open files", "3"), ("Max data size", "536870912")]
    {
        let line = limits.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        assert_eq!(line.split_whitespace().next(), Some(value), "{name}");
    }
}

// S3
#[test]
fn no_worker_outlives_a_killed_hub_and_none_is_there_before_a_script() {
    let mut server = HubProcess::start(ASKBACK);
    assert_eq!(workers_of(server.pid()), Vec::<u32>::new());
    // One that waits, and one that is busy for as long as it may.
    start(&server, &server.asker, ASKS);
    server.wait_for_pending(1);
    start(&server, &server.asker, "for (;;) await null");
    let workers = wait_for("there are two workers", || Some(workers_of(server.pid())).filter(|all| all.len() == 2));
    server.kill();
    wait_until("no worker is left", || workers.iter().all(|worker| !is_alive(*worker)));
}

// L2
#[test]
fn signal_to_hub_and_workers_leaves_what_scripts_have_asked() {
    let data = DataDir::new(ASKBACK);
    let mut server = data.serve();
    start(&server, &server.asker, ASKS);
    let question = server.wait_for_pending(1).remove(0);
    // As a service manager does it, the worker first.
    signal(worker_of(&server), Signal::TERM);
    server.terminate();
    assert!(server.wait().success());
    let server = data.serve();
    assert_eq!(server.pending()[0]["id"], question["id"]);
}

// S3
#[test]
fn one_asker_cannot_take_all_scripts() {
    let server = HubProcess::start(ASKBACK);
    for number in 0..500 {
        let code = format!("await requestUserInput({{type: 'text', message: '{number}?'}})");
        assert_eq!(start(&server, &server.asker, &code).0, 201);
    }
    let refused = server.post("/api/v1/scripts", &json!({"code": ASKS, "room": "shop"})).token(&server.asker).send();
    let detail = refused.is_problem(429, "too-many")["detail"].to_string();
    assert!(detail.contains("has 500 scripts that run or wait, and may have no more: stop one"), "{detail}");
    let other = server.issue(&json!({"role": "asker", "name": "other"}));
    assert_eq!(start(&server, &other.secret, ASKS).0, 201);
    server.wait_for_metric("requests_pending", 501);
}

/// Asks with a megabyte.
const LARGE: &str = "requestUserInput({ text: 'x'.repeat(1e6) })";

fn workers(limits: WorkerLimits) -> Workers {
    let program = WorkerProgram { program: ASKBACK.into(), arguments: vec!["script-worker".into()] };
    Workers::new(program, limits, tokio::runtime::Handle::current())
}

/// Never answers.
struct Nobody;

impl Host for Nobody {
    fn request_user_input(&self, _: Value) -> Answering {
        Box::pin(std::future::pending())
    }
}

/// Answers with what it is asked.
struct Echo;

impl Host for Echo {
    fn request_user_input(&self, argument: Value) -> Answering {
        Box::pin(async move { Ok(argument) })
    }
}

async fn end(script: &Script) -> Ended {
    tokio::time::timeout(Duration::from_secs(60), script.finished()).await.unwrap().ended.clone()
}

async fn asks(script: &Script) {
    wait_for_async("it asks", || async { (script.snapshot().calls_open == 1).then_some(()) }).await;
}

// S3
#[tokio::test(flavor = "multi_thread")]
async fn owner_that_holds_its_share_of_memory_leaves_the_rest_to_others() {
    let workers = workers(WorkerLimits { owner_bytes: 10 << 20, waiting_bytes: 20 << 20, ..WorkerLimits::default() });
    let hold = "const all = 'x'.repeat(6e6); await requestUserInput({}); return all.length";
    let start = |owner| workers.start(owner, hold.to_owned(), Arc::new(Nobody));
    let first = start("ada");
    asks(&first).await;
    let second = start("ada");
    let Ended::Limit(why) = end(&second).await else { panic!("{:?}", end(&second).await) };
    assert!(why.contains("the scripts of this token that wait hold more than 10 MB together"), "{why}");
    let others = [start("bo"), start("cy")];
    asks(&others[0]).await;
    asks(&others[1]).await;
    let Ended::Limit(why) = end(&start("di")).await else { panic!("there is room") };
    assert!(why.contains("all scripts that wait hold more than 20 MB together"), "{why}");
    // What it asks counts, too: what it holds alone would not be too much.
    first.stop("enough");
    let asks_much =
        format!("const all = 'x'.repeat(6e6); await Promise.all([1, 2, 3].map(() => {LARGE})); return all.length");
    let Ended::Limit(why) = end(&workers.start("ada", asks_much, Arc::new(Nobody))).await else {
        panic!("there is room")
    };
    assert!(why.contains("all scripts that wait hold more than 20 MB together"), "{why}");
    assert_eq!((others[0].snapshot().calls_open, others[1].snapshot().calls_open), (1, 1), "others stay");
}

// S3
#[tokio::test(flavor = "multi_thread")]
async fn worker_without_scripts_ends_and_the_next_script_has_another() {
    // A name of its own: other tests of this process have workers, too.
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("askback-that-idles");
    std::os::unix::fs::symlink(ASKBACK, &name).unwrap();
    let program = WorkerProgram { program: name.clone(), arguments: vec!["script-worker".into()] };
    let limits = WorkerLimits { idle: Duration::from_millis(20), ..WorkerLimits::default() };
    let workers = Workers::new(program, limits, tokio::runtime::Handle::current());
    let count = || {
        let is_named = |process: &u32| {
            let line = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
            line.starts_with(name.to_str().unwrap())
        };
        workers_of(std::process::id()).iter().filter(|process| is_named(process)).count()
    };
    let code = "console.log('1'); console.warn('2'); return await requestUserInput({ a: [1, 'ä', null, 0.1] })";
    for _ in 0..2 {
        let waits = workers.start("ada", "await requestUserInput({})".to_owned(), Arc::new(Nobody));
        asks(&waits).await;
        assert_eq!(count(), 1, "it has a script");
        let script = workers.start("ada", code.to_owned(), Arc::new(Echo));
        assert_eq!(end(&script).await, Ended::Returned(Some(json!({"a": [1, "ä", null, 0.1]}))));
        let finished = script.finished().await;
        let lines: Vec<&str> = finished.console.lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!((lines.as_slice(), finished.console.dropped), (["1", "2"].as_slice(), 0));
        waits.stop("enough");
        assert_eq!(end(&waits).await, Ended::Stopped("enough".to_owned()));
        wait_for_async("the worker ends", || async { (count() == 0).then_some(()) }).await;
    }
}
