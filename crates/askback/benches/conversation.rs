//! How fast a conversation is: events through the handler, text onto a real terminal, and an answer on its way to the model.
//!
//! `cargo xtask bench` prepares the peers in `bench/peers` and runs this; a peer that is not there is left out, and said.

#![expect(clippy::unwrap_used, reason = "what fails in a benchmark should end it")]

use askback_agent::tool::Registry;
use askback_agent::{
    AgentLoop, Anthropic, Attending, Attention, EventStream, Prompted, Prompting, Session, StreamEvent, StreamHandler,
    Surface, ToolUse,
};
use askback_core::{AnswerInput, Outcome, Path, PromptStyle, Request, RequestId, Resolution};
use askback_testkit::model::{Answer, ModelServer, Reply};
use askback_testkit::screen::{Screen, Size};
use futures_core::Stream;
use serde_json::{Value, json};
use std::future::{pending, poll_fn};
use std::path::{Path as FilePath, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const WINDOW: Size = Size { columns: 80, rows: 24 };
/// Events that go through the handler in one round.
const EVENTS: usize = 200_000;
/// Deltas that are streamed onto a terminal.
const DELTAS: usize = 100_000;
const PATIENCE: Duration = Duration::from_secs(120);

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let results = vec![events(&runtime), terminal(), answer(&runtime)];
    println!("{:#}", Value::Array(results));
}

/// A surface that shows nothing, and answers at once.
#[derive(Default)]
struct Nothing {
    bytes: usize,
    answered: Arc<Mutex<Option<Instant>>>,
}

impl Surface for Nothing {
    fn start_spinner(&mut self) {}
    fn stop_spinner(&mut self) {}
    fn finish_text(&mut self) {}
    fn tool_started(&mut self, _: &ToolUse) {}
    fn tool_finished(&mut self, _: &ToolUse) {}
    fn info(&mut self, _: &str) {}
    fn error(&mut self, _: &str) {}

    fn text(&mut self, delta: &str) {
        self.bytes += delta.len();
    }

    fn prompt<'a>(&'a mut self, request: &'a Request, _: PromptStyle) -> Prompting<'a> {
        Box::pin(async move {
            let answers = request.parse_answers(&[AnswerInput::from("SQLite")], &Path::root()).unwrap();
            let id = RequestId::parse("019a8b3c-0000-7000-8000-000000000000").unwrap();
            let place = askback_core::Surface::Terminal;
            let outcome =
                Outcome::new(id, Resolution::from_answers(answers), "reviewer", place, jiff::Timestamp::UNIX_EPOCH);
            *self.answered.lock().unwrap() = Some(Instant::now());
            Ok(Prompted::Ended(outcome.unwrap()))
        })
    }

    fn attend(&mut self) -> Attending<'_> {
        Box::pin(pending::<Attention>())
    }
}

fn deltas() -> EventStream {
    EventStream::start(|out| async move {
        for _ in 0..EVENTS {
            if out.send(StreamEvent::TextDelta("word ".to_owned())).await.is_err() {
                return;
            }
        }
    })
}

/// An event through the handler, and through a channel alone.
fn events(runtime: &tokio::runtime::Runtime) -> Value {
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..15 {
        let start = Instant::now();
        let mut surface = Nothing::default();
        runtime.block_on(async { StreamHandler::new(&mut surface, &mut |_| {}).handle(deltas(), "go").await });
        assert_eq!(surface.bytes, EVENTS * 5);
        ours.push(start.elapsed() / EVENTS as u32);
        let start = Instant::now();
        let taken = runtime.block_on(async {
            let mut stream = deltas();
            let mut taken = 0;
            while let Some(event) = poll_fn(|context| Pin::new(&mut stream).poll_next(context)).await {
                if let StreamEvent::TextDelta(delta) = event {
                    taken += delta.len();
                }
            }
            taken
        });
        assert!(taken > 0);
        bare.push(start.elapsed() / EVENTS as u32);
    }
    result("an event, from an agent through the handler", &ours, &[("a channel alone", &bare)])
}

