//! From an answer over HTTP to whoever waits for it in another call. The goal: half a millisecond more than the commit.

use crate::ask::QUESTION;
use crate::client::{Call, Connection, text};
use crate::library::{ANSWER, Library, PAUSE};
use crate::report::{Peer, Show, latency};
use crate::server::Server;
use crate::times::Times;
use crate::{Done, on_one_thread};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::time::sleep;

const TIMES: usize = 1_200;
/// The first few are to get warm.
const WARM: usize = 200;

#[derive(Default)]
struct Answered {
    /// From sending an answer to the whole reply of the call that waits.
    to_waiter: Vec<Duration>,
    /// To the whole reply of the call that answers, while somebody waits.
    call: Vec<Duration>,
    /// The same while nobody waits.
    alone: Vec<Duration>,
    /// The same without a server: a hub in this process, on the same disk.
    library: Vec<Duration>,
}

pub(crate) fn measure(folder: &Path) -> Done<Vec<Value>> {
    let server = Server::start(&folder.join("data"))?;
    let answered = on_one_thread(async {
        let mut answered = Answered::default();
        let mut desk = Desk::open(&server).await?;
        let library = Library::open(folder, QUESTION).await?;
        // Round by round, so that all meet the same disk.
        for number in 0..TIMES {
            let (to_waiter, call) = desk.answer_waiter().await?;
            let alone = desk.answer_alone().await?;
            let library = library.answer().await?;
            if number >= WARM {
                answered.to_waiter.push(to_waiter);
                answered.call.push(call);
                answered.alone.push(alone);
                answered.library.push(library);
            }
        }
        Ok(answered)
    })?;
    let Answered { to_waiter, call, alone, library } = answered;
    let [to_waiter, call, alone, library] =
        [to_waiter, call, alone, library].map(|times| times.into_iter().collect::<Times>());
    let commit = Peer { name: "the hub's durable write of an answer alone", times: &library };
    let peers = std::slice::from_ref(&commit);
    let mut results = vec![
        latency(Show::Headline, "from an answer over HTTP to the call that waits for it", &to_waiter, peers),
        latency(Show::Detail, "an answer over HTTP, while a call waits for it", &call, peers),
        latency(Show::Detail, "an answer over HTTP, while nobody waits for it", &alone, peers),
    ];
    results[0]["more_than_the_commit_ns"] = json!(to_waiter.median() - library.median());
    Ok(results)
}

/// Three connections: of an asker that asks, of one that waits, and of a person.
struct Desk<'s> {
    server: &'s Server,
    asker: String,
    asking: Connection,
    waiting: Connection,
    answering: Connection,
}

impl<'s> Desk<'s> {
    async fn open(server: &'s Server) -> Done<Self> {
        let asker = server.askers().await?.swap_remove(0);
        let open = || Connection::open(server.address);
        Ok(Self { server, asker, asking: open().await?, waiting: open().await?, answering: open().await? })
    }

    /// Asks, and gives the id and the call that answers it.
    async fn ask(&mut self) -> Done<(String, Call)> {
        let address = self.server.address;
        let asked = self.asking.must(&Call::post("/requests", &self.asker, address, QUESTION)).await?;
        let id = text(asked, "id")?;
        let body = json!({"responses": [ANSWER]}).to_string();
        let answer = Call::post(&format!("/requests/{id}/answer"), &self.server.person, address, &body);
        Ok((id, answer))
    }

    /// Until the one who waits has its reply, and until the one who answers has.
    async fn answer_waiter(&mut self) -> Done<(Duration, Duration)> {
        let (id, answer) = self.ask().await?;
        let wait = Call::get(&format!("/requests/{id}?wait=60"), &self.asker, self.server.address);
        self.waiting.send(&wait).await?;
        sleep(PAUSE).await;
        let start = Instant::now();
        self.answering.send(&answer).await?;
        let waited = async {
            let reply = self.waiting.reply().await?;
            let time = start.elapsed();
            let is_answered = reply.status == 200 && text(reply.body, "status")? == "answered";
            if is_answered { Ok(time) } else { Err("who waited got no answer".into()) }
        };
        let called = async {
            let reply = self.answering.reply().await?;
            if reply.status == 200 { Ok(start.elapsed()) } else { Err("the answer was refused".into()) }
        };
        let (waited, called): (Done<Duration>, Done<Duration>) = tokio::join!(waited, called);
        Ok((waited?, called?))
    }

    async fn answer_alone(&mut self) -> Done<Duration> {
        let (_, answer) = self.ask().await?;
        sleep(PAUSE).await;
        let start = Instant::now();
        self.answering.must(&answer).await?;
        Ok(start.elapsed())
    }
}
