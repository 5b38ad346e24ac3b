//! What a client says of itself.

use rmcp::RoleServer;
use rmcp::model::{ClientCapabilities, ProtocolVersion};
use rmcp::service::RequestContext;

/// What a client says of itself.
pub(crate) struct ClientInfo {
    pub(crate) name: Option<String>,
    pub(crate) version: Option<ProtocolVersion>,
    pub(crate) capabilities: ClientCapabilities,
}

impl ClientInfo {
    pub(crate) fn of(context: &RequestContext<RoleServer>) -> Self {
        Self {
            name: context.client_info().map(|info| info.name),
            version: context.protocol_version(),
            capabilities: context.client_capabilities().unwrap_or_default(),
        }
    }

    /// Its name as a claim of who asks, if it has one that a request can carry.
    pub(crate) fn claim(&self) -> Option<&str> {
        self.name.as_deref().filter(|name| askback_core::Name::parse(name).is_ok())
    }

    /// Whether it is of the era without sessions, in which a server asks by its result.
    pub(crate) fn asks_by_result(&self) -> bool {
        // Dates in this form are in the order of their letters.
        self.version.as_ref().is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
    }
}
