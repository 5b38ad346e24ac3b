//! A hub for tests, which hears what is said to be delivered, or not to be.

use super::desk::{AskedIn, Desk};
use crate::client::Client;
use crate::client::connection::{Called, Within};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use std::io;
use std::sync::Arc;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

/// Whether what is said to the hub changes anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Says {
    Changed,
    Unchanged,
}

#[derive(Debug)]
struct Listening {
    says: Says,
    heard: UnboundedSender<bool>,
}

impl Within for Listening {
    fn call(&self, request: hyper::Request<Full<Bytes>>, _: usize) -> Called {
        let (is_changed, heard) = (self.says == Says::Changed, self.heard.clone());
        Box::pin(async move {
            let body = request.into_body().collect().await.map_err(io::Error::other)?.to_bytes();
            let said: serde_json::Value = serde_json::from_slice(&body)?;
            let _ = heard.send(said["delivered"] == true);
            Ok((200, format!("{{\"changed\":{is_changed}}}").into_bytes()))
        })
    }
}

/// A way to such a hub, and what it hears.
pub(crate) fn listening(says: Says) -> (Desk, UnboundedReceiver<bool>) {
    let (heard, hears) = mpsc::unbounded_channel();
    let client = Client::within(Arc::new(Listening { says, heard }), "secret".to_owned());
    (Desk::new(client, AskedIn::Token), hears)
}
