//! The border to the client: an outcome counts as delivered from the moment before it crosses it, and no longer if it could not (S5).
//! Nothing is said of an outcome that the client cancelled a moment before, since it never comes here.

use super::desk::{Delivery, Desk};
use super::result::OUTCOME;
use super::script::SCRIPT;
use crate::client::ClientError;
use serde_json::Value;
use std::collections::HashSet;
use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};

/// Outcomes that are known to have crossed; more are forgotten together.
const REMEMBERED: usize = 10_000;

/// The border of one client, or of all that come over HTTP.
#[derive(Clone, Default)]
pub(crate) struct Border {
    crossed: Arc<Mutex<HashSet<String>>>,
}

/// Something whose delivery matters, in a result that is about to cross.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Carried {
    pub(crate) id: String,
    pub(crate) what: What,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Outcome,
    ScriptResult,
}

impl Carried {
    /// By what the result says of itself.
    pub(crate) fn in_meta(meta: &serde_json::Map<String, Value>) -> Option<Self> {
        let named = |name: &str| meta.get(name).and_then(Value::as_str).map(str::to_owned);
        let outcome = named(OUTCOME).map(|id| Self { id, what: What::Outcome });
        outcome.or_else(|| named(SCRIPT).map(|id| Self { id, what: What::ScriptResult }))
    }
}

/// Why an outcome did not cross.
pub(crate) enum Held<E> {
    /// It could not be said that it would.
    Unsaid(ClientError),
    /// The client was not there.
    NotSent(E),
}

impl Border {
    /// Carries something over.
    pub(crate) async fn cross<E: Display>(
        &self,
        desk: &Desk,
        carried: &Carried,
        sending: impl Future<Output = Result<(), E>>,
    ) -> Result<(), Held<E>> {
        let was_news = self.leave(desk, carried).await.map_err(Held::Unsaid)?;
        match sending.await {
            Ok(()) => {
                self.arrived(desk, carried, was_news).await;
                Ok(())
            }
            Err(error) => {
                self.came_back(desk, carried, was_news).await;
                Err(Held::NotSent(error))
            }
        }
    }

    /// Before it crosses; whether nobody had said so before.
    pub(crate) async fn leave(&self, desk: &Desk, carried: &Carried) -> Result<bool, ClientError> {
        desk.deliver(carried, Delivery::Made).await
    }

    /// When it has.
    pub(crate) async fn arrived(&self, desk: &Desk, carried: &Carried, was_news: bool) {
        {
            let mut crossed = self.crossed.lock().unwrap_or_else(PoisonError::into_inner);
            if crossed.len() >= REMEMBERED {
                crossed.clear();
            }
            crossed.insert(carried.id.clone());
        }
        // Another call for the same may have taken it back in the meantime, not knowing of this one.
        if !was_news {
            let _ = self.leave(desk, carried).await;
        }
    }

    /// When it could not. Of two calls for the same, the one that arrived counts; and what was delivered before this one stays so.
    pub(crate) async fn came_back(&self, desk: &Desk, carried: &Carried, was_news: bool) {
        let has_crossed = self.crossed.lock().unwrap_or_else(PoisonError::into_inner).contains(&carried.id);
        if was_news
            && !has_crossed
            && let Err(error) = desk.deliver(carried, Delivery::Failed).await
        {
            tracing::warn!(%error, id = carried.id, "that an outcome did not reach its asker can't be written down");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Client;
    use crate::client::connection::{Called, Within};
    use crate::mcp::desk::AskedIn;
    use http_body_util::{BodyExt, Full};
    use hyper::body::Bytes;

    /// A hub to which what is said is news, or is not.
    #[derive(Debug)]
    struct Listening {
        is_news: bool,
        heard: Arc<Mutex<Vec<String>>>,
    }

    impl Within for Listening {
        fn call(&self, request: hyper::Request<Full<Bytes>>, _: usize) -> Called {
            let (is_news, heard) = (self.is_news, Arc::clone(&self.heard));
            Box::pin(async move {
                let body = request.into_body().collect().await.map_err(std::io::Error::other)?.to_bytes();
                heard.lock().unwrap().push(String::from_utf8_lossy(&body).into_owned());
                Ok((200, format!("{{\"changed\":{is_news}}}").into_bytes()))
            })
        }
    }

    async fn said_when_the_client_is_gone(is_news: bool) -> Vec<String> {
        let heard = Arc::default();
        let hub = Listening { is_news, heard: Arc::clone(&heard) };
        let desk = Desk::new(Client::within(Arc::new(hub), "secret".to_owned()), AskedIn::Token);
        let carried = Carried { id: "019".to_owned(), what: What::Outcome };
        let crossed = Border::default().cross(&desk, &carried, async { Err("the pipe is closed") }).await;
        assert!(matches!(crossed, Err(Held::NotSent("the pipe is closed"))));
        std::mem::take(&mut *heard.lock().unwrap())
    }

    // S5
    #[tokio::test]
    async fn what_did_not_cross_is_taken_back_unless_it_was_delivered_before() {
        assert_eq!(said_when_the_client_is_gone(true).await, [r#"{"delivered":true}"#, r#"{"delivered":false}"#]);
        assert_eq!(said_when_the_client_is_gone(false).await, [r#"{"delivered":true}"#]);
    }
}
