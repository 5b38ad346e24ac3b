//! `askback wait`: coming back for the answer to what was asked before.

use super::find_record;
use crate::ask::output;
use crate::console::say;
use crate::duration::seconds;
use crate::error::CliError;
use crate::exit::Exit;
use crate::hub_args::{Caller, HubArgs};
use crate::signals::{block_on, unless_signalled};
use crate::subcommand::Subcommand;
use askback_api::{HubApi, Record};
use askback_client::Client;
use clap::Args;
use std::time::Duration;

/// Wait for the answer to a request on the hub, and print it as the command that asked would have
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: as of the command that asked; 124 also if it is still pending when --timeout is over\n\
                        \nFor example: askback wait 58fb8350 --timeout 10m"
)]
pub(crate) struct WaitArgs {
    /// The request's id, or the end of it
    id: String,

    /// Stop waiting after this long: 90, 45s, 10m, 1h30m; the request stays
    #[arg(long, value_name = "DURATION", value_parser = seconds)]
    timeout: Option<u32>,

    /// Print the whole outcome as JSON instead of the answer
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    hub: HubArgs,
}

impl Subcommand for WaitArgs {
    fn run(&self) -> Result<Exit, CliError> {
        block_on(async { unless_signalled(self.wait()).await? })?
    }
}

impl WaitArgs {
    async fn wait(&self) -> Result<Exit, CliError> {
        let (client, record) = self.client().await?;
        if let Some(outcome) = &record.outcome {
            return output::outcome(&record.request, outcome, self.json);
        }
        let at_most = self.timeout.map(|seconds| Duration::from_secs(seconds.into()));
        // A hub that is away comes back with what it has acknowledged.
        match client.waiting_through(None).wait(record.as_ref(), at_most).await? {
            Some(outcome) => output::outcome(&record.request, &outcome, self.json),
            None => {
                say(&format!("{} is still pending", record.id));
                Ok(Exit::Expired)
            }
        }
    }

    /// The asker of the request waits as such; any other client only looks on (L9).
    async fn client(&self) -> Result<(Client, Record), CliError> {
        let asker = self.hub.client(Caller::Asker)?;
        if let Ok(record) = find_record(&asker, &self.id).await {
            return Ok((asker, record));
        }
        let client = self.hub.client(Caller::Anybody)?;
        let record = find_record(&client, &self.id).await?;
        Ok((client, record))
    }
}
