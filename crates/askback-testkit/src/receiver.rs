//! A receiver of webhooks, which replies as a test wants.

use crate::wait::PATIENCE;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver};

/// A delivery as it arrived.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// The request line.
    pub line: String,
    headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Delivery {
    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// The message of the first question, or nothing where the event has none.
    pub fn question(&self) -> String {
        self.json()["request"]["questions"][0]["message"].as_str().unwrap_or_default().to_owned()
    }
}

/// How a receiver replies.
#[derive(Debug, Clone, Copy)]
pub enum WebhookReply {
    /// With a status and header lines.
    Status(u16, &'static str),
    /// Not at all; it keeps the connection open.
    Never,
}

/// A receiver that listens on loopback until the test ends.
#[derive(Debug)]
pub struct WebhookReceiver {
    /// Its host and port.
    pub address: String,
    deliveries: Receiver<Delivery>,
}

impl WebhookReceiver {
    /// One that accepts every delivery.
    pub fn accepting() -> Self {
        Self::replying(|_, _| WebhookReply::Status(204, ""))
    }

    /// One that replies to each delivery as this function says, which also gets the delivery's number, from 1.
    pub fn replying(reply: impl Fn(usize, &Delivery) -> WebhookReply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (sender, deliveries) = mpsc::channel();
        std::thread::spawn(move || {
            let mut open = Vec::new();
            for (index, stream) in listener.incoming().enumerate() {
                let mut stream = stream.unwrap();
                let Some(delivery) = read(&stream) else { continue };
                let reply = reply(index + 1, &delivery);
                let _ = sender.send(delivery);
                match reply {
                    WebhookReply::Status(status, headers) => {
                        let _ = write!(stream, "HTTP/1.1 {status} So\r\n{headers}content-length: 2\r\n\r\nok");
                    }
                    WebhookReply::Never => open.push(stream),
                }
            }
        });
        Self { address, deliveries }
    }

    /// Its URL, for a configuration.
    pub fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// The next delivery.
    #[track_caller]
    pub fn next(&self) -> Delivery {
        self.deliveries.recv_timeout(PATIENCE).expect("a webhook in time")
    }
}

fn read(stream: &TcpStream) -> Option<Delivery> {
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
    Some(Delivery { line, headers, body: String::from_utf8(body).unwrap() })
}
