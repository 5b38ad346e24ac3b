//! A local server that speaks the Messages protocol and says what it is told to, well or badly: a model that can be had
//! everywhere. It listens on loopback, and has no dependencies beyond JSON, so that nothing under test is in it.

use serde_json::Value;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

mod answer;

pub use answer::Answer;

/// How long anybody waits for anything here.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the server does with a request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// Streams an answer.
    Answer(Answer),
    /// Streams an answer in pieces of so many bytes.
    InPieces(Answer, usize),
    /// Streams so many bytes of an answer, and then cuts the connection.
    Cut(Answer, usize),
    /// Streams an answer without its end, and then says nothing until the client hangs up.
    Hang(Answer),
    /// Refuses with a status, and perhaps with the seconds to wait.
    Refuse(u16, Option<u32>),
    /// Refuses with a status and a message.
    RefuseSaying(u16, String),
    /// Points to another server.
    Redirect(String),
}

/// A request that came.
#[derive(Debug, Clone)]
pub struct Received {
    /// Its body.
    pub body: Value,
    /// Its headers, in lower case.
    pub headers: Vec<(String, String)>,
    /// When it was read.
    pub at: Instant,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    script: VecDeque<Reply>,
    received: Vec<Received>,
    hung_up: usize,
}

/// A running server. It ends with the program.
pub struct ModelServer {
    url: String,
    shared: Arc<Shared>,
}

impl ModelServer {
    /// Starts a server that gives these replies, one for each request; when they are used up, it says so.
    pub fn start(script: impl IntoIterator<Item = Reply>) -> io::Result<Self> {
        Self::start_at("127.0.0.1:0", script)
    }

    /// Starts one at an address of loopback.
    pub fn start_at(address: &str, script: impl IntoIterator<Item = Reply>) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let url = format!("http://{}", listener.local_addr()?);
        let shared = Arc::<Shared>::default();
        lock(&shared).script = script.into_iter().collect();
        let serving = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&serving);
                std::thread::spawn(move || serve(stream, &shared));
            }
        });
        Ok(Self { url, shared })
    }

    /// Its address, for `ANTHROPIC_BASE_URL`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Adds a reply.
    pub fn add(&self, reply: Reply) {
        lock(&self.shared).script.push_back(reply);
    }

    /// The requests so far.
    pub fn received(&self) -> Vec<Received> {
        lock(&self.shared).received.clone()
    }

    /// The request of a number, from 0, when it has come.
    ///
    /// # Panics
    ///
    /// If it does not come.
    pub fn wait_for(&self, number: usize) -> Received {
        self.wait(|state| state.received.get(number).cloned())
    }

    /// Waits until so many clients have hung up in the middle of an answer.
    ///
    /// # Panics
    ///
    /// If they don't.
    pub fn wait_for_hang_ups(&self, count: usize) {
        self.wait(|state| (state.hung_up >= count).then_some(()));
    }

    fn wait<T>(&self, mut found: impl FnMut(&State) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        let mut state = lock(&self.shared);
        loop {
            if let Some(found) = found(&state) {
                return found;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "what was waited for did not come; there were {} requests", state.received.len());
            (state, _) = self.shared.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn lock(shared: &Shared) -> MutexGuard<'_, State> {
    shared.state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers the requests of a connection until it ends; one that breaks is the client's concern.
fn serve(stream: TcpStream, shared: &Shared) {
    let _ = stream.set_nodelay(true);
    let Ok(writer) = stream.try_clone() else { return };
    let (mut reader, mut writer) = (BufReader::new(stream), writer);
    while let Ok(Some(received)) = read_request(&mut reader) {
        let reply = {
            let mut state = lock(shared);
            state.received.push(received);
            shared.changed.notify_all();
            state.script.pop_front().unwrap_or_else(|| Reply::Answer(Answer::new().text("The script is over.").end()))
        };
        match give(&reply, &mut reader, &mut writer) {
            Ok(Connection::Open) => {}
            Ok(Connection::HungUp) => {
                lock(shared).hung_up += 1;
                shared.changed.notify_all();
                return;
            }
            Ok(Connection::Closed) | Err(_) => return,
        }
    }
}

/// What is left of a connection after a reply.
enum Connection {
    Open,
    Closed,
    HungUp,
}

fn read_request(reader: &mut BufReader<TcpStream>) -> io::Result<Option<Received>> {
    let mut headers = Vec::new();
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        match line.trim_end().split_once(':') {
            Some((name, value)) => headers.push((name.to_ascii_lowercase(), value.trim().to_owned())),
            None => break,
        }
    }
    let length = headers.iter().find(|(name, _)| name == "content-length").and_then(|(_, value)| value.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body)?;
    let at = Instant::now();
    Ok(Some(Received { body: serde_json::from_slice(&body).unwrap_or_default(), headers, at }))
}

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

fn give(reply: &Reply, reader: &mut BufReader<TcpStream>, writer: &mut TcpStream) -> io::Result<Connection> {
    match reply {
        Reply::Answer(answer) => whole(answer.bytes().chunks(usize::MAX), writer),
        Reply::InPieces(answer, size) => whole(answer.bytes().chunks(*size), writer),
        Reply::Cut(answer, size) => {
            let bytes = answer.bytes();
            writer.write_all(HEAD.as_bytes())?;
            chunk(&bytes[..bytes.len().min(*size)], writer)?;
            writer.shutdown(std::net::Shutdown::Both)?;
            Ok(Connection::Closed)
        }
        Reply::Hang(answer) => {
            writer.write_all(HEAD.as_bytes())?;
            chunk(&answer.bytes(), writer)?;
            // The client sends nothing more, so that the next thing to read is its end.
            let _ = reader.read(&mut [0]);
            Ok(Connection::HungUp)
        }
        Reply::Refuse(status, wait) => {
            let wait = wait.map(|seconds| format!("retry-after: {seconds}\r\n")).unwrap_or_default();
            refuse(*status, &wait, "as told", writer)
        }
        Reply::RefuseSaying(status, message) => refuse(*status, "", message, writer),
        Reply::Redirect(url) => refuse(307, &format!("location: {url}/v1/messages\r\n"), "it is elsewhere", writer),
    }
}

fn refuse(status: u16, headers: &str, message: &str, writer: &mut TcpStream) -> io::Result<Connection> {
    let error = serde_json::json!({"type": format!("refused_{status}"), "message": message});
    let body = serde_json::json!({"type": "error", "error": error}).to_string();
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status} As Told\r\n{headers}content-type: application/json\r\ncontent-length: {length}");
    writer.write_all(format!("{head}\r\n\r\n{body}").as_bytes())?;
    Ok(Connection::Open)
}

fn whole<'b>(pieces: impl Iterator<Item = &'b [u8]>, writer: &mut TcpStream) -> io::Result<Connection> {
    writer.write_all(HEAD.as_bytes())?;
    for piece in pieces {
        chunk(piece, writer)?;
    }
    writer.write_all(b"0\r\n\r\n")?;
    Ok(Connection::Open)
}

fn chunk(bytes: &[u8], writer: &mut TcpStream) -> io::Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    writer.write_all(&chunk)
}
