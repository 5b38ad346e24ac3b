//! The commands that look at a hub and answer on it.

use crate::error::CliError;
use askback_api::limits::PAGE_ITEMS;
use askback_api::{HubApi, ListQuery, Record};
use askback_client::Client;
use askback_core::show::{quote, show_json};
use askback_core::{RequestId, Status};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::io;

pub(crate) mod answer;
pub(crate) mod doctor;
pub(crate) mod inbox;
pub(crate) mod list;
pub(crate) mod log;
pub(crate) mod open;
pub(crate) mod show_request;
pub(crate) mod token;
pub(crate) mod wait;

/// Letters of an id's end that tell it from the others on a list.
const SHORT: usize = 8;

/// The request that was meant: by its whole id, or by the end of it, as a list shows it.
async fn find(client: &Client, text: &str) -> Result<RequestId, CliError> {
    if let Ok(id) = RequestId::parse(text) {
        return Ok(id);
    }
    let unclear = |why: &str| CliError::Wrong(format!("{} {why}", quote(text)));
    let is_end = text.len() >= 4 && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    if !is_end {
        return Err(unclear("is no id of a request: `askback list` shows them, and the last eight letters will do"));
    }
    let mut matching: Vec<RequestId> = Vec::new();
    for status in [Some(Status::Pending), None] {
        let query = ListQuery { status, limit: Some(PAGE_ITEMS), ..ListQuery::default() };
        let ids = client.list(query).await?.items.into_iter().map(|record| record.id);
        matching.extend(ids.filter(|id| id.as_str().ends_with(&text.to_ascii_lowercase())));
    }
    matching.sort_unstable();
    matching.dedup();
    match matching.as_slice() {
        [] => Err(unclear("is no request among the newest: give its whole id")),
        [only] => Ok(only.clone()),
        // Also of one that has ended: whoever read the end of an id may have meant that one, and an asker can choose its ids.
        _ => Err(unclear("is the end of several ids: give the whole one")),
    }
}

/// The same request with its record.
async fn find_record(client: &Client, text: &str) -> Result<Record, CliError> {
    Ok(client.show(&find(client, text).await?).await?)
}

/// The end of an id, which is enough to name it.
fn short(id: &RequestId) -> &str {
    let id = id.as_str();
    id.get(id.len().saturating_sub(SHORT)..).unwrap_or(id)
}

/// A value of the API as JSON, as a call gives it.
fn json_text(value: &impl serde::Serialize) -> io::Result<String> {
    Ok(show_json(&serde_json::to_string(value)?))
}

/// Reads a status on the command line, of which the help lists all.
fn status_parser() -> impl TypedValueParser<Value = Status> {
    PossibleValuesParser::new(Status::ALL.map(Status::name))
        .try_map(|name| Status::parse(&name).ok_or("there is no such status"))
}

fn moment_parser(text: &str) -> Result<jiff::Timestamp, &'static str> {
    text.parse().map_err(|_| "expected a moment such as 2026-11-15T17:40:00Z")
}
