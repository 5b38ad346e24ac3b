//! Sending one webhook, and hearing what the receiver says.

use super::Hook;
use crate::limits::{HOOK_PATIENCE, HOOK_REPLY_BYTES};
use askback_client::transport;
use askback_core::show;
use askback_hub::{Event, Timestamp};
use http_body_util::{BodyExt, Full, Limited};
use hyper::Request;
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HOST, RETRY_AFTER, USER_AGENT};
use std::io;
use tokio::time::timeout;

/// What a receiver says.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) retry_after: Option<String>,
    /// The beginning of the rest, harmless.
    pub(super) said: String,
}

/// The same in every repetition, and in no other delivery: by it a receiver knows what it has had already. The id of the
/// request is part of it because a new database counts its events from one again.
pub(super) fn id_of(hook: &Hook, event: &Event) -> String {
    format!("{}-{}-{}", event.record.id, event.number, hook.name)
}

/// Sends an event once. Where the receiver redirects to is not followed: who configured one address has not trusted another.
pub(super) async fn post(hook: &Hook, event: &Event, link: &str, now: Timestamp) -> io::Result<Reply> {
    let id = id_of(hook, event);
    let body = hook.template.body(event, link);
    let timestamp = now.as_second();
    let mut request = Request::post(hook.address.path.as_str())
        .header(HOST, hook.address.target.host())
        .header(CONTENT_TYPE, "application/json")
        .header(USER_AGENT, concat!("askback/", env!("CARGO_PKG_VERSION")))
        .header("webhook-id", id.as_str())
        .header("webhook-timestamp", timestamp);
    if let Some(secret) = &hook.secret {
        request = request.header("webhook-signature", secret.sign(&id, timestamp, body.as_bytes()));
    }
    let request = request.body(Full::from(body)).map_err(io::Error::other)?;
    let sending = async {
        let mut sender = transport::connect(&hook.address.target).await?;
        let response = sender.send_request(request).await.map_err(io::Error::other)?;
        let status = response.status().as_u16();
        let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()).map(str::to_owned);
        Ok(Reply { status, retry_after, said: beginning(response.into_body()).await })
    };
    let silent = |_| Err(io::Error::new(io::ErrorKind::TimedOut, "it does not answer in time"));
    timeout(HOOK_PATIENCE, sending).await.unwrap_or_else(silent)
}

/// What a receiver says beyond its status is good for a line in the log, if it comes; the status has been said.
async fn beginning(body: Incoming) -> String {
    let read = Limited::new(body, HOOK_REPLY_BYTES).collect().await;
    read.map_or_else(|_| String::new(), |whole| show::quote(&String::from_utf8_lossy(&whole.to_bytes())))
}
