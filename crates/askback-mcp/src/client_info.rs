//! A client's claims about itself.

use rmcp::RoleServer;
use rmcp::model::{ClientCapabilities, ProtocolVersion};
use rmcp::service::RequestContext;

/// The clients that give up on a call without telling the server, by the name that they send. The first Python SDK does, and so do programs
/// built on it that set no name of their own.
const SILENT_CLIENTS: [&str; 1] = ["mcp"];

/// The name, protocol version and capabilities that a client declares.
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

    /// Its name as the claim of a request, if the name is valid for that.
    pub(crate) fn claim(&self) -> Option<&str> {
        self.name.as_deref().filter(|name| askback_core::Name::parse(name).is_ok())
    }

    /// Whether the client gives up on a call without telling the server.
    pub(crate) fn gives_up_silently(&self) -> bool {
        self.name.as_deref().is_some_and(|name| SILENT_CLIENTS.contains(&name))
    }

    /// Whether the client is of the era without sessions, in which a server asks by its result.
    pub(crate) fn asks_by_result(&self) -> bool {
        // Dates in this form sort as text.
        self.version.as_ref().is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
    }
}
