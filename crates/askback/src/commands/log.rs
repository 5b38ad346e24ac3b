//! `askback log`: everything that happened (L6).

use super::{Failure, find, line, person, run, short};
use crate::cli::{Runs, print};
use crate::client::{Client, HubArgs, escaped};
use crate::exit::Exit;
use crate::signals::unless_signalled;
use askback_core::Json;
use askback_core::show::{self, show_json};
use clap::Args;
use std::io;

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
    #[arg(long)]
    room: Option<String>,

    /// Only what somebody did: an asker, a person, or askback itself
    #[arg(long)]
    by: Option<String>,

    /// Only what happened to one request: its id, or the end of it
    #[arg(long)]
    id: Option<String>,

    /// Only what made requests this
    #[arg(long, value_parser = ["pending", "answered", "declined", "cancelled", "expired"])]
    status: Option<String>,

    /// Only what happened at this moment or later, such as 2026-11-15T00:00:00Z
    #[arg(long, value_name = "MOMENT")]
    from: Option<String>,

    /// Only what happened before this moment
    #[arg(long, value_name = "MOMENT")]
    until: Option<String>,

    /// Print a line of JSON for each
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    hub: HubArgs,
}

impl Runs for LogArgs {
    const NAME: &'static str = "log";

    fn run(&self) -> io::Result<Exit> {
        run(async {
            match unless_signalled(self.print()).await? {
                Ok(exit) => exit,
                // Ctrl+C is how one stops looking.
                Err(exit) => Ok(if self.follow { Exit::Done } else { exit }),
            }
        })
    }
}

impl LogArgs {
    async fn print(&self) -> Result<Exit, Failure> {
        let client = person(&self.hub)?;
        let id = match &self.id {
            Some(id) => Some(find(&client, id).await?),
            None => None,
        };
        let shown = Self { id, ..self.clone() };
        shown.print_with(&client).await
    }

    async fn print_with(&self, client: &Client) -> Result<Exit, Failure> {
        let mut last = self.pages(client, 0).await?;
        if !self.follow {
            return Ok(Exit::Done);
        }
        loop {
            match self.follow_from(client, &mut last).await {
                // A hub that went away comes back with what it has acknowledged.
                Err(Failure::Client(error)) if error.is_passing() => tokio::time::sleep(PAUSE).await,
                Err(error) => return Err(error),
                Ok(never) => match never {},
            }
        }
    }

    async fn follow_from(&self, client: &Client, last: &mut u64) -> Result<std::convert::Infallible, Failure> {
        let query = self.room.as_ref().map_or_else(String::new, |room| format!("?room={}", escaped(room)));
        let mut events = client.events(&query, Some(*last)).await?;
        loop {
            // What is printed is read from the log itself; the stream only says when.
            let told = events.next().await?;
            if told.number > *last {
                *last = self.pages(client, told.number - 1).await?.max(told.number);
            }
        }
    }

    /// Prints what happened after an event, and says which was the last that is known.
    async fn pages(&self, client: &Client, after: u64) -> Result<u64, Failure> {
        let mut query = String::new();
        let filters = [
            ("room", &self.room),
            ("by", &self.by),
            ("id", &self.id),
            ("status", &self.status),
            ("from", &self.from),
            ("until", &self.until),
        ];
        for (name, value) in filters {
            if let Some(value) = value {
                query.push_str(&format!("&{name}={}", escaped(value)));
            }
        }
        let mut last = after;
        let mut place = format!("after={after}");
        loop {
            let page = client.get(&format!("/audit?limit=200&{place}{query}")).await?;
            for event in page.get("items").and_then(Json::as_array).unwrap_or_default() {
                if let Some(Json::Number(number)) = event.get("number") {
                    last = last.max(*number as u64);
                }
                print(&if self.json { show_json(&event.to_string()) } else { told(event) })?;
            }
            match page.get("next").and_then(Json::as_str) {
                Some(next) => place = format!("cursor={next}"),
                None => return Ok(last),
            }
        }
    }
}

/// An event in a line.
fn told(event: &Json) -> String {
    let text = |name: &str| event.get(name).and_then(Json::as_str).unwrap_or_default();
    let what = line(text("event").strip_prefix("request.").unwrap_or_default());
    let surface = event.get("surface").and_then(Json::as_str);
    let surface = surface.map_or_else(String::new, |place| format!(" ({})", line(place)));
    let about = match (event.get("request"), event.get("outcome")) {
        (Some(request), _) => {
            let first = request.get("questions").and_then(Json::as_array).and_then(<[Json]>::first);
            let message = first.and_then(|question| question.get("message")).and_then(Json::as_str);
            request.get("title").and_then(Json::as_str).or(message).unwrap_or_default().to_owned()
        }
        (_, Some(outcome)) => {
            let answers = outcome.get("answers").and_then(Json::as_array).unwrap_or_default();
            let responses = answers.iter().filter_map(|answer| answer.get("response").and_then(Json::as_str));
            let said: Vec<&str> = responses.chain(outcome.get("reason").and_then(Json::as_str)).collect();
            said.join(" · ")
        }
        _ => String::new(),
    };
    let at = line(text("at").split('.').next().unwrap_or_default().trim_end_matches('Z'));
    let claim = event.get("request").and_then(|request| request.get("from")).and_then(Json::as_str);
    let who = format!("{}{surface}", line(&show::asker(text("by"), claim)));
    format!("{at}  {}  {what:<9}  {}  {who}  {}", line(short(text("id"))), line(text("room")), line(&about))
        .trim_end()
        .to_owned()
}
