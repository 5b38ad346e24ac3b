//! The commands that look at a hub and answer on it.

use crate::exit::Exit;
use crate::hub_args::{Absent, HubArgs};
use askback_api::limits::PAGE_ITEMS;
use askback_api::{ApiError, HubApi, ListQuery};
use askback_client::Client;
use askback_core::show::{Layout, Purpose, quote, show};
use askback_core::{RequestId, Room, Status};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::io::{self, Write};

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

/// Does something with a hub, and says what went wrong.
fn run<F>(doing: F) -> io::Result<Exit>
where
    F: Future<Output = Result<Exit, Failure>>,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(doing);
    runtime.shutdown_background();
    let (said, exit) = match done {
        Ok(exit) => return Ok(exit),
        Err(Failure::Io(error)) => return Err(error),
        Err(Failure::Api(error)) => (error.to_string(), Exit::from(&error)),
        Err(Failure::Usage(why)) => (why, Exit::Wrong),
    };
    let _ = writeln!(io::stderr(), "askback: {}", line(&said));
    Ok(exit)
}

/// Why a command did not do what it should.
enum Failure {
    Api(ApiError),
    Io(io::Error),
    /// What was meant is not there.
    Usage(String),
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        Self::Api(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A client that looks, on a hub that is started if need be: what is pending is kept there, running or not.
fn anybody(hub: &HubArgs) -> Result<Client, ApiError> {
    found(hub.anybody(Absent::Start)?)
}

fn person(hub: &HubArgs) -> Result<Client, ApiError> {
    found(hub.person(Absent::Start)?)
}

fn found(client: Option<Client>) -> Result<Client, ApiError> {
    client.ok_or_else(|| ApiError::Unavailable("no hub is running".to_owned()))
}

/// The request that was meant: by its whole id, or by the end of it, as a list shows it.
async fn find(client: &Client, text: &str) -> Result<RequestId, Failure> {
    if let Ok(id) = RequestId::parse(text) {
        return Ok(id);
    }
    let unclear = |why: &str| Failure::Usage(format!("{} {why}", quote(text)));
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

/// The end of an id, which is enough to name it.
fn short(id: &RequestId) -> &str {
    let id = id.as_str();
    id.get(id.len().saturating_sub(SHORT)..).unwrap_or(id)
}

/// How long ago something was, as people say it; seconds would only flicker.
fn ago(moment: jiff::Timestamp, now: jiff::Timestamp) -> String {
    let seconds = now.duration_since(moment).as_secs().max(0);
    match seconds {
        0..=59 => "now".to_owned(),
        60..=3_599 => format!("{}m", seconds / 60),
        3_600..=86_399 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// Text from elsewhere on one line.
fn line(text: &str) -> String {
    show(text, Layout::Line, Purpose::Exact)
}

/// A value of the API as JSON, as a call gives it.
fn json_text(value: &impl serde::Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)?)
}

/// Reads the name of a room on the command line.
fn room_parser(name: &str) -> Result<Room, String> {
    Room::parse(name).map_err(|refusal| refusal.to_string())
}

/// Reads a status on the command line, of which the help lists all.
fn status_parser() -> impl TypedValueParser<Value = Status> {
    PossibleValuesParser::new(Status::ALL.map(Status::name))
        .try_map(|name| Status::parse(&name).ok_or("there is no such status"))
}

/// Reads a timestamp on the command line.
fn moment_parser(text: &str) -> Result<jiff::Timestamp, String> {
    text.parse().map_err(|_| "expected a moment such as 2026-11-15T17:40:00Z".to_owned())
}
