//! What the tests of scripts share: hosts, limits that are soon reached, and a look at how a script ended.
#![allow(clippy::unwrap_used, clippy::panic, reason = "what fails in a test should fail it")]
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part of it")]

use askback_script::{Answering, Ended, Engine, Finished, Host, Limits, Script};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// Nothing here takes so long unless it hangs.
pub const HANGS: Duration = Duration::from_secs(60);

/// Limits that are soon reached, but not by a machine that is merely busy.
pub fn quick() -> Limits {
    Limits {
        workers: 2,
        memory_bytes: 8 << 20,
        cpu: Duration::from_millis(400),
        cpu_at_once: Duration::from_millis(100),
        late: Duration::from_secs(5),
        stuck: Duration::from_secs(30),
        ..Limits::default()
    }
}

pub fn engine(limits: Limits) -> Engine {
    Engine::new(limits, tokio::runtime::Handle::current()).unwrap()
}

/// Answers at once: with the message, or with an error where the message is `fail`.
pub struct Echo;

impl Host for Echo {
    fn request_user_input(&self, argument: Value) -> Answering {
        Box::pin(async move {
            match argument["message"].as_str() {
                Some("fail") => Err("nobody is there".to_owned()),
                _ => Ok(json!({ "success": true, "response": argument["message"] })),
            }
        })
    }
}

/// Never answers.
pub struct Nobody;

impl Host for Nobody {
    fn request_user_input(&self, _: Value) -> Answering {
        Box::pin(std::future::pending())
    }
}

/// Hands every question to the test, which answers when it likes.
pub struct Desk(mpsc::UnboundedSender<Question>);

/// A question on the desk.
pub struct Question {
    pub argument: Value,
    answer: oneshot::Sender<Result<Value, String>>,
}

impl Desk {
    pub fn new() -> (Arc<Self>, mpsc::UnboundedReceiver<Question>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (Arc::new(Self(sender)), receiver)
    }
}

impl Host for Desk {
    fn request_user_input(&self, argument: Value) -> Answering {
        let (answer, answered) = oneshot::channel();
        let _ = self.0.send(Question { argument, answer });
        Box::pin(async move { answered.await.unwrap_or_else(|_| Err("thrown away".to_owned())) })
    }
}

impl Question {
    pub fn message(&self) -> &str {
        self.argument["message"].as_str().unwrap_or_default()
    }

    pub fn answer(self, answer: impl Into<Value>) {
        let _ = self.answer.send(Ok(answer.into()));
    }

    /// Whether the script no longer waits for it.
    pub async fn taken_away(&mut self) {
        tokio::time::timeout(HANGS, self.answer.closed()).await.unwrap();
    }
}

/// Counts what it is asked, and never answers.
#[derive(Default)]
pub struct Counting(Mutex<usize>);

impl Counting {
    pub fn asked(&self) -> usize {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for Counting {
    fn request_user_input(&self, _: Value) -> Answering {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        Box::pin(std::future::pending())
    }
}

/// Waits for the end, but not for ever.
pub async fn end(script: &Script) -> Arc<Finished> {
    tokio::time::timeout(HANGS, script.finished()).await.expect("the script hangs")
}

/// Runs a script on an engine of its own.
pub async fn run(code: &str) -> Arc<Finished> {
    end(&engine(quick()).start(code.to_owned(), Arc::new(Echo))).await
}

/// Runs a script that is expected to return something.
pub async fn returned(code: &str) -> Value {
    match run(code).await.ended.clone() {
        Ended::Returned(value) => value.unwrap_or(Value::Null),
        other => panic!("{code}: {other:?}"),
    }
}

/// Runs a script that is expected to fail, and says how.
pub async fn failed(code: &str) -> String {
    match run(code).await.ended.clone() {
        Ended::Threw(why) | Ended::Limit(why) => why,
        other => panic!("{code}: {other:?}"),
    }
}

/// A harmless script works: whatever came before has left nothing behind.
pub async fn still_works(engine: &Engine) {
    let script =
        engine.start("return (await requestUserInput({ message: 'still' })).response".to_owned(), Arc::new(Echo));
    assert_eq!(end(&script).await.ended, Ended::Returned(Some(json!("still"))));
}

/// Runs hostile scripts at the same time, and then a harmless one. What each ended with is given to the check.
pub async fn torment(limits: Limits, codes: &[&str], check: impl Fn(&str, &Ended)) {
    let engine = engine(limits);
    let scripts: Vec<_> = codes.iter().map(|code| (code, engine.start((*code).to_owned(), Arc::new(Echo)))).collect();
    for (code, script) in &scripts {
        check(code, &end(script).await.ended);
    }
    still_works(&engine).await;
}

/// Checks that a limit was named.
pub fn limited(said: &'static str) -> impl Fn(&str, &Ended) {
    move |code, ended| match ended {
        Ended::Limit(why) => assert!(why.contains(said), "{code}: {why}"),
        other => panic!("{code}: {other:?}"),
    }
}
