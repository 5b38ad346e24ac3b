//! The cases that the rules name, one by one.

use super::recording::{Act, Ears, Entry, Heard, Log, Played, Recording, Waiting, data};
use crate::event::{AskResult, AskUser, CallResult, InputRequest, InputResponse, StreamEvent, ToolCall};
use crate::handler::StreamHandler;
use crate::journal::Note;
use crate::limits::TURN_BYTES;
use crate::responder::Responder;
use crate::stream::EventStream;
use crate::surface::{Attending, Attention, Prompting, Surface};
use crate::turn::{AskedAs, ConversationTurn, Part, ToolUse, TurnEnd};
use askback_core::dialect::stream::Reply;
use askback_core::{Limits, PromptStyle, Request, Status};
use std::future::pending;

async fn play(
    events: Vec<StreamEvent>,
    responses: Vec<(usize, Waiting)>,
    acts: Vec<Act>,
) -> (ConversationTurn, Vec<Entry>) {
    let log = Log::default();
    let ears = Ears::new(responses);
    let played = Played { log: log.clone(), events: events.into(), ears: ears.clone(), pulled: 0 };
    let mut surface = Recording { log: log.clone(), ears, acts: acts.into() };
    let turn = StreamHandler::new(&mut surface, &mut |_| {}).handle(played, "go").await;
    let entries = log.entries().clone();
    (turn, entries)
}

fn text(text: &str) -> StreamEvent {
    StreamEvent::TextDelta(text.to_owned())
}

fn input(json: &str) -> (StreamEvent, Waiting) {
    let (responder, response) = Responder::<InputResponse>::pair();
    let event = StreamEvent::InputRequest(InputRequest { data: data(json), responder: Some(responder) });
    (event, Waiting::Input(response))
}

const APPROVAL: &str = r#"{"prompt": "Delete 3 files?", "input_type": "approval", "choices": ["Approve", "Reject"]}"#;

fn yes() -> Act {
    Act::Answer("x".to_owned(), 0)
}

// T3
#[tokio::test]
async fn text_a_request_and_more_text_are_all_there() {
    let (ask, waiting) = input(APPROVAL);
    let events = vec![text("Before. "), ask, text("After."), StreamEvent::Done];
    let (turn, log) = play(events, vec![(1, waiting)], vec![yes()]).await;
    assert_eq!((turn.text().as_str(), &turn.end), ("Before. After.", &TurnEnd::Done));
    let asked: Vec<_> = turn.questions().collect();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].by, AskedAs::InputRequest);
    assert_eq!(asked[0].outcome.as_ref().unwrap().resolution().status(), Status::Answered);
    assert_eq!(
        log,
        [
            Entry::SpinnerStarted,
            Entry::Pulled(0),
            Entry::SpinnerStopped,
            Entry::Text("Before. ".into()),
            Entry::Pulled(1),
            Entry::TextFinished,
            Entry::Prompted(PromptStyle::Stream),
            Entry::PromptEnded,
            Entry::SpinnerStarted,
            Entry::Responded(
                1,
                Heard::Input(InputResponse { reply: Reply::Approve, status: Status::Answered, reason: None })
            ),
            Entry::Pulled(2),
            Entry::SpinnerStopped,
            Entry::Text("After.".into()),
            Entry::Pulled(3),
            Entry::Dropped,
            Entry::TextFinished,
        ]
    );
}

// T6
#[tokio::test]
async fn rejecting_at_once_leaves_an_empty_turn() {
    let (ask, waiting) = input(APPROVAL);
    let (turn, log) = play(vec![ask, text("never")], vec![(0, waiting)], vec![Act::Reject]).await;
    assert_eq!((turn.text().as_str(), &turn.end), ("", &TurnEnd::Rejected));
    assert_eq!(log.iter().filter(|entry| matches!(entry, Entry::Pulled(_))).count(), 1);
    assert_eq!(log.last(), Some(&Entry::Info("Rejected. Agent response cancelled.".into())));
}

