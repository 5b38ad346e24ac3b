//! A stream of a million events takes no more memory than one of a hundred thousand, but for the text that is kept.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "what fails in a test should fail it")]

use askback_agent::{EventStream, Prompting, StreamEvent, StreamHandler, Surface, ToolUse, TurnEnd, Usage};
use askback_core::{AskError, PromptStyle, Request};

const EVENTS: usize = 1_000_000;
const EARLY: usize = EVENTS / 10;
/// What the text itself may need while it grows, and the allocator beside it; sixteen bytes an event would be twice as much.
const SLACK: usize = 8 << 20;

/// Notes how much memory there is in use, early and late.
#[derive(Default)]
struct Scales {
    texts: usize,
    early: usize,
    late: usize,
}

fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap();
    status.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

impl Surface for Scales {
    fn start_spinner(&mut self) {}
    fn stop_spinner(&mut self) {}
    fn finish_text(&mut self) {}
    fn tool_started(&mut self, _: &ToolUse) {}
    fn tool_finished(&mut self, _: &ToolUse) {}
    fn info(&mut self, _: &str) {}
    fn error(&mut self, _: &str) {}

    fn text(&mut self, _: &str) {
        self.texts += 1;
        match self.texts {
            EARLY => self.early = resident_bytes(),
            EVENTS => self.late = resident_bytes(),
            _ => {}
        }
    }

    fn prompt<'a>(&'a mut self, _: &'a Request, _: PromptStyle) -> Prompting<'a> {
        Box::pin(async { Err(AskError::Nobody("nobody is asked here".to_owned())) })
    }
}

// S3
#[tokio::test]
async fn a_million_events_take_no_more_memory_than_their_text() {
    let events = EventStream::start(async |out| {
        for number in 0..EVENTS {
            out.send(StreamEvent::TextDelta("x".to_owned())).await.unwrap();
            if number.is_multiple_of(1_000) {
                out.send(StreamEvent::Usage(Usage { input_tokens: 1, output_tokens: 1 })).await.unwrap();
            }
        }
    });
    let mut scales = Scales::default();
    let turn = StreamHandler::new(&mut scales, &mut |_| {}).handle(events, "go").await;
    assert_eq!((turn.text().len(), &turn.end), (EVENTS, &TurnEnd::Done));
    let grown = scales.late.saturating_sub(scales.early);
    assert!(grown < SLACK, "{grown} bytes more after {EVENTS} events than after {EARLY}");
}
