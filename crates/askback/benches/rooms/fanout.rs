//! Requests told to many clients, at a pace at which each is told by itself, and in bursts. The goals, beside the server that
//! comes with y-websocket: a third of its processor time for each delivery, and a fifth of its memory.

use crate::contender::{Contender, Size};
use crate::crowd::{Crowd, Turned, fill};
use crate::hub::Hub;
use crate::memory::Memory;
use crate::node::{NAME, Node};
use crate::report::{Peer, Show, latency, rate, size as bytes};
use crate::times::Times;
use crate::writer::Turn;
use crate::{Done, Effort, on_one_thread, usage};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tokio::task::LocalSet;
use tokio::time::sleep;

/// The requests that a room shows, the newest of them: each that comes then pushes one out.
const SHOWN: usize = 500;
/// What a server needs only at the beginning is given back by then.
const SETTLE: Duration = Duration::from_secs(1);

/// What is measured where.
struct Plan {
    clients: &'static str,
    size: Size,
    /// Requests that a room shows when its clients come.
    shown: usize,
    /// Requests in one turn, and the time between two of them.
    paced: (usize, Duration),
    /// Requests that are written as fast as it goes.
    burst: usize,
    /// Rounds in which both take a turn, so that a slow moment of the machine hits both; the first is to get warm.
    rounds: usize,
    /// How long everybody is left alone.
    idle: Duration,
}

/// A thousand clients in one room.
pub(crate) fn one_room(folder: &Path, effort: Effort) -> Done<Vec<Value>> {
    let plan = Plan {
        clients: effort.of("1,000 clients in one room", "100 clients in one room"),
        size: Size { rooms: 1, clients: effort.of(1_000, 100) },
        shown: SHOWN,
        paced: (effort.of(60, 20), Duration::from_millis(100)),
        burst: effort.of(200, 50),
        rounds: effort.of(8, 2),
        idle: effort.of(Duration::from_secs(60), Duration::from_secs(5)),
    };
    plan.measure(folder)
}

/// A hundred rooms with ten clients each.
pub(crate) fn many_rooms(folder: &Path, effort: Effort) -> Done<Vec<Value>> {
    let plan = Plan {
        clients: effort.of("100 rooms with 10 clients each", "10 rooms with 10 clients each"),
        size: Size { rooms: effort.of(100, 10), clients: 10 },
        shown: effort.of(SHOWN, 50),
        paced: (effort.of(2_000, 100), Duration::from_micros(2_500)),
        burst: effort.of(4_000, 100),
        rounds: effort.of(8, 2),
        idle: effort.of(Duration::from_secs(60), Duration::from_secs(5)),
    };
    plan.measure(folder)
}

impl Plan {
    fn measure(&self, folder: &Path) -> Done<Vec<Value>> {
        usage::need_files(3 * self.size.all_clients() as u64 + 1_000)?;
        let mut contenders: Vec<Box<dyn Contender>> = vec![Box::new(Hub::start(folder, self.size)?)];
        contenders.extend(Node::start(self.size.rooms)?.map(|node| Box::new(node) as Box<dyn Contender>));
        let measured = on_one_thread(LocalSet::new().run_until(self.rounds(&contenders)))?;
        Ok(self.told(&measured))
    }

    async fn rounds(&self, contenders: &[Box<dyn Contender>]) -> Done<Vec<Measured>> {
        let mut all = Vec::new();
        for contender in contenders {
            fill(&**contender, self.size, self.shown).await?;
            sleep(SETTLE).await;
            let before = Memory::of(contender.pid())?;
            let crowd = Crowd::gather(&**contender, self.size, self.shown).await?;
            sleep(SETTLE).await;
            let with_all = Memory::of(contender.pid())?;
            all.push((contender, crowd, Measured::new(before, with_all)));
        }
        let before = contenders.iter().map(|contender| contender.processor()).collect::<Done<Vec<_>>>()?;
        sleep(self.idle).await;
        for ((contender, _, measured), before) in all.iter_mut().zip(before) {
            measured.idle = contender.processor()? - before;
        }
        let (paced, every) = self.paced;
        let mut first = self.shown * self.size.rooms;
        for round in 0..self.rounds {
            for (contender, crowd, measured) in &mut all {
                let paced = crowd.turn(&***contender, Turn { first, count: paced, every }).await?;
                let turn = Turn { first: first + paced.latency.len(), count: self.burst, every: Duration::ZERO };
                let burst = crowd.turn(&***contender, turn).await?;
                if round > 0 {
                    measured.paced.add(&paced);
                    measured.burst.add(&burst);
                }
            }
            first += paced + self.burst;
        }
        let mut results = Vec::new();
        for (contender, crowd, mut measured) in all {
            measured.after = Memory::of(contender.pid())?;
            measured.document = crowd.document;
            results.push(measured);
        }
        Ok(results)
    }

