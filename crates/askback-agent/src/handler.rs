//! The stream handler (T3, T5, T6): shows what an agent streams, and pauses where it asks.

use crate::event::{AskUser, InputRequest, InputResponse, StreamEvent, ToolCall};
use crate::journal::Note;
use crate::limits::EVENTS_UNHEARD;
use crate::responder::{Responder, Unanswered};
use crate::surface::{Attention, Prompted, Surface};
use crate::turn::{Asked, AskedAs, ConversationTurn, OpenTurn, TooLarge, ToolUse, TurnEnd};
use askback_core::dialect::stream::StreamRequest;
use askback_core::{AskError, Limits, PromptStyle, Question, Request, Status};
use futures_core::Stream;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

#[cfg(test)]
mod tests;

/// Takes an agent's stream to its end, one turn at a time.
pub struct StreamHandler<'s> {
    surface: &'s mut dyn Surface,
    record: &'s mut (dyn FnMut(Note<'_>) + Send),
    showing: Showing,
    /// Events taken since the person was last heard.
    unheard: usize,
}

/// What moves on the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Showing {
    Nothing,
    Spinner,
    Text,
}

enum Next {
    /// An event, or the end of the stream.
    Event(Option<StreamEvent>),
    Attention(Attention),
}

/// The end of a question; none if the agent no longer waits for it.
type QuestionEnd = Option<Result<Prompted, AskError>>;

