//! A request that a race may have left on a hub which never acknowledged it.

use super::RaceRequest;
use super::link::{Link, LinkError};
use crate::limits::{RACE_PAUSE, RACE_RETRY};
use askback_core::{Outcome, Reason, Resolution, State};
use tokio::time::sleep;

/// A request that may be pending on the hub although it was decided elsewhere.
#[derive(Debug)]
pub struct Leftover(pub(super) RaceRequest);

impl Leftover {
    /// Cancels it, with retries until the hub responds. It is asked again first, which is the same request: without that, a
    /// message still under way could create it after the cancellation. None if the hub has a request of another asker instead.
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
        link.connect().await?;
        match link.ask(self.0.clone()).await? {
            State::Final(outcome) => Ok((*outcome.id() == self.0.id).then_some(outcome)),
            State::Pending(id) if id != self.0.id => Ok(None),
            State::Pending(id) => {
                let reason = Reason::parse("decided where it was asked").ok().flatten();
                let proposed = link.propose(id, Resolution::cancelled(reason), None).await?;
                Ok(Some(proposed.into_outcome()))
            }
        }
    }
}
