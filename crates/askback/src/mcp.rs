//! `askback mcp`: the MCP server on standard input and output, for every agent that starts programs as its tools. It is a thin process
//! between two that live longer: its client and the hub. It keeps nothing, so that nothing is lost with it.

use crate::ask::on_hub::folder_rule;
use crate::duration::seconds;
use crate::error::CliError;
use crate::exit::Exit;
use crate::hub_args::{Caller, HubArgs, unavailable};
use crate::signals::block_on;
use crate::subcommand::Subcommand;
use askback_api::{ApiError, ApiFuture, AskerApi};
use askback_client::RoomRule;
use askback_core::Room;
use askback_mcp::{AskerSource, serve_stdio};
use askback_server::allowed_files;
use clap::Args;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OnceCell;

/// How long a call to the hub is tried: a model is to hear why a person can't be asked.
const ASK_PATIENCE: Duration = Duration::from_secs(20);

/// Serve the tools of askback to an agent (MCP, on standard input and output)
///
/// For the configuration of an agent: `askback setup` shows it. What the agent asks is kept by the hub of this machine, which is started if
/// none is running; people answer with `askback inbox`, in a browser (`askback open`), or wherever they are.
#[derive(Debug, Args)]
#[command(after_help = "For example: claude mcp add askback -- askback mcp")]
pub(crate) struct McpArgs {
    /// The only room to ask in; that of the folder unless given, and then a question may name another one
    #[arg(long, value_name = "ROOM", value_parser = Room::parse)]
    room: Option<Room>,

    /// How long a call may wait for a person before it returns "pending"; what is known of the client decides unless given
    #[arg(long, value_name = "DURATION", value_parser = seconds)]
    wait: Option<u32>,

    #[command(flatten)]
    hub: HubArgs,
}

impl Subcommand for McpArgs {
    fn run(&self) -> Result<Exit, CliError> {
        crate::log::start(tracing::Level::WARN);
        if io::stdin().is_terminal() {
            eprintln!(
                "This is for an agent's client to start: `askback setup` shows how. It waits for messages of MCP on standard input."
            );
        }
        // Every call that waits has a connection to the hub.
        allowed_files();
        let rooms = match &self.room {
            Some(room) => RoomRule::Only(room.clone()),
            None => folder_rule()?,
        };
        let source = Arc::new(SoughtHub { hub: self.hub.clone(), rooms, found: OnceCell::new() });
        let wait = self.wait.map(|seconds| Duration::from_secs(seconds.into()));
        block_on(serve_stdio(source, wait))??;
        Ok(Exit::Done)
    }
}

/// The hub, found or started when it is first needed.
struct SoughtHub {
    hub: HubArgs,
    rooms: RoomRule,
    found: OnceCell<Arc<dyn AskerApi>>,
}

impl AskerSource for SoughtHub {
    fn asker(&self) -> ApiFuture<'_, Arc<dyn AskerApi>> {
        Box::pin(async { self.found.get_or_try_init(|| self.seek()).await.cloned() })
    }
}

impl SoughtHub {
    async fn seek(&self) -> Result<Arc<dyn AskerApi>, ApiError> {
        let hub = self.hub.clone();
        let found = tokio::task::spawn_blocking(move || hub.client(Caller::Asker)).await;
        let client = found.map_err(unavailable)??;
        // What the agent asks starts a hub that was stopped; waiting waits for it. A hub that is away while a call waits is waited for.
        let client = client.asking_in(self.rooms.clone()).keeping_attended();
        let client = client.starting_hub().retrying(ASK_PATIENCE).waiting_through(None);
        Ok(Arc::new(client))
    }
}
