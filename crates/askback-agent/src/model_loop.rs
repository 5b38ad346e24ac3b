//! The agent loop (Q7): the model is called, its tools are run, their results go back, until it is done or has gone too far.

use crate::agent::{Agent, TurnInput};
use crate::event::{CallResult, StreamEvent, ToolCall, ToolStatus};
use crate::limits;
use crate::model::{Message, Model, ModelEvent, ModelRequest, RetriedCall, RetryPolicy, StopReason, ToolDescription};
use crate::stream::{EventSender, EventStream, TurnOver};
use crate::tool::{Consents, Registry, ToolContext, ToolOutput};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

mod replay;
mod work_clock;

use work_clock::WorkClock;

/// How far a turn may go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopLimits {
    /// Calls of the model.
    pub steps: usize,
    /// Tokens it writes, over all its calls.
    pub output_tokens: u64,
    /// Time, not counting the time a person takes to answer.
    pub time: Duration,
}

impl Default for LoopLimits {
    fn default() -> Self {
        Self { steps: limits::STEPS, output_tokens: limits::OUTPUT_TOKENS, time: limits::TURN_TIME }
    }
}

/// A model with tools, as an agent.
#[derive(Clone)]
pub struct AgentLoop {
    model: Arc<dyn Model>,
    tools: Registry,
    /// The same as the model sees them, described once: schemas are large.
    described: Arc<[ToolDescription]>,
    system: String,
    folder: PathBuf,
    limits: LoopLimits,
    retries: RetryPolicy,
    consents: Arc<Consents>,
}

impl AgentLoop {
    /// A model that works in a folder with these tools.
    pub fn new(model: Arc<dyn Model>, tools: Registry, folder: PathBuf) -> Self {
        let system = format!(
            "You work for a person, in the folder {}. Be brief. Where something is unclear, or is theirs to decide, ask \
             them with your tools instead of guessing, and never take silence or a cancelled question for consent.",
            folder.display()
        );
        let described = tools.describe().into();
        Self {
            model,
            tools,
            described,
            system,
            folder,
            limits: LoopLimits::default(),
            retries: RetryPolicy::default(),
            consents: Arc::default(),
        }
    }

    /// The same with other limits.
    pub fn with_limits(self, limits: LoopLimits) -> Self {
        Self { limits, ..self }
    }

    /// The same with another policy for calls of the model that fail.
    pub fn with_retries(self, retries: RetryPolicy) -> Self {
        Self { retries, ..self }
    }
}

impl Agent for AgentLoop {
    fn name(&self) -> String {
        self.model.name()
    }

    fn turn(&mut self, input: TurnInput) -> EventStream {
        let agent = self.clone();
        EventStream::start(async move |out| {
            let mut turn = Turn::new(agent, &input, out);
            if let Err(Stopped::Because(why)) = turn.run().await {
                let _ = turn.out.send(StreamEvent::Error(why)).await;
            }
        })
    }
}

/// Why a turn does not go on.
enum Stopped {
    Because(String),
    /// The listener is gone, and so is the need to say anything.
    Over,
}

impl From<TurnOver> for Stopped {
    fn from(_: TurnOver) -> Self {
        Self::Over
    }
}

struct Turn {
    agent: AgentLoop,
    messages: Vec<Message>,
    out: EventSender,
    context: ToolContext,
    clock: Arc<WorkClock>,
    output_tokens: u64,
}

/// What the model said in one call.
#[derive(Default)]
struct Said {
    text: String,
    calls: Vec<(ToolCall, Option<String>)>,
}

impl Turn {
    fn new(agent: AgentLoop, input: &TurnInput, out: EventSender) -> Self {
        let messages = replay::messages(&input.history, &input.message);
        let clock = Arc::new(WorkClock::start());
        let asker = work_clock::Paused { clock: Arc::clone(&clock), asker: out.clone() };
        let context = ToolContext::new(agent.folder.clone(), Arc::clone(&agent.consents), Arc::new(asker));
        Self { agent, messages, out, context, clock, output_tokens: 0 }
    }

    async fn run(&mut self) -> Result<(), Stopped> {
        for _ in 0..self.agent.limits.steps {
            self.check_limits()?;
            let (said, stop) = self.call_model().await?;
            let calls: Vec<ToolCall> = said.calls.iter().map(|(call, _)| call.clone()).collect();
            let is_silent = said.text.trim().is_empty() && calls.is_empty();
            if !is_silent {
                self.messages.push(Message::Assistant { text: said.text, calls });
            }
            if said.calls.is_empty() {
                return match stop {
                    StopReason::EndOfTurn | StopReason::ToolUse => Ok(self.out.send(StreamEvent::Done).await?),
                    StopReason::MaxTokens => Err(stopped(
                        "The model's answer was cut off, because it got too long. Say \"go on\" to continue.",
                    )),
                    StopReason::Refusal => Err(stopped("The model declined to go on.")),
                };
            }
            let results = self.run_tools(said.calls).await?;
            self.messages.push(Message::Results(results));
        }
        let steps = self.agent.limits.steps;
        Err(stopped(format!(
            "The agent was stopped after {steps} steps in one turn. Say \"go on\" to let it continue."
        )))
    }

