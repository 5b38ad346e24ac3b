//! Durable cycles: a client asks, somebody answers, and the client that waits has the outcome.

use crate::cast::{Cast, boundless};
use crate::disk::Disk;
use crate::langgraph::LangGraph;
use crate::report::{Peer, Show, rate};
use crate::times::Times;
use crate::{Done, on_runtime};
use askback_core::State;
use askback_hub::Hub;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

pub(crate) const NAME: &str = "cycles";
/// The clients that are at it at once.
const CLIENTS: [usize; 3] = [1, 64, 1_000];
/// Rounds in which everyone takes a turn, so that a slow moment of the machine hits all.
const ROUNDS: usize = 5;
const TURN: Duration = Duration::from_secs(2);
/// The request becomes durable, and the answer.
const WRITES: f64 = 2.0;
/// The clients whose writes should be durable thirty times sooner than one at a time, on a disk that is slow.
const GOAL: usize = 64;
/// How the names of results begin that count writes instead of cycles.
pub(crate) const WRITES_OF: &str = "durable writes of";

/// What one number of clients came to.
#[derive(Default)]
struct Cycles {
    /// The time that one takes while all are at it: a turn, divided by the cycles in it.
    each: Times,
    /// The time from asking to having the outcome.
    whole: Vec<Duration>,
}

pub(crate) fn measure(folder: &Path) -> Done<Vec<Value>> {
    let mut disk = Disk::default();
    let mut langgraph = LangGraph::find();
    let mut cycles = CLIENTS.map(|clients| (clients, Cycles::default()));
    let cast = Arc::new(Cast::new(8, 8)?);
    on_runtime(async {
        let hub = askback_sqlite::open_hub(&folder.join("hub.db"), boundless()).await?;
        for _ in 0..ROUNDS {
            for (clients, cycles) in &mut cycles {
                disk.look(folder)?;
                turn(&hub, &cast, *clients, cycles).await?;
            }
            disk.look(folder)?;
            langgraph.as_mut().map_or(Ok(()), |langgraph| langgraph.turn(folder))?;
        }
        Ok(())
    })?;
    let overwriting = Peer { name: "overwriting 512 bytes instead", times: &disk.overwriting };
    let alone = rate(Show::Detail, "512 bytes appended and synced, one at a time", &disk.appending, &[overwriting]);
    let results = cycles.iter().flat_map(|(clients, cycles)| told(*clients, cycles, &disk, langgraph.as_ref()));
    Ok(std::iter::once(alone).chain(results).collect())
}

/// Clients that ask as soon as they have their answer, until the turn is over.
async fn turn(hub: &Hub, cast: &Arc<Cast>, clients: usize, cycles: &mut Cycles) -> Done<()> {
    let start = Instant::now();
    let mut working = JoinSet::new();
    for client in 0..clients {
        let (hub, cast) = (hub.clone(), Arc::clone(cast));
        working.spawn(async move {
            let mut times = Vec::new();
            while start.elapsed() < TURN {
                times.push(cycle(&hub, &cast, client).await?);
            }
            Done::Ok(times)
        });
    }
    let mut done = Vec::new();
    while let Some(times) = working.join_next().await {
        done.extend(times??);
    }
    cycles.each.add(start.elapsed().as_nanos() as f64 / done.len() as f64);
    cycles.whole.extend(done);
    Ok(())
}

/// One cycle: it is over when the one who waits has the outcome.
async fn cycle(hub: &Hub, cast: &Cast, number: usize) -> Done<Duration> {
    let start = Instant::now();
    let asked = hub.ask(cast.ask(number)).await?;
    let id = asked.id();
    let waiting = async {
        let state = hub.wait(id, None).await;
        (start.elapsed(), state)
    };
    let ((time, state), answered) = tokio::join!(waiting, cast.answer(hub, id));
    match (state?, answered?) {
        (State::Final(outcome), answered) if outcome == *answered => Ok(time),
        (state, _) => Err(format!("one answered and another waited, who got {state:?}").into()),
    }
}

fn told(clients: usize, cycles: &Cycles, disk: &Disk, langgraph: Option<&LangGraph>) -> [Value; 2] {
    let who = if clients == 1 { "1 client".to_owned() } else { format!("{} clients", with_commas(clients)) };
    let alone = Peer { name: "one durable write at a time", times: &disk.appending };
    let theirs = langgraph.map(|langgraph| langgraph.times(clients)).unwrap_or_default();
    let theirs = theirs.iter().map(|(name, times)| Peer { name, times });
    let peers: Vec<Peer<'_>> = std::iter::once(alone.clone()).chain(theirs).collect();
    let show = if clients == 1 { Show::Detail } else { Show::Headline };
    let mut whole = rate(show, &format!("asked, answered and woken, durably, by {who}"), &cycles.each, &peers);
    whole["latency"] = cycles.whole.iter().copied().collect::<Times>().summary();
    whole["note"] = langgraph.map_or(Value::Null, |langgraph| langgraph.about().clone());
    let writes = cycles.each.divided_by(WRITES);
    let show = if clients == GOAL { Show::Headline } else { Show::Detail };
    [whole, rate(show, &format!("{WRITES_OF} {who}"), &writes, &[alone])]
}

/// 1000 as 1,000.
fn with_commas(number: usize) -> String {
    if number < 1_000 { number.to_string() } else { format!("{},{:03}", with_commas(number / 1_000), number % 1_000) }
}
