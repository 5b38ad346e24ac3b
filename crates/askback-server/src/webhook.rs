//! Webhooks: events are delivered to receivers in order, at least once, and without delaying any call.

use crate::limits::BACKGROUND_STOP_TIMEOUT;
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
mod message;
mod post;
mod signature;
mod template;

pub(crate) use message::clipped;
pub use signature::Key;
pub use template::Template;

/// A receiver of events.
#[derive(Debug)]
pub struct Hook {
    /// A unique name.
    pub name: Name,
    /// The address to which events are posted.
    pub address: Address,
    /// The format of the events.
    pub template: Template,
    /// The key that signs the events.
    pub secret: Option<Key>,
    /// The statuses whose events are sent.
    pub events: Vec<Status>,
    /// The room whose events are sent; all rooms unless given.
    pub room: Option<Room>,
}

impl Hook {
    fn wants(&self, event: &Event) -> bool {
        self.events.contains(&event.status) && self.room.as_ref().is_none_or(|room| *room == event.record.room)
    }
}

/// The task that delivers events to webhooks.
pub(crate) struct Hooks {
    stopping: watch::Sender<bool>,
    courier: JoinHandle<()>,
}

/// Starts to deliver events to the configured hooks, if there are any. The URL is that of the page.
pub(crate) async fn start(hub: &Hub, hooks: &[Arc<Hook>], url: &str) -> io::Result<Option<Hooks>> {
    // Also without any: pending events of hooks that were removed are not sent any more.
    hub.set_hooks(hooks.iter().map(|hook| hook.name.clone()).collect()).await.map_err(io::Error::other)?;
    if hooks.is_empty() {
        return Ok(None);
    }
    let (stopping, is_stopping) = watch::channel(false);
    let courier = Courier::new(hub.clone(), hooks, &format!("{url}/"), is_stopping);
    Ok(Some(Hooks { stopping, courier: tokio::spawn(courier.run()) }))
}

impl Hooks {
    /// Stops it. Running deliveries get a short time, and the next hub sends events that are not settled by then.
    pub(crate) async fn stop(mut self) {
        let _ = self.stopping.send(true);
        if tokio::time::timeout(BACKGROUND_STOP_TIMEOUT, &mut self.courier).await.is_err() {
            self.courier.abort();
        }
    }
}
