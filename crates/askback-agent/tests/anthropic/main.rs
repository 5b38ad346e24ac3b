//! The agent loop with a model behind the Messages API, against a local server that says what it is told to.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what fails in a test should fail it")]

use askback_agent::tool::Registry;
use askback_agent::{AgentLoop, Anthropic, ConversationTurn, LoopLimits, RetryPolicy, Session};
use askback_model::{Answer, ModelServer, Reply};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use support::{Act, Folder, Log, Person};

mod cancelling;
mod failures;
mod history;
mod limits;
mod questions;
#[path = "../support/mod.rs"]
mod support;

const KEY: &str = "sk-test-0123456789";

/// A conversation with a model that follows a script.
struct Chat {
    server: Arc<ModelServer>,
    agent: AgentLoop,
    session: Session,
    folder: Folder,
}

impl Chat {
    fn new(script: impl IntoIterator<Item = Reply>) -> Self {
        let server = Arc::new(ModelServer::start(script).unwrap());
        let folder = Folder::new();
        let agent = agent(server.url(), &folder);
        Self { server, agent, session: Session::new(), folder }
    }

    fn with_limits(mut self, limits: LoopLimits) -> Self {
        self.agent = self.agent.with_limits(limits);
        self
    }

    /// A turn with somebody who does these things when asked.
    async fn turn(&mut self, acts: impl IntoIterator<Item = Act>) -> Arc<ConversationTurn> {
        self.turn_with(Person::does(acts)).await.0
    }

    async fn turn_with(&mut self, mut person: Person) -> (Arc<ConversationTurn>, Log) {
        let turn = self.session.take_turn(&mut self.agent, &mut person, "Hello.").await.unwrap();
        (turn, person.log())
    }

    /// The messages of the request of a number, from 0.
    fn messages(&self, number: usize) -> Vec<Value> {
        self.server.wait_for(number).body["messages"].as_array().unwrap().clone()
    }

    /// The tool results in the last message of a request.
    fn results(&self, number: usize) -> Vec<Value> {
        self.messages(number).last().unwrap()["content"].as_array().unwrap().clone()
    }

    fn requests(&self) -> usize {
        self.server.received().len()
    }
}

/// An agent that does not wait long before it tries again.
fn agent(url: &str, folder: &Folder) -> AgentLoop {
    let model = Anthropic::new(url, KEY, "claude-test").unwrap();
    AgentLoop::new(Arc::new(model), Registry::standard(), folder.path()).with_retries(retries(Duration::from_millis(5)))
}

/// The default policy with another first wait.
fn retries(first_wait: Duration) -> RetryPolicy {
    RetryPolicy { first_wait, ..RetryPolicy::default() }
}

/// An answer that only says something.
fn says(text: &str) -> Reply {
    Reply::Answer(Answer::new().text(text).end())
}

/// The tool_result of a call.
fn result(id: &str, text: &str, is_error: bool) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": text, "is_error": is_error})
}

/// An AskUserQuestion with one question about something.
fn question(about: &str) -> Value {
    let option = |label: &str| json!({"label": label, "description": format!("It is {label}")});
    json!({"questions": [{
        "question": format!("Which {about} should we use?"), "header": about, "multiSelect": false,
        "options": [option("SQLite"), option("Postgres")],
    }]})
}
