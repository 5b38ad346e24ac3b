//! Many scripts at once: those that wait are in nobody's way, and those that work take turns.

mod support;

use askback_script::{Ended, Limits};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use support::{Desk, Echo, Nobody, end, engine, limited, quick, still_works};

// S3
#[tokio::test]
async fn five_hundred_wait_on_one_thread_and_all_get_their_answers() {
    let engine = engine(Limits { workers: 1, spare_workers: 0, ..quick() });
    let (desk, mut questions) = Desk::new();
    let ask = |number: usize| {
        let code = format!("return [(await requestUserInput({{ message: '{number}' }})), {number}]");
        engine.start(code, Arc::clone(&desk) as Arc<dyn askback_script::Host>)
    };
    let scripts: Vec<_> = (0..500).map(ask).collect();
    let mut open = Vec::new();
    while open.len() < scripts.len() {
        open.push(questions.recv().await.unwrap());
    }
    // The one thread is free.
    still_works(&engine).await;
    while let Some(question) = open.pop() {
        let answer = format!("to {}", question.message());
        question.answer(answer);
    }
    for (number, script) in scripts.iter().enumerate() {
        let expected = json!([format!("to {number}"), number]);
        assert_eq!(end(script).await.ended, Ended::Returned(Some(expected)));
    }
}

// S3
#[tokio::test]
async fn more_than_the_limit_are_refused_until_one_ends() {
    let engine = engine(Limits { scripts: 10, ..quick() });
    let ask = || engine.start("await requestUserInput({})".to_owned(), Arc::new(Nobody));
    let mut scripts: Vec<_> = (0..10).map(|_| ask()).collect();
    for _ in 0..3 {
        let refused = end(&ask()).await;
        limited("10 scripts are running or waiting: stop one, or try again later")("the eleventh", &refused.ended);
    }
    let one = scripts.pop().unwrap();
    one.stop("enough");
    one.stop("twice counts once");
    still_works(&engine).await;
    drop(scripts);
    for _ in 0..30 {
        still_works(&engine).await;
    }
}

// S3
#[tokio::test]
async fn who_is_busy_does_not_starve_the_others() {
    let limits = Limits { workers: 1, spare_workers: 0, cpu: Duration::from_secs(600), ..quick() };
    let engine = engine(limits);
    let busy: Vec<_> = (0..3).map(|_| engine.start("for (;;) await null".to_owned(), Arc::new(Echo))).collect();
    for _ in 0..5 {
        still_works(&engine).await;
    }
    for script in &busy {
        assert!(tokio::time::timeout(Duration::ZERO, script.finished()).await.is_err(), "it is busy all the time");
        script.stop("enough");
        assert_eq!(end(script).await.ended, Ended::Stopped("enough".to_owned()));
    }
}

// S3
#[tokio::test]
async fn what_is_used_between_many_questions_adds_up() {
    let engine = engine(Limits { cpu: Duration::from_millis(200), ..quick() });
    let code = "for (;;) { for (let i = 0; i < 1e5; i++); await requestUserInput({ message: 'x' }) }";
    let script = engine.start(code.to_owned(), Arc::new(Echo));
    limited("it used 200 ms of CPU time")(code, &end(&script).await.ended);
    // Waiting does not.
    let (desk, mut questions) = Desk::new();
    let script = engine.start("await requestUserInput({}); return 1".to_owned(), desk);
    let question = questions.recv().await.unwrap();
    tokio::time::sleep(Duration::from_millis(500)).await;
    question.answer(1);
    assert_eq!(end(&script).await.ended, Ended::Returned(Some(json!(1))));
}
