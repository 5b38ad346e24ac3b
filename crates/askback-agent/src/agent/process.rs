//! `process:CMD`: an agent that is a program of its own, in any language, which speaks JSON lines.

use super::{Agent, AgentError, AgentSettings, TurnInput};
use crate::event::{AskResult, AskUser, InputRequest, InputResponse, StreamEvent};
use crate::limits::{AGENT_GRACE, GARBAGE_LINES, GARBAGE_SHOWN};
use crate::responder::Responder;
use crate::stream::{EventSender, EventStream, TurnOver};
use askback_core::{Json, Limits, Request};
use child::{Child, Received};
use std::path::PathBuf;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinSet;
use tokio::time::timeout;
use wire::AgentMessage;

mod child;
pub mod wire;

pub(super) const USAGE: &str = "process:COMMAND       a program of yours that speaks JSON lines (docs/agents.md)";

pub(super) fn open(command: &str, settings: &AgentSettings<'_>) -> Result<Box<dyn Agent>, AgentError> {
    if command.trim().is_empty() {
        return Err(AgentError("the agent process needs a command: process:./agent.py, for example".to_owned()));
    }
    Ok(Box::new(ProcessAgent::new(command, settings.folder.clone())))
}

/// An agent in a process of its own. It is started with the first turn, lives as long as this value, and is started anew
/// if it has ended.
#[derive(Debug)]
pub struct ProcessAgent {
    command: String,
    turns: Sender<(TurnInput, EventSender)>,
}

impl ProcessAgent {
    /// A command for `sh -c`, run in a folder.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime.
    pub fn new(command: &str, folder: PathBuf) -> Self {
        let (turns, receiver) = channel(1);
        let driver = Driver { command: command.to_owned(), folder, child: None, remark: None };
        tokio::spawn(driver.run(receiver));
        Self { command: command.to_owned(), turns }
    }
}

impl Agent for ProcessAgent {
    fn name(&self) -> String {
        format!("process:{}", self.command)
    }

    fn turn(&mut self, input: TurnInput) -> EventStream {
        let (out, stream) = EventStream::open();
        let turns = self.turns.clone();
        // The turn before may still be ending.
        tokio::spawn(async move {
            let _ = turns.send((input, out)).await;
        });
        stream
    }
}

/// Keeps the program, and takes it through its turns one after the other. It ends with the agent.
struct Driver {
    command: String,
    folder: PathBuf,
    child: Option<Child>,
    /// What is to be said at the start of the next turn.
    remark: Option<&'static str>,
}

/// Lines to the program that somebody still has to decide about.
type Replies = JoinSet<Json>;

impl Driver {
    async fn run(mut self, mut turns: Receiver<(TurnInput, EventSender)>) {
        while let Some((input, out)) = turns.recv().await {
            let mut replies = Replies::new();
            if let Err(TurnOver) = self.turn(&input, &out, &mut replies).await {
                self.cancel(replies).await;
            }
        }
    }

