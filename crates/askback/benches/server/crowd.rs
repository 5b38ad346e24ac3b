//! Ten thousand who wait on one server, half in calls and half in streams of events: all are served, and what each costs.

use crate::client::{Call, Connection, text};
use crate::report::{Show, latency, rate, size};
use crate::server::{ASKERS, ROOMS, Server};
use crate::stream::{Shared, Stream, shared};
use crate::times::Times;
use crate::{Done, node, on_one_thread, usage};
use serde_json::{Value, json};
use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tokio::task::{JoinSet, LocalSet};
use tokio::time::{sleep, timeout};

const CALLS: usize = 5_000;
const STREAMS: usize = 5_000;
/// People who open them: one token may open only so many in a short time.
const PEOPLE: usize = 5;
/// Requests in the room that the streams follow; all others are elsewhere.
const FOLLOWED: usize = 200;
/// How long everybody is left alone: as long as it takes until every stream has given a sign of life.
const IDLE: Duration = Duration::from_secs(15);
/// Connections that ask and answer.
const BUSY: usize = 32;
const PATIENCE: Duration = Duration::from_secs(60);
const QUESTION: &str = r#"{"type": "text", "message": "What should the next version be called?"}"#;

pub(crate) fn measure(folder: &Path) -> Done<Vec<Value>> {
    usage::need_files((CALLS + STREAMS + 1_000) as u64)?;
    let server = Rc::new(Server::start(folder)?);
    let mut results = on_one_thread(LocalSet::new().run_until(crowd(&server)))?;
    drop(server);
    if let Some(theirs) = on_one_thread(node::memory_of_a_stream(STREAMS))? {
        let ratio = results[1]["bytes"].as_f64().unwrap_or_default() / theirs;
        results[1]["peers"] =
            json!([{"name": "a stream of a bare server in Node.js", "bytes": theirs, "ratio": ratio}]);
    }
    Ok(results)
}

async fn crowd(server: &Rc<Server>) -> Done<Vec<Value>> {
    let (askers, people) = (server.askers().await?, server.people(PEOPLE).await?);
    let ids = ask(server, &askers).await?;
    let (done, mut waiting) = (Rc::new(Progress::default()), JoinSet::new());

    let before = server.resident()?;
    for (number, id) in ids.iter().enumerate() {
        let call = Call::get(&format!("/requests/{id}?wait=60"), &askers[asker(number)], server.address);
        let connection = Connection::open(server.address).await?;
        waiting.spawn_local(wait(connection, call, name(number), Rc::clone(&done)));
    }
    settled(server, "waiting_calls", CALLS).await?;
    let with_calls = server.resident()?;
    let (followed, buffer) = (Rc::new(Progress::default()), shared());
    let to_follow: Vec<Call> =
        people.iter().map(|person| Call::get("/events?room=project-0", person, server.address)).collect();
    for call in to_follow.iter().cycle().take(STREAMS) {
        let mut connection = Connection::open(server.address).await?;
        connection.send(call).await?;
        waiting.spawn_local(follow(connection, Shared::clone(&buffer), Rc::clone(&followed)));
    }
    settled(server, "event_streams", STREAMS).await?;
    let with_streams = server.resident()?;

    let spent = server.processor()?;
    sleep(IDLE).await;
    let idle = server.processor()? - spent;

    let (ids, calls) = (Rc::new(ids), CALLS - FOLLOWED);
    let events =
        served(server, &ids, 0..FOLLOWED, &mut waiting, || followed.is(STREAMS * FOLLOWED) && done.is(FOLLOWED))
            .await?;
    let answers = served(server, &ids, FOLLOWED..CALLS, &mut waiting, || done.is(CALLS)).await?;
    if !followed.is(STREAMS * FOLLOWED) {
        return Err("streams were told of what is not in their room".into());
    }

    let connection_minutes = (CALLS + STREAMS) as f64 * IDLE.as_secs_f64() / 60.0;
    let each_event = once(events.time, STREAMS * FOLLOWED);
    let mut delivered =
        rate(Show::Detail, "events delivered to 5,000 streams, 5,000 waiting calls beside them", &each_event, &[]);
    delivered["processor_ns"] = json!(events.spent.as_nanos() as f64 / (STREAMS * FOLLOWED) as f64);
    delivered["events"] = json!(STREAMS * FOLLOWED);
    let mut answered = rate(
        Show::Detail,
        "answered, each to the call that waits for it, while 5,000 streams look at every event",
        &once(answers.time, calls),
        &[],
    );
    answered["processor_ns"] = json!(answers.spent.as_nanos() as f64 / calls as f64);
    let memory = |before: f64, after: f64, count: usize| (after - before) / count as f64;
    Ok(vec![
        size(Show::Detail, "one of 5,000 waiting calls, in memory", memory(before, with_calls, CALLS)),
        size(Show::Detail, "one of 5,000 streams of events, in memory", memory(with_calls, with_streams, STREAMS)),
        latency(
            Show::Detail,
            "processor time of a connection that waits, each minute",
            &[idle].into_iter().collect::<Times>().divided_by(connection_minutes),
            &[],
        ),
        delivered,
        answered,
    ])
}