impl<'s> StreamHandler<'s> {
    /// A handler that shows a turn on a surface, and gives `record` a note of everything that happens in it.
    pub fn new(surface: &'s mut dyn Surface, record: &'s mut (dyn FnMut(Note<'_>) + Send)) -> Self {
        Self { surface, record, showing: Showing::Nothing, unheard: 0 }
    }

    /// Shows a turn from its first event to its last. `events` is dropped before this returns, and the agent's side with it.
    pub async fn handle(
        &mut self,
        mut events: impl Stream<Item = StreamEvent> + Unpin,
        message: &str,
    ) -> ConversationTurn {
        let mut turn = OpenTurn::new(message);
        self.spin();
        let end = loop {
            let end = match self.next(&mut events).await {
                Next::Event(Some(event)) => self.take(event, &mut turn).await.unwrap_or_else(|too_large| {
                    let said = too_large.to_string();
                    self.error(&said);
                    Some(TurnEnd::Failed(said))
                }),
                Next::Event(None) => Some(turn.end_of_stream()),
                Next::Attention(Attention::Interrupted) => Some(TurnEnd::Cancelled),
                Next::Attention(Attention::Lost(why)) => Some(TurnEnd::Lost(why)),
            };
            if let Some(end) = end {
                break end;
            }
        };
        drop(events);
        self.quiet();
        self.keep_text(&turn);
        match &end {
            TurnEnd::Rejected => self.surface.info("Rejected. Agent response cancelled."),
            TurnEnd::Cancelled => self.surface.info("Cancelled."),
            TurnEnd::Done | TurnEnd::Failed(_) | TurnEnd::Lost(_) => {}
        }
        turn.end(end)
    }

    /// The next event, or the person's attention, who is heard every so often even if events never stop coming.
    async fn next(&mut self, events: &mut (impl Stream<Item = StreamEvent> + Unpin)) -> Next {
        self.unheard += 1;
        if self.unheard < EVENTS_UNHEARD
            && let Poll::Ready(event) = poll_fn(|context| Poll::Ready(Pin::new(&mut *events).poll_next(context))).await
        {
            return Next::Event(event);
        }
        self.unheard = 0;
        tokio::select! {
            biased;
            attention = self.surface.attend() => Next::Attention(attention),
            event = poll_fn(|context| Pin::new(&mut *events).poll_next(context)) => Next::Event(event),
        }
    }

    /// Takes an event, and says how the turn ends if it does.
    async fn take(&mut self, event: StreamEvent, turn: &mut OpenTurn) -> Result<Option<TurnEnd>, TooLarge> {
        match event {
            StreamEvent::TextDelta(delta) => {
                turn.add_text(&delta)?;
                self.show_text(&delta);
            }
            StreamEvent::ToolUseStart(ToolCall { id, name, input }) => {
                self.quiet();
                self.keep_text(turn);
                let tool = ToolUse { id, name, input, result: None };
                (self.record)(Note::Tool(&tool));
                self.surface.tool_started(&tool);
                turn.add_tool(tool)?;
                self.spin();
            }
            StreamEvent::ToolResult(result) => {
                self.quiet();
                if !turn.awaits(&result.id) {
                    // It becomes a part of its own, and ends the text before it.
                    self.keep_text(turn);
                }
                let tool = turn.add_result(result)?;
                (self.record)(Note::Tool(tool));
                self.surface.tool_finished(tool);
                self.spin();
            }
            StreamEvent::Usage(usage) => turn.add_usage(usage),
            StreamEvent::Error(message) => {
                self.fail(&message, turn)?;
                self.spin();
            }
            StreamEvent::InputRequest(ask) => return self.input_request(ask, turn).await,
            StreamEvent::AskUser(ask) => return Ok(self.ask_user(ask, turn).await),
            StreamEvent::Done => return Ok(Some(TurnEnd::Done)),
        }
        Ok(None)
    }

    async fn input_request(&mut self, ask: InputRequest, turn: &mut OpenTurn) -> Result<Option<TurnEnd>, TooLarge> {
        let Some(mut responder) = ask.responder else {
            let asked = askback_core::show::quote(&ask.data.to_string());
            tracing::warn!("an input_request has no responder, and is skipped: {asked}");
            return Ok(None);
        };
        let request = match StreamRequest::parse(&ask.data, &Limits::DEFAULT) {
            Ok(request) => request,
            Err(problems) => {
                let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
                let said = format!("The agent's input request is not valid: {}", problems.join("; "));
                responder.resolve(InputResponse::cancelled(said.clone()));
                self.fail(&said, turn)?;
                return Ok(Some(TurnEnd::Rejected));
            }
        };
        Ok(match self.prompt(request.request().clone(), PromptStyle::Stream, &mut responder, turn).await {
            Some(Ok(Prompted::Ended(outcome) | Prompted::Interrupted(outcome))) => {
                let response = InputResponse::of(&request, &outcome);
                let answered = response.status == Status::Answered;
                responder.resolve(response);
                if !answered {
                    return Ok(Some(TurnEnd::Rejected));
                }
                self.spin();
                None
            }
            None => self.abandoned(request.request()),
            Some(Err(error)) => {
                responder.resolve(InputResponse::cancelled(error.to_string()));
                Some(TurnEnd::Lost(error.to_string()))
            }
        })
    }

    async fn ask_user(&mut self, ask: AskUser, turn: &mut OpenTurn) -> Option<TurnEnd> {
        let AskUser { request, mut responder } = ask;
        match self.prompt(request.clone(), PromptStyle::Question, &mut responder, turn).await {
            Some(Ok(Prompted::Ended(outcome))) => {
                responder.resolve(Ok(outcome));
                self.spin();
                None
            }
            Some(Ok(Prompted::Interrupted(outcome))) => {
                responder.resolve(Ok(outcome));
                Some(TurnEnd::Cancelled)
            }
            None => self.abandoned(&request),
            Some(Err(error)) => {
                let why = error.to_string();
                responder.resolve(Err(AskError::Nobody(why.clone())));
                Some(TurnEnd::Lost(why))
            }
        }
    }

    /// Asks the person, unless the agent stops waiting first. Whatever comes of it is kept before the agent hears of it.
    async fn prompt<T: Unanswered>(
        &mut self,
        request: Request,
        style: PromptStyle,
        responder: &mut Responder<T>,
        turn: &mut OpenTurn,
    ) -> QuestionEnd {
        self.quiet();
        let by = match style {
            PromptStyle::Stream => AskedAs::InputRequest,
            PromptStyle::Question => AskedAs::AskUser,
        };
        self.keep_text(turn);
        (self.record)(Note::Asking(&request, by));
        let end = tokio::select! {
            biased;
            () = responder.abandoned() => None,
            prompted = self.surface.prompt(&request, style) => Some(prompted),
        };
        let outcome = match &end {
            Some(Ok(Prompted::Ended(outcome) | Prompted::Interrupted(outcome))) => Ok(outcome.clone()),
            Some(Err(error)) => Err(error.to_string()),
            None => Err("the agent took the question back".to_owned()),
        };
        let asked = Asked { request, by, outcome };
        (self.record)(Note::Asked(&asked));
        turn.add_question(asked);
        // The person has just been heard.
        self.unheard = 0;
        end
    }

    fn abandoned(&mut self, request: &Request) -> Option<TurnEnd> {
        let asked = request.questions().first().map_or("", Question::message);
        self.surface.info(&format!("The agent took its question back: {asked}"));
        self.spin();
        None
    }

    fn show_text(&mut self, delta: &str) {
        if delta.is_empty() {
            return;
        }
        if self.showing == Showing::Spinner {
            self.surface.stop_spinner();
        }
        self.showing = Showing::Text;
        self.surface.text(delta);
    }

    /// Something went wrong, and that belongs to the turn.
    fn fail(&mut self, message: &str, turn: &mut OpenTurn) -> Result<(), TooLarge> {
        self.keep_text(turn);
        (self.record)(Note::Error(message));
        self.error(message);
        turn.add_error(message)
    }

    fn error(&mut self, message: &str) {
        self.quiet();
        self.surface.error(message);
    }

    /// A text is whole when something else follows it, and is kept then.
    fn keep_text(&mut self, turn: &OpenTurn) {
        if let Some(text) = turn.open_text() {
            (self.record)(Note::Text(text));
        }
    }

    fn spin(&mut self) {
        if self.showing == Showing::Nothing {
            self.surface.start_spinner();
            self.showing = Showing::Spinner;
        }
    }

    /// Nothing moves, and the text so far is whole.
    fn quiet(&mut self) {
        match self.showing {
            Showing::Nothing => {}
            Showing::Spinner => self.surface.stop_spinner(),
            Showing::Text => self.surface.finish_text(),
        }
        self.showing = Showing::Nothing;
    }
}
