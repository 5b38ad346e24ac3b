//! Where a tool finds the hub.

use askback_api::{ApiFuture, AskerApi};
use std::sync::Arc;

/// The way of one asker to its hub, which may have to be found or started first: a client that only lists the tools does not wait
/// for that.
pub trait AskerSource: Send + Sync {
    /// The hub, as this asker.
    fn asker(&self) -> ApiFuture<'_, Arc<dyn AskerApi>>;
}

/// A hub that is known already.
#[derive(Clone)]
pub struct FixedAsker(pub Arc<dyn AskerApi>);

impl AskerSource for FixedAsker {
    fn asker(&self) -> ApiFuture<'_, Arc<dyn AskerApi>> {
        Box::pin(std::future::ready(Ok(Arc::clone(&self.0))))
    }
}
