//! Messages on standard input and output, one per line. The server stops reading from a client that does not read, so that responses do
//! not accumulate.

use crate::asker_source::AskerSource;
use crate::delivery::{Deliverable, DeliveryAttempt, WithheldReason};
use crate::limits::{CALLS_AT_ONCE, CLOSE_PATIENCE, MESSAGE_BYTES, UNSENT_BYTES};
use crate::lines::{Input, Lines};
use crate::message::{Understood, id_in, refusal, understand};
use crate::result;
use crate::server::{McpCaller, McpServer};
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorCode, GetMeta, JsonRpcMessage, ProtocolVersion,
    RequestId, ServerJsonRpcMessage, ServerResult,
};
use rmcp::service::RxJsonRpcMessage;
use rmcp::transport::io::{StdioReader, StdioWriter};
use rmcp::transport::{Transport, stdio_pipes};
use rmcp::{RoleServer, ServiceExt};
use std::collections::HashSet;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::sync::{Mutex, watch};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Serves one client on standard input and output until it closes them.
pub async fn serve_stdio(source: Arc<dyn AskerSource>, wait: Option<Duration>) -> io::Result<()> {
    let hung_up = CancellationToken::new();
    let caller = McpCaller { source: Arc::clone(&source), wait, hung_up: hung_up.clone() };
    match McpServer::of(caller).serve(Stdio::new(source, hung_up)).await {
        Ok(running) => {
            let _ = running.waiting().await;
            Ok(())
        }
        // A client may leave before it has sent anything.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(io::Error::other(format!("the client does not speak MCP: {error}"))),
    }
}

/// The transport to the client at the other end of two pipes.
struct Stdio {
    lines: Lines<StdioReader>,
    output: Arc<Output>,
    /// Writes of responses to messages that are not handled.
    refusals: JoinSet<()>,
    /// The calls that have no result yet.
    pending_calls: HashSet<RequestId>,
    /// Whether the client has chosen a protocol. Before that, the library ends on any message that is not a request.
    has_begun: bool,
    source: Arc<dyn AskerSource>,
    /// Cancelled when the client has closed its end.
    hung_up: CancellationToken,
}

struct Output {
    writer: Mutex<StdioWriter>,
    /// Bytes that the client has not read.
    unsent: watch::Sender<usize>,
}

impl Stdio {
    fn new(source: Arc<dyn AskerSource>, hung_up: CancellationToken) -> Self {
        let (input, writer) = stdio_pipes();
        let output = Arc::new(Output { writer: Mutex::new(writer), unsent: watch::Sender::new(0) });
        let (refusals, pending_calls) = (JoinSet::new(), HashSet::new());
        Self { lines: Lines::of(input), output, refusals, pending_calls, has_begun: false, source, hung_up }
    }

    /// Responds to a message that is not handled. In a task, since the future that reads may be dropped.
    fn respond(&mut self, message: &ServerJsonRpcMessage) {
        while self.refusals.try_join_next().is_some() {}
        let outgoing = OutgoingMessage::new(&self.output, message);
        self.refusals.spawn(async move {
            // A client that has closed its end misses nothing.
            let _ = outgoing.write().await;
        });
    }

    /// Returns a message that is to be handled, and responds to any other request.
    fn admit(&mut self, message: ClientJsonRpcMessage) -> Option<ClientJsonRpcMessage> {
        let JsonRpcMessage::Request(request) = &message else {
            // A cancelled call has no result.
            if self.has_begun
                && let JsonRpcMessage::Notification(notification) = &message
                && let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                && let Some(id) = &cancelled.params.request_id
            {
                self.pending_calls.remove(id);
            }
            return self.has_begun.then_some(message);
        };
        self.has_begun |= begins(&request.request);
        if !self.has_begun && !may_come_first(&request.request) {
            let why = "nobody has initialized yet: send initialize first, or name the protocol's version in _meta";
            self.respond(&refusal(Some(request.id.clone()), ErrorCode::INVALID_REQUEST, why.to_owned()));
            return None;
        }
        if matches!(request.request, ClientRequest::CallToolRequest(_)) {
            if self.pending_calls.len() >= CALLS_AT_ONCE {
                let why = format!(
                    "There are {CALLS_AT_ONCE} calls under way, which is the most: wait for some of them to end."
                );
                let result = ServerResult::CallToolResult(result::refused(why));
                self.respond(&ServerJsonRpcMessage::response(result, request.id.clone()));
                return None;
            }
            self.pending_calls.insert(request.id.clone());
        }
        Some(message)
    }
}

