//! `askback mcp`: the MCP server on standard input and output, for every agent that starts programs as its tools. It is a thin process
//! between two that live longer: its client and the hub. It keeps nothing, so that nothing is lost with it.

use crate::cli::{Runs, seconds};
use crate::client::HubArgs;
use crate::exit::Exit;
use crate::serve::listen::allowed_files;
use askback_hub::Room;
use clap::Args;
use desk::{AskedIn, Desk};
use dialog::SentAway;
use rmcp::ServiceExt;
use server::{Caller, Server};
use std::io::{self, IsTerminal};
use std::time::Duration;
use stdio::Stdio;
use tokio_util::sync::CancellationToken;

mod arguments;
pub(crate) mod border;
mod budget;
mod call;
pub(crate) mod claim;
pub(crate) mod desk;
pub(crate) mod dialog;
#[cfg(feature = "conformance")]
mod fixtures;
pub(crate) mod limits;
mod lines;
#[cfg(test)]
pub(crate) mod listening;
pub(crate) mod message;
pub(crate) mod result;
mod script;
pub(crate) mod server;
mod stdio;
pub(crate) mod tools;

/// Serve the tools of askback to an agent (MCP, on standard input and output)
///
/// For the configuration of an agent: `askback setup` shows it. What the agent asks is kept by the hub of this machine, which is started if
/// none is running; people answer with `askback inbox`, in a browser (`askback open`), or wherever they are.
#[derive(Debug, Args)]
#[command(after_help = "For example: claude mcp add askback -- askback mcp")]
pub(crate) struct McpArgs {
    /// The room for what is asked; that of the folder unless given
    #[arg(long, value_name = "ROOM", value_parser = room)]
    room: Option<Room>,

    /// How long a call may wait for a person before it returns "pending"; what is known of the client decides unless given
    #[arg(long, value_name = "DURATION", value_parser = seconds)]
    wait: Option<u32>,

    #[command(flatten)]
    hub: HubArgs,
}

fn room(name: &str) -> Result<Room, String> {
    Room::parse(name).map_err(|refusal| refusal.to_string())
}

impl Runs for McpArgs {
    const NAME: &'static str = "mcp";

    fn run(&self) -> io::Result<Exit> {
        crate::log::start(tracing::Level::WARN);
        if io::stdin().is_terminal() {
            eprintln!(
                "This is for an agent's client to start: `askback setup` shows how. It waits for messages of MCP on standard input."
            );
        }
        // Every call that waits has a connection to the hub.
        allowed_files();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let exit = runtime.block_on(self.serve());
        runtime.shutdown_background();
        exit
    }
}

impl McpArgs {
    async fn serve(&self) -> io::Result<Exit> {
        let room = match &self.room {
            Some(room) => AskedIn::Named(room.clone()),
            None => AskedIn::Folder(Room::of_folder(&std::env::current_dir()?)),
        };
        let desk = Desk::seeking(self.hub.clone(), room);
        let hung_up = CancellationToken::new();
        let wait = self.wait.map(|seconds| Duration::from_secs(seconds.into()));
        let caller = Caller { desk: desk.clone(), wait, hung_up: hung_up.clone() };
        let server = Server { only: Some(caller), sent_away: SentAway::default() };
        match server.serve(Stdio::open(desk, hung_up)).await {
            Ok(running) => {
                let _ = running.waiting().await;
                Ok(Exit::Done)
            }
            // A client that leaves before it has said anything has not done anything wrong.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(Exit::Done),
            Err(error) => Err(io::Error::other(format!("the client does not speak MCP: {error}"))),
        }
    }
}
