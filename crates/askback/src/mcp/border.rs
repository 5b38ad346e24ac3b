//! The border to the client: an outcome counts as delivered from the moment before it crosses it, and no longer if it could not (S5).
//! Nothing is said of an outcome that the client cancelled a moment before, since it never comes here.
//!
//! Each crossing has a key of its own. Of two for the same outcome the one that left last is the one that counts, so that the other can't
//! take back what has arrived.

use super::desk::{Delivery, Desk};
use super::result::{FIRST, OUTCOME};
use super::script::SCRIPT;
use crate::client::ClientError;
use askback_hub::new_id;
use serde_json::Value;
use tokio::sync::oneshot;

/// Something whose delivery matters, in a result that is about to cross.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Carried {
    pub(crate) id: String,
    pub(crate) what: What,
    pub(crate) due: Due,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Outcome,
    ScriptResult,
}

/// To whom it is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    /// To everybody who waited for it.
    Anybody,
    /// To nobody, if somebody has it already: consent that was found by asking the same again is not for two.
    First,
}

impl Carried {
    /// By what the result says of itself.
    pub(crate) fn in_meta(meta: &serde_json::Map<String, Value>) -> Option<Self> {
        let named = |name: &str| meta.get(name).and_then(Value::as_str).map(str::to_owned);
        let due = if meta.contains_key(FIRST) { Due::First } else { Due::Anybody };
        let outcome = named(OUTCOME).map(|id| Self { id, what: What::Outcome, due });
        outcome.or_else(|| named(SCRIPT).map(|id| Self { id, what: What::ScriptResult, due }))
    }
}

/// Why something is not sent.
#[derive(Debug)]
pub(crate) enum Withheld {
    /// It could not be said that it would be.
    Unsaid(ClientError),
    /// It was due to one alone, and another was faster.
    Taken,
}

/// Why something did not cross.
pub(crate) enum Held<E> {
    Withheld(Withheld),
    /// The client was not there.
    NotSent(E),
}

/// Carries something over.
pub(crate) async fn cross<E>(
    desk: &Desk,
    carried: Carried,
    sending: impl Future<Output = Result<(), E>>,
) -> Result<(), Held<E>> {
    let crossing = leave(desk, carried).await.map_err(Held::Withheld)?;
    match sending.await {
        Ok(()) => {
            crossing.arrived();
            Ok(())
        }
        Err(error) => {
            crossing.came_back().await;
            Err(Held::NotSent(error))
        }
    }
}

/// Says of something that it is delivered, before it crosses.
pub(crate) async fn leave(desk: &Desk, carried: Carried) -> Result<Crossing, Withheld> {
    let desk = desk.clone();
    let (left, leaving) = oneshot::channel();
    // In a task of its own: whoever is dropped in the middle of saying so takes it back.
    tokio::spawn(async move {
        let key = new_id().to_string();
        let said = desk.deliver(&carried, Delivery::Made, &key).await;
        let _ = left.send(said.map(|was_news| Crossing { desk, carried, key, stage: Stage::Left { was_news } }));
    });
    let crossing = match leaving.await {
        Ok(said) => said.map_err(Withheld::Unsaid)?,
        Err(_) => return Err(Withheld::Unsaid(ClientError::Lost("the server is stopping".to_owned()))),
    };
    match (crossing.carried.due, &crossing.stage) {
        (Due::First, Stage::Left { was_news: false }) => Err(Withheld::Taken),
        _ => Ok(crossing),
    }
}

/// Something that was said to be delivered, and is on its way. If it is dropped there, it has not arrived.
pub(crate) struct Crossing {
    desk: Desk,
    carried: Carried,
    key: String,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Left {
        /// Whether nobody had said before that it was delivered.
        was_news: bool,
    },
    Over,
}

impl Crossing {
    pub(crate) fn arrived(mut self) {
        self.stage = Stage::Over;
    }

    /// It could not cross. What was delivered before stays so.
    pub(crate) async fn came_back(mut self) {
        if std::mem::replace(&mut self.stage, Stage::Over) == (Stage::Left { was_news: true }) {
            take_back(&self.desk, &self.carried, &self.key).await;
        }
    }
}

impl Drop for Crossing {
    fn drop(&mut self) {
        if self.stage != (Stage::Left { was_news: true }) {
            return;
        }
        let (desk, carried, key) = (self.desk.clone(), self.carried.clone(), std::mem::take(&mut self.key));
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { take_back(&desk, &carried, &key).await });
        }
    }
}

async fn take_back(desk: &Desk, carried: &Carried, key: &str) {
    if let Err(error) = desk.deliver(carried, Delivery::Failed, key).await {
        tracing::warn!(%error, id = carried.id, "that an outcome did not reach its asker can't be written down");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::listening::{Says, listening};
    use futures_util::FutureExt;

    fn carried(due: Due) -> Carried {
        Carried { id: "019".to_owned(), what: What::Outcome, due }
    }

    async fn said_when_the_client_is_gone(says: Says) -> Vec<bool> {
        let (desk, mut heard) = listening(says);
        let crossed = cross(&desk, carried(Due::Anybody), async { Err("the pipe is closed") }).await;
        assert!(matches!(crossed, Err(Held::NotSent("the pipe is closed"))));
        std::iter::from_fn(|| heard.try_recv().ok()).collect()
    }

    // S5
    #[tokio::test]
    async fn what_did_not_cross_is_taken_back_unless_it_was_delivered_before() {
        assert_eq!(said_when_the_client_is_gone(Says::Changed).await, [true, false]);
        assert_eq!(said_when_the_client_is_gone(Says::Unchanged).await, [true]);
    }

    // S5
    #[tokio::test]
    async fn who_goes_while_it_is_being_said_leaves_it_to_others() {
        let (desk, mut heard) = listening(Says::Changed);
        {
            let mut leaving = Box::pin(leave(&desk, carried(Due::Anybody)));
            assert!(leaving.as_mut().now_or_never().is_none());
        }
        assert_eq!((heard.recv().await, heard.recv().await), (Some(true), Some(false)));
    }

    // S5
    #[tokio::test]
    async fn consent_that_was_found_is_for_one_alone() {
        let (desk, _heard) = listening(Says::Unchanged);
        assert!(matches!(leave(&desk, carried(Due::First)).await, Err(Withheld::Taken)));
        assert!(leave(&desk, carried(Due::Anybody)).await.is_ok(), "who waited for it hears it, too");
        let (desk, _heard) = listening(Says::Changed);
        assert!(leave(&desk, carried(Due::First)).await.is_ok());
    }
}