/// Whether a client chooses its protocol with this request, in either era.
fn begins(request: &ClientRequest) -> bool {
    let meta = request.get_meta();
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_) => false,
        _ => meta.protocol_version() == Some(ProtocolVersion::V_2026_07_28) && meta.client_capabilities().is_some(),
    }
}

/// Whether the request may come before that: the library responds to it.
fn may_come_first(request: &ClientRequest) -> bool {
    matches!(request, ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_))
        || request.get_meta().protocol_version().is_some()
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        if let Some(id) = answered(&message) {
            self.pending_calls.remove(id);
        }
        let outgoing = OutgoingMessage::new(&self.output, &message);
        let (output, source) = (Arc::clone(&self.output), Arc::clone(&self.source));
        async move {
            let Some((deliverable, id)) = deliverable(&message) else { return outgoing.write().await };
            let request = deliverable.id.clone();
            // An outcome whose delivery can't be reported is not sent; the client can ask for it again.
            let withheld = match DeliveryAttempt::begin(&source, deliverable).await {
                Ok(attempt) => {
                    let written = outgoing.write().await;
                    match &written {
                        Ok(()) => attempt.succeed(),
                        Err(_) => attempt.fail().await,
                    }
                    return written;
                }
                Err(WithheldReason::NotReported(error)) => {
                    tracing::warn!(%error, id = request.as_str(), "an outcome is held back");
                    *result::failed(error)
                }
                Err(WithheldReason::Taken) => result::taken(),
            };
            drop(outgoing);
            let withheld = ServerJsonRpcMessage::response(ServerResult::CallToolResult(withheld), id);
            OutgoingMessage::new(&output, &withheld).write().await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let _ = self.output.unsent.subscribe().wait_for(|bytes| *bytes <= UNSENT_BYTES).await;
            match self.lines.next().await {
                Input::End => {
                    self.hung_up.cancel();
                    return None;
                }
                Input::TooLong(head, tail) => {
                    let why = format!("the message has more than {MESSAGE_BYTES} bytes, and was dropped");
                    self.respond(&refusal(id_in(&head, &tail), ErrorCode::INVALID_REQUEST, why));
                }
                Input::Line(line) => match understand(&line) {
                    Understood::Message(message) => {
                        if let Some(message) = self.admit(*message) {
                            return Some(message);
                        }
                    }
                    Understood::Nothing => {}
                    Understood::Wrong(refusal) => self.respond(&refusal),
                },
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        let closing = async {
            while self.refusals.join_next().await.is_some() {}
            self.output.writer.lock().await.shutdown().await
        };
        // A client that does not read must not keep this process alive.
        tokio::time::timeout(CLOSE_PATIENCE, closing).await.unwrap_or(Ok(()))
    }
}

/// A message whose bytes count as unsent until it is written or dropped.
struct OutgoingMessage {
    output: Arc<Output>,
    line: Vec<u8>,
}

impl OutgoingMessage {
    fn new(output: &Arc<Output>, message: &ServerJsonRpcMessage) -> Self {
        // A message of the library can always be serialized, since all its keys are strings.
        let mut line = serde_json::to_vec(message).unwrap_or_default();
        line.push(b'\n');
        output.unsent.send_modify(|bytes| *bytes += line.len());
        Self { output: Arc::clone(output), line }
    }

    async fn write(self) -> io::Result<()> {
        let mut writer = self.output.writer.lock().await;
        writer.write_all(&self.line).await?;
        writer.flush().await
    }
}

impl Drop for OutgoingMessage {
    fn drop(&mut self) {
        self.output.unsent.send_modify(|bytes| *bytes -= self.line.len());
    }
}

/// The id of the call that a message responds to.
fn answered(message: &ServerJsonRpcMessage) -> Option<&RequestId> {
    match message {
        JsonRpcMessage::Response(response) => Some(&response.id),
        JsonRpcMessage::Error(error) => error.id.as_ref(),
        JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
    }
}

/// The deliverable in a message, and the id of the call that the message responds to.
fn deliverable(message: &ServerJsonRpcMessage) -> Option<(Deliverable, RequestId)> {
    let JsonRpcMessage::Response(response) = message else { return None };
    let ServerResult::CallToolResult(result) = &response.result else { return None };
    let deliverable = Deliverable::in_meta(&result.meta.as_ref()?.0)?;
    Some((deliverable, response.id.clone()))
}
