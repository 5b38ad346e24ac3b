//! Workers that are no honest ones: whatever they send, they end their own scripts and nothing else.

mod support;

use askback_script::{Answering, Ended, Host, Script, WorkerLimits, WorkerProgram, Workers};
use serde_json::Value;
use std::sync::Arc;
use support::{Counting, Desk, Nobody, end};

/// A worker that a shell plays: in its script `frame` writes a message, and `rest` reads until the hub is done with it.
fn played(script: &str) -> Workers {
    played_by(WorkerLimits::default().processes, script)
}

/// At most so many of them.
fn played_by(processes: usize, script: &str) -> Workers {
    // The texts are short, so that one byte has their length.
    let frame = r#"frame() { printf "\\$(printf %03o ${#1})\\000\\000\\000%s" "$1"; }; rest() { cat > /dev/null; }"#;
    let arguments = ["-c".into(), format!("{frame}; {script}").into()].to_vec();
    let program = WorkerProgram { program: "/bin/sh".into(), arguments };
    let limits = WorkerLimits { processes, ..WorkerLimits::default() };
    Workers::new(program, limits, tokio::runtime::Handle::current())
}

fn start(workers: &Workers, host: Arc<dyn Host>) -> Script {
    workers.start("ada", "return 1".to_owned(), host)
}

#[track_caller]
fn assert_lost(ended: &Ended, why: &str) {
    let begin = "the worker process that ran this script has ended";
    let is_lost = matches!(ended, Ended::Lost(text) if text.starts_with(begin) && text.contains(why));
    assert!(is_lost, "{why}: {ended:?}");
}

const ASK: &str = r#"frame '{"Ask":{"script":0,"call":'$i',"argument":"{}"}}'"#;

