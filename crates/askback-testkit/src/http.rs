//! An HTTP client that sends exactly the bytes that a test wants, malformed and half-sent calls too.

use crate::wait::PATIENCE;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Instant;

/// A call that is not sent yet.
#[derive(Debug, Clone)]
pub struct Call {
    address: String,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Call {
    /// A call with a `Host` header and no other.
    pub fn new(address: &(impl ToString + ?Sized), method: &str, path: &str) -> Self {
        let address = address.to_string();
        let headers = vec![("Host".to_owned(), address.clone())];
        Self { address, method: method.to_owned(), path: path.to_owned(), headers, body: Vec::new() }
    }

    /// With a body; its length is sent unless a header says it.
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// With this header, in place of others of its name.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self = self.without(name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Without a header.
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self
    }

    /// With a bearer token.
    pub fn token(self, secret: &str) -> Self {
        self.header("Authorization", &format!("Bearer {secret}"))
    }

    /// As a page of the hub's origin, with its session.
    pub fn session(self, secret: &str) -> Self {
        let origin = format!("http://{}", self.address);
        self.token(secret).header("Origin", &origin)
    }

    /// Sends the call, and reads nothing yet.
    pub fn open(&self) -> Connection {
        let opened = Connection::open(&self.address).and_then(|connection| self.open_over(connection));
        opened.unwrap_or_else(|error| panic!("{} {}: {error}", self.method, self.path))
    }

    /// [`Call::open`] over a connection to a server that may be killed meanwhile.
    pub fn open_over(&self, mut connection: Connection) -> io::Result<Connection> {
        let mut head = format!("{} {} HTTP/1.1\r\nConnection: close\r\n", self.method, self.path);
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        let is_length = |name: &str| ["content-length", "transfer-encoding"].contains(&&*name.to_ascii_lowercase());
        if !self.body.is_empty() && !self.headers.iter().any(|(name, _)| is_length(name)) {
            let _ = write!(head, "Content-Length: {}\r\n", self.body.len());
        }
        connection.send(format!("{head}\r\n").as_bytes())?;
        connection.send(&self.body)?;
        Ok(connection)
    }

    /// Sends the call, and returns the whole reply.
    #[track_caller]
    pub fn send(&self) -> Reply {
        self.open().reply().unwrap_or_else(|| panic!("{} {} got no reply", self.method, self.path))
    }

    /// [`Call::send`] over a connection to a server that may be killed meanwhile.
    pub fn send_over(&self, connection: Connection) -> io::Result<Reply> {
        self.open_over(connection)?.reply().ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    /// Sends the head, waits until the server reads the body, calls `meanwhile`, and sends the body then.
    #[track_caller]
    pub fn send_late(mut self, meanwhile: impl FnOnce()) -> Reply {
        let body = std::mem::take(&mut self.body);
        let head = self.header("Expect", "100-continue").header("Content-Length", &body.len().to_string());
        let mut connection = head.open();
        let interim = connection.read_head();
        assert!(interim.starts_with("HTTP/1.1 100 "), "{interim}");
        meanwhile();
        // The server may have replied and closed the connection before.
        let _ = connection.send(&body);
        connection.reply().expect("a reply")
    }
}

/// A connection, for calls that are not sent in one piece and replies that are not read in one.
#[derive(Debug)]
pub struct Connection(TcpStream);

impl Connection {
    /// Connects; reading fails after [`PATIENCE`].
    pub fn open(address: impl ToSocketAddrs) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self(stream))
    }

    /// Sends bytes as they are.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    /// Reads the head of a reply, with the empty line behind it.
    pub fn read_head(&mut self) -> String {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.extend(self.read_bytes::<1>());
        }
        String::from_utf8(head).unwrap()
    }

    /// Reads a fixed number of bytes.
    pub fn read_bytes<const COUNT: usize>(&mut self) -> [u8; COUNT] {
        let mut bytes = [0; COUNT];
        self.0.read_exact(&mut bytes).unwrap();
        bytes
    }

    /// The reply, read until the connection is closed; none if it is closed before the head is whole.
    pub fn reply(mut self) -> Option<Reply> {
        let mut bytes = Vec::new();
        match self.0.read_to_end(&mut bytes) {
            Ok(_) => {}
            // A server that is killed may reset the connection.
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {}
            Err(error) => panic!("the server keeps the connection open: {error}"),
        }
        Reply::parse(&bytes)
    }

    /// Everything that arrives until the server closes the connection.
    ///
    /// # Panics
    ///
    /// If the server keeps it open, also where it sends something now and then.
    pub fn read_until_closed(mut self) -> String {
        let (mut bytes, mut piece) = (Vec::new(), [0; 4096]);
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.0.read(&mut piece).expect("the server closes the connection") {
                0 => return String::from_utf8(bytes).unwrap(),
                count => bytes.extend(&piece[..count]),
            }
            assert!(Instant::now() < deadline, "the connection stays open");
        }
    }
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

/// Whether a server accepts connections at an address.
pub fn is_listening(address: impl ToSocketAddrs) -> bool {
    TcpStream::connect(address).is_ok()
}

/// The reply to a call.
#[derive(Debug)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    headers: Vec<(String, String)>,
    /// The body as text.
    pub body: String,
    /// The body as it was sent.
    pub bytes: Vec<u8>,
}

impl Reply {
    fn parse(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let (head, body) = (String::from_utf8_lossy(&bytes[..end]), &bytes[end + 4..]);
        let mut lines = head.lines();
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
        Some(Self { status, headers, body: String::from_utf8_lossy(body).into_owned(), bytes: body.to_vec() })
    }

    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Fails unless it has this status; the body as JSON, or null where it is empty.
    #[track_caller]
    pub fn is(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        if self.body.is_empty() { Value::Null } else { self.json() }
    }

    /// Fails unless it is this problem with this status; the problem.
    #[track_caller]
    pub fn is_problem(&self, status: u16, name: &str) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        let problem = self.json();
        assert_eq!(problem["type"], format!("urn:askback:problem:{name}"), "{self:?}");
        assert_eq!(problem["status"], status);
        problem
    }
}
