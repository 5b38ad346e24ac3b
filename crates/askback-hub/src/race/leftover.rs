//! What a race may have left on a hub that never acknowledged it.

use super::link::{Link, LinkError};
use crate::hub::{Ask, Signature};
use crate::limits::RACE_RETRY;
use askback_core::{Outcome, Reason, RequestId, Resolution};
use tokio::time::sleep;

/// A request that may be pending on the hub although it was decided elsewhere.
#[derive(Debug)]
pub struct Leftover {
    ask: Ask,
    signature: Signature,
}

impl Leftover {
    pub(super) fn new(ask: Ask, signature: Signature) -> Self {
        Self { ask, signature }
    }

    /// The request.
    pub fn id(&self) -> RequestId {
        self.ask.chosen_id()
    }

    /// Takes it away, trying until the hub has said so: for whoever can wait, or for a while. It is asked again first, which
    /// is the same request: were it only cancelled, a message that is still on its way could make it later.
    pub async fn settle(&self, link: &dyn Link) -> Result<Outcome, LinkError> {
        let id = self.id();
        let reason = Reason::parse("decided where it was asked").ok().flatten();
        loop {
            let settled = async {
                link.connect().await?;
                link.ask(self.ask.clone()).await?;
                let cancelled = Resolution::cancelled(reason.clone());
                link.propose(id.clone(), cancelled, self.signature.clone()).await
            };
            match settled.await {
                Err(LinkError::Lost(_)) => sleep(RACE_RETRY).await,
                settled => return settled,
            }
        }
    }
}
