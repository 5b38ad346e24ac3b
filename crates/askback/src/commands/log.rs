//! `askback log`: everything that happened (L6).

use super::{find, json_text, moment_parser, short, status_parser};
use crate::console::{line, print};
use crate::error::CliError;
use crate::exit::Exit;
use crate::hub_args::{Caller, HubArgs};
use crate::signals::{block_on, unless_signalled};
use crate::subcommand::Subcommand;
use askback_api::limits::PAGE_ITEMS;
use askback_api::{AuditEvent, AuditQuery, HubApi, PersonApi, RoomQuery, read_json};
use askback_client::Client;
use askback_core::show;
use askback_core::{Name, RequestId, Room, Status};
use clap::Args;
use jiff::Timestamp;
use serde::Deserialize;

/// The pause before a hub that went away is looked for again.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(500);

/// Print the audit log: what happened, when, by whom and where
#[derive(Debug, Clone, Args)]
#[command(after_help = "For example: askback log --room shop --json")]
pub(crate) struct LogArgs {
    /// Go on with what happens from now on, until Ctrl+C
    #[arg(long)]
    follow: bool,

    /// Only what happened in one room
    #[arg(long, value_parser = Room::parse)]
    room: Option<Room>,

    /// Only what somebody did: an asker, a person, or askback itself
    #[arg(long, value_parser = Name::parse)]
    by: Option<Name>,

    /// Only what happened to one request: its id, or the end of it
    #[arg(long)]
    id: Option<String>,

    /// Only what made requests this
    #[arg(long, value_parser = status_parser())]
    status: Option<Status>,

    /// Only what happened at this moment or later, such as 2026-11-15T00:00:00Z
    #[arg(long, value_name = "MOMENT", value_parser = moment_parser)]
    from: Option<Timestamp>,

    /// Only what happened before this moment
    #[arg(long, value_name = "MOMENT", value_parser = moment_parser)]
    until: Option<Timestamp>,

    /// Print a line of JSON for each
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    hub: HubArgs,
}

impl Subcommand for LogArgs {
    fn run(&self) -> Result<Exit, CliError> {
        match block_on(unless_signalled(self.print()))? {
            // Ctrl+C is how one stops looking.
            Err(CliError::Ended(_)) if self.follow => Ok(Exit::Done),
            printed => printed?,
        }
    }
}

impl LogArgs {
    async fn print(&self) -> Result<Exit, CliError> {
        let client = self.hub.client(Caller::Person)?;
        let id = match &self.id {
            Some(id) => Some(find(&client, id).await?),
            None => None,
        };
        let mut last = self.pages(&client, id.as_ref(), 0).await?;
        if !self.follow {
            return Ok(Exit::Done);
        }
        loop {
            match self.follow_from(&client, id.as_ref(), &mut last).await {
                // A hub that went away comes back with what it has acknowledged.
                Err(CliError::Api(error)) if error.is_transient() => tokio::time::sleep(PAUSE).await,
                Err(error) => return Err(error),
                Ok(never) => match never {},
            }
        }
    }

    async fn follow_from(
        &self,
        client: &Client,
        id: Option<&RequestId>,
        last: &mut u64,
    ) -> Result<std::convert::Infallible, CliError> {
        let mut events = client.events(RoomQuery { room: self.room.clone() }, Some(*last)).await?;
        loop {
            // What is printed is read from the log itself; the stream only says when.
            let event = events.next().await?;
            if event.number > *last {
                *last = self.pages(client, id, event.number - 1).await?.max(event.number);
            }
        }
    }

    /// Prints what happened after an event, and returns the number of the last that is known.
    async fn pages(&self, client: &Client, id: Option<&RequestId>, after: u64) -> Result<u64, CliError> {
        let mut query = AuditQuery {
            room: self.room.clone(),
            by: self.by.clone(),
            status: self.status,
            id: id.cloned(),
            from: self.from,
            until: self.until,
            after: Some(after),
            cursor: None,
            limit: Some(PAGE_ITEMS),
        };
        let mut last = after;
        loop {
            let page = client.audit(query.clone()).await?;
            for event in &page.items {
                last = last.max(event.number);
                print(&if self.json { json_text(event)? } else { told(event) })?;
            }
            match page.next {
                Some(next) => query = AuditQuery { after: None, cursor: Some(next), ..query },
                None => return Ok(last),
            }
        }
    }
}

/// What a line of the log tells of a request.
#[derive(Deserialize)]
struct RequestHead {
    title: Option<String>,
    from: Option<String>,
    #[serde(default)]
    questions: Vec<QuestionHead>,
}

#[derive(Deserialize)]
struct QuestionHead {
    message: String,
}

/// What it tells of an outcome.
#[derive(Deserialize)]
struct OutcomeHead {
    answers: Vec<AnswerHead>,
    reason: Option<String>,
}

#[derive(Deserialize)]
struct AnswerHead {
    response: String,
}

/// An event in a line.
fn told(event: &AuditEvent) -> String {
    let what = event.event.name().trim_start_matches("request.");
    let surface = event.surface.map_or_else(String::new, |surface| format!(" ({})", surface.name()));
    let request = event.request.as_ref().and_then(|request| read_json::<RequestHead>(request).ok());
    let outcome = event.outcome.as_ref().and_then(|outcome| OutcomeHead::deserialize(outcome).ok());
    let claim = request.as_ref().and_then(|request| request.from.clone());
    let about = match (request, outcome) {
        (Some(request), _) => {
            let first = request.questions.into_iter().next().map(|question| question.message);
            request.title.or(first).unwrap_or_default()
        }
        (_, Some(outcome)) => {
            let responses = outcome.answers.into_iter().map(|answer| answer.response);
            responses.chain(outcome.reason).collect::<Vec<_>>().join(" · ")
        }
        (None, None) => String::new(),
    };
    let at = event.at.to_string();
    let at = at.split('.').next().unwrap_or_default().trim_end_matches('Z');
    let who = format!("{}{surface}", line(&show::asker(&event.by, claim.as_deref())));
    let (id, room) = (short(&event.id), line(event.room.as_str()));
    format!("{at}  {id}  {what:<9}  {room}  {who}  {}", line(&about)).trim_end().to_owned()
}
