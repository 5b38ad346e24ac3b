//! From a proposal in a room to its verdict. The goal: a millisecond more than the commit.

use crate::client::{Call, Connection, text};
use crate::contender::room_name;
use crate::crowd::document;
use crate::library::{ANSWER, Library, PAUSE};
use crate::report::{Peer, Show, latency};
use crate::server::Server;
use crate::socket::{Door, Socket, shared};
use crate::times::Times;
use crate::yjs::{self, Told, told};
use crate::{Done, Effort, on_one_thread};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// The first few are to get warm.
const WARM: usize = 100;
const QUESTION: &str = r#"{"type": "choice", "header": "Database",
    "message": "Which database should the new service use?",
    "options": [
        {"value": "PostgreSQL", "description": "What we run elsewhere; needs a server"},
        {"value": "SQLite", "description": "One file, no server"},
        {"value": "MySQL", "description": "What the old service uses"}]}"#;
/// Any id that Yjs clients have.
const CLIENT: u64 = 1 << 31;

pub(crate) fn measure(folder: &Path, effort: Effort) -> Done<Vec<Value>> {
    let server = Server::start(&folder.join("data"))?;
    let (decided, library) = on_one_thread(async {
        let mut desk = Desk::open(&server).await?;
        let library = Library::open(folder, QUESTION).await?;
        let (mut decided, mut written) = (Vec::new(), Vec::new());
        // Round by round, so that both meet the same disk.
        for number in 0..WARM + effort.of(1_000, 100) {
            let (to_verdict, alone) = (desk.propose(number).await?, library.answer().await?);
            if number >= WARM {
                decided.push(to_verdict);
                written.push(alone);
            }
        }
        Ok((decided, written))
    })?;
    let [decided, library] = [decided, library].map(|times| times.into_iter().collect::<Times>());
    let commit = Peer { name: "the hub's durable write of an answer alone", times: &library };
    let mut result = latency(Show::Headline, "from a proposal in a room to its verdict", &decided, &[commit]);
    result["more_than_the_commit_ns"] = json!(decided.median() - library.median());
    Ok(vec![result])
}

/// A person in a room, and an agent that asks there.
struct Desk<'s> {
    server: &'s Server,
    asker: String,
    asking: Connection,
    socket: Socket,
}

impl<'s> Desk<'s> {
    async fn open(server: &'s Server) -> Done<Self> {
        let door = Door::new(server.address, &format!("/sync/{}", room_name(0))).with_token(&server.person);
        let mut socket = Socket::open(&door, shared()).await?;
        socket.send(&yjs::STEP_1).await?;
        document(&mut socket).await?;
        let mut asking = Connection::open(server.address).await?;
        let token = json!({"role": "asker", "name": "agent", "room": room_name(0)}).to_string();
        let made = Call::post("/tokens", &server.person, server.address, &token);
        let asker = text(asking.must(&made).await?, "token")?;
        Ok(Self { server, asker, asking, socket })
    }

    /// The time of one proposal, until its verdict is there.
    async fn propose(&mut self, number: usize) -> Done<Duration> {
        let call = Call::post("/requests", &self.asker, self.server.address, QUESTION);
        let id = text(self.asking.must(&call).await?, "id")?;
        while !matches!(told(&self.socket.next().await?)?, Told::Update(_)) {}
        sleep(PAUSE).await;
        let key = format!("proposal-{number}");
        let proposal = json!({"requestId": id, "action": "answer", "response": ANSWER});
        let message = yjs::set(CLIENT, number as u64, "answers", &key, &proposal);
        let start = Instant::now();
        self.socket.send(&message).await?;
        let (mut time, mut is_shown) = (None, false);
        // The room shows the outcome, too: before or after.
        while time.is_none() || !is_shown {
            match told(&self.socket.next().await?)? {
                Told::Verdict(verdict) => {
                    time = Some(start.elapsed());
                    let verdict: Value = serde_json::from_slice(verdict)?;
                    if verdict["key"] != key.as_str() || verdict["success"] != true {
                        return Err(format!("{key} was not accepted: {verdict}").into());
                    }
                }
                Told::Update(_) => is_shown = true,
                _ => {}
            }
        }
        time.ok_or_else(|| "there was no verdict".into())
    }
}