    fn told(&self, measured: &[Measured]) -> Vec<Value> {
        let Some((ours, theirs)) = measured.split_first() else { return Vec::new() };
        let theirs = theirs.first();
        let clients = self.clients;
        let times = |show, name: &str, of: fn(&Measured) -> &Times| {
            let peers: Vec<Peer<'_>> = theirs.iter().map(|theirs| Peer { name: NAME, times: of(theirs) }).collect();
            latency(show, &format!("{name}, {clients}"), of(ours), &peers)
        };
        let sizes = |show, name: &str, of: &dyn Fn(&Measured) -> f64| {
            let mut result = bytes(show, &format!("{name}, {clients}"), of(ours));
            let peers =
                theirs.iter().map(|theirs| json!({"name": NAME, "bytes": of(theirs), "ratio": of(ours) / of(theirs)}));
            result["peers"] = peers.collect();
            result
        };
        let details = |of: &dyn Fn(&Measured) -> Value| json!({"ours": of(ours), "theirs": theirs.map(of)});

        let mut processor =
            times(Show::Headline, "processor time of the server for one request told to one client", |one| {
                &one.paced.processor
            });
        processor["details"] = details(&|one| one.paced.details());
        let program = times(
            Show::Detail,
            "the same without the kernel, which sends one packet for each, whoever asks it to",
            |one| &one.paced.program,
        );
        let last = times(Show::Detail, "from sending a request until the last client has it", |one| &one.paced.latency);
        let mut burst_processor =
            times(Show::Detail, "processor time of the server for one request told to one client, in a burst", |one| {
                &one.burst.processor
            });
        burst_processor["details"] = details(&|one| one.burst.details());
        let peers: Vec<Peer<'_>> = theirs.iter().map(|theirs| Peer { name: NAME, times: &theirs.burst.each }).collect();
        let burst = rate(
            Show::Detail,
            &format!("requests told to one client, in a burst, {clients}"),
            &ours.burst.each,
            &peers,
        );
        let idle = |one: &Measured| {
            let minutes = self.idle.as_secs_f64() / 60.0;
            [one.idle].into_iter().collect::<Times>().divided_by(self.size.all_clients() as f64 * minutes)
        };
        let theirs_idle = theirs.map(idle);
        let peers: Vec<Peer<'_>> = theirs_idle.iter().map(|times| Peer { name: NAME, times }).collect();
        let name = format!("processor time of a client that is told nothing, each minute, {clients}");
        let idle = latency(Show::Detail, &name, &idle(ours), &peers);
        let mut memory =
            sizes(Show::Headline, "memory of the server with everybody there", &|one| one.with_all.resident);
        memory["details"] = details(
            &|one| json!({"before": one.before.told(), "with_all": one.with_all.told(), "after": one.after.told(), "document_bytes": one.document}),
        );
        let after = sizes(Show::Detail, "memory of the server after the last request", &|one| one.after.resident);
        let each = sizes(Show::Detail, "memory of one client", &|one| {
            (one.with_all.resident - one.before.resident) / self.size.all_clients() as f64
        });
        vec![processor, program, last, burst_processor, burst, idle, memory, after, each]
    }
}

/// What one server came to.
struct Measured {
    paced: Turns,
    burst: Turns,
    idle: Duration,
    /// Before its clients came, when all were there, and after the last turn.
    before: Memory,
    with_all: Memory,
    after: Memory,
    document: usize,
}

impl Measured {
    fn new(before: Memory, with_all: Memory) -> Self {
        let (paced, burst) = (Turns::default(), Turns::default());
        Self { paced, burst, idle: Duration::ZERO, before, with_all, after: with_all, document: 0 }
    }
}

/// All turns of a kind.
#[derive(Default)]
struct Turns {
    /// For one request told to one client.
    processor: Times,
    /// The same without the kernel's share.
    program: Times,
    each: Times,
    latency: Times,
    deliveries: usize,
    messages: usize,
    bytes: usize,
}

impl Turns {
    fn add(&mut self, turned: &Turned) {
        let each = |time: Duration| time.as_nanos() as f64 / turned.deliveries as f64;
        self.processor.add(each(turned.spent.program + turned.spent.kernel));
        self.program.add(each(turned.spent.program));
        self.each.add(each(turned.time));
        turned.latency.iter().for_each(|time| self.latency.add(time.as_nanos() as f64));
        self.deliveries += turned.deliveries;
        self.messages += turned.messages;
        self.bytes += turned.bytes;
    }

    fn details(&self) -> Value {
        json!({
            "deliveries": self.deliveries,
            "messages": self.messages,
            "bytes_of_a_message": self.bytes as f64 / self.messages as f64,
        })
    }
}
