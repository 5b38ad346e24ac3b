//! Access of the tools to the hub.

use askback_api::{ApiFuture, AskerApi};
use std::sync::Arc;

/// The source of one asker's API. It may find or start the hub first, for which a client that only lists the tools does not wait.
pub trait AskerSource: Send + Sync {
    /// The API of the hub, as this asker.
    fn asker(&self) -> ApiFuture<'_, Arc<dyn AskerApi>>;
}

/// A source whose hub is known already.
#[derive(Clone)]
pub struct FixedAsker(pub Arc<dyn AskerApi>);

impl AskerSource for FixedAsker {
    fn asker(&self) -> ApiFuture<'_, Arc<dyn AskerApi>> {
        Box::pin(std::future::ready(Ok(Arc::clone(&self.0))))
    }
}