    fn check_limits(&self) -> Result<(), Stopped> {
        let LoopLimits { output_tokens, time, .. } = self.agent.limits;
        if self.output_tokens >= output_tokens {
            return Err(stopped(format!(
                "The agent was stopped after {output_tokens} tokens in one turn. Say \"go on\" to let it continue."
            )));
        }
        if self.clock.worked() >= time {
            return Err(too_long(time));
        }
        Ok(())
    }

    async fn call_model(&mut self) -> Result<(Said, StopReason), Stopped> {
        let request = ModelRequest {
            system: self.agent.system.clone(),
            messages: self.messages.clone(),
            tools: Arc::clone(&self.agent.described),
            max_tokens: limits::CALL_TOKENS,
        };
        let model = Arc::clone(&self.agent.model);
        let mut events = RetriedCall::start(&*model, request, self.agent.retries);
        let time = self.agent.limits.time;
        let deadline = tokio::time::Instant::now() + time.saturating_sub(self.clock.worked());
        let mut said = Said::default();
        loop {
            let event = tokio::time::timeout_at(deadline, events.next()).await.map_err(|_| too_long(time))?;
            match event.map_err(stopped)? {
                ModelEvent::Text(text) => {
                    said.text.push_str(&text);
                    self.out.send(StreamEvent::TextDelta(text)).await?;
                }
                ModelEvent::Call(call, wrong) => {
                    self.out.send(StreamEvent::ToolUseStart(call.clone())).await?;
                    said.calls.push((call, wrong));
                }
                ModelEvent::Usage(usage) => {
                    self.output_tokens = self.output_tokens.saturating_add(usage.output_tokens);
                    self.out.send(StreamEvent::Usage(usage)).await?;
                }
                ModelEvent::Stop(stop) => return Ok((said, stop)),
            }
        }
    }

    /// Runs all calls at once; those that ask wait for each other where the questions are shown.
    async fn run_tools(&mut self, calls: Vec<(ToolCall, Option<String>)>) -> Result<Vec<CallResult>, Stopped> {
        let mut running = JoinSet::new();
        for (index, (call, wrong)) in calls.iter().cloned().enumerate() {
            let (tools, context) = (self.agent.tools, self.context.clone());
            running.spawn(async move {
                let output = match wrong {
                    _ if index >= limits::TOOL_CALLS => {
                        failed(format!("At most {} tools can be called at once.", limits::TOOL_CALLS))
                    }
                    Some(wrong) => failed(format!("The input is not valid JSON: {wrong}. Call the tool again.")),
                    None => match tools.find(&call.name) {
                        Some(tool) => tool.run(call.input, context).await,
                        None => failed(format!("There is no tool {:?}; there are: {}.", call.name, tools.names())),
                    },
                };
                (index, output)
            });
        }
        let mut results: Vec<Option<CallResult>> = vec![None; calls.len()];
        while let Some(joined) = running.join_next().await {
            // A tool that panicked is a result like any other, below.
            let Ok((index, output)) = joined else {
                continue;
            };
            results[index] = Some(self.tell(&calls[index].0, output).await?);
        }
        let mut told = Vec::with_capacity(calls.len());
        for (result, (call, _)) in results.into_iter().zip(&calls) {
            told.push(match result {
                Some(result) => result,
                None => self.tell(call, failed("The tool failed inside.".to_owned())).await?,
            });
        }
        Ok(told)
    }

    async fn tell(&self, call: &ToolCall, output: ToolOutput) -> Result<CallResult, Stopped> {
        let result = CallResult { id: call.id.clone(), output: output.text, status: output.status };
        self.out.send(StreamEvent::ToolResult(result.clone())).await?;
        Ok(result)
    }
}

fn failed(text: String) -> ToolOutput {
    ToolOutput { text, status: ToolStatus::Failed }
}

fn stopped(why: impl Into<String>) -> Stopped {
    Stopped::Because(why.into())
}

fn too_long(time: Duration) -> Stopped {
    let seconds = u32::try_from(time.as_secs()).unwrap_or(u32::MAX);
    let worked = askback_core::format::duration_text(seconds);
    stopped(format!("The agent was stopped after {worked} of work in one turn. Say \"go on\" to let it continue."))
}
