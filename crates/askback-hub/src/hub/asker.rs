//! The hub as somebody to ask: the person may be anywhere.

use super::ask::{Ask, Asked, new_id};
use super::{Hub, Signature};
use crate::error::{HubError, StoreError};
use crate::room::folder_room;
use askback_core::{AskError, Asker, Asking, Name, Outcome, Reason, Request, RequestId, Surface};
use std::sync::Arc;

/// The name of an asker without a token. The `from` of its requests stays a claim (S9).
const AGENT: &str = "agent";

impl Asker for Hub {
    /// Asks in the request's room, or else in that of this process's folder (L8), and waits. A wait that is dropped takes the
    /// question away, if it was this one that asked it; one with a key stays, for whoever comes back with it.
    fn ask(&self, request: Request) -> Asking<'_> {
        Box::pin(async move {
            let outcome = self.ask_and_wait(request).await.map_err(|error| {
                let why = error.to_string();
                if error.is_passing() { AskError::Failed(why) } else { AskError::Nobody(why) }
            })?;
            Ok(Outcome::clone(&outcome))
        })
    }
}

impl Hub {
    async fn ask_and_wait(&self, request: Request) -> Result<Arc<Outcome>, HubError> {
        let asker = Name::parse(AGENT).map_err(|refusal| HubError::Refused { what: "the asker's name", refusal })?;
        let room = folder_room(&std::env::current_dir().unwrap_or_default());
        let id = new_id();
        // There before the request is, so that its end can't be missed.
        let waiter = self.shared.waiters.register(&id)?;
        let signature = Signature::new(asker.clone(), Surface::Hub);
        let is_over = request.key().is_some();
        let ask = Ask::new(request, asker, room).with_id(id.clone());
        let mut guard = TakeAway { hub: self, ask: ask.clone(), signature, is_over };
        let asked = Hub::ask(self, ask).await;
        let outcome = match asked {
            Ok(Asked::New(_)) => self.wait_with(&waiter, &id).await,
            Ok(Asked::Known(record)) => {
                guard.is_over = true;
                self.wait_for(&record.id).await
            }
            // It may be stored, so that the guard cancels it.
            Err(error @ HubError::Store(StoreError::Failed(_))) => return Err(error),
            Err(error) => Err(error),
        };
        guard.is_over = true;
        outcome
    }

    async fn wait_for(&self, id: &RequestId) -> Result<Arc<Outcome>, HubError> {
        let waiter = self.shared.waiters.register(id)?;
        match self.shared.read(id).await?.outcome.clone() {
            Some(outcome) => Ok(outcome),
            None => self.wait_with(&waiter, id).await,
        }
    }
}

/// Cancels what this wait asked, unless it came to its end.
struct TakeAway<'a> {
    hub: &'a Hub,
    ask: Ask,
    signature: Signature,
    is_over: bool,
}

impl Drop for TakeAway<'_> {
    fn drop(&mut self) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        if self.is_over {
            return;
        }
        let (hub, ask, signature) = (self.hub.clone(), self.ask.clone(), self.signature.clone());
        runtime.spawn(async move {
            let reason = Reason::parse("the asker went away").ok().flatten();
            // It may still be on its way to the store: asked again, it is behind that, and the same request.
            let cancelled = match hub.ask(ask).await {
                Ok(asked) => hub.cancel(asked.id(), reason, signature).await.map(drop),
                Err(error) => Err(error),
            };
            // What has ended has ended.
            if let Err(error @ HubError::Store(_)) = cancelled {
                tracing::warn!(%error, "a request that nobody waits for may stay pending");
            }
        });
    }
}
