//! `askback inbox`: what waits for a person, live, in a terminal.

use crate::error::CliError;
use crate::exit::Exit;
use crate::hub_args::{Caller, HubArgs};
use crate::signals::{block_on, unless_signalled};
use crate::style::MannerArgs;
use crate::subcommand::Subcommand;
use askback_core::Room;
use askback_term::{Browsed, Live, TermError};
use clap::Args;
use session::InboxSession;

mod feed;
mod pending_list;
mod session;

/// Answer what is waiting on the hub, as it comes, in this terminal
///
/// Questions appear as they are asked and leave when somebody answers them, here or elsewhere. Enter opens one.
#[derive(Debug, Args)]
#[command(after_help = "For example: askback inbox --room shop")]
pub(crate) struct InboxArgs {
    /// Only what is asked in one room
    #[arg(long, value_parser = Room::parse)]
    room: Option<Room>,

    #[command(flatten)]
    manner: MannerArgs,

    #[command(flatten)]
    hub: HubArgs,
}

impl Subcommand for InboxArgs {
    fn run(&self) -> Result<Exit, CliError> {
        block_on(async {
            let client = self.hub.client(Caller::Person)?;
            let live = Live::open(self.manner.caps())?;
            let mut session = InboxSession::open(live, client, self.room.clone(), self.manner.caps()).await?;
            unless_signalled(attend(&mut session)).await??;
            Ok(Exit::Done)
        })?
    }
}

async fn attend(session: &mut InboxSession) -> Result<(), TermError> {
    loop {
        match session.browse().await? {
            Browsed::Opened(id) => session.answer(&id).await?,
            Browsed::Acted { key: session::DECLINE, id: Some(id) } => session.decline(&id).await?,
            Browsed::Acted { key: session::CANCEL, id: Some(id) } => session.cancel(&id).await?,
            Browsed::Acted { key: session::DISMISS, .. } => session.dismiss().await?,
            Browsed::Closed => return Ok(()),
            _ => {}
        }
    }
}
