//! Webhooks: whoever is not here is told what happens, in order, at least once, and without anybody here waiting for it.

use crate::config::Config;
use crate::serve::limits::ERRANDS_PATIENCE;
use crate::transport::Address;
use askback_core::{Name, Status};
use askback_hub::{Event, Hub, Room};
use courier::Courier;
use std::io;
use tokio::sync::watch;
use tokio::task::JoinHandle;

mod backoff;
mod courier;
mod post;
mod signature;
mod template;
mod words;

pub(crate) use signature::Key;
pub(crate) use template::Template;
pub(crate) use words::clipped;

/// Somebody who is to be told.
#[derive(Debug)]
pub(crate) struct Hook {
    pub(crate) name: Name,
    pub(crate) address: Address,
    pub(crate) template: Template,
    /// To sign with.
    pub(crate) secret: Option<Key>,
    /// What is told: that a request has come to this.
    pub(crate) events: Vec<Status>,
    /// Of which room; of all of them unless it is given.
    pub(crate) room: Option<Room>,
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
pub(crate) async fn start(hub: &Hub, config: &Config, url: &str) -> io::Result<Hooks> {
    let hooks = &config.hooks;
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