// T6
#[tokio::test]
async fn the_second_of_two_requests_can_be_rejected() {
    let (first, one) = input(APPROVAL);
    let (second, two) = input(r#"{"prompt": "Which?", "input_type": "choice", "choices": ["a", "b"]}"#);
    let events = vec![text("a"), first, text("b"), second, text("c")];
    let (turn, log) = play(events, vec![(1, one), (3, two)], vec![yes(), Act::Reject]).await;
    assert_eq!((turn.text().as_str(), &turn.end), ("ab", &TurnEnd::Rejected));
    assert_eq!(turn.questions().count(), 2);
    let rejected = InputResponse { reply: Reply::Reject, status: Status::Declined, reason: None };
    assert!(log.contains(&Entry::Responded(3, Heard::Input(rejected))));
}

// T4
#[tokio::test]
async fn the_word_reject_typed_as_text_is_text() {
    let (ask, waiting) = input(r#"{"prompt": "Name?", "input_type": "text"}"#);
    let (turn, log) = play(vec![ask, text("on")], vec![(0, waiting)], vec![Act::Answer("reject".into(), 0)]).await;
    assert_eq!(turn.end, TurnEnd::Done);
    let response = InputResponse { reply: Reply::Text("reject".into()), status: Status::Answered, reason: None };
    assert!(log.contains(&Entry::Responded(0, Heard::Input(response))));
}

// T2, T4
#[tokio::test]
async fn odd_choices_are_asked_and_come_back_to_the_byte() {
    let choices = r#"[" left", "left\n", "left", "\u001b[31mred", ""]"#;
    for (number, value) in [" left", "left\n", "left", "\u{1b}[31mred", ""].into_iter().enumerate() {
        let (ask, waiting) = input(&format!(r#"{{"input_type": "choice", "choices": {choices}}}"#));
        let (turn, log) = play(vec![ask, text("on")], vec![(0, waiting)], vec![Act::Answer("".into(), number)]).await;
        assert_eq!((turn.text().as_str(), &turn.end), ("on", &TurnEnd::Done), "{value:?}");
        let reply = Reply::Choice { index: number, value: value.to_owned() };
        let response = InputResponse { reply, status: Status::Answered, reason: None };
        assert!(log.contains(&Entry::Responded(0, Heard::Input(response))), "{value:?}: {log:?}");
    }
}

// T5
#[tokio::test]
async fn a_missing_responder_leaves_the_screen_untouched() {
    let ask = StreamEvent::InputRequest(InputRequest { data: data(APPROVAL), responder: None });
    let (turn, log) = play(vec![text("a"), ask, text("b")], vec![], vec![]).await;
    assert_eq!((turn.text().as_str(), &turn.end), ("ab", &TurnEnd::Done));
    let shown: Vec<&Entry> = log.iter().filter(|entry| !matches!(entry, Entry::Pulled(_) | Entry::Dropped)).collect();
    assert_eq!(
        shown,
        [
            &Entry::SpinnerStarted,
            &Entry::SpinnerStopped,
            &Entry::Text("a".into()),
            &Entry::Text("b".into()),
            &Entry::TextFinished
        ]
    );
}

// T5
#[tokio::test]
async fn a_wrong_request_is_an_error_and_a_rejection() {
    for (json, says) in [
        (r#"{"prompt": "?", "input_type": "riddle"}"#, "riddle"),
        (r#"{"prompt": "?", "input_type": "choice", "choices": []}"#, "choices"),
        (r#"{"prompt": "?", "input_type": "choice"}"#, "choices"),
        (r#"{"prompt": "?", "choices": ["only one"]}"#, "choices"),
        (r#"{"prompt": 5, "input_type": "text"}"#, "prompt"),
    ] {
        let (ask, waiting) = input(json);
        let (turn, log) = play(vec![ask, text("never")], vec![(0, waiting)], vec![]).await;
        assert_eq!((turn.text().as_str(), &turn.end), ("", &TurnEnd::Rejected), "{json}");
        let error = log.iter().find_map(|entry| if let Entry::Error(text) = entry { Some(text) } else { None });
        assert!(error.is_some_and(|error| error.contains(says)), "{json}: {error:?}");
        assert!(!log.iter().any(|entry| matches!(entry, Entry::Prompted(_))), "{json}");
        let replied = log.iter().any(
            |entry| matches!(entry, Entry::Responded(0, Heard::Input(response)) if response.reply == Reply::Reject),
        );
        assert!(replied, "{json}");
    }
}

fn form() -> (StreamEvent, Waiting) {
    let request = Request::from_json(&data(r#"{"type": "text", "message": "Name?"}"#), &Limits::DEFAULT).unwrap();
    let (responder, response) = Responder::<AskResult>::pair();
    (StreamEvent::AskUser(AskUser { request, responder }), Waiting::Asked(response))
}

// T6, L5
#[tokio::test]
async fn a_tools_question_that_is_declined_goes_back_and_ctrl_c_ends_the_turn() {
    for (act, end, status) in [
        (yes(), TurnEnd::Done, Status::Answered),
        (Act::AskBack("which?".into()), TurnEnd::Done, Status::Declined),
        (Act::Escape, TurnEnd::Done, Status::Cancelled),
        (Act::Interrupt, TurnEnd::Cancelled, Status::Cancelled),
    ] {
        let (ask, waiting) = form();
        let (turn, log) = play(vec![ask, text("on")], vec![(0, waiting)], vec![act.clone()]).await;
        assert_eq!(turn.end, end, "{act:?}");
        assert_eq!(turn.text(), if end == TurnEnd::Done { "on" } else { "" }, "{act:?}");
        let heard = log.iter().find_map(|entry| match entry {
            Entry::Responded(0, Heard::Asked(Ok(outcome))) => Some(outcome.resolution().status()),
            _ => None,
        });
        assert_eq!(heard, Some(status), "{act:?}");
    }
}

// T6
#[tokio::test]
async fn a_lost_surface_is_no_answer() {
    let (ask, waiting) = form();
    let (turn, log) = play(vec![text("a"), ask, text("b")], vec![(1, waiting)], vec![Act::Lose]).await;
    assert!(matches!(&turn.end, TurnEnd::Lost(why) if why.contains("terminal went away")));
    assert_eq!(turn.text(), "a");
    assert!(log.iter().any(|entry| matches!(entry, Entry::Responded(1, Heard::Asked(Err(_))))));
    assert!(turn.questions().next().unwrap().outcome.is_err());
}

/// A person who watches, and shows nothing of what they see but the notices.
struct Watcher {
    log: Log,
    habit: Habit,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Habit {
    /// Leaves every prompt open.
    NeverAnswers,
    /// Presses Ctrl+C as soon as anybody listens.
    Interrupts,
}

impl Surface for Watcher {
    fn start_spinner(&mut self) {}
    fn stop_spinner(&mut self) {}
    fn text(&mut self, _: &str) {}
    fn finish_text(&mut self) {}
    fn tool_started(&mut self, _: &ToolUse) {}
    fn tool_finished(&mut self, _: &ToolUse) {}
    fn error(&mut self, _: &str) {}

    fn info(&mut self, text: &str) {
        self.log.add(Entry::Info(text.to_owned()));
    }

    fn prompt<'a>(&'a mut self, _: &'a Request, _: PromptStyle) -> Prompting<'a> {
        Box::pin(pending())
    }

    fn attend(&mut self) -> Attending<'_> {
        match self.habit {
            Habit::NeverAnswers => Box::pin(pending()),
            Habit::Interrupts => Box::pin(async { Attention::Interrupted }),
        }
    }
}

// L1, T3
#[tokio::test]
async fn an_agent_that_stops_waiting_gets_its_prompt_taken_away() {
    let log = Log::default();
    let mut surface = Watcher { log: log.clone(), habit: Habit::NeverAnswers };
    let events = EventStream::start(|out| async move {
        let (event, waiting) = form();
        out.send(event).await.unwrap();
        drop(waiting);
        out.send(text("never mind")).await.unwrap();
    });
    let turn = StreamHandler::new(&mut surface, &mut |_| {}).handle(events, "go").await;
    assert_eq!((turn.text().as_str(), &turn.end), ("never mind", &TurnEnd::Done));
    assert_eq!(*log.entries(), [Entry::Info("The agent took its question back: Name?".into())]);
}

// T6, S3
#[tokio::test]
async fn a_flood_does_not_drown_ctrl_c() {
    let log = Log::default();
    let mut surface = Watcher { log: log.clone(), habit: Habit::Interrupts };
    let flood = Played {
        log: Log::default(),
        events: (0..100_000).map(|_| text("x")).collect(),
        ears: Ears::default(),
        pulled: 0,
    };
    let turn = StreamHandler::new(&mut surface, &mut |_| {}).handle(flood, "go").await;
    assert_eq!(turn.end, TurnEnd::Cancelled);
    assert!(turn.text().len() < 1_000, "{}", turn.text().len());
    assert_eq!(*log.entries(), [Entry::Info("Cancelled.".into())]);
}

// S3
#[tokio::test]
async fn a_turn_that_gets_too_large_is_stopped_and_kept() {
    let events = (0..TURN_BYTES / 65_536 + 2).map(|_| text(&"x".repeat(65_536))).collect();
    let (turn, _) = play(events, vec![], vec![]).await;
    assert!(matches!(&turn.end, TurnEnd::Failed(why) if why.contains("8 MiB")));
    assert!(turn.text().len() > TURN_BYTES / 2);
}

// T1
#[tokio::test]
async fn tools_errors_and_tokens_are_kept_in_order() {
    let start = ToolCall { id: "1".into(), name: "read_file".into(), input: serde_json::json!({"path": "a"}) };
    let result = CallResult { id: "1".into(), output: "x".into(), status: crate::event::ToolStatus::Succeeded };
    let (start, result) = (StreamEvent::ToolUseStart(start), StreamEvent::ToolResult(result));
    let usage = || StreamEvent::Usage(crate::event::Usage { input_tokens: 3, output_tokens: 4 });
    let events = vec![text("a"), start, usage(), result, StreamEvent::Error("oh".into()), usage()];
    let (turn, log) = play(events, vec![], vec![]).await;
    assert_eq!(turn.end, TurnEnd::Failed("oh".into()), "nothing came after the error");
    assert_eq!((turn.usage.input_tokens, turn.usage.output_tokens), (6, 8));
    assert!(matches!(&turn.parts[..], [Part::Text(_), Part::Tool(tool), Part::Error(_)] if tool.result.is_some()));
    assert!(log.contains(&Entry::ToolFinished("read_file".into(), "x".into())));
}

// T1
#[tokio::test]
async fn every_text_is_kept_once_whatever_stands_between() {
    let result = |id: &str| {
        let status = crate::event::ToolStatus::Succeeded;
        StreamEvent::ToolResult(CallResult { id: id.into(), output: "x".into(), status })
    };
    let call = ToolCall { id: "1".into(), name: "look".into(), input: serde_json::Value::Null };
    let start = StreamEvent::ToolUseStart(call);
    let (ask, waiting) = form();
    let events = [
        text("a"),
        start,
        text("b"),
        result("1"),
        text("c"),
        result("of nothing"),
        text("d"),
        StreamEvent::Error("oh".into()),
        ask,
        text("e"),
    ];
    let (log, ears) = (Log::default(), Ears::new([(8, waiting)]));
    let played = Played { log: log.clone(), events: events.into(), ears: ears.clone(), pulled: 0 };
    let (mut surface, mut texts) = (Recording { log, ears, acts: [yes()].into() }, Vec::new());
    let mut keep_text = |note: Note<'_>| {
        if let Note::Text(text) = note {
            texts.push(text.to_owned());
        }
    };
    let turn = StreamHandler::new(&mut surface, &mut keep_text).handle(played, "go").await;
    assert_eq!(texts, ["a", "bc", "d", "e"]);
    assert_eq!(turn.text(), texts.concat());
}
