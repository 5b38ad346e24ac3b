//! The MCP server: one handler for both eras of the protocol, on standard input and output and over HTTP.

use super::call::Call;
use super::desk::Desk;
use super::dialog::SentAway;
use super::{budget, tools};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, CompleteRequestParams, CompleteResult, CustomRequest,
    CustomResult, ErrorCode, Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Who calls, and how long a call of theirs may take.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) desk: Desk,
    /// The budget that somebody chose instead of the table's.
    pub(crate) wait: Option<Duration>,
    /// Cancelled when the client is gone and nothing is worth waiting for.
    pub(crate) hung_up: CancellationToken,
}

/// The server of one client that is always the same, or of whoever a call over HTTP says that it is.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) only: Option<Caller>,
    pub(crate) sent_away: SentAway,
}

impl Server {
    fn caller(&self, context: &RequestContext<RoleServer>) -> Result<Caller, ErrorData> {
        let parts = context.extensions.get::<hyper::http::request::Parts>();
        let named = parts.and_then(|parts| parts.extensions.get::<Caller>());
        let caller = named.or(self.only.as_ref()).cloned();
        caller.ok_or_else(|| ErrorData::internal_error("nobody said who calls", None))
    }
}

/// What one client said of itself.
pub(crate) struct Client {
    pub(crate) name: Option<String>,
    pub(crate) version: Option<ProtocolVersion>,
    pub(crate) capabilities: ClientCapabilities,
}

impl Client {
    fn of(context: &RequestContext<RoleServer>) -> Self {
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

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let mut own = Implementation::new("askback", env!("CARGO_PKG_VERSION"));
        own.title = Some("askback".to_owned());
        own.description = Some("Asks a person, and brings back one validated answer.".to_owned());
        ServerConfig::new(capabilities).with_server_info(own).with_instructions(tools::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = tools::all();
        #[cfg(feature = "conformance")]
        let tools = tools.into_iter().chain(super::fixtures::tools()).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::find(name).map(|(_, tool)| tool.clone())
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        #[cfg(feature = "conformance")]
        if let Some(called) = super::fixtures::call(&params, &context).await {
            return called;
        }
        let Some((name, _)) = tools::find(&params.name) else {
            let shown = askback_core::show::quote(&params.name);
            return Err(ErrorData::invalid_params(
                format!("there is no tool {shown}: there are {}", tools::names()),
                None,
            ));
        };
        let Caller { desk, wait, hung_up } = self.caller(&context)?;
        let client = Client::of(&context);
        let progress = context.meta.get_progress_token();
        let usual = if progress.is_some() { budget::with_progress } else { budget::silent };
        let budget = wait.unwrap_or_else(|| usual(client.name.as_deref()));
        let call = Call {
            desk,
            client,
            progress,
            budget,
            peer: context.peer.clone(),
            cancelled: context.ct.clone(),
            hung_up,
            sent_away: self.sent_away.clone(),
        };
        // On the heap: the library moves it through several layers, each of which would have room for it.
        Ok(Box::pin(call.run(name, params)).await)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let why = format!("there is no method {} here", askback_core::show::quote(&request.method));
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, why, None))
    }

    // What is not offered is not there; the library would say that it is empty.
    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<rmcp::model::CompleteRequestMethod>())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<rmcp::model::ListPromptsRequestMethod>())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Err(ErrorData::method_not_found::<rmcp::model::ListResourcesRequestMethod>())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Err(ErrorData::method_not_found::<rmcp::model::ListResourceTemplatesRequestMethod>())
    }
}
