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
use askback_api::{ApiError, HubApi, Record};
use askback_client::Client;
use clap::Args;
use std::time::Duration;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};

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
        let until = self.timeout.map(|seconds| Instant::now() + Duration::from_secs(seconds.into()));
        let found = match until {
            Some(until) => timeout_at(until, self.client()).await,
            None => Ok(self.client().await),
        };
        let Ok(found) = found else {
            say("the hub did not answer in time; the request stays as it is");
            return Ok(Exit::Expired);
        };
        let (client, record) = found?;
        if let Some(outcome) = &record.outcome {
            return output::outcome(&record.request, outcome, self.json);
        }
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        // A hub that is away comes back with what it has acknowledged.
        match client.waiting_through(None).wait(record.as_ref(), left).await? {
            Some(outcome) => output::outcome(&record.request, &outcome, self.json),
            None => {
                say(&format!("{} is still pending", record.id));
                Ok(Exit::Expired)
            }
        }
    }

    /// The asker of the request waits as such; any other client only looks on (L9).
    async fn client(&self) -> Result<(Client, Record), CliError> {
        let asker = self.hub_client(Caller::Asker).await?;
        match find_record(&asker, &self.id).await {
            Ok(record) => return Ok((asker, record)),
            // It does not answer others either.
            Err(error @ CliError::Api(ApiError::Lost(_))) => return Err(error),
            Err(_) => {}
        }
        let client = self.hub_client(Caller::Anybody).await?;
        let record = find_record(&client, &self.id).await?;
        Ok((client, record))
    }

    /// A client of the hub, which may have to be started first: in another thread, so that the limit of the wait holds.
    async fn hub_client(&self, caller: Caller) -> Result<Client, CliError> {
        let hub = self.hub.clone();
        let client = spawn_blocking(move || hub.client(caller)).await;
        Ok(client.map_err(CliError::wrong)??)
    }
}
