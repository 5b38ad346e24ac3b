//! Somebody who receives webhooks, and answers them as a test wants it.

use crate::PATIENCE;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver as Queue, RecvTimeoutError};
use std::time::Duration;

/// A webhook as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) line: String,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// What was asked, if that is what it tells.
    pub(crate) fn question(&self) -> String {
        self.json()["request"]["questions"][0]["message"].as_str().unwrap_or_default().to_owned()
    }
}

/// How it answers.
pub(crate) enum Answer {
    /// With a status, and perhaps headers.
    Status(u16, &'static str),
    /// Not at all, and keeps the connection.
    Never,
}

pub(crate) struct Receiver {
    pub(crate) address: String,
    arrived: Queue<Received>,
}

impl Receiver {
    /// One that takes everything.
    pub(crate) fn willing() -> Self {
        Self::that(|_, _| Answer::Status(204, ""))
    }

    /// One that answers as this says of each, which it also counts, from 1.
    pub(crate) fn that(answer: impl Fn(usize, &Received) -> Answer + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (tell, arrived) = mpsc::channel();
        // It ends with the test.
        std::thread::spawn(move || {
            let mut kept = Vec::new();
            for (index, stream) in listener.incoming().enumerate() {
                let mut stream = stream.unwrap();
                let Some(received) = read(&stream) else { continue };
                let answer = answer(index + 1, &received);
                let _ = tell.send(received);
                match answer {
                    Answer::Status(status, headers) => {
                        let _ = write!(stream, "HTTP/1.1 {status} So\r\n{headers}content-length: 2\r\n\r\nok");
                    }
                    Answer::Never => kept.push(stream),
                }
            }
        });
        Self { address, arrived }
    }

    /// Its address as a configuration has it.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// The next one that arrives.
    #[track_caller]
    pub(crate) fn next(&self) -> Received {
        self.arrived.recv_timeout(PATIENCE).expect("a webhook in time")
    }

    /// Sees to it that for a while none arrives.
    #[track_caller]
    pub(crate) fn nothing_for(&self, while_: Duration) {
        match self.arrived.recv_timeout(while_) {
            Err(RecvTimeoutError::Timeout) => {}
            other => panic!("something arrived: {other:?}"),
        }
    }
}

fn read(stream: &TcpStream) -> Option<Received> {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let mut lines = lines.into_iter();
    let line = lines.next()?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned())))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length")?.1.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Received { line, headers, body: String::from_utf8(body).unwrap() })
}
