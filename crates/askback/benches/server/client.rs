//! HTTP by hand, as cheap as it can be: the client has the same processors as the server.

use crate::Done;
use serde_json::Value;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Where the API is.
pub(crate) const API: &str = "/api/v1";

/// A call as it goes over the wire, made once and sent as often as need be.
#[derive(Clone)]
pub(crate) struct Call(Vec<u8>);

impl Call {
    pub(crate) fn get(path: &str, token: &str, address: SocketAddr) -> Self {
        Self(format!("GET {API}{path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\r\n").into())
    }

    /// For what is not part of the API, and for everybody.
    pub(crate) fn get_at(path: &str, address: SocketAddr) -> Self {
        Self(format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n\r\n").into())
    }

    pub(crate) fn post(path: &str, token: &str, address: SocketAddr, body: &str) -> Self {
        let length = body.len();
        let head = format!("POST {API}{path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}");
        Self(format!("{head}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}").into())
    }
}

/// A connection that stays open.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// What came back, whole.
pub(crate) struct Reply<'c> {
    pub(crate) status: u16,
    pub(crate) body: &'c [u8],
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Done<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::new() })
    }

    pub(crate) async fn send(&mut self, call: &Call) -> Done<()> {
        Ok(self.stream.write_all(&call.0).await?)
    }

    /// Reads one reply, which says how long it is.
    pub(crate) async fn reply(&mut self) -> Done<Reply<'_>> {
        self.buffer.clear();
        let mut end = None;
        while end.is_none_or(|(_, end)| self.buffer.len() < end) {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err("the server hung up".into());
            }
            if end.is_none() {
                end = measured(&self.buffer)?;
            }
        }
        let (body, _) = end.unwrap_or_default();
        Ok(Reply { status: status(&self.buffer)?, body: &self.buffer[body..] })
    }

    pub(crate) async fn call(&mut self, call: &Call) -> Done<Reply<'_>> {
        self.send(call).await?;
        self.reply().await
    }

    /// Calls, and fails unless the server does what it is asked to.
    pub(crate) async fn must(&mut self, call: &Call) -> Done<&[u8]> {
        let Reply { status, body } = self.call(call).await?;
        match status {
            200 | 201 => Ok(body),
            _ => Err(format!("the server says {status}: {}", String::from_utf8_lossy(body)).into()),
        }
    }

    /// The connection without what makes it one for calls and replies.
    pub(crate) fn into_stream(self) -> TcpStream {
        self.stream
    }
}

/// The number in the first line of a reply.
fn status(reply: &[u8]) -> Done<u16> {
    let digits = reply.get(9..12).and_then(|digits| std::str::from_utf8(digits).ok());
    Ok(digits.ok_or("this is no reply")?.parse()?)
}

/// Where the body begins and ends, once the whole head is there.
fn measured(reply: &[u8]) -> Done<Option<(usize, usize)>> {
    let Some(body) = head(reply) else { return Ok(None) };
    let name = b"content-length: ";
    let lines = reply[..body].split(|byte| *byte == b'\n');
    let length = lines.into_iter().find_map(|line| line.strip_prefix(name)).ok_or("a reply does not say its length")?;
    let length: usize = std::str::from_utf8(length)?.trim().parse()?;
    Ok(Some((body, body + length)))
}

/// The length of a head, if it is whole.
pub(crate) fn head(reply: &[u8]) -> Option<usize> {
    reply.windows(4).position(|window| window == b"\r\n\r\n").map(|place| place + 4)
}

/// A text in a JSON object.
pub(crate) fn text(body: &[u8], name: &str) -> Done<String> {
    let json: Value = serde_json::from_slice(body)?;
    Ok(json[name].as_str().ok_or_else(|| format!("there is no {name} in {json}"))?.to_owned())
}
