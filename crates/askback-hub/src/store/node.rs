//! The nodes that share a store.

use crate::clock::new_uuid;

/// A running hub among those that share a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeId(pub [u8; 16]);

impl NodeId {
    /// A new id.
    #[expect(clippy::new_without_default, reason = "two values of it are never equal")]
    pub fn new() -> Self {
        Self(new_uuid().into_bytes())
    }
}
