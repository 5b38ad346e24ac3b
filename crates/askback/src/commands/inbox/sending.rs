//! Calls of the inbox: what is pending, and what the person decided.

use crate::client::record::HubRecord;
use crate::client::{Client, ClientError, escaped};
use askback_core::Json;
use std::time::Duration;
use tokio::time::sleep;

/// Requests that are shown; whoever has more filters by room.
pub(super) const SHOWN: usize = 200;

/// The pause between two tries, and how many there are.
const PAUSE: Duration = Duration::from_millis(500);
const TRIES: usize = 20;

/// What came of a call.
pub(super) enum Sent {
    Done(Json),
    Failed(ClientError),
    /// Nobody waited for it.
    Unknown,
}

/// What is pending, the newest first.
pub(super) async fn load(client: Client, room: Option<String>) -> Result<Vec<HubRecord>, ClientError> {
    let room = room.map_or_else(String::new, |room| format!("&room={}", escaped(&room)));
    let mut records = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = client.get(&format!("/requests?status=pending&limit={SHOWN}{room}{cursor}")).await?;
        let items = page.get("items").and_then(Json::as_array).unwrap_or_default();
        records.extend(items.iter().map(HubRecord::read).collect::<Result<Vec<_>, _>>()?);
        match page.get("next").and_then(Json::as_str) {
            // Large ones come in smaller pages.
            Some(next) if records.len() < SHOWN => cursor = format!("&cursor={}", escaped(next)),
            _ => return Ok(records),
        }
    }
}

/// Calls until the hub has said what became of it, for a while.
pub(super) async fn send(client: &Client, path: &str, body: &Json) -> Sent {
    let mut tries = 0;
    loop {
        tries += 1;
        match client.post(path, body).await {
            Ok((_, json)) => return Sent::Done(json),
            Err(error) if error.is_passing() && tries < TRIES => sleep(PAUSE).await,
            Err(error) => return Sent::Failed(error),
        }
    }
}
