//! The server that comes with y-websocket, in Node.js. It lets everybody write; so one more client does.

use crate::contender::{Contender, room_name};
use crate::hub::shown;
use crate::server::end;
use crate::socket::{Door, Pen, Socket, shared};
use crate::writer::{Turn, Writer, due};
use crate::{Done, yjs};
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::time::Instant;
use tokio::io::AsyncReadExt;
use tokio::task::JoinSet;

/// The name under which results have it.
pub(crate) const NAME: &str = "y-websocket-server in Node.js";
/// The requests that a room shows, the newest of them: as many as in a room of ours.
const SHOWN: u64 = 500;
/// An id that is written in as many bytes as that of our rooms' author.
const AUTHOR: u64 = 1 << 33;

pub(crate) struct Node {
    child: Child,
    address: SocketAddr,
    rooms: usize,
}

impl Node {
    /// Starts it; nothing where it is not installed.
    pub(crate) fn start(rooms: usize) -> Done<Option<Self>> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/peers/node");
        let mut command = Command::new("node");
        command.arg("y_websocket_server.mjs").current_dir(folder).env_remove("YPERSISTENCE").env_remove("CALLBACK_URL");
        let Ok(mut child) = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn() else {
            eprintln!("Node.js is not installed, and left out");
            return Ok(None);
        };
        let mut port = String::new();
        BufReader::new(child.stdout.take().ok_or("Node.js says nothing")?).read_line(&mut port)?;
        let Ok(port) = port.trim().parse::<u16>() else {
            end(&mut child);
            eprintln!("{NAME} does not start, and is left out: `npm ci` in bench/peers/node installs it");
            return Ok(None);
        };
        Ok(Some(Self { child, address: SocketAddr::from((Ipv4Addr::LOCALHOST, port)), rooms }))
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

impl Contender for Node {
    fn pid(&self) -> u32 {
        self.child.id()
    }

    fn door(&self, room: usize, _client: usize) -> Door {
        Door::new(self.address, &format!("/{}", room_name(room)))
    }

    fn writer(&self) -> Writer {
        Writer::Pusher(Pusher { doors: (0..self.rooms).map(|room| self.door(room, 0)).collect() })
    }

    fn others_told(&self) -> usize {
        // Who writes is told, too.
        1
    }
}

/// A client in each room that appends to its list.
pub(crate) struct Pusher {
    doors: Vec<Door>,
}

/// Connections that are open, and whoever reads what they are told.
pub(crate) struct Pushing {
    pens: Vec<Pen>,
    reading: JoinSet<()>,
}

impl Pusher {
    pub(crate) async fn open(&self) -> Done<Pushing> {
        let (mut pens, mut reading) = (Vec::new(), JoinSet::new());
        for door in &self.doors {
            let (mut read, pen) = Socket::open(door, shared()).await?.split();
            pens.push(pen);
            reading.spawn_local(async move {
                let mut ignored = vec![0; 64 << 10];
                while read.read(&mut ignored).await.is_ok_and(|read| read > 0) {}
            });
        }
        Ok(Pushing { pens, reading })
    }

    /// Pushes everything of a turn, and says when each was sent.
    pub(crate) async fn write(&self, pushing: &mut Pushing, turn: Turn) -> Done<Vec<Instant>> {
        let (start, rooms) = (Instant::now(), self.doors.len());
        let mut sent = Vec::new();
        for number in 0..turn.count {
            let (room, clock) = ((turn.first + number) % rooms, ((turn.first + number) / rooms) as u64);
            let entry = shown(turn.first + number, room);
            let message = yjs::append(AUTHOR, clock, "inputRequests", &entry, clock.checked_sub(SHOWN));
            due(start, number, turn.every).await;
            sent.push(Instant::now());
            pushing.pens[room].send(&message).await?;
        }
        if pushing.reading.try_join_next().is_some() {
            return Err(format!("{NAME} hung up").into());
        }
        Ok(sent)
    }
}
