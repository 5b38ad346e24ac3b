//! Reports of whether an outcome reaches its asker (S5).

use super::ending::name;
use super::{Caller, Service};
use crate::fault::Fault;
use askback_api::{DeliveryBody, ProblemCode};

/// A report of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DeliveryReport {
    pub(super) delivered: bool,
    /// Identifies the attempt, if the caller tells several apart.
    pub(super) attempt: Option<String>,
}

impl DeliveryReport {
    pub(super) fn read(body: &DeliveryBody) -> Result<Self, Fault> {
        let key = name(ProblemCode::InvalidParameter, "key", body.key.as_deref())?;
        Ok(Self { delivered: body.delivered, attempt: key.map(|key| key.as_str().to_owned()) })
    }
}

impl Service {
    /// Takes a report of the delivery of an outcome; tells whether it was news.
    pub(crate) async fn deliver(&self, caller: &Caller, id: &str, body: &DeliveryBody) -> Result<bool, Fault> {
        caller.asks()?;
        let record = self.visible(caller, id).await?;
        caller.owns(&record, "say what reached it")?;
        let DeliveryReport { delivered, attempt } = DeliveryReport::read(body)?;
        let _permit = caller.token.permit().await?;
        Ok(match (delivered, attempt) {
            // What is pending can't be delivered yet.
            (true, Some(_)) if record.outcome.is_none() => false,
            (true, Some(attempt)) => {
                let is_new = self.hub.delivered(&record.id).await?;
                self.claims.claim(record.id.as_str(), &attempt) || is_new
            }
            (true, None) => self.hub.delivered(&record.id).await?,
            (false, Some(attempt)) if !self.claims.give_up(record.id.as_str(), &attempt) => false,
            (false, _) => self.hub.not_delivered(&record.id).await?,
        })
    }
}
