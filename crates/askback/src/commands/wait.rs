//! `askback wait`: coming back for the answer to what was asked before.

use super::{Failure, anybody, find, found, record, run};
use crate::ask::output;
use crate::cli::{Runs, seconds};
use crate::client::record::outcome;
use crate::client::{Absent, Client, HubArgs};
use crate::exit::Exit;
use crate::serve::limits::WAIT_SECONDS;
use crate::signals::unless_signalled;
use clap::Args;
use std::io;
use std::time::{Duration, Instant};

/// The pause before a hub that went away is looked for again.
const PAUSE: Duration = Duration::from_millis(300);

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

impl Runs for WaitArgs {
    const NAME: &'static str = "wait";

    fn run(&self) -> io::Result<Exit> {
        run(async {
            match unless_signalled(self.wait()).await? {
                Ok(exit) => exit,
                Err(exit) => Ok(exit),
            }
        })
    }
}

impl WaitArgs {
    async fn wait(&self) -> Result<Exit, Failure> {
        let (client, id) = self.client().await?;
        let record = record(&client, &id).await?;
        let until = self.timeout.map(|seconds| Instant::now() + Duration::from_secs(seconds.into()));
        loop {
            let left = until.map_or(WAIT_SECONDS, |until| {
                let left = until.saturating_duration_since(Instant::now());
                (left.as_secs() + u64::from(left.subsec_nanos() > 0)).min(WAIT_SECONDS)
            });
            match client.get(&format!("/requests/{id}?wait={left}")).await {
                Ok(json) => {
                    if let Some(outcome) = outcome(&json, &record.request)? {
                        return Ok(output::outcome(&record.request, &outcome, self.json)?);
                    }
                }
                // It comes back with what it has acknowledged.
                Err(error) if error.is_passing() => tokio::time::sleep(PAUSE).await,
                Err(error) => return Err(error.into()),
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                crate::ask::race::say(&format!("{id} is still pending"));
                return Ok(Exit::Expired);
            }
        }
    }

    /// Whoever asked waits as the asker; anybody else only looks on (L9).
    async fn client(&self) -> Result<(Client, String), Failure> {
        let asker = found(self.hub.asker(Absent::Start)?)?;
        let found = match find(&asker, &self.id).await {
            Ok(id) => record(&asker, &id).await.map(|_| id),
            Err(error) => Err(error),
        };
        match found {
            Ok(id) => Ok((asker, id)),
            Err(_) => {
                let client = anybody(&self.hub)?;
                let id = find(&client, &self.id).await?;
                Ok((client, id))
            }
        }
    }
}
