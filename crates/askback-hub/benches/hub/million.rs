//! A database with a million pending requests: what it takes to fill, to open, to look through and to change.

use crate::cast::{Cast, boundless};
use crate::report::{Show, latency, rate, size};
use crate::times::{Times, repeat};
use crate::{Done, crowd, on_runtime, pages, resident};
use askback_core::Name;
use askback_hub::store::{RequestStore, Store};
use askback_hub::{Ask, Hub, limits};
use askback_sqlite::SqliteStore;
use jiff::Timestamp;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) const REQUESTS: usize = 1_000_000;
pub(crate) const ROOMS: usize = 100;
pub(crate) const ASKERS: usize = 50;
/// One of so many has a deadline.
const DEADLINE_OF: usize = 200;
/// The first few requests are of somebody who never asks again.
const RARE: usize = 10;
/// How often something is measured that does not take long.
pub(crate) const TIMES: usize = 1_000;

pub(crate) fn measure(folder: &Path) -> Done<Vec<Value>> {
    let path = folder.join("hub.db");
    let cast = Arc::new(Cast::new(ASKERS, ROOMS)?);
    on_runtime(async {
        let (store, signal) = SqliteStore::open(&path)?;
        let store = Arc::new(store);
        let hub = Hub::over(Arc::clone(&store) as Arc<dyn Store>, Box::new(signal), boundless()).await?;
        let start = Instant::now();
        fill(&hub, &cast).await?;
        let each: Times = [start.elapsed()].into_iter().collect();
        let mut results = vec![
            rate(Show::Detail, "asked, until 1,000,000 are pending", &each.divided_by(REQUESTS as f64), &[]),
            size(Show::Headline, "the hub with 1,000,000 pending requests, in memory", resident::bytes()?),
            size(Show::Headline, "1,000,000 pending requests on disk", std::fs::metadata(&path)?.len() as f64),
        ];
        results.extend(pages::measure(&hub, &cast).await?);
        let counts = repeat(TIMES, || hub.counts()).await?;
        results.push(latency(Show::Detail, "1,000,000 pending: how many in each room", &counts, &[]));
        let due = repeat(TIMES, || async {
            store.due(Timestamp::now(), limits::EXPIRED_AT_ONCE).await?;
            store.next_deadline().await
        });
        results.push(latency(Show::Detail, "1,000,000 pending: looking for what is due", &due.await?, &[]));
        let (asking, answering) = one_at_a_time(&hub, &cast).await?;
        results.push(latency(Show::Detail, "1,000,000 pending: asking one more", &asking, &[]));
        results.push(latency(Show::Detail, "1,000,000 pending: answering the oldest", &answering, &[]));
        results.extend(opening(hub, &store, &path).await?);
        Ok(results)
    })
}

async fn fill(hub: &Hub, cast: &Arc<Cast>) -> Done<()> {
    let rare = Name::parse(pages::RARE_ASKER)?;
    for _ in 0..RARE {
        hub.ask(cast.ask_in(cast.room(pages::BUSY_ROOM), rare.clone())).await?;
    }
    let (hub, cast) = (hub.clone(), Arc::clone(cast));
    let asked = crowd::each(REQUESTS - RARE, move |number| {
        let (hub, ask) = (hub.clone(), ask(&cast, number));
        async move { hub.ask(ask).await.map(drop) }
    });
    asked.await.map(drop)
}

/// Half of all are asked in one room, the rest in all others; every asker asks everywhere.
fn ask(cast: &Cast, number: usize) -> Ask {
    let others = ROOMS - 1;
    let room = if number.is_multiple_of(2) { pages::BUSY_ROOM } else { 1 + number / 2 % others };
    let (room, asker) = (cast.room(room), cast.asker(number / (2 * others)));
    if number.is_multiple_of(DEADLINE_OF) { cast.ask_with_deadline(room, asker) } else { cast.ask_in(room, asker) }
}

/// Asks and answers with nobody else at it. The oldest are answered: those the hub has to read again.
async fn one_at_a_time(hub: &Hub, cast: &Arc<Cast>) -> Done<(Times, Times)> {
    let mut oldest = pages::oldest(hub).await?.into_iter();
    let asking = repeat(TIMES, || hub.ask(cast.ask(0))).await?;
    let answering = repeat(oldest.len(), || {
        let record = oldest.next();
        async move {
            let record = record.ok_or("nothing is pending")?;
            Done::Ok(cast.answer(hub, &record.id).await?)
        }
    });
    Ok((asking, answering.await?))
}

/// Closes the database, and opens it again.
async fn opening(hub: Hub, store: &SqliteStore, path: &Path) -> Done<Vec<Value>> {
    drop(hub);
    store.close().await?;
    let start = Instant::now();
    let (store, signal) = SqliteStore::open(path)?;
    let opened = start.elapsed();
    let hub = Hub::over(Arc::new(store), Box::new(signal), boundless()).await?;
    let ready = start.elapsed();
    drop(hub);
    let result = |name: &str, time: Duration| latency(Show::Detail, name, &[time].into_iter().collect(), &[]);
    Ok(vec![
        result("1,000,000 pending: opening the database", opened),
        result("1,000,000 pending: until the hub is there", ready),
    ])
}
