//! A server of event streams in Node.js, for how much memory a connection takes there.

use crate::client::{Call, Connection};
use crate::server::end;
use crate::stream::{Stream, shared};
use crate::{Done, usage};
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};

/// The memory that each of so many streams takes; nothing where there is no Node.js.
pub(crate) async fn memory_of_a_stream(streams: usize) -> Done<Option<f64>> {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/peers/node/sse.mjs");
    let Ok(child) = Command::new("node").arg(program).stdin(Stdio::null()).stdout(Stdio::piped()).spawn() else {
        eprintln!("Node.js is not installed, and left out");
        return Ok(None);
    };
    let mut node = Node(child);
    let mut port = String::new();
    BufReader::new(node.0.stdout.take().ok_or("Node.js says nothing")?).read_line(&mut port)?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port.trim().parse()?));
    let (call, buffer) = (Call::get("/events", "nobody", address), shared());
    let mut held = Vec::new();
    let mut before = 0.0;
    for _ in 0..=streams {
        let mut connection = Connection::open(address).await?;
        connection.send(&call).await?;
        let mut stream = Stream::new(connection, buffer.clone());
        stream.more().await?;
        // The first one pays for what all share.
        if held.is_empty() {
            before = usage::resident(node.0.id())?;
        }
        held.push(stream);
    }
    Ok(Some((usage::resident(node.0.id())? - before) / streams as f64))
}

struct Node(Child);

impl Drop for Node {
    fn drop(&mut self) {
        end(&mut self.0);
    }
}
