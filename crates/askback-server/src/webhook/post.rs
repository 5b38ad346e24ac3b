//! Posts an event to a receiver.

use super::Hook;
use crate::limits::{HOOK_REPLY_BYTES, HOOK_TIMEOUT};
use askback_client::transport;
use askback_core::show;
use askback_hub::{Event, Timestamp};
use http_body_util::{BodyExt, Full, Limited};
use hyper::Request;
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HOST, RETRY_AFTER, USER_AGENT};
use std::io;
use tokio::time::timeout;

/// The response of a receiver.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) retry_after: Option<String>,
    /// The beginning of the body, safe to log.
    pub(super) body: String,
}

/// The id of a delivery, the same in every retry, by which a receiver deduplicates. It contains the request's id, since a new
/// database numbers its events from one again.
pub(super) fn id_of(hook: &Hook, event: &Event) -> String {
    format!("{}-{}-{}", event.record.id, event.number, hook.name)
}

/// Posts an event once. Redirects are not followed: the operator has configured one address and trusts no other.
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
        Ok(Reply { status, retry_after, body: beginning(response.into_body()).await })
    };
    let silent = |_| Err(io::Error::new(io::ErrorKind::TimedOut, "it does not answer in time"));
    timeout(HOOK_TIMEOUT, sending).await.unwrap_or_else(silent)
}

/// The beginning of a response body, for the log; empty if it does not arrive, since the status is known.
async fn beginning(body: Incoming) -> String {
    let read = Limited::new(body, HOOK_REPLY_BYTES).collect().await;
    read.map_or_else(|_| String::new(), |whole| show::quote(&String::from_utf8_lossy(&whole.to_bytes())))
}
