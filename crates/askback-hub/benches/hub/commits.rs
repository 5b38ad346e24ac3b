//! When the store committed what: it says so in its traces, to which this listens.

use crate::Done;
use askback_hub::Hub;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

const WRITER: &str = "askback_sqlite::writer";
const PATIENCE: Duration = Duration::from_secs(5);

/// The commits of this process, in their order.
#[derive(Default)]
pub(crate) struct Commits(Mutex<Vec<Commit>>);

#[derive(Clone, Copy)]
struct Commit {
    at: Instant,
    /// Writes up to this one. Where each of them makes one event, as asking and answering do, that is the number of the
    /// last event that is durable.
    writes: u64,
}

/// Begins to listen to the one store of this process.
pub(crate) fn listen() -> Done<&'static Commits> {
    static COMMITS: OnceLock<Commits> = OnceLock::new();
    let commits = COMMITS.get_or_init(Commits::default);
    tracing::subscriber::set_global_default(Listener(commits))?;
    Ok(commits)
}

impl Commits {
    /// When the event of this number became durable.
    pub(crate) fn of(&self, event: u64) -> Option<Instant> {
        let commits = self.lock();
        let index = commits.partition_point(|commit| commit.writes < event);
        commits.get(index).map(|commit| commit.at)
    }

    /// Makes sure that each write has made one event of this hub, once it has told of all.
    pub(crate) async fn fit(&self, hub: &Hub) -> Done<()> {
        let writes = self.lock().last().map_or(0, |commit| commit.writes);
        // Whoever is woken is woken before the hub's log has grown.
        let told = timeout(PATIENCE, async {
            while hub.last_event() < writes {
                sleep(Duration::from_millis(1)).await;
            }
        });
        match told.await {
            Ok(()) if hub.last_event() == writes => Ok(()),
            _ => Err(format!("{writes} writes made {} events", hub.last_event()).into()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Commit>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Listener(&'static Commits);

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == WRITER && metadata.is_event()
    }

    fn event(&self, event: &Event<'_>) {
        let at = Instant::now();
        let mut batch = Batch::default();
        event.record(&mut batch);
        // Whatever else the writer says has no number of writes.
        if let Some(writes) = batch.0 {
            let mut commits = self.0.lock();
            let before = commits.last().map_or(0, |commit| commit.writes);
            commits.push(Commit { at, writes: before + writes });
        }
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// The number of writes that an event tells.
#[derive(Default)]
struct Batch(Option<u64>);

impl Visit for Batch {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "writes" {
            self.0 = Some(value);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
}
