//! `askback open`: a link with which a person logs in, once.

use super::find_record;
use crate::console::{line, print};
use crate::error::CliError;
use crate::exit::Exit;
use crate::hub_args::{Caller, HubArgs};
use crate::login_link;
use crate::signals::block_on;
use crate::subcommand::Subcommand;
use askback_api::{LoginLinkBody, PersonApi};
use clap::Args;
use std::io::{self, IsTerminal};

/// Print a link that logs a browser in: it works once, for ten minutes
///
/// With a request it leads to that one. On a terminal it is also a QR code, for a phone that can reach the hub.
#[derive(Debug, Args)]
#[command(after_help = "For example: askback open 58fb8350")]
pub(crate) struct OpenArgs {
    /// The id of a request to go to, or the end of it; the inbox unless given
    id: Option<String>,

    /// Open the page without scripts, for browsers that run none
    #[arg(long)]
    plain: bool,

    #[command(flatten)]
    hub: HubArgs,
}

impl Subcommand for OpenArgs {
    fn run(&self) -> Result<Exit, CliError> {
        block_on(async {
            let client = self.hub.client(Caller::Person)?;
            let path = match &self.id {
                Some(id) => Some(format!("/r/{}", find_record(&client, id).await?.id)),
                None => None,
            };
            let link = client.login_link(LoginLinkBody { path, plain: Some(self.plain) }).await?;
            let url = line(&link.url);
            // Nothing but the link for a program.
            if io::stdout().is_terminal() {
                if let Some(code) = login_link::qr_code(&url) {
                    print(&code)?;
                }
                if let Some(warning) = login_link::warning(&url) {
                    print(&format!("{warning}\n"))?;
                }
            }
            print(&url)
        })?
    }
}
