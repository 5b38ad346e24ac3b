//! `askback inbox`: what waits for a person, live, in a terminal.

use super::{person, room_parser, run};
use crate::ask::unasked;
use crate::exit::Exit;
use crate::hub_args::HubArgs;
use crate::manner::MannerArgs;
use crate::signals::unless_signalled;
use crate::subcommand::Subcommand;
use askback_core::Room;
use askback_term::{Browsed, Live, TermError};
use clap::Args;
use session::InboxSession;
use std::io;

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
    #[arg(long, value_parser = room_parser)]
    room: Option<Room>,

    #[command(flatten)]
    manner: MannerArgs,

    #[command(flatten)]
    hub: HubArgs,
}

impl Subcommand for InboxArgs {
    const NAME: &'static str = "inbox";

    fn run(&self) -> io::Result<Exit> {
        run(async {
            let client = person(&self.hub)?;
            let live = match Live::open(self.manner.caps()) {
                Ok(live) => live,
                Err(error) => return Ok(unasked(error)?),
            };
            let mut session = InboxSession::open(live, client, self.room.clone(), self.manner.caps()).await?;
            match unless_signalled(attend(&mut session)).await? {
                Ok(Ok(())) => Ok(Exit::Done),
                Ok(Err(error)) => Ok(unasked(error)?),
                Err(exit) => Ok(exit),
            }
        })
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