// S3
#[tokio::test]
async fn worker_that_breaks_the_protocol_loses_its_scripts() {
    let many = format!("i=0; while [ $i -le 100 ]; do {ASK}; i=$((i+1)); done; rest");
    let twice = format!("i=1; {ASK}; {ASK}; rest");
    let cases = [
        (r"printf '\377\377\377\377'; rest", "a frame has 4294967295 bytes"),
        (r"printf 'x\000\000\000'", "exit status: 0"),
        ("frame 'no JSON'; rest", "expected"),
        ("frame '{\"Delete\":1}'; rest", "unknown variant"),
        (r#"frame '{"Ask":{"script":0,"call":1,"argument":"[1]"}}'; rest"#, "it asks what no script can"),
        (r#"frame '{"Finished":{"script":0,"end":{"Returned":"{"},"dropped_lines":0,"lost_threads":0}}'; rest"#, "EOF"),
        (r#"frame '{"Failed":"the system does not confine it"}'; rest"#, "the system does not confine it"),
        (
            r#"frame '{"Rests":{"script":0,"held_bytes":18446744073709551615,"dropped_lines":0}}'; rest"#,
            "more than it can",
        ),
        (many.as_str(), "it asks what no script can"),
        (twice.as_str(), "it asks what no script can"),
        ("exit 3", "exit status: 3"),
        ("kill -SEGV $$", "signal: 11 (SIGSEGV)"),
        ("exec >&-; while :; do :; done", "it closed its output"),
    ];
    for (script, why) in cases {
        let workers = played(script);
        let script = start(&workers, Arc::new(Nobody));
        let ended = end(&script).await;
        assert_lost(&ended.ended, why);
    }
}

// S3
#[tokio::test]
async fn worker_speaks_for_its_own_scripts_alone() {
    let other = r#"frame '{"Ask":{"script":7,"call":0,"argument":"{}"}}'"#;
    let own = r#"frame '{"Finished":{"script":0,"end":{"Returned":"1"},"dropped_lines":0,"lost_threads":0}}'"#;
    let host = Arc::new(Counting::default());
    let workers = played(&format!("{other}; {own}; rest"));
    let script = start(&workers, Arc::clone(&host) as _);
    assert_eq!(end(&script).await.ended, Ended::Returned(Some(1.into())));
    assert_eq!(host.asked(), 0);
}

// S3
#[tokio::test]
async fn count_of_dropped_lines_may_be_any_number() {
    let rests = r#"frame '{"Rests":{"script":0,"held_bytes":0,"dropped_lines":18446744073709551615}}'"#;
    let wrote = r#"frame '{"Wrote":{"script":0,"level":"Log","text":"more"}}'"#;
    let returned = r#"frame '{"Finished":{"script":0,"end":{"Returned":"1"},"dropped_lines":0,"lost_threads":0}}'"#;
    let workers = played(&format!("{rests}; {wrote}; {returned}; rest"));
    let ended = end(&start(&workers, Arc::new(Nobody))).await;
    assert_eq!(ended.ended, Ended::Returned(Some(1.into())));
}

/// A host that panics when it is asked.
struct Panicking;

impl Host for Panicking {
    fn request_user_input(&self, argument: Value) -> Answering {
        assert!(argument.is_null(), "a host that panics, for a test");
        Box::pin(std::future::pending())
    }
}

// S3
#[tokio::test]
async fn panic_while_a_worker_is_attended_ends_its_scripts_and_the_next_one_gets_another_worker() {
    let asks = |script: u64| format!(r#"frame '{{"Ask":{{"script":{script},"call":0,"argument":"{{}}"}}}}'"#);
    let workers = played(&format!("{}; {}; rest", asks(0), asks(1)));
    let script = start(&workers, Arc::new(Panicking));
    assert_lost(&end(&script).await.ended, "the hub could not attend to it");
    let (desk, mut questions) = Desk::new();
    let next = start(&workers, desk);
    assert!(questions.recv().await.is_some());
    drop(next);
}

const THREADS_ARE_LOST: &str = "all its threads are inside scripts that can't be interrupted";

// S3
#[tokio::test]
async fn worker_without_a_free_thread_is_replaced() {
    let returned = r#"frame '{"Finished":{"script":2,"end":{"Returned":"1"},"dropped_lines":0,"lost_threads":0}}'"#;
    let lost = r#"frame '{"LostThread":{"script":0,"thread":1,"lost_threads":3}}'"#;
    let ended = r#"frame '{"Finished":{"script":0,"end":{"Limit":"too long"},"dropped_lines":0,"lost_threads":3}}'"#;
    let workers = played_by(1, &format!("{returned}; {lost}; {ended}; rest"));
    let scripts = [start(&workers, Arc::new(Nobody)), start(&workers, Arc::new(Nobody))];
    assert_eq!(end(&scripts[0]).await.ended, Ended::Limit("too long".to_owned()));
    assert_lost(&end(&scripts[1]).await.ended, THREADS_ARE_LOST);
    let next = start(&workers, Arc::new(Nobody));
    assert_eq!(end(&next).await.ended, Ended::Returned(Some(1.into())));
}

// S3
#[tokio::test]
async fn worker_that_lost_its_threads_to_stopped_scripts_is_ended() {
    let workers = played(r#"frame '{"LostThread":{"script":9,"thread":1,"lost_threads":3}}'; rest"#);
    assert_lost(&end(&start(&workers, Arc::new(Nobody))).await.ended, THREADS_ARE_LOST);
}

// S3
#[tokio::test]
async fn script_is_refused_when_no_worker_reads_and_those_before_it_stay() {
    let workers = played_by(1, "kill -STOP $$");
    // Each byte of it is six in a message.
    let code = "\u{1}".repeat(256 * 1024);
    let scripts: Vec<Script> = (0..60).map(|_| workers.start("ada", code.clone(), Arc::new(Nobody))).collect();
    let refused = end(&scripts[59]).await;
    let is_limit = matches!(&refused.ended, Ended::Limit(why) if why.contains("have not read the scripts"));
    assert!(is_limit, "{refused:?}");
    for script in &scripts[..10] {
        tokio::select! {
            biased;
            ended = script.finished() => panic!("{ended:?}"),
            () = std::future::ready(()) => {}
        }
    }
}

// S3
#[tokio::test]
async fn program_that_is_not_there_ends_the_script_with_the_reason() {
    let program = WorkerProgram { program: "/nowhere/askback".into(), arguments: Vec::new() };
    let workers = Workers::new(program, WorkerLimits::default(), tokio::runtime::Handle::current());
    let ended = end(&start(&workers, Arc::new(Nobody))).await;
    assert!(matches!(&ended.ended, Ended::Lost(why) if why.contains("can't be started: No such file")), "{ended:?}");
}

// S3
#[tokio::test]
async fn dropped_workers_end_their_scripts() {
    let workers = played("rest");
    let script = start(&workers, Arc::new(Nobody));
    drop(workers);
    assert_eq!(end(&script).await.ended, Ended::Stopped("the workers were closed".to_owned()));
}

// S3
#[cfg(target_os = "linux")]
#[tokio::test]
async fn worker_has_the_priority_of_its_own_threads_lowered_and_of_no_other() {
    fn nice(process: &str) -> Option<String> {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        stat.rsplit(") ").next()?.split(' ').nth(16).map(str::to_owned)
    }
    let lost =
        |thread: &str| format!(r#"frame '{{"LostThread":{{"script":0,"thread":'{thread}',"lost_threads":1}}}}'"#);
    // It names the test's process first, and then its own, whose number it asks with.
    let ask = r#"frame '{"Ask":{"script":0,"call":0,"argument":"{\"message\":\"'$$'\"}"}}'"#;
    let workers = played(&format!("{}; {}; {ask}; rest", lost("$PPID"), lost("$$")));
    let before = nice("self");
    let (desk, mut questions) = Desk::new();
    let script = start(&workers, desk);
    let question = questions.recv().await.unwrap();
    assert_eq!(nice(question.message()).as_deref(), Some("19"));
    assert_eq!(nice("self"), before);
    drop(script);
}
