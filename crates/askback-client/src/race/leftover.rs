//! What a race may have left on a hub that never acknowledged it.

use super::RaceRequest;
use super::link::{Acknowledged, Link, LinkError};
use crate::limits::{RACE_PAUSE, RACE_RETRY};
use askback_core::{Outcome, Reason, RequestId, Resolution, State};
use tokio::time::sleep;

/// A request that may be pending on the hub although it was decided elsewhere.
#[derive(Debug)]
pub struct Leftover {
    ask: RaceRequest,
}

impl Leftover {
    pub(super) fn new(ask: RaceRequest) -> Self {
        Self { ask }
    }

    /// The request.
    pub fn id(&self) -> RequestId {
        self.ask.id.clone()
    }

    /// Takes it away, trying until the hub has said so: for whoever can wait, or for a while. It is asked again first, which
    /// is the same request: were it only cancelled, a message that is still on its way could make it later. None if the hub
    /// has another's request instead, which is not ours to take away.
    pub async fn settle(&self, link: &dyn Link) -> Result<Option<Outcome>, LinkError> {
        loop {
            match self.settle_once(link).await {
                Err(LinkError::Lost(_)) => sleep(RACE_RETRY).await,
                Err(LinkError::NotNow(_)) => sleep(RACE_PAUSE).await,
                settled => return settled,
            }
        }
    }

    async fn settle_once(&self, link: &dyn Link) -> Result<Option<Outcome>, LinkError> {
        let id = self.id();
        link.connect().await?;
        match link.ask(self.ask.clone()).await? {
            Acknowledged::Known(State::Final(outcome)) => return Ok((*outcome.id() == id).then_some(outcome)),
            Acknowledged::Known(State::Pending(other)) if other != id => return Ok(None),
            _ => {}
        }
        let reason = Reason::parse("decided where it was asked").ok().flatten();
        let proposed = link.propose(id, Resolution::cancelled(reason), None).await?;
        Ok(Some(proposed.into_outcome()))
    }
}