/// A hundred thousand deltas of a program onto a terminal.
fn terminal() -> Value {
    let root = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let folder = std::env::temp_dir().join(format!("askback-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (lines, text) = (folder.join("deltas.jsonl"), folder.join("text"));
    let word = |number: usize| if number.is_multiple_of(12) { format!("w{number}\n") } else { format!("w{number} ") };
    let mut words: Vec<String> = (1..=DELTAS).map(word).collect();
    words.push("the-last-word\n".to_owned());
    let events: Vec<String> =
        words.iter().map(|word| json!({"type": "text_delta", "text": word}).to_string()).collect();
    std::fs::write(&lines, events.join("\n") + "\n").unwrap();
    std::fs::write(&text, words.concat()).unwrap();

    let agent = format!("process:read -r line; cat '{}'; sleep 1000", lines.display());
    let python = root.join("bench/peers/python/venv/bin/python");
    let rich = root.join("bench/peers/python/rich_stream.py");
    let (mut ours, mut plain, mut theirs, mut paints) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..7 {
        let data = folder.to_string_lossy().into_owned();
        let variables = [("ASKBACK_DATA", data.as_str())];
        let mut screen =
            Screen::run(WINDOW, &variables, env!("CARGO_BIN_EXE_askback"), &["chat", "--agent", &agent]).unwrap();
        wait_for(&mut screen, 0, b"Type a message");
        let before = screen.raw().len();
        screen.keys("go\r");
        let time = wait_for(&mut screen, before, b"the-last-word");
        ours.push(time);
        // From the first piece to the last; each painting ends with the same sequence.
        let streamed = &screen.raw()[before..];
        let first = streamed.windows(3).position(|window| window == b"w1 ").unwrap_or(0);
        let painted = streamed[first..].windows(8).filter(|window| window == b"\x1b[?2026l").count();
        paints.push(painted as f64 / (time.as_secs_f64() / 0.016));
        screen.keys("\x03");
        let mut screen = Screen::start(WINDOW, "cat", &[&text.to_string_lossy(), "-"]).unwrap();
        plain.push(wait_for(&mut screen, 0, b"the-last-word"));
        if python.exists() && rich.exists() && theirs.len() < 3 {
            let arguments = [rich.to_string_lossy(), lines.to_string_lossy()];
            let mut screen = Screen::start(WINDOW, &python.to_string_lossy(), &[&arguments[0], &arguments[1]]).unwrap();
            theirs.push(wait_for(&mut screen, 0, b"the-last-word"));
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    let mut peers: Vec<(&str, &[Duration])> = vec![("cat", &plain)];
    if theirs.is_empty() {
        eprintln!("rich is not installed, and left out");
    } else {
        peers.push(("rich", &theirs));
    }
    let mut result = result("100,000 pieces of text, from a program onto a terminal", &ours, &peers);
    paints.sort_by(f64::total_cmp);
    result["paintings_per_16_ms"] = json!(paints[paints.len() / 2]);
    result
}

/// From the start, or the keys that were just sent, to the moment a mark is there.
fn wait_for(screen: &mut Screen, from: usize, mark: &[u8]) -> Duration {
    let start = Instant::now();
    let mut seen = from;
    while !screen.raw()[seen..].windows(mark.len()).any(|window| window == mark) {
        seen = screen.raw().len().saturating_sub(mark.len()).max(from);
        assert!(start.elapsed() < PATIENCE, "{:?} never came", String::from_utf8_lossy(mark));
        screen.read_unseen(Duration::from_millis(200));
    }
    start.elapsed()
}

/// From an answer to the model's next request on the wire, and a bare request on a warm connection.
fn answer(runtime: &tokio::runtime::Runtime) -> Value {
    let question = json!({"questions": [{"question": "Which database?", "header": "Database", "multiSelect": false, "options": [
        {"label": "PostgreSQL", "description": "Rich"}, {"label": "SQLite", "description": "One file"}]}]});
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    let server = ModelServer::start([]).unwrap();
    let model = Anthropic::new(server.url(), "key", "model").unwrap();
    let mut agent = AgentLoop::new(Arc::new(model), Registry::standard(), PathBuf::from("."));
    runtime.block_on(async {
        let client = reqwest::Client::new();
        for _ in 0..60 {
            let number = server.received().len();
            server.add(Reply::Answer(Answer::new().call("toolu_1", "AskUserQuestion", &question).end()));
            server.add(Reply::Answer(Answer::new().text("Thank you.").end()));
            let mut surface = Nothing::default();
            Session::new().take_turn(&mut agent, &mut surface, "go").await.unwrap();
            let answered = surface.answered.lock().unwrap().unwrap();
            let next = server.wait_for(number + 1);
            ours.push(next.at.saturating_duration_since(answered));
            let body = next.body.to_string();
            server.add(Reply::Answer(Answer::new().end()));
            let start = Instant::now();
            let sent = client.post(format!("{}/v1/messages", server.url())).body(body).send().await.unwrap();
            bare.push(server.wait_for(number + 2).at.saturating_duration_since(start));
            sent.text().await.unwrap();
        }
    });
    result("from an answer to the model's next request on the wire", &ours, &[("a bare request", &bare)])
}

/// One result as JSON: ours, and the others as its peers.
fn result(name: &str, ours: &[Duration], peers: &[(&str, &[Duration])]) -> Value {
    let median = quantile(ours, 50);
    let peers: Vec<Value> = peers
        .iter()
        .map(|(name, times)| {
            let theirs = quantile(times, 50);
            json!({"name": name, "median_ns": theirs, "p95_ns": quantile(times, 95), "ratio": median / theirs})
        })
        .collect();
    json!({"name": name, "headline": true, "median_ns": median, "p95_ns": quantile(ours, 95), "peers": peers})
}

fn quantile(times: &[Duration], percent: usize) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort();
    sorted.get((sorted.len() * percent / 100).min(sorted.len() - 1)).map_or(0.0, |time| time.as_nanos() as f64)
}
