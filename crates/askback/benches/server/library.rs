//! The hub without a server: what an answer takes when nothing but the durable write is between it and the outcome.

use crate::Done;
use askback_core::{Limits, Name, Request, Surface};
use askback_hub::{Ask, Hub, HubOptions, Room, Signature};
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// People take longer; what matters is that by then whoever waits does.
pub(crate) const PAUSE: Duration = Duration::from_millis(2);
/// What every question that is measured is answered with.
pub(crate) const ANSWER: &str = "SQLite";

/// The hub as a library.
pub(crate) struct Library {
    hub: Hub,
    request: Request,
    asker: Name,
    room: Room,
}

impl Library {
    /// In a file of its own in this folder, asked this question.
    pub(crate) async fn open(folder: &Path, question: &str) -> Done<Self> {
        Ok(Self {
            hub: askback_sqlite::open_hub(folder.join("library.db"), HubOptions::default()).await?,
            request: Request::parse(question.as_bytes(), &Limits::DEFAULT)?,
            asker: Name::parse("agent")?,
            room: Room::parse("project")?,
        })
    }

    /// The time of one answer, until it is durable.
    pub(crate) async fn answer(&self) -> Done<Duration> {
        let asked = self.hub.ask(Ask::new(self.request.clone(), self.asker.clone(), self.room.clone())).await?;
        sleep(PAUSE).await;
        let signature = Signature::new(Name::parse("reviewer")?, Surface::Http);
        let start = Instant::now();
        self.hub.answer(asked.id(), &[ANSWER.into()], signature).await?;
        Ok(start.elapsed())
    }
}
