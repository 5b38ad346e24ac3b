//! The MCP server: one handler for both eras of the protocol, on standard input and output and over HTTP.

use crate::asker_source::AskerSource;
use crate::budget::Budget;
use crate::call::ToolCall;
use crate::client_info::ClientInfo;
use crate::dismissed_dialogs::DismissedDialogs;
use crate::result;
use crate::tools;
use crate::unheard_answers::UnheardAnswers;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest, CustomResult,
    ErrorCode, Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The asker on whose behalf a client calls, and the limits of its calls.
#[derive(Clone)]
pub struct McpCaller {
    /// The source of the asker's API.
    pub source: Arc<dyn AskerSource>,
    /// The budget of a call, instead of the client's own.
    pub wait: Option<Duration>,
    /// Cancelled when the client's connection is closed, which ends its waits.
    pub hung_up: CancellationToken,
}

/// The server, for one fixed caller or for the caller in the extensions of each HTTP request.
#[derive(Clone, Default)]
pub struct McpServer {
    only: Option<McpCaller>,
    dismissed: DismissedDialogs,
    unheard: UnheardAnswers,
}

impl McpServer {
    /// Creates a server for one caller.
    pub fn of(caller: McpCaller) -> Self {
        Self { only: Some(caller), ..Self::default() }
    }

    /// The same server for another session of the protocol.
    #[must_use]
    pub fn for_session(&self) -> Self {
        Self { unheard: UnheardAnswers::default(), ..self.clone() }
    }

    fn caller(&self, context: &RequestContext<RoleServer>) -> Result<McpCaller, ErrorData> {
        let parts = context.extensions.get::<hyper::http::request::Parts>();
        let named = parts.and_then(|parts| parts.extensions.get::<McpCaller>());
        let caller = named.or(self.only.as_ref()).cloned();
        caller.ok_or_else(|| ErrorData::internal_error("the caller of this request is unknown", None))
    }
}

impl ServerHandler for McpServer {
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
        let tools = tools.into_iter().chain(crate::fixtures::tools()).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::find(name).map(|(_, definition)| definition.clone())
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        #[cfg(feature = "conformance")]
        if let Some(called) = crate::fixtures::call(&params, &context).await {
            return called;
        }
        let Some((tool, _)) = tools::find(&params.name) else {
            let shown = askback_core::show::quote(&params.name);
            let why = format!("there is no tool {shown}: there are {}", tools::names());
            return Err(ErrorData::invalid_params(why, None));
        };
        let McpCaller { source, wait, hung_up } = self.caller(&context)?;
        let client = ClientInfo::of(&context);
        let progress = context.meta.get_progress_token();
        let usual = Budget::of(client.name.as_deref());
        let budget = wait.unwrap_or(if progress.is_some() { usual.with_progress } else { usual.silent });
        let (peer, dismissed, unheard) = (context.peer.clone(), self.dismissed.clone(), self.unheard.clone());
        let call = ToolCall { source, client, progress, budget, peer, hung_up, dismissed, unheard };
        // On the heap: the library moves it through several layers, each of which would have room for it.
        let running = Box::pin(async {
            tokio::select! {
                biased;
                // The request itself stays as it is.
                () = context.ct.cancelled() => result::refused("The call was cancelled.").into(),
                response = tool.call(&call, params) => response.unwrap_or_else(|stopped| (*stopped).into()),
            }
        });
        Ok(running.await)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let why = format!("there is no method {} here", askback_core::show::quote(&request.method));
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, why, None))
    }

    // The library would return an empty result for each of these, though the server does not offer them.
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
