//! `askback hook claude-code`: its questions and its permission prompts, answered through the hub.
//!
//! Whatever goes wrong comes to the same: nothing is printed, and Claude Code asks in its own way. Nothing is ever allowed but
//! by a person who has seen it (S5).

use super::limits::{AWAY, NOBODY, TIMEOUT};
use super::waiting::{Unanswered, Waiting};
use crate::console::print;
use crate::console::say;
use crate::duration::seconds;
use crate::exit::Exit;
use crate::hub_args::{Absent, HubArgs};
use crate::source;
use askback_client::RoomRule;
use askback_core::{Json, Limits, Outcome, Request, Room};
use clap::Args;
use payload::{Asked, Payload};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;

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
    #[arg(long, value_parser = room)]
    room: Option<Room>,

    #[command(flatten)]
    hub: HubArgs,
}

fn room(text: &str) -> Result<Room, String> {
    Room::parse(text).map_err(|refusal| refusal.to_string())
}

impl ClaudeCodeArgs {
    pub(super) fn run(&self) -> Exit {
        match self.decide() {
            Ok(decision) => {
                // Should nobody read it, Claude Code has not heard of a decision.
                let _ = print(&decision.to_string());
            }
            Err(Declined::Because(why)) => say(&format!("Claude Code asks by itself: {why}")),
            Err(Declined::Signal(number)) => return Exit::Signal(number),
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
        let request = self.addressed(&payload.request()?)?;
        let outcome = self.ask(&request, payload.folder.as_deref())?;
        let decision = match &payload.asked {
            Asked::Question(call) => reply::question(call, &outcome, &request),
            Asked::Permission { tool, input } => reply::permission(tool, input, &outcome, &request),
        };
        decision.ok_or_else(|| Declined::Because(format!("the question {}", ending(&outcome))))
    }

    /// The request with whose it is, for how long and where.
    fn addressed(&self, request: &Request) -> Result<Request, Declined> {
        let Json::Object(mut fields) = request.to_json() else { return Err("there is no request".into()) };
        fields.push(("from".to_owned(), FROM.into()));
        fields.push(("timeout".to_owned(), self.timeout.into()));
        fields.extend(self.room.iter().map(|room| ("room".to_owned(), room.as_str().into())));
        Request::from_json(&Json::Object(fields), &Limits::DEFAULT).map_err(|problems| unasked(&problems))
    }

    fn ask(&self, request: &Request, folder: Option<&Path>) -> Result<Outcome, Declined> {
        let client = self.hub.asker(Absent::Start).map_err(|error| Declined::Because(error.to_string()))?;
        let client = client.ok_or("no hub is running")?;
        let room = match folder {
            Some(folder) => askback_hub::folder_room(folder),
            None => askback_hub::folder_room(&std::env::current_dir()?),
        };
        // A hub that is away for longer leaves the question to the agent itself.
        let client = client.asking_in(RoomRule::Folder(room)).waiting_through(Some(AWAY));
        let waiting = Waiting { client, nobody: Duration::from_secs(self.nobody.into()) };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let outcome = runtime.block_on(waiting.ask(request));
        // A hub that is being started in a thread of its own is not worth waiting for.
        runtime.shutdown_background();
        outcome.map_err(|unanswered| match unanswered {
            Unanswered::Signal(kind) => Declined::Signal(u8::try_from(kind.as_raw_value()).unwrap_or(0)),
            unanswered => Declined::Because(unanswered.to_string()),
        })
    }
}

/// Why nothing is decided here.
enum Declined {
    Because(String),
    /// Nobody listens any more.
    Signal(u8),
}

impl From<&str> for Declined {
    fn from(why: &str) -> Self {
        Self::Because(why.to_owned())
    }
}

impl From<io::Error> for Declined {
    fn from(error: io::Error) -> Self {
        Self::Because(error.to_string())
    }
}

fn unasked(problems: &askback_core::Problems) -> Declined {
    Declined::Because(format!("what it asks can't be shown here: {problems}"))
}

fn ending(outcome: &Outcome) -> String {
    let reason = outcome.resolution().reason().map_or_else(String::new, |reason| format!(": {}", reason.as_str()));
    match outcome.status() {
        askback_core::Status::Expired => "was not answered in time".to_owned(),
        _ => format!("was {}{reason}", crate::console::ended_by(outcome)),
    }
}