/// Who asks the request of this number: the first ones are in the room that is followed.
fn asker(number: usize) -> usize {
    if number < FOLLOWED {
        return number * ROOMS % ASKERS;
    }
    let others = ROOMS - 1;
    let (row, place) = (number / others % (ASKERS / ROOMS), number % others);
    row * ROOMS + 1 + place
}

/// The answer to the request of this number, which no other has.
fn name(number: usize) -> String {
    format!("\"version-{number}\"")
}

/// How many have got what they waited for.
#[derive(Default)]
struct Progress {
    count: Cell<usize>,
}

impl Progress {
    fn add(&self, count: usize) {
        self.count.set(self.count.get() + count);
    }

    fn is(&self, count: usize) -> bool {
        self.count.get() == count
    }
}

/// Asks everything, and gives the ids in their order.
async fn ask(server: &Rc<Server>, askers: &[String]) -> Done<Vec<String>> {
    let calls = askers.iter().map(|asker| Call::post("/requests", asker, server.address, QUESTION));
    let calls: Rc<[Call]> = calls.collect();
    let mut asking = JoinSet::new();
    for first in 0..BUSY {
        let (server, calls) = (Rc::clone(server), Rc::clone(&calls));
        asking.spawn_local(async move {
            let mut connection = Connection::open(server.address).await?;
            let mut asked = Vec::new();
            for number in (first..CALLS).step_by(BUSY) {
                asked.push((number, text(connection.must(&calls[asker(number)]).await?, "id")?));
            }
            Done::Ok(asked)
        });
    }
    let mut ids = vec![String::new(); CALLS];
    while let Some(asked) = asking.join_next().await {
        for (number, id) in asked?? {
            ids[number] = id;
        }
    }
    Ok(ids)
}

/// Waits for one answer, in one call after the other, as clients do.
async fn wait(mut connection: Connection, call: Call, expected: String, done: Rc<Progress>) -> Done<()> {
    loop {
        let body = connection.must(&call).await?;
        if body.windows(expected.len()).any(|window| window == expected.as_bytes()) {
            done.add(1);
            return Ok(());
        }
        if text(body, "status")? != "pending" {
            return Err(format!("{expected} was expected: {}", String::from_utf8_lossy(body)).into());
        }
    }
}

/// Follows events for as long as there are any.
async fn follow(connection: Connection, buffer: Shared, followed: Rc<Progress>) -> Done<()> {
    let mut stream = Stream::new(connection, buffer);
    let mut seen = 0;
    loop {
        let events = stream.more().await?;
        if events > seen {
            followed.add(events - seen);
            seen = events;
        }
    }
}

/// Comes back when the server counts so many of something.
async fn settled(server: &Server, gauge: &str, count: usize) -> Done<()> {
    let mut connection = Connection::open(server.address).await?;
    let call = Call::get_at("/metrics", server.address);
    let expected = format!("\naskback_{gauge} {count}\n");
    let waiting = timeout(PATIENCE, async {
        while !String::from_utf8_lossy(connection.must(&call).await?).contains(&expected) {
            sleep(Duration::from_millis(20)).await;
        }
        // What they need only at the beginning is given back by now.
        sleep(Duration::from_millis(500)).await;
        Done::Ok(())
    });
    waiting.await.map_err(|_| format!("there are never {count} {gauge}"))?
}

/// What it took to serve everybody.
struct Served {
    time: Duration,
    spent: Duration,
}

/// Answers some as fast as it goes, and comes back when whoever waited for it has it.
async fn served(
    server: &Rc<Server>,
    ids: &Rc<Vec<String>>,
    numbers: std::ops::Range<usize>,
    waiting: &mut JoinSet<Done<()>>,
    is_over: impl Fn() -> bool,
) -> Done<Served> {
    let (spent, start) = (server.processor()?, Instant::now());
    for first in 0..BUSY {
        let (server, ids, numbers) = (Rc::clone(server), Rc::clone(ids), numbers.clone());
        waiting.spawn_local(async move {
            let mut connection = Connection::open(server.address).await?;
            for number in numbers.skip(first).step_by(BUSY) {
                let body = format!(r#"{{"responses": [{}]}}"#, name(number));
                let path = format!("/requests/{}/answer", ids[number]);
                connection.must(&Call::post(&path, &server.person, server.address, &body)).await?;
            }
            Ok(())
        });
    }
    while !is_over() {
        // Whoever ends has got its answer, or something went wrong; streams never end.
        match timeout(Duration::from_millis(1), waiting.join_next()).await {
            Ok(Some(ended)) => ended??,
            Ok(None) => return Err("nobody waits any more".into()),
            Err(_) if start.elapsed() > PATIENCE => return Err("somebody waits for ever".into()),
            Err(_) => {}
        }
    }
    Ok(Served { time: start.elapsed(), spent: server.processor()? - spent })
}

/// What was done once, as the time of each of its pieces.
fn once(time: Duration, pieces: usize) -> Times {
    std::iter::once(time).collect::<Times>().divided_by(pieces as f64)
}
