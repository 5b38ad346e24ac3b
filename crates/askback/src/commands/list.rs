//! `askback list`: what is waiting for an answer, and what was.

use super::{json_text, short, status_parser};
use crate::console::{line, print};
use crate::error::CliError;
use crate::exit::Exit;
use crate::hub_args::{Caller, HubArgs};
use crate::signals::block_on;
use crate::subcommand::Subcommand;
use askback_api::{HubApi, ListQuery, Record};
use askback_core::{Room, Status, relative_time};
use clap::Args;
use unicode_width::UnicodeWidthStr;

/// List requests on the hub, the newest first
#[derive(Debug, Args)]
#[command(after_help = "For example: askback list --status pending")]
pub(crate) struct ListArgs {
    /// Only those that have come so far
    #[arg(long, value_parser = status_parser())]
    status: Option<Status>,

    /// Only those of one room
    #[arg(long, value_parser = Room::parse)]
    room: Option<Room>,

    /// How many, at most 200
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=200))]
    limit: u32,

    /// Go on where the list before ended: its `next`
    #[arg(long)]
    cursor: Option<String>,

    /// Print the page as JSON, as GET /api/v1/requests gives it
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    hub: HubArgs,
}

impl Subcommand for ListArgs {
    fn run(&self) -> Result<Exit, CliError> {
        block_on(async {
            let query = ListQuery {
                status: self.status,
                room: self.room.clone(),
                asker: None,
                cursor: self.cursor.clone(),
                limit: Some(self.limit as usize),
            };
            let page = self.hub.client(Caller::Anybody)?.list(query).await?;
            if self.json {
                return print(&json_text(&page)?);
            }
            if page.items.is_empty() {
                return print("there are no such requests that this token may see");
            }
            print(&table(&page.items, jiff::Timestamp::now()))?;
            if let Some(next) = &page.next {
                let status = self.status.map_or_else(String::new, |status| format!(" --status {}", status.name()));
                let room = self.room.as_ref().map_or_else(String::new, |room| format!(" --room {room}"));
                let filters = line(&format!("{status}{room}"));
                print(&format!("there are more: askback list{filters} --cursor {}", line(next)))?;
            }
            Ok(Exit::Done)
        })?
    }
}

/// One row for each: the end of its id, how old it is, what became of it, where and who, and what it is about.
fn table(records: &[Record], now: jiff::Timestamp) -> String {
    let rows: Vec<[String; 5]> = records
        .iter()
        .map(|record| {
            let who = format!("{} · {}", line(record.room.as_str()), line(&record.asker_and_claim()));
            let age = relative_time::ago(record.created_at, now);
            [short(&record.id).to_owned(), age, status(record), who, line(&record.title())]
        })
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0).min(40);
    let widths: Vec<usize> = (0..4).map(width).collect();
    let lines = rows.iter().map(|row| {
        let mut text = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            text.push_str(cell);
            text.push_str(&" ".repeat(width.saturating_sub(cell.width()) + 2));
        }
        text.push_str(&row[4]);
        text
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What became of it; of what is pending also whether anybody waits for it (L9).
fn status(record: &Record) -> String {
    match (&record.outcome, record.status()) {
        (None, _) if !record.is_waited_for => "pending, nobody is waiting".to_owned(),
        (Some(outcome), status) if status != Status::Expired => format!("{} by {}", status.name(), line(outcome.by())),
        (_, status) => status.name().to_owned(),
    }
}
