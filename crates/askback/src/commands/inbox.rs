//! `askback inbox`: what waits for a person, live, in a terminal.

use super::{person, run};
use crate::ask::unasked;
use crate::cli::{MannerArgs, Runs};
use crate::client::HubArgs;
use crate::exit::Exit;
use crate::signals::unless_signalled;
use askback_term::{Browsed, Live, TermError};
use clap::Args;
use desk::Desk;
use std::io;

mod desk;
mod feed;
mod pile;
mod sending;

/// Answer what is waiting on the hub, as it comes, in this terminal
///
/// Questions appear as they are asked and leave when somebody answers them, here or elsewhere. Enter opens one.
#[derive(Debug, Args)]
#[command(after_help = "For example: askback inbox --room shop")]
pub(crate) struct InboxArgs {
    /// Only what is asked in one room
    #[arg(long)]
    room: Option<String>,

    #[command(flatten)]
    manner: MannerArgs,

    #[command(flatten)]
    hub: HubArgs,
}

impl Runs for InboxArgs {
    const NAME: &'static str = "inbox";

    fn run(&self) -> io::Result<Exit> {
        run(async {
            let client = person(&self.hub)?;
            let live = match Live::open(self.manner.caps()) {
                Ok(live) => live,
                Err(error) => return Ok(unasked(error)?),
            };
            let mut desk = Desk::open(live, client, self.room.clone(), self.manner.caps()).await?;
            match unless_signalled(attend(&mut desk)).await? {
                Ok(Ok(())) => Ok(Exit::Done),
                Ok(Err(error)) => Ok(unasked(error)?),
                Err(exit) => Ok(exit),
            }
        })
    }
}

async fn attend(desk: &mut Desk) -> Result<(), TermError> {
    loop {
        match desk.browse().await? {
            Browsed::Opened(id) => desk.answer(&id).await?,
            Browsed::Acted { key: desk::DECLINE, id: Some(id) } => desk.decline(&id).await?,
            Browsed::Acted { key: desk::CANCEL, id: Some(id) } => desk.cancel(&id).await?,
            Browsed::Acted { key: desk::DISMISS, .. } => desk.dismiss().await?,
            Browsed::Closed => return Ok(()),
            _ => {}
        }
    }
}
