//! `askback hook claude-code`: its questions and its permission prompts, answered through the hub.
//!
//! Whatever goes wrong comes to the same: nothing is printed, and Claude Code asks in its own way. Nothing is ever allowed but
//! by a person who has seen it (S5).

use super::limits::{AWAY, NOBODY, POLL, TIMEOUT};
use super::waiting::{Unanswered, Waiting};
use crate::console::{ended_by, print, say};
use crate::duration::seconds;
use crate::error::CliError;
use crate::exit::Exit;
use crate::hub_args::{Caller, HubArgs};
use crate::signals::block_on;
use crate::source;
use askback_client::RoomRule;
use askback_core::{Json, Name, Outcome, Problems, Request, Room, Status};
use clap::Args;
use payload::{Asked, Payload};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;
use thiserror::Error;

mod payload;
mod permission;
mod reply;

/// Who asks, as people read it.
const FROM: &str = "claude-code";

#[derive(Debug, Args)]
pub(super) struct ClaudeCodeArgs {
    /// How long people have to answer: 90, 45s, 10m, 1h30m. Claude Code's own limit for the hook must be longer
    #[arg(long, value_name = "DURATION", value_parser = seconds, default_value = TIMEOUT)]
    timeout: u32,

    /// How long, while nobody looks at the hub and nobody is told of what is asked
    #[arg(long, value_name = "DURATION", value_parser = seconds, default_value = NOBODY)]
    nobody: u32,

    /// The room to ask in; that of the folder Claude Code works in unless given
    #[arg(long, value_parser = Room::parse)]
    room: Option<Room>,

    #[command(flatten)]
    hub: HubArgs,
}

impl ClaudeCodeArgs {
    pub(super) fn run(&self) -> Exit {
        match self.decide() {
            Ok(decision) => {
                // Should nobody read it, Claude Code has not heard of a decision.
                let _ = print(&decision.to_string());
            }
            Err(Declined::Unanswered(Unanswered::Signal(kind))) => return kind.into(),
            Err(declined) => say(&format!("Claude Code asks by itself: {declined}")),
        }
        Exit::Done
    }

    fn decide(&self) -> Result<Json, Declined> {
        if io::stdin().is_terminal() {
            return Err(
                "there is no hook's input: Claude Code runs this, see `askback setup claude-code --hook`".into()
            );
        }
        let (_, bytes) = source::read(Path::new("-"))?;
        let payload = Payload::read(&bytes)?;
        let request = self.addressed(payload.request()?)?;
        let outcome = self.ask(&request, payload.folder.as_deref())?;
        let decision = match &payload.asked {
            Asked::Question(call) => reply::question(call, &outcome, &request),
            Asked::Permission { tool, input } => reply::permission(tool, input, &outcome, &request),
        };
        decision.ok_or_else(|| Declined::Because(format!("the question {}", ending(&outcome))))
    }

    /// The request with its claimed source, its timeout and its room.
    fn addressed(&self, request: Request) -> Result<Request, Declined> {
        let from = Name::parse(FROM).map_err(|refusal| Declined::Because(refusal.to_string()))?;
        let request = request.with_from(&from).with_timeout(self.timeout);
        Ok(self.room.iter().fold(request, Request::with_room))
    }

    fn ask(&self, request: &Request, folder: Option<&Path>) -> Result<Outcome, Declined> {
        let client = self.hub.client(Caller::Asker).map_err(Unanswered::Hub)?;
        let room = match folder {
            Some(folder) => askback_hub::folder_room(folder),
            None => askback_hub::folder_room(&std::env::current_dir()?),
        };
        // A hub that is away for longer leaves the question to the agent itself.
        let client = client.asking_in(RoomRule::Folder(room)).waiting_through(Some(AWAY)).polling(POLL);
        let waiting = Waiting { client, nobody: Duration::from_secs(self.nobody.into()) };
        Ok(block_on(waiting.ask(request))??)
    }
}

/// Why nothing is decided here.
#[derive(Debug, Error)]
enum Declined {
    #[error("{0}")]
    Because(String),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Cli(#[from] CliError),
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

impl From<&str> for Declined {
    fn from(why: &str) -> Self {
        Self::Because(why.to_owned())
    }
}

fn unasked(problems: &Problems) -> Declined {
    Declined::Because(format!("what it asks can't be shown here: {problems}"))
}

fn ending(outcome: &Outcome) -> String {
    let reason = outcome.resolution().reason().map_or_else(String::new, |reason| format!(": {}", reason.as_str()));
    match outcome.status() {
        Status::Expired => "was not answered in time".to_owned(),
        _ => format!("was {}{reason}", ended_by(outcome)),
    }
}
