//! `POST /requests`, each durable before it is answered. The goal: 10,000 a second at 64 connections.

use crate::client::{Call, Connection};
use crate::disk::Disk;
use crate::report::{Peer, Show, rate};
use crate::server::Server;
use crate::times::Times;
use crate::{Done, on_one_thread, usage};
use serde_json::{Value, json};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tokio::task::{JoinSet, LocalSet};

/// The connections that are at it at once.
const CONNECTIONS: [usize; 3] = [1, 64, 256];
/// Those of the goal.
const GOAL: usize = 64;
/// Rounds in which all take a turn, so that a slow moment of the machine hits all; the first is to get warm.
const ROUNDS: usize = 6;
const TURN: Duration = Duration::from_secs(1);
/// A question as agents ask it.
pub(crate) const QUESTION: &str = r#"{"type": "choice", "header": "Database",
    "message": "Which database should the new service use?",
    "options": [
        {"value": "PostgreSQL", "description": "What we run elsewhere; needs a server"},
        {"value": "SQLite", "description": "One file, no server"},
        {"value": "MySQL", "description": "What the old service uses"}]}"#;

/// What one number of connections came to.
#[derive(Default)]
struct Asked {
    /// The time that one takes while all are at it: a turn, divided by what was asked in it.
    each: Times,
    /// The time from sending to having the whole reply.
    whole: Vec<Duration>,
    /// The processor time of the server and of this client.
    server: Times,
    client: Times,
}

pub(crate) fn measure(folder: &Path) -> Done<Vec<Value>> {
    let server = Server::start(&folder.join("data"))?;
    let mut disk = Disk::default();
    let mut all = CONNECTIONS.map(|connections| (connections, Asked::default()));
    let askers = on_one_thread(server.askers())?;
    let calls: Rc<[Call]> =
        askers.iter().map(|asker| Call::post("/requests", asker, server.address, QUESTION)).collect();
    for round in 0..ROUNDS {
        for (connections, asked) in &mut all {
            disk.look(folder)?;
            let mut warm = Asked::default();
            let into = if round == 0 { &mut warm } else { asked };
            on_one_thread(LocalSet::new().run_until(turn(&server, &calls, *connections, into)))?;
        }
    }
    let alone = Peer { name: "one durable write at a time", times: &disk.appending };
    let told = all.iter().map(|(connections, asked)| told(*connections, asked, &alone));
    Ok(told.collect())
}

fn told(connections: usize, asked: &Asked, alone: &Peer<'_>) -> Value {
    let who = if connections == 1 { "1 connection".to_owned() } else { format!("{connections} connections") };
    let show = if connections == GOAL { Show::Headline } else { Show::Detail };
    let name = format!("asked over HTTP, durably, {who}");
    let mut result = rate(show, &name, &asked.each, std::slice::from_ref(alone));
    result["latency"] = asked.whole.iter().copied().collect::<Times>().summary();
    result["processor"] = json!({"server_ns": asked.server.median(), "client_ns": asked.client.median()});
    result
}

/// Connections that ask as soon as they have their reply, until the turn is over.
async fn turn(server: &Server, calls: &Rc<[Call]>, connections: usize, asked: &mut Asked) -> Done<()> {
    let mut opened = Vec::with_capacity(connections);
    for _ in 0..connections {
        opened.push(Connection::open(server.address).await?);
    }
    let own = std::process::id();
    let before = (server.processor()?, usage::processor(own)?);
    let start = Instant::now();
    let mut working = JoinSet::new();
    for (number, mut connection) in opened.into_iter().enumerate() {
        let calls = Rc::clone(calls);
        working.spawn_local(async move {
            let mut times = Vec::new();
            // In turn: one token may ask only so often.
            for call in calls.iter().cycle().skip(number) {
                let begun = Instant::now();
                if begun.duration_since(start) > TURN {
                    break;
                }
                connection.must(call).await?;
                times.push(begun.elapsed());
            }
            Done::Ok(times)
        });
    }
    let mut done = Vec::new();
    while let Some(times) = working.join_next().await {
        done.extend(times??);
    }
    let (time, count) = (start.elapsed(), done.len() as f64);
    let spent = (server.processor()? - before.0, usage::processor(own)? - before.1);
    asked.each.add(time.as_nanos() as f64 / count);
    asked.server.add(spent.0.as_nanos() as f64 / count);
    asked.client.add(spent.1.as_nanos() as f64 / count);
    asked.whole.extend(done);
    Ok(())
}
