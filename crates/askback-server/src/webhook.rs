//! Webhooks: whoever is not here is told what happens, in order, at least once, and without anybody here waiting for it.

use crate::limits::ERRANDS_PATIENCE;
use askback_client::transport::Address;
use askback_core::{Name, Status};
use askback_hub::{Event, Hub, Room};
use courier::Courier;
use std::io;
use std::sync::Arc;
use tokio::sync::watch;
use tokio::task::JoinHandle;

mod backoff;
mod courier;
mod post;
mod signature;
mod template;
mod words;

pub use signature::Key;
pub use template::Template;
pub(crate) use words::clipped;

/// A receiver of events.
#[derive(Debug)]
pub struct Hook {
    /// A name that no other has.
    pub name: Name,
    /// Where events are posted.
    pub address: Address,
    /// The form in which they are posted.
    pub template: Template,
    /// The key that signs them.
    pub secret: Option<Key>,
    /// Which events: those that give a request one of these statuses.
    pub events: Vec<Status>,
    /// The room they happen in; all rooms unless it is given.
    pub room: Option<Room>,
}

impl Hook {
    fn wants(&self, event: &Event) -> bool {
        self.events.contains(&event.status) && self.room.as_ref().is_none_or(|room| *room == event.record.room)
    }
}

/// The webhooks of a hub, at work.
pub(crate) struct Hooks(Option<Working>);

struct Working {
    stopping: watch::Sender<bool>,
    courier: JoinHandle<()>,
}

/// Begins to tell the hooks of the configuration what happens at this hub, which people find at the address.
pub(crate) async fn start(hub: &Hub, hooks: &[Arc<Hook>], url: &str) -> io::Result<Hooks> {
    // Also if there are none: what waits for those that were there before is not sent any more.
    hub.set_hooks(hooks.iter().map(|hook| hook.name.clone()).collect()).await.map_err(io::Error::other)?;
    if hooks.is_empty() {
        return Ok(Hooks(None));
    }
    let (stopping, is_stopping) = watch::channel(false);
    let courier = Courier::new(hub.clone(), hooks, &format!("{url}/"), is_stopping);
    Ok(Hooks(Some(Working { stopping, courier: tokio::spawn(courier.work()) })))
}

impl Hooks {
    /// Ends it: what is under way has a moment, and what was not settled is sent by the next hub.
    pub(crate) async fn stop(self) {
        let Some(Working { stopping, mut courier }) = self.0 else { return };
        let _ = stopping.send(true);
        if tokio::time::timeout(ERRANDS_PATIENCE, &mut courier).await.is_err() {
            courier.abort();
        }
    }
}
