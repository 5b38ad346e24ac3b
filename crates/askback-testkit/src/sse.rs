//! A client of a hub's event stream.

use crate::http::{Call, Connection};
use serde_json::Value;
use std::io::{BufRead, BufReader};

/// An open stream of events.
#[derive(Debug)]
pub struct EventStream(BufReader<Connection>);

/// One event.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its id, which is its number in the log.
    pub number: u64,
    /// Its type.
    pub name: String,
    /// Its data.
    pub data: Value,
}

impl EventStream {
    /// Opens the stream; it misses no event after this.
    #[track_caller]
    pub fn open(call: &Call) -> Self {
        let mut stream = Self(BufReader::new(call.open()));
        let status = stream.line().unwrap();
        assert!(status.contains(" 200 "), "{status}");
        while stream.line().is_some_and(|line| !line.starts_with("retry:")) {}
        stream
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.0.read_line(&mut line).unwrap();
        (read > 0).then(|| line.trim_end().to_owned())
    }

    /// The next event; none when the server has closed the stream.
    #[expect(clippy::should_implement_trait, reason = "tests take events one by one")]
    pub fn next(&mut self) -> Option<Event> {
        let (mut number, mut name) = (None, None);
        loop {
            let line = self.line()?;
            // The other lines are the sizes of chunks, comments and empty lines.
            match line.split_once(": ") {
                Some(("id", text)) => number = text.parse().ok(),
                Some(("event", text)) => name = Some(text.to_owned()),
                Some(("data", text)) => {
                    let data = serde_json::from_str(text).unwrap();
                    return Some(Event { number: number.unwrap(), name: name.unwrap(), data });
                }
                _ => {}
            }
        }
    }
}
