//! From the start of a hub's process to its first answer, process start included. The goal: 50 ms.

use crate::report::{Show, latency};
use crate::server::Server;
use crate::times::Times;
use crate::{Done, on_one_thread};
use askback_core::{Limits, Name, Request};
use askback_hub::{Ask, HubOptions, Room};
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

const TIMES: usize = 20;
/// What a hub has that was used for long.
const REQUESTS: usize = 100_000;
/// Those who ask at once, so that they share the disk's syncs.
const AT_ONCE: usize = 500;
const QUESTION: &str = r#"{"type": "confirm", "message": "Deploy 4.2 to production?"}"#;

pub(crate) fn measure(folder: &Path) -> Done<Vec<Value>> {
    let fresh = (0..TIMES).map(|number| start(&folder.join(format!("fresh-{number}")))).collect::<Done<Times>>()?;
    let used = folder.join("used");
    start(&used)?;
    let again = (0..TIMES).map(|_| start(&used)).collect::<Done<Times>>()?;
    on_one_thread(fill(&used))?;
    let full = (0..TIMES).map(|_| start(&used)).collect::<Done<Times>>()?;
    Ok(vec![
        latency(Show::Headline, "the hub: from process start to its first answer", &again, &[]),
        latency(
            Show::Detail,
            "the hub, for the first time in its folder: from process start to its first answer",
            &fresh,
            &[],
        ),
        latency(Show::Detail, "the hub with 100,000 pending: from process start to its first answer", &full, &[]),
    ])
}

fn start(folder: &Path) -> Done<Duration> {
    let start = Instant::now();
    let server = Server::start(folder)?;
    let time = start.elapsed();
    server.stop();
    Ok(time)
}

/// Fills a database, while no server has it.
async fn fill(folder: &Path) -> Done<()> {
    let hub = askback_sqlite::open_hub(folder.join("askback.db"), HubOptions::default()).await?;
    let request = Request::parse(QUESTION.as_bytes(), &Limits::DEFAULT)?;
    let room = Room::parse("shop")?;
    let mut asking = JoinSet::new();
    for first in 0..AT_ONCE {
        // A hub takes only so many of one asker.
        let asker = Name::parse(&format!("agent-{first}"))?;
        let (hub, request, room) = (hub.clone(), request.clone(), room.clone());
        asking.spawn(async move {
            for _ in (first..REQUESTS).step_by(AT_ONCE) {
                hub.ask(Ask::new(request.clone(), asker.clone(), room.clone())).await?;
            }
            Done::Ok(())
        });
    }
    while let Some(asked) = asking.join_next().await {
        asked??;
    }
    Ok(hub.close().await?)
}
