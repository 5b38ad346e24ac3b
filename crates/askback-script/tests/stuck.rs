//! Scripts inside a function of the engine's that can't be interrupted: they cost a thread, and nobody else anything.

mod support;

use askback_script::{Ended, Engine, Limits, Script};
use askback_testkit::wait::wait_for_async;
use std::sync::Arc;
use std::time::Duration;
use support::{Echo, end, engine, limited, quick, still_works};

/// One step of the engine, which takes about a second and can't be interrupted.
const LONG: &str = "((1n << 800000n) - 1n).toString()";

fn impatient() -> Limits {
    Limits {
        workers: 2,
        spare_workers: 2,
        late: Duration::from_millis(50),
        stuck: Duration::from_millis(150),
        memory_bytes: 32 << 20,
        ..quick()
    }
}

fn start(engine: &Engine, count: usize) -> Vec<Script> {
    (0..count).map(|_| engine.start(LONG.to_owned(), Arc::new(Echo))).collect()
}

// S3
#[tokio::test]
async fn a_script_that_holds_its_worker_is_given_up_and_others_go_on() {
    let engine = engine(impatient());
    for script in start(&engine, 3) {
        limited("ms and could not be interrupted")(LONG, &end(&script).await.ended);
    }
    // Three of four are lost, if they did not come back already.
    still_works(&engine).await;
}

// S3
#[tokio::test]
async fn when_all_threads_are_lost_scripts_are_refused_until_one_comes_back() {
    let engine = engine(impatient());
    let stuck = start(&engine, 4);
    for script in &stuck {
        end(script).await;
    }
    // Whoever comes now is told at once, or served: a thread may have come back.
    let refused = engine.start("return 1".to_owned(), Arc::new(Echo));
    match &end(&refused).await.ended {
        Ended::Limit(why) => {
            assert!(why.contains("all threads are busy with scripts that can't be interrupted"), "{why}");
        }
        other => assert!(matches!(other, Ended::Returned(Some(_))), "{other:?}"),
    }
    wait_for_async("a thread comes back", || async {
        let script = engine.start("return 1".to_owned(), Arc::new(Echo));
        matches!(end(&script).await.ended, Ended::Returned(Some(_))).then_some(())
    })
    .await;
    // And as well as before.
    for _ in 0..10 {
        still_works(&engine).await;
    }
}

// S3
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_lost_thread_has_the_lowest_priority_and_leaves_when_it_comes_back() {
    /// Priorities of the threads that run scripts, in this process. Other tests have theirs, which are never so low.
    fn lowest() -> usize {
        let threads = std::fs::read_dir("/proc/self/task").unwrap().filter_map(Result::ok);
        let stats = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("stat")).ok());
        let nice = |stat: &String| stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(16)).map(str::to_owned);
        stats.filter(|stat| stat.contains("(askback-script)") && nice(stat).as_deref() == Some("19")).count()
    }
    let engine = engine(impatient());
    let script = &start(&engine, 1)[0];
    wait_for_async("a thread has the lowest priority", || async { (lowest() > 0).then_some(()) }).await;
    limited("could not be interrupted")(LONG, &end(script).await.ended);
    wait_for_async("the lost thread has left", || async { (lowest() == 0).then_some(()) }).await;
    still_works(&engine).await;
}
