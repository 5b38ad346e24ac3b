//! The store of a hub, by its address.

use askback_hub::signal::Signal;
use askback_hub::store::Store;
use askback_hub::{Hub, HubError, HubLimits, HubOptions, StoreError};
use std::path::PathBuf;
use std::sync::Arc;

/// The address of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StoreUrl {
    /// A database file.
    Sqlite(PathBuf),
}

impl StoreUrl {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        match text.strip_prefix("sqlite:") {
            Some(path) if !path.is_empty() => Ok(Self::Sqlite(path.into())),
            _ => Err("expected sqlite:PATH".to_owned()),
        }
    }
}

/// Opens the store at an address, with the signal of its log.
pub(crate) async fn open_store(url: &StoreUrl) -> Result<(Arc<dyn Store>, Box<dyn Signal>), StoreError> {
    match url {
        StoreUrl::Sqlite(path) => askback_sqlite::open(path).await,
    }
}

/// Opens a hub over the store at an address.
pub(crate) async fn open_hub(url: &StoreUrl, limits: HubLimits) -> Result<Hub, HubError> {
    let (store, signal) = open_store(url).await?;
    Hub::over(store, signal, HubOptions { limits, ..HubOptions::default() }).await
}

#[cfg(test)]
mod tests {
    use super::StoreUrl;

    #[test]
    fn address_of_a_store_names_its_kind() {
        assert_eq!(StoreUrl::parse("sqlite:a/b.db"), Ok(StoreUrl::Sqlite("a/b.db".into())));
        for text in ["", "sqlite:", "a/b.db", "mysql://host/db"] {
            assert_eq!(StoreUrl::parse(text), Err("expected sqlite:PATH".to_owned()), "{text}");
        }
    }
}
