//! The commands that look at a hub and answer on it.

use crate::client::record::HubRecord;
use crate::client::{Absent, Client, ClientError, HubArgs, escaped};
use crate::exit::Exit;
use askback_core::show::{Layout, Purpose, show};
use askback_core::{Json, RequestId};
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
    match done {
        Ok(exit) => Ok(exit),
        Err(Failure::Client(error)) => {
            let said = show(&error.to_string(), Layout::Line, Purpose::Exact);
            let _ = writeln!(io::stderr(), "askback: {said}");
            Ok(error.exit())
        }
        Err(Failure::Io(error)) => Err(error),
    }
}

/// Why a command did not do what it should.
enum Failure {
    Client(ClientError),
    Io(io::Error),
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        Self::Client(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A client that looks, on a hub that is started if need be: what is pending is kept there, running or not.
fn anybody(hub: &HubArgs) -> Result<Client, ClientError> {
    found(hub.anybody(Absent::Start)?)
}

fn person(hub: &HubArgs) -> Result<Client, ClientError> {
    found(hub.person(Absent::Start)?)
}

fn found(client: Option<Client>) -> Result<Client, ClientError> {
    client.ok_or_else(|| ClientError::Nobody("no hub is running".to_owned()))
}

/// The request that was meant: by its whole id, or by the end of it, as a list shows it.
async fn find(client: &Client, text: &str) -> Result<String, ClientError> {
    if RequestId::parse(text).is_ok() {
        return Ok(text.to_owned());
    }
    let unclear = |why: &str| ClientError::Usage(format!("{} {why}", askback_core::show::quote(text)));
    let is_end = text.len() >= 4 && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    if !is_end {
        return Err(unclear("is no id of a request: `askback list` shows them, and the last eight letters will do"));
    }
    let mut matching: Vec<String> = Vec::new();
    for query in ["?status=pending&limit=200", "?limit=200"] {
        let page = client.get(&format!("/requests{query}")).await?;
        let ids = page.get("items").and_then(Json::as_array).unwrap_or_default();
        let ids = ids.iter().filter_map(|item| item.get("id").and_then(Json::as_str));
        matching.extend(ids.filter(|id| id.ends_with(&text.to_ascii_lowercase())).map(str::to_owned));
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

/// A request with all that the hub knows of it.
async fn record(client: &Client, id: &str) -> Result<HubRecord, ClientError> {
    HubRecord::read(&client.get(&format!("/requests/{}/request", escaped(id))).await?)
}

/// The end of an id, which is enough to name it.
fn short(id: &str) -> &str {
    id.get(id.len().saturating_sub(SHORT)..).unwrap_or(id)
}

/// How long ago something was, as people say it; seconds would only flicker.
fn ago(moment: &str, now: jiff::Timestamp) -> String {
    let Ok(moment) = moment.parse::<jiff::Timestamp>() else { return "?".to_owned() };
    let seconds = now.duration_since(moment).as_secs().max(0);
    match seconds {
        0..=59 => "now".to_owned(),
        60..=3_599 => format!("{}m", seconds / 60),
        3_600..=86_399 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// Somebody else's text on one line.
fn line(text: &str) -> String {
    show(text, Layout::Line, Purpose::Exact)
}
