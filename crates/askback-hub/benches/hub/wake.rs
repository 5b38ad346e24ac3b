//! How soon whoever waits has the outcome, once it is durable.

use crate::cast::{Cast, boundless};
use crate::commits::{Commits, listen};
use crate::report::{Peer, Show, latency};
use crate::times::Times;
use crate::{Done, on_runtime};
use askback_core::{RequestId, State, Status};
use askback_hub::{AuditQuery, Hub, limits};
use serde_json::Value;
use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// How often somebody is woken who waits alone.
const ALONE: usize = 3_000;
const CLIENTS: usize = 64;
/// How often each of the clients is woken.
const TURNS: usize = 150;
/// People take longer; what matters is that by then nothing is awake any more.
const PAUSE: Duration = Duration::from_millis(1);

/// Who was woken, and when.
type Woken = HashMap<RequestId, Instant>;

pub(crate) fn measure(folder: &Path) -> Done<Vec<Value>> {
    let commits = listen()?;
    on_runtime(async {
        let hub = askback_sqlite::open_hub(&folder.join("hub.db"), boundless()).await?;
        let cast = Arc::new(Cast::new(8, 8)?);
        let mut alone = Woken::new();
        let (thread, mut bare) = (syncing_thread(folder)?, Vec::new());
        for number in 0..ALONE {
            alone.extend([wake(&hub, &cast, number, PAUSE).await?]);
            bare.push(wake_by_thread(&thread).await?);
        }
        let alone = since_commit(&hub, commits, &alone).await?;
        let crowd = since_commit(&hub, commits, &wake_many(&hub, &cast).await?).await?;
        let bare = bare.into_iter().collect();
        let peers = [Peer { name: "a task that a thread wakes after a sync", times: &bare }];
        Ok(vec![
            latency(Show::Headline, "from the commit of an answer to whoever waits for it", &alone, &peers),
            latency(Show::Detail, "from the commit of an answer to whoever waits for it, 64 clients", &crowd, &peers),
        ])
    })
}

/// Asks, lets a task wait, and answers after a pause.
async fn wake(hub: &Hub, cast: &Cast, number: usize, pause: Duration) -> Done<(RequestId, Instant)> {
    let asked = hub.ask(cast.ask(number)).await?;
    let (waiting, id) = (hub.clone(), asked.id().clone());
    let waiting = tokio::spawn(async move {
        let state = waiting.wait(&id, None).await;
        (Instant::now(), state)
    });
    if !pause.is_zero() {
        sleep(pause).await;
    }
    cast.answer(hub, asked.id()).await?;
    match waiting.await? {
        (woken, Ok(State::Final(_))) => Ok((asked.id().clone(), woken)),
        (_, state) => Err(format!("nobody was woken by an outcome, but by {state:?}").into()),
    }
}

/// Whoever is to be woken, with the moment after the sync.
type Sleeper = oneshot::Sender<Instant>;

/// A hub without all that makes it one: a thread that writes, syncs, and wakes.
fn syncing_thread(folder: &Path) -> Done<Sender<Sleeper>> {
    let mut file = File::create(folder.join("bare"))?;
    let (sender, sleepers) = channel::<Sleeper>();
    std::thread::spawn(move || {
        for sleeper in sleepers {
            let synced = file.write_all(&[b'w'; 512]).and_then(|()| file.sync_data());
            // A sleeper that is dropped says that something went wrong.
            if synced.is_ok() {
                let _ = sleeper.send(Instant::now());
            }
        }
    });
    Ok(sender)
}

async fn wake_by_thread(thread: &Sender<Sleeper>) -> Done<Duration> {
    let (sleeper, wake) = oneshot::channel();
    let waiting = tokio::spawn(async move { wake.await.map(|synced: Instant| synced.elapsed()) });
    sleep(PAUSE).await;
    thread.send(sleeper)?;
    Ok(waiting.await??)
}

async fn wake_many(hub: &Hub, cast: &Arc<Cast>) -> Done<Woken> {
    let mut working = JoinSet::new();
    for client in 0..CLIENTS {
        let (hub, cast) = (hub.clone(), Arc::clone(cast));
        working.spawn(async move {
            let mut woken = Vec::new();
            for _ in 0..TURNS {
                woken.push(wake(&hub, &cast, client, Duration::ZERO).await?);
            }
            Done::Ok(woken)
        });
    }
    let mut woken = Woken::new();
    while let Some(some) = working.join_next().await {
        woken.extend(some??);
    }
    Ok(woken)
}

/// How long after the commit of their answer they were woken: the log tells which event the answer was, and the traces
/// when that became durable.
async fn since_commit(hub: &Hub, commits: &Commits, woken: &Woken) -> Done<Times> {
    commits.fit(hub).await?;
    let mut query = AuditQuery { status: Some(Status::Answered), limit: limits::PAGE_ITEMS, ..AuditQuery::default() };
    let mut times = Vec::new();
    loop {
        let page = hub.audit(query.clone()).await?;
        for event in page.items {
            if let (Some(woken), Some(durable)) = (woken.get(&event.record.id), commits.of(event.number)) {
                times.push(woken.saturating_duration_since(durable));
            }
        }
        query.after = page.next;
        if query.after.is_none() {
            break;
        }
    }
    if times.len() != woken.len() {
        return Err(format!("{} were woken, and the log tells of {}", woken.len(), times.len()).into());
    }
    Ok(times.into_iter().collect())
}
