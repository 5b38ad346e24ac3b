//! A client that sends whatever it is told to, the wrong headers too.

use crate::process::PATIENCE;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

/// A call that is not made yet.
#[derive(Clone)]
pub(crate) struct Call {
    address: SocketAddr,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Call {
    pub(crate) fn new(address: SocketAddr, method: &str, path: &str) -> Self {
        let headers = vec![("Host".to_owned(), address.to_string())];
        Self { address, method: method.to_owned(), path: path.to_owned(), headers, body: Vec::new() }
    }

    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// Sends this header, and not what would have been sent under its name.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self = self.without(name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(other, _)| other != name);
        self
    }

    pub(crate) fn token(self, secret: &str) -> Self {
        self.header("Authorization", &format!("Bearer {secret}"))
    }

    /// As a page of this origin, with its session.
    pub(crate) fn session(self, secret: &str) -> Self {
        let origin = format!("http://{}", self.address);
        self.token(secret).header("Origin", &origin)
    }

    /// The call without its body, and the body.
    pub(crate) fn split(mut self) -> (Self, Vec<u8>) {
        let body = std::mem::take(&mut self.body);
        (self, body)
    }

    /// Makes the call, and reads nothing yet.
    pub(crate) fn open(&self) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut head = format!("{} {} HTTP/1.1\r\nConnection: close\r\n", self.method, self.path);
        let length = [("Content-Length".to_owned(), self.body.len().to_string())];
        let says_length = self.headers.iter().any(|(name, _)| name == "Content-Length" || name == "Transfer-Encoding");
        let length = length.iter().filter(|_| !self.body.is_empty() && !says_length);
        for (name, value) in self.headers.iter().chain(length) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
        stream.write_all(&self.body).unwrap();
        stream
    }

    /// Makes the call, and waits for all of the answer.
    pub(crate) fn send(&self) -> Answer {
        Answer::read(self.open()).unwrap_or_else(|| panic!("{} {} was not answered", self.method, self.path))
    }
}

impl Answer {
    /// What comes until the connection is closed; nothing if it is closed at once.
    pub(crate) fn read(mut stream: TcpStream) -> Option<Self> {
        let mut bytes = Vec::new();
        // A server that is killed closes it in its own way.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n")?;
        let mut lines = head.lines();
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
        Some(Self { status, headers, body: body.to_owned() })
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Fails unless it is this problem with this status.
    #[track_caller]
    pub(crate) fn is_problem(&self, status: u16, name: &str) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        let problem = self.json();
        assert_eq!(problem["type"], format!("urn:askback:problem:{name}"), "{self:?}");
        assert_eq!(problem["status"], status);
        problem
    }

    #[track_caller]
    pub(crate) fn is(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        if self.body.is_empty() { Value::Null } else { self.json() }
    }
}
