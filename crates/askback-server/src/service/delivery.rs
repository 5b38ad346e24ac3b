//! Delivery reports of outcomes (S5).

use super::ending::name;
use super::{Caller, Service};
use crate::fault::Fault;
use askback_api::{DeliveryBody, ProblemCode};
use askback_core::Name;
use askback_hub::Record;
use std::sync::Arc;

/// The key of a delivery attempt, if the caller distinguishes several.
pub(super) fn attempt(body: &DeliveryBody) -> Result<Option<Name>, Fault> {
    name(ProblemCode::InvalidParameter, "key", body.key.as_deref())
}

impl Service {
    /// A request whose delivery the caller may report: one that it asked itself.
    pub(crate) async fn deliverable(&self, caller: &Caller, id: &str) -> Result<Arc<Record>, Fault> {
        caller.asks()?;
        let record = self.visible(caller, id).await?;
        caller.owns(&record, "say what reached it")?;
        Ok(record)
    }

    /// Records a delivery report. Returns whether it changed anything.
    pub(crate) async fn deliver(&self, caller: &Caller, id: &str, body: &DeliveryBody) -> Result<bool, Fault> {
        let record = self.deliverable(caller, id).await?;
        let attempt = attempt(body)?;
        let _permit = caller.token.permit().await?;
        Ok(match (body.delivered, attempt) {
            // A pending request has no outcome to deliver.
            (true, Some(_)) if record.outcome.is_none() => false,
            (true, Some(attempt)) => {
                let is_new = self.hub.delivered(&record.id).await?;
                self.claims.claim(record.id.as_str(), attempt.as_str()) || is_new
            }
            (true, None) => self.hub.delivered(&record.id).await?,
            (false, Some(attempt)) if !self.claims.revert(record.id.as_str(), attempt.as_str()) => false,
            (false, _) => self.hub.not_delivered(&record.id).await?,
        })
    }
}
