//! The border to the client: an outcome counts as delivered from the moment before it crosses it, and no longer if it could not (S5).
//! Nothing is said of an outcome that the client cancelled a moment before, since it never comes here.

use super::desk::{Delivery, Desk};
use super::remembered::Remembered;
use super::result::OUTCOME;
use super::script::SCRIPT;
use crate::client::ClientError;
use serde_json::Value;
use std::fmt::Display;

/// The border of one client, or of all that come over HTTP.
#[derive(Clone, Default)]
pub(crate) struct Border {
    crossed: Remembered,
}

/// Something that was said to be delivered, and is on its way.
pub(crate) struct Crossing {
    carried: Carried,
    /// Whether nobody had said so before.
    was_news: bool,
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
        carried: Carried,
        sending: impl Future<Output = Result<(), E>>,
    ) -> Result<(), Held<E>> {
        let crossing = self.leave(desk, carried).await.map_err(Held::Unsaid)?;
        match sending.await {
            Ok(()) => {
                self.arrived(desk, &crossing).await;
                Ok(())
            }
            Err(error) => {
                self.came_back(desk, &crossing).await;
                Err(Held::NotSent(error))
            }
        }
    }

    /// Before it crosses.
    pub(crate) async fn leave(&self, desk: &Desk, carried: Carried) -> Result<Crossing, ClientError> {
        let was_news = desk.deliver(&carried, Delivery::Made).await?;
        Ok(Crossing { carried, was_news })
    }

    /// When it has.
    pub(crate) async fn arrived(&self, desk: &Desk, Crossing { carried, was_news }: &Crossing) {
        self.crossed.keep(&carried.id);
        // Another call for the same may have taken it back in the meantime, not knowing of this one.
        if !was_news {
            let _ = desk.deliver(carried, Delivery::Made).await;
        }
    }

    /// When it could not. Of two calls for the same, the one that arrived counts; and what was delivered before this one stays so.
    pub(crate) async fn came_back(&self, desk: &Desk, Crossing { carried, was_news }: &Crossing) {
        if *was_news
            && !self.crossed.has(&carried.id)
            && let Err(error) = desk.deliver(carried, Delivery::Failed).await
        {
            tracing::warn!(%error, id = carried.id, "that an outcome did not reach its asker can't be written down");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::listening::{Says, listening};

    async fn said_when_the_client_is_gone(says: Says) -> Vec<String> {
        let (desk, mut heard) = listening(says);
        let carried = Carried { id: "019".to_owned(), what: What::Outcome };
        let crossed = Border::default().cross(&desk, carried, async { Err("the pipe is closed") }).await;
        assert!(matches!(crossed, Err(Held::NotSent("the pipe is closed"))));
        std::iter::from_fn(|| heard.try_recv().ok()).collect()
    }

    // S5
    #[tokio::test]
    async fn what_did_not_cross_is_taken_back_unless_it_was_delivered_before() {
        let said = said_when_the_client_is_gone(Says::Changed).await;
        assert_eq!(said, [r#"{"delivered":true}"#, r#"{"delivered":false}"#]);
        assert_eq!(said_when_the_client_is_gone(Says::Unchanged).await, [r#"{"delivered":true}"#]);
    }
}
