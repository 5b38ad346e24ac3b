//! Rooms with real clients: `yjs`, `y-websocket` and `ws` as they come from npm, against the real hub. The stories are in
//! `clients/typescript/live`; each is run as it would be by hand.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any story takes that does not hang.
const PATIENCE: Duration = Duration::from_secs(120);

const LOOK: Duration = Duration::from_millis(50);

/// Stories run beside each other, except those that measure how long something takes.
static MACHINE: RwLock<()> = RwLock::new(());

/// Runs a story, perhaps beside others.
fn story(name: &str) {
    let _shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
    run(name);
}

/// Runs a story while no other runs.
fn story_alone(name: &str) {
    let _alone = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
    run(name);
}

/// Runs a story to its end, which must be a good one.
fn run(name: &str) {
    let clients = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../clients/typescript");
    assert!(
        clients.join("node_modules/yjs").exists(),
        "the clients are not there yet: run `npm ci` in clients/typescript"
    );
    assert!(
        clients.join("dist/index.js").exists(),
        "the client is not built: run `npm run build` in clients/typescript"
    );
    let mut command = Command::new("node");
    command.arg("--test").arg(format!("live/{name}.test.mjs")).current_dir(clients).process_group(0);
    command.env("ASKBACK_BIN", env!("CARGO_BIN_EXE_askback"));
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("there is node");
    // Both are read while it runs: it must not wait for a reader.
    let said = [reading(child.stdout.take().unwrap()), reading(child.stderr.take().unwrap())];
    let ended_well = ends_well(&mut child);
    let said = said.map(|reader| reader.join().unwrap());
    assert!(ended_well, "{}", said.concat());
}

fn ends_well(child: &mut Child) -> bool {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.success();
        }
        if Instant::now() > until {
            // With all that it has started: node runs each file in a process of its own, and that runs a hub.
            kill_process_group(Pid::from_child(child), Signal::KILL).unwrap();
            child.wait().unwrap();
            return false;
        }
        thread::sleep(LOOK);
    }
}

fn reading(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut said = Vec::new();
        // What was said before it broke off is worth reading, too.
        let _: io::Result<usize> = from.read_to_end(&mut said);
        String::from_utf8_lossy(&said).into_owned()
    })
}

// W3, L1, F15
#[test]
fn any_yjs_client_answers_what_curl_asks() {
    story("answering");
}

// W3, L1, L3
#[test]
fn the_client_asks_and_answers() {
    story("client");
}

// W3, L1
#[test]
fn one_of_many_answers_counts_and_all_replicas_agree() {
    story("race");
}

// W3, L1
#[test]
fn what_is_sent_again_is_judged_once() {
    story("resend");
}

// W3, L1, L2
#[test]
fn replicas_go_on_after_a_restart() {
    story("restart");
}

// W3, S3
#[test]
fn whoever_means_harm_harms_nobody_else() {
    story_alone("hostile");
}

// W3, S1, S4
#[test]
fn a_room_is_for_those_who_may_see_it() {
    story("rights");
}

// W3
#[test]
fn people_see_who_is_looking() {
    story("presence");
}

// W3, S3
#[test]
fn a_document_has_an_end() {
    story("window");
}