    async fn turn(&mut self, input: &TurnInput, out: &EventSender, replies: &mut Replies) -> Result<(), TurnOver> {
        if self.child.as_mut().is_some_and(Child::has_ended) {
            self.child = None;
        }
        if let Some(remark) = self.remark.take() {
            out.send(StreamEvent::Error(remark.to_owned())).await?;
        }
        let child = match &mut self.child {
            Some(child) => child,
            none => match Child::start(&self.command, &self.folder) {
                Ok(child) => none.insert(child),
                Err(error) => {
                    let said = format!("The agent can't be started: {error}.");
                    return out.send(StreamEvent::Error(said)).await;
                }
            },
        };
        // What was said between two turns belongs to neither: an agent that ends a cancelled turn twice must not end this one.
        child.discard();
        child.write(&wire::user(&input.message));
        let mut garbage = 0;
        loop {
            let received = tokio::select! {
                biased;
                Some(Ok(reply)) = replies.join_next() => {
                    child.write(&reply);
                    continue;
                }
                () = out.over() => return Err(TurnOver),
                received = child.next() => received,
            };
            let said = match received {
                Received::Line(line) => wire::read(&line),
                Received::TooLong => Err(wire::unreadable("one that is too long", "an event is one line of JSON")),
                Received::Ended(how) => {
                    // Nobody waits for answers any more: their prompts close.
                    replies.shutdown().await;
                    self.child = None;
                    return out.send(StreamEvent::Error(how)).await;
                }
            };
            match said {
                Ok(AgentMessage::Event(StreamEvent::Done)) => {
                    if garbage > GARBAGE_SHOWN {
                        let more = garbage - GARBAGE_SHOWN;
                        let said = format!("The agent printed {more} more lines that are no events.");
                        out.send(StreamEvent::Error(said)).await?;
                    }
                    // Should nobody listen any more: it is done all the same, and has nothing to stop.
                    let _ = out.send(StreamEvent::Done).await;
                    return Ok(());
                }
                Ok(AgentMessage::Event(event)) => out.send(event).await?,
                Ok(AgentMessage::InputRequest { id, data }) => out.send(input_request(id, data, replies)).await?,
                Ok(AgentMessage::AskUser { id, data }) => out.send(ask_user(id, &data, child, replies)).await?,
                Err(unreadable) => {
                    garbage += 1;
                    tracing::warn!("{unreadable}");
                    if garbage <= GARBAGE_SHOWN {
                        out.send(StreamEvent::Error(unreadable)).await?;
                    }
                    if garbage == GARBAGE_LINES {
                        self.child = None;
                        let said = format!("The agent printed {garbage} lines that are no events, and was ended.");
                        return out.send(StreamEvent::Error(said)).await;
                    }
                }
            }
        }
    }

    /// Tells the program that the turn is over, after every reply that it still waits for; one that does not stop is ended.
    async fn cancel(&mut self, mut replies: Replies) {
        let Some(child) = &mut self.child else {
            return;
        };
        // Whoever had the questions has let them go, so that each has its reply; should somebody still hold one, it is too late.
        let last_replies = async {
            while let Some(reply) = replies.join_next().await {
                reply.iter().for_each(|reply| child.write(reply));
            }
        };
        let _ = timeout(AGENT_GRACE, last_replies).await;
        child.write(&wire::cancel());
        let stops = async {
            loop {
                match child.next().await {
                    Received::Line(line) if matches!(wire::read(&line), Ok(AgentMessage::Event(StreamEvent::Done))) => {
                        return true;
                    }
                    Received::Ended(_) => return false,
                    Received::Line(_) | Received::TooLong => {}
                }
            }
        };
        match timeout(AGENT_GRACE, stops).await {
            Ok(true) => {}
            Ok(false) => self.child = None,
            Err(_) => {
                self.child = None;
                self.remark =
                    Some("The agent did not stop when its turn was cancelled: it was ended, and starts anew.");
            }
        }
    }
}

fn input_request(id: Option<Json>, data: Json, replies: &mut Replies) -> StreamEvent {
    let responder = id.map(|id| {
        let (responder, response) = Responder::<InputResponse>::pair();
        replies.spawn(async move { wire::input_response(&id, &response.await) });
        responder
    });
    StreamEvent::InputRequest(InputRequest { data, responder })
}

/// A request that is not valid is never asked: the program is told why, and so is the person.
fn ask_user(id: Json, data: &Json, child: &mut Child, replies: &mut Replies) -> StreamEvent {
    match Request::from_json(data, &Limits::DEFAULT) {
        Ok(request) => {
            let (responder, response) = Responder::<AskResult>::pair();
            let asked = request.clone();
            replies.spawn(async move { wire::ask_response(&id, &asked, response.await) });
            StreamEvent::AskUser(AskUser { request, responder })
        }
        Err(problems) => {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            let said = format!("The agent asked something that is not valid: {}", problems.join("; "));
            child.write(&wire::refused(&id, &said));
            StreamEvent::Error(said)
        }
    }
}
