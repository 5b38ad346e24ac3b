//! Following the events of a server.

use crate::http::Call;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;

/// An open stream of events.
pub(crate) struct Stream(BufReader<TcpStream>);

/// One event.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Event {
    pub(crate) number: u64,
    pub(crate) name: String,
    pub(crate) data: Value,
}

impl Stream {
    /// Opens it; from here on nothing is missed.
    pub(crate) fn open(call: &Call) -> Self {
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

    /// The next event; none when the stream has ended.
    pub(crate) fn next(&mut self) -> Option<Event> {
        let (mut number, mut name) = (None, None);
        loop {
            let line = self.line()?;
            // The lines between are the lengths of the pieces.
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
