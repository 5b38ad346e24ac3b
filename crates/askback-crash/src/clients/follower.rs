//! A follower of the event stream: it resumes after the last event that it has seen, and gives each request to its answerers.

use crate::Failure;
use crate::ledger::read_mark;
use crate::load::{Job, Load};
use askback_testkit::http::{Call, Connection};
use serde_json::Value;
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::thread::sleep;
use std::time::Duration;

/// The pause before a stream is opened again.
const RETRY: Duration = Duration::from_millis(3);

/// What a follower was told.
#[derive(Debug, Default)]
pub(crate) struct Followed {
    /// The name and the request of each event, in order.
    pub(crate) events: Vec<(String, String)>,
    /// The marks of requests.
    marks: HashMap<String, usize>,
}

/// Follows all events until the answerers end.
pub(crate) fn run(load: &Load) -> Result<Followed, Failure> {
    let mut followed = Followed::default();
    while !load.answering.is_ending() {
        if !followed.events.is_empty() {
            load.api.counters.streams_resumed.add();
        }
        follow(load, &mut followed)?;
        sleep(RETRY);
    }
    Ok(followed)
}

/// Follows one stream until it ends.
fn follow(load: &Load, followed: &mut Followed) -> Result<(), Failure> {
    let call = load.api.call("GET", "/api/v1/events", &load.person.secret);
    let call = call.header("Last-Event-ID", &followed.events.len().to_string());
    let Some(mut lines) = open(load, &call) else { return Ok(()) };
    let Some(status) = next(&mut lines) else { return Ok(()) };
    if !status.contains(" 200 ") {
        // A stopping or failing hub; but that it does not know the event must not be.
        return if status.contains(" 503 ") || status.contains(" 429 ") {
            Ok(())
        } else {
            Err(format!("the stream after event {} is refused: {status}", followed.events.len()).into())
        };
    }
    let (mut number, mut name, mut data) = (0, String::new(), Value::Null);
    while let Some(line) = next(&mut lines) {
        match line.split_once(": ") {
            Some(("id", text)) => number = text.parse().unwrap_or_default(),
            Some(("event", text)) => text.clone_into(&mut name),
            Some(("data", text)) => data = serde_json::from_str(text).unwrap_or_default(),
            // An empty line ends an event; one that was cut off before is told again.
            None if line.is_empty() && data.is_object() => {
                if number != followed.events.len() + 1 {
                    return Err(format!("event {number} was told after event {}", followed.events.len()).into());
                }
                let id = take_event(load, &mut followed.marks, data);
                followed.events.push((std::mem::take(&mut name), id));
                data = Value::Null;
            }
            _ => {}
        }
        if load.answering.is_ending() {
            break;
        }
    }
    Ok(())
}

fn open(load: &Load, call: &Call) -> Option<BufReader<Connection>> {
    let connection = Connection::open(load.api.address).and_then(|connection| call.open_over(connection));
    connection.ok().map(BufReader::new)
}

/// The next line; none where the stream ends or breaks off.
fn next(lines: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    let is_whole = lines.read_line(&mut line).is_ok() && line.ends_with('\n');
    is_whole.then(|| line.trim_end().to_owned())
}

/// Gives a new request to its answerers, and notes an outcome; the request's id.
fn take_event(load: &Load, marks: &mut HashMap<String, usize>, data: Value) -> String {
    let id = data["id"].as_str().unwrap_or_default().to_owned();
    if let Some(question) = data["request"]["questions"][0]["message"].as_str() {
        let mark = read_mark(question).unwrap_or(usize::MAX);
        marks.insert(id.clone(), mark);
        for answerer in load.ledger.answerers(mark) {
            load.jobs[answerer].push(Job { mark, id: id.clone() });
        }
    } else if let Some(mark) = marks.get(&id) {
        load.ledger.told(*mark, data);
    }
    id
}
