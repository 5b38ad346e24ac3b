//! A surface and a stream that write down everything that happens, in one log.

use crate::event::{AskResult, InputResponse, StreamEvent};
use crate::responder::Response;
use crate::surface::{Prompted, Prompting, Surface};
use crate::turn::ToolUse;
use askback_core::{
    AnswerInput, AskError, Json, Limits, Outcome, Path, PromptStyle, Reason, Request, RequestId, Resolution,
};
use futures_core::Stream;
use std::collections::VecDeque;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Entry {
    /// The handler asked for the event of this number.
    Pulled(usize),
    SpinnerStarted,
    SpinnerStopped,
    Text(String),
    TextFinished,
    ToolStarted(String),
    ToolFinished(String, String),
    Info(String),
    Error(String),
    /// A prompt came up, and nobody had answered its request yet.
    Prompted(PromptStyle),
    PromptEnded,
    /// The agent got its response, before it was asked for more.
    Responded(usize, Heard),
    /// The stream was dropped.
    Dropped,
}

/// A response of either kind.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Heard {
    Input(InputResponse),
    Asked(AskResult),
}

/// What the person does with a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Act {
    /// Approves, writes this, or takes the choice of this number (among those there are).
    Answer(String, usize),
    Reject,
    AskBack(String),
    Escape,
    Interrupt,
    Lose,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Log(Arc<Mutex<Vec<Entry>>>);

impl Log {
    pub(super) fn add(&self, entry: Entry) {
        self.entries().push(entry);
    }

    pub(super) fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.0.lock().unwrap()
    }
}

pub(super) struct Recording {
    pub(super) log: Log,
    pub(super) ears: Ears,
    pub(super) acts: VecDeque<Act>,
}

impl Surface for Recording {
    fn start_spinner(&mut self) {
        self.log.add(Entry::SpinnerStarted);
    }

    fn stop_spinner(&mut self) {
        self.log.add(Entry::SpinnerStopped);
    }

    fn text(&mut self, delta: &str) {
        self.log.add(Entry::Text(delta.to_owned()));
    }

    fn finish_text(&mut self) {
        self.log.add(Entry::TextFinished);
    }

    fn tool_started(&mut self, tool: &ToolUse) {
        self.log.add(Entry::ToolStarted(tool.name.clone()));
    }

    fn tool_finished(&mut self, tool: &ToolUse) {
        let output = tool.result.as_ref().map_or("", |(output, _)| output);
        self.log.add(Entry::ToolFinished(tool.name.clone(), output.to_owned()));
    }

    fn info(&mut self, text: &str) {
        self.log.add(Entry::Info(text.to_owned()));
    }

    fn error(&mut self, text: &str) {
        self.log.add(Entry::Error(text.to_owned()));
    }

    fn prompt<'a>(&'a mut self, request: &'a Request, look: PromptStyle) -> Prompting<'a> {
        Box::pin(async move {
            self.log.add(Entry::Prompted(look));
            // A person takes time, in which nothing else may happen.
            for _ in 0..3 {
                tokio::task::yield_now().await;
            }
            self.ears.listen(&self.log);
            self.log.add(Entry::PromptEnded);
            let act = self.acts.pop_front().unwrap_or(Act::Reject);
            decide(request, &act)
        })
    }
}

fn decide(request: &Request, act: &Act) -> Result<Prompted, AskError> {
    let resolution = match act {
        Act::Lose => return Err(AskError::Nobody("the terminal went away".to_owned())),
        Act::Interrupt | Act::Escape => Resolution::cancelled(None),
        Act::AskBack(text) => Resolution::declined(Reason::parse(text).unwrap()),
        Act::Reject => Resolution::declined(None),
        Act::Answer(text, number) => answer(request, text, *number),
    };
    let outcome = sign(resolution);
    Ok(if *act == Act::Interrupt { Prompted::Interrupted(outcome) } else { Prompted::Ended(outcome) })
}

fn answer(request: &Request, text: &str, number: usize) -> Resolution {
    let written: Vec<String> = request
        .questions()
        .iter()
        .map(|question| match question.kind() {
            askback_core::Kind::Approval(_) => "approve".to_owned(),
            askback_core::Kind::Choice(choice) => {
                let options: Vec<&str> = choice.options().iter().map(askback_core::ChoiceOption::value).collect();
                options[number % options.len()].to_owned()
            }
            _ => text.to_owned(),
        })
        .collect();
    let raw: Vec<AnswerInput> = written.iter().map(AnswerInput::from).collect();
    Resolution::from_answers(request.parse_answers(&raw, &Path::root()).unwrap())
}

pub(crate) fn sign(resolution: Resolution) -> Outcome {
    let id = RequestId::parse("019a8b3c-0000-7000-8000-000000000000").unwrap();
    Outcome::new(id, resolution, "reviewer", askback_core::Surface::Terminal, jiff::Timestamp::UNIX_EPOCH).unwrap()
}

/// A stream of given events that notes when it is asked for more, and what its agent has heard by then.
pub(super) struct Played {
    pub(super) log: Log,
    pub(super) events: VecDeque<StreamEvent>,
    pub(super) ears: Ears,
    pub(super) pulled: usize,
}

/// An agent's end of a question.
pub(super) enum Waiting {
    Input(Response<InputResponse>),
    Asked(Response<AskResult>),
}

impl Waiting {
    pub(super) fn now(&mut self) -> Option<Heard> {
        let mut context = Context::from_waker(Waker::noop());
        match self {
            Self::Input(response) => match pin!(response).poll(&mut context) {
                Poll::Ready(response) => Some(Heard::Input(response)),
                Poll::Pending => None,
            },
            Self::Asked(response) => match pin!(response).poll(&mut context) {
                Poll::Ready(response) => Some(Heard::Asked(response)),
                Poll::Pending => None,
            },
        }
    }
}

/// What the agent listens for, where the stream and the surface can both look.
#[derive(Clone, Default)]
pub(super) struct Ears(Arc<Mutex<VecDeque<(usize, Waiting)>>>);

impl Ears {
    pub(super) fn new(waiting: impl IntoIterator<Item = (usize, Waiting)>) -> Self {
        Self(Arc::new(Mutex::new(waiting.into_iter().collect())))
    }

    /// Notes what the agent has heard of the questions it has asked so far.
    fn listen(&self, log: &Log) {
        let mut responses = self.0.lock().unwrap();
        responses.retain_mut(|(number, waiting)| match waiting.now() {
            Some(response) => {
                log.add(Entry::Responded(*number, response));
                false
            }
            None => true,
        });
    }
}

impl Stream for Played {
    type Item = StreamEvent;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<StreamEvent>> {
        self.ears.listen(&self.log);
        self.log.add(Entry::Pulled(self.pulled));
        self.pulled += 1;
        Poll::Ready(self.events.pop_front())
    }
}

impl Drop for Played {
    fn drop(&mut self) {
        self.ears.listen(&self.log);
        self.log.add(Entry::Dropped);
    }
}

/// Data of an input request.
pub(super) fn data(json: &str) -> Json {
    Json::parse(json.as_bytes(), &Limits::DEFAULT).unwrap()
}
