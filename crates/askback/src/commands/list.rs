//! `askback list`: what is waiting for an answer, and what was.

use super::{ago, anybody, line, run, short};
use crate::cli::{Runs, print};
use crate::client::record::HubRecord;
use crate::client::{HubArgs, escaped};
use crate::exit::Exit;
use askback_core::show::show_json;
use askback_core::{Json, Status};
use clap::Args;
use std::io;
use unicode_width::UnicodeWidthStr;

/// List requests on the hub, the newest first
#[derive(Debug, Args)]
#[command(after_help = "For example: askback list --status pending")]
pub(crate) struct ListArgs {
    /// Only those that have come so far
    #[arg(long, value_parser = ["pending", "answered", "declined", "cancelled", "expired"])]
    status: Option<String>,

    /// Only those of one room
    #[arg(long)]
    room: Option<String>,

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

impl Runs for ListArgs {
    const NAME: &'static str = "list";

    fn run(&self) -> io::Result<Exit> {
        run(async {
            let client = anybody(&self.hub)?;
            let mut query = format!("?limit={}", self.limit);
            for (name, value) in [("status", &self.status), ("room", &self.room), ("cursor", &self.cursor)] {
                if let Some(value) = value {
                    query.push_str(&format!("&{name}={}", escaped(value)));
                }
            }
            let page = client.get(&format!("/requests{query}")).await?;
            if self.json {
                return Ok(print(&show_json(&page.to_string()))?);
            }
            let items = page.get("items").and_then(Json::as_array).unwrap_or_default();
            let records = items.iter().map(HubRecord::read).collect::<Result<Vec<_>, _>>()?;
            if records.is_empty() {
                return Ok(print("there are no such requests that this token may see")?);
            }
            print(&table(&records, jiff::Timestamp::now()))?;
            if let Some(next) = page.get("next").and_then(Json::as_str) {
                let filters = [("status", &self.status), ("room", &self.room)];
                let filters =
                    filters.into_iter().filter_map(|(name, value)| Some(format!(" --{name} {}", value.as_ref()?)));
                let filters = line(&filters.collect::<String>());
                print(&format!("there are more: askback list{filters} --cursor {}", line(next)))?;
            }
            Ok(Exit::Done)
        })
    }
}

/// One row for each: the end of its id, how old it is, what became of it, where and who, and what it is about.
fn table(records: &[HubRecord], now: jiff::Timestamp) -> String {
    let rows: Vec<[String; 5]> = records
        .iter()
        .map(|record| {
            let who = format!("{} · {}", line(&record.room), line(&record.asker_and_claim()));
            let age = ago(&record.created_at, now);
            [line(short(&record.id)), age, status(record), who, line(&record.title())]
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
fn status(record: &HubRecord) -> String {
    match (&record.outcome, record.status()) {
        (None, _) if !record.is_waited_for => "pending, nobody is waiting".to_owned(),
        (Some(outcome), status) if status != Status::Expired => format!("{} by {}", status.name(), line(outcome.by())),
        (_, status) => status.name().to_owned(),
    }
}
