//! Agents in a process of their own, which does what the messages to it say: each is a piece of Python.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what fails in a test should fail it")]

use askback_agent::{ConversationTurn, ProcessAgent, Session};
use serde_json::Value;
use std::sync::Arc;
use support::{Act, Folder, Log, Person};

mod endings;
mod examples;
mod garbage;
mod replies;
#[path = "../support/mod.rs"]
mod support;

/// An agent that runs every message as a program, and writes down its process and what it reads.
const PLAYER: &str = r#"
import json, os, subprocess, sys, time
def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
def send(**fields):
    raw((json.dumps(fields) + "\n").encode())
def note(name, text):
    with open(name, "a") as file:
        file.write(text)
def receive():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    note("log", line)
    return json.loads(line)
def until(name):
    while not os.path.exists(name):
        time.sleep(0.005)
note("pids", f"{os.getpid()}\n")
while True:
    message = receive()
    if message["type"] == "user":
        exec(message["text"])
        send(type="done")
"#;

/// A conversation with an agent in a process.
struct Chat {
    agent: Option<ProcessAgent>,
    session: Session,
    folder: Folder,
}

impl Chat {
    /// With the agent that runs its messages.
    fn new() -> Self {
        let chat = Self::with("python3 player.py");
        chat.folder.write("player.py", PLAYER);
        chat
    }

    fn with(command: &str) -> Self {
        let folder = Folder::new();
        let agent = Some(ProcessAgent::new(command, folder.path()));
        Self { agent, session: Session::new(), folder }
    }

    async fn turn(&mut self, message: &str, acts: impl IntoIterator<Item = Act>) -> (Arc<ConversationTurn>, Log) {
        self.turn_with(message, Person::does(acts)).await
    }

    async fn turn_with(&mut self, message: &str, mut person: Person) -> (Arc<ConversationTurn>, Log) {
        let agent = self.agent.as_mut().unwrap();
        let turn = self.session.take_turn(agent, &mut person, message).await.unwrap();
        (turn, person.log())
    }

    /// What the agent has read, without the messages to it.
    fn replies(&self) -> Vec<Value> {
        let log = self.folder.read("log");
        let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| line["type"] != "user").collect()
    }

    /// The processes there were.
    fn pids(&self) -> Vec<String> {
        self.folder.read("pids").lines().map(str::to_owned).collect()
    }
}
