//! Our server: the binary as people have it, with a token for everybody.

use crate::client::{Call, Connection, text};
use crate::contender::{Contender, Size, room_name};
use crate::server::Server;
use crate::socket::Door;
use crate::writer::{Turn, Writer, due};
use crate::yjs::mark;
use crate::{Done, on_one_thread};
use serde_json::{Value, json};
use std::cell::Cell;
use std::net::SocketAddr;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;
use tokio::task::JoinSet;

/// The tokens that ask in one room where there is but one: each may ask only so often.
const ASKERS: usize = 8;
/// Connections that ask, each the next thing once it has its reply.
const ASKING: usize = 32;

pub(crate) struct Hub {
    server: Server,
    size: Size,
    /// The secret of each client.
    clients: Vec<String>,
    asker: Asker,
}

impl Hub {
    pub(crate) fn start(folder: &Path, size: Size) -> Done<Self> {
        let server = Server::start(folder)?;
        let askers = ASKERS.div_ceil(size.rooms);
        let token = |role: &str, number: usize, room: usize| json!({"role": role, "name": format!("{role}-{number}"), "room": room_name(room)});
        let (clients, askers) = on_one_thread(async {
            let clients = (0..size.all_clients()).map(|number| token("answerer", number, number / size.clients));
            let askers = (0..size.rooms * askers).map(|number| token("asker", number, number % size.rooms));
            Ok((tokens(&server, clients).await?, tokens(&server, askers).await?))
        })?;
        let asker = Asker { address: server.address, tokens: askers.into() };
        Ok(Self { server, size, clients, asker })
    }
}

async fn tokens(server: &Server, wanted: impl Iterator<Item = Value>) -> Done<Vec<String>> {
    let mut connection = Connection::open(server.address).await?;
    let mut made = Vec::new();
    for token in wanted {
        let call = Call::post("/tokens", &server.person, server.address, &token.to_string());
        made.push(text(connection.must(&call).await?, "token")?);
    }
    Ok(made)
}

impl Contender for Hub {
    fn pid(&self) -> u32 {
        self.server.id()
    }

    fn door(&self, room: usize, client: usize) -> Door {
        let token = &self.clients[room * self.size.clients + client];
        Door::new(self.server.address, &format!("/sync/{}", room_name(room))).with_token(token)
    }

    fn writer(&self) -> Writer {
        Writer::Asker(self.asker.clone())
    }

    fn others_told(&self) -> usize {
        0
    }
}

/// Who asks over HTTP.
#[derive(Clone)]
pub(crate) struct Asker {
    address: SocketAddr,
    /// Of all rooms in turn.
    tokens: Arc<[String]>,
}

/// Connections that are open.
pub(crate) type Asking = Vec<Connection>;

impl Asker {
    pub(crate) async fn open(&self) -> Done<Asking> {
        let mut opened = Vec::new();
        for _ in 0..ASKING {
            opened.push(Connection::open(self.address).await?);
        }
        Ok(opened)
    }

    /// Asks everything of a turn, and says when each was sent.
    pub(crate) async fn write(&self, asking: Asking, turn: Turn) -> Done<Vec<Instant>> {
        let (start, next) = (Instant::now(), Rc::new(Cell::new(0)));
        let mut working = JoinSet::new();
        for mut connection in asking {
            let (asker, next) = (self.clone(), Rc::clone(&next));
            working.spawn_local(async move {
                let mut sent = Vec::new();
                while next.get() < turn.count {
                    let number = next.replace(next.get() + 1);
                    let call = asker.call(turn.first + number);
                    due(start, number, turn.every).await;
                    sent.push((number, Instant::now()));
                    connection.must(&call).await?;
                }
                Done::Ok(sent)
            });
        }
        let mut all = vec![start; turn.count];
        while let Some(sent) = working.join_next().await {
            for (number, at) in sent?? {
                all[number] = at;
            }
        }
        Ok(all)
    }

    fn call(&self, number: usize) -> Call {
        Call::post("/requests", &self.tokens[number % self.tokens.len()], self.address, &question(number))
    }
}

/// A question as agents ask it.
fn question(number: usize) -> String {
    json!({
        "type": "choice",
        "header": "Database",
        "message": format!("{} Which database should the new service use?", mark(number)),
        "options": options(),
    })
    .to_string()
}

fn options() -> Value {
    json!([
        {"value": "PostgreSQL", "description": "What we run elsewhere; needs a server"},
        {"value": "SQLite", "description": "One file, no server"},
        {"value": "MySQL", "description": "What the old service uses"},
    ])
}

/// The same as a room shows it.
pub(crate) fn shown(number: usize, room: usize) -> Value {
    json!({
        "id": format!("01930000-0000-7000-8000-{number:012}"),
        "room": room_name(room),
        "asker": "asker-0",
        "type": "choice",
        "header": "Database",
        "message": format!("{} Which database should the new service use?", mark(number)),
        "options": options(),
        "questionId": "q1",
        "createdAt": "2026-11-16T12:00:00.000000Z",
        "status": "pending",
    })
}
