//! The demo's page: a hub of its own, on which every question can be answered as well, and the invitation to look at it.

use crate::chat::raced::Beside;
use crate::error::CliError;
use crate::login_link::{qr_code, warning};
use crate::sign;
use askback_api::{AskerApi, LoginLinkBody, PersonApi};
use askback_core::Room;
use askback_server::PrivateHub;
use askback_term::{Alphabet, Caps, Live, Tone, Window};
use std::sync::Arc;
use std::time::Duration;

const ROOM: &str = "demo";

/// How long the demo waits for its page, which takes a few milliseconds. It can do without.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);

/// Rows of the window that a QR code leaves to the beginning of the story.
const STORY: usize = 14;

const INVITATION: &str = "Answer here, or on the page, which this link opens once:";

/// The page of a demo, until it is closed or dropped.
pub(super) struct Page {
    hub: PrivateHub,
    asker: Arc<dyn AskerApi>,
    person: Arc<dyn PersonApi>,
    /// Logs a browser in as the person here.
    link: String,
}

impl Page {
    pub(super) async fn open() -> Result<Self, CliError> {
        let hub = PrivateHub::start().await?;
        let room = Room::parse(ROOM).map_err(CliError::wrong)?;
        let asker = hub.asker(sign::agents_name()?, room).await?;
        let person = hub.person(sign::user_name()?).await?;
        let link = person.login_link(LoginLinkBody::default()).await?.url;
        Ok(Self { hub, asker, person, link })
    }

    /// Where questions are asked besides the terminal.
    pub(super) fn beside(&self) -> Beside {
        Beside::Within(Arc::clone(&self.asker), Arc::clone(&self.person))
    }

    /// Says where it is.
    pub(super) fn invite(&self, live: &mut Live, caps: Caps) {
        if let Some(code) = qr_code(&self.link).filter(|code| fits(code, live.window(), caps)) {
            code.lines().for_each(|row| live.print_whole(Tone::Plain, row));
            live.print(Tone::Muted, &format!("{}\n\n", warning(&self.link).unwrap_or_default()));
        }
        // Last, where it stays on the screen the longest.
        live.print(Tone::Muted, INVITATION);
        live.print_whole(Tone::Info, &self.link);
    }

    /// Those who look at it hear of the last outcome, and then it is gone.
    pub(super) async fn close(self) {
        self.hub.stop().await;
    }
}

/// Whether a code can be seen whole, with some of the story below it.
fn fits(code: &str, window: Option<Window>, caps: Caps) -> bool {
    let columns = code.lines().next().map_or(0, |row| row.chars().count());
    let has_room = |window: Window| window.columns > columns && window.rows >= code.lines().count() + STORY;
    caps.alphabet == Alphabet::Unicode && window.is_some_and(has_room)
}
