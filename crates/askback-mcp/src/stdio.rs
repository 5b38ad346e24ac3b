//! Messages on standard input and output, one in a line. What is no message is answered as such; a client that reads nothing is not read
//! either, so that what it has asked for does not pile up here.

use crate::asker_source::AskerSource;
use crate::delivery::{Deliverable, DeliveryError, Withheld, deliver};
use crate::limits::{CALLS_AT_ONCE, CLOSE_PATIENCE, MESSAGE_BYTES, UNSENT_BYTES};
use crate::lines::{Found, Lines};
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
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Mutex as Turns, watch};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Serves one client on standard input and output until it leaves.
pub async fn serve_stdio(source: Arc<dyn AskerSource>, wait: Option<Duration>) -> io::Result<()> {
    let hung_up = CancellationToken::new();
    let caller = McpCaller { source: Arc::clone(&source), wait, hung_up: hung_up.clone() };
    match McpServer::of(caller).serve(Stdio::open(source, hung_up)).await {
        Ok(running) => {
            let _ = running.waiting().await;
            Ok(())
        }
        // A client that leaves before it has sent anything has not done anything wrong.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(io::Error::other(format!("the client does not speak MCP: {error}"))),
    }
}

/// The client at the other end of two pipes.
struct Stdio<R = StdioReader, W = StdioWriter> {
    lines: Lines<R>,
    output: Arc<Turns<W>>,
    /// Bytes that wait until the client reads.
    unsent: watch::Sender<usize>,
    /// Answers to what is no message, on their way.
    refusals: JoinSet<()>,
    /// The calls that have no result yet.
    under_way: Arc<Mutex<HashSet<RequestId>>>,
    stage: Stage,
    source: Arc<dyn AskerSource>,
    /// Cancelled when the client is gone.
    hung_up: CancellationToken,
}

/// Whether the client has said how it wants to talk. Before it has, the library ends on whatever is no request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Before,
    Begun,
}

impl Stdio {
    fn open(source: Arc<dyn AskerSource>, hung_up: CancellationToken) -> Self {
        let (input, output) = stdio_pipes();
        Self::over(input, output, source, hung_up)
    }
}

impl<R: AsyncRead + Unpin + Send, W: AsyncWrite + Unpin + Send + 'static> Stdio<R, W> {
    fn over(input: R, output: W, source: Arc<dyn AskerSource>, hung_up: CancellationToken) -> Self {
        Self {
            lines: Lines::of(input),
            output: Arc::new(Turns::new(output)),
            unsent: watch::Sender::new(0),
            refusals: JoinSet::new(),
            under_way: Arc::default(),
            stage: Stage::Before,
            source,
            hung_up,
        }
    }

    /// Says something to a message that goes no further. Apart from the reading, which may be dropped in the middle.
    fn say(&mut self, message: &ServerJsonRpcMessage) {
        while self.refusals.try_join_next().is_some() {}
        let sending = Sending::new(&self.output, &self.unsent, message);
        self.refusals.spawn(async move {
            // To a client that is gone there is nothing to say.
            let _ = sending.write().await;
        });
    }

    /// A message that is to be handled, if it is.
    fn admit(&mut self, message: ClientJsonRpcMessage) -> Option<ClientJsonRpcMessage> {
        match (&message, self.stage) {
            (JsonRpcMessage::Request(request), Stage::Before) => {
                if begins(&request.request) {
                    self.stage = Stage::Begun;
                } else if !is_before(&request.request) {
                    let why =
                        "nobody has initialized yet: send initialize first, or name the protocol's version in _meta";
                    self.say(&refusal(Some(request.id.clone()), ErrorCode::INVALID_REQUEST, why.to_owned()));
                    return None;
                }
            }
            (_, Stage::Before) => return None,
            (_, Stage::Begun) => {}
        }
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        match &message {
            JsonRpcMessage::Request(request) if matches!(request.request, ClientRequest::CallToolRequest(_)) => {
                if under_way.len() >= CALLS_AT_ONCE {
                    drop(under_way);
                    let why = format!(
                        "There are {CALLS_AT_ONCE} calls under way, which is the most: wait for some of them to end."
                    );
                    let result = ServerResult::CallToolResult(result::refused(why));
                    self.say(&ServerJsonRpcMessage::response(result, request.id.clone()));
                    return None;
                }
                under_way.insert(request.id.clone());
            }
            JsonRpcMessage::Notification(notification) => {
                // Nothing comes back of what was called off.
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    under_way.remove(id);
                }
            }
            _ => {}
        }
        drop(under_way);
        Some(message)
    }
}

/// Whether this is how a client begins, in either era.
fn begins(request: &ClientRequest) -> bool {
    let meta = request.get_meta();
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_) => false,
        _ => meta.protocol_version() == Some(ProtocolVersion::V_2026_07_28) && meta.client_capabilities().is_some(),
    }
}

/// Whether it may come before that: the library answers it.
fn is_before(request: &ClientRequest) -> bool {
    matches!(request, ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_))
        || request.get_meta().protocol_version().is_some()
}

impl<R: AsyncRead + Unpin + Send, W: AsyncWrite + Unpin + Send + 'static> Transport<RoleServer> for Stdio<R, W> {
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        if let Some(id) = answered(&message) {
            self.under_way.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        }
        let sending = Sending::new(&self.output, &self.unsent, &message);
        let (output, unsent) = (Arc::clone(&self.output), self.unsent.clone());
        let source = Arc::clone(&self.source);
        async move {
            let Some((deliverable, id)) = deliverable(&message) else { return sending.write().await };
            let request = deliverable.id.clone();
            match deliver(&source, deliverable, sending.write()).await {
                Ok(()) => Ok(()),
                Err(DeliveryError::NotSent(error)) => Err(error),
                // What can't be reported as delivered is not handed over; it can be asked for again.
                Err(DeliveryError::Withheld(why)) => {
                    let withheld = match why {
                        Withheld::NotReported(error) => {
                            tracing::warn!(%error, id = request.as_str(), "an outcome is held back");
                            result::hub_failed(&error)
                        }
                        Withheld::Taken => result::taken(),
                    };
                    let withheld = ServerResult::CallToolResult(withheld);
                    Sending::new(&output, &unsent, &ServerJsonRpcMessage::response(withheld, id)).write().await
                }
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let _ = self.unsent.subscribe().wait_for(|bytes| *bytes <= UNSENT_BYTES).await;
            match self.lines.next().await {
                Found::End => {
                    self.hung_up.cancel();
                    return None;
                }
                Found::TooLong { head, tail } => {
                    let why = format!("the message has more than {MESSAGE_BYTES} bytes, and was dropped");
                    self.say(&refusal(id_in(&head, &tail), ErrorCode::INVALID_REQUEST, why));
                }
                Found::Line(line) => match understand(&line) {
                    Understood::Message(message) => {
                        if let Some(message) = self.admit(*message) {
                            return Some(message);
                        }
                    }
                    Understood::Nothing => {}
                    Understood::Wrong(refusal) => self.say(&refusal),
                },
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        let closing = async {
            while self.refusals.join_next().await.is_some() {}
            self.output.lock().await.shutdown().await
        };
        // One that does not read does not keep this process.
        tokio::time::timeout(CLOSE_PATIENCE, closing).await.unwrap_or(Ok(()))
    }
}

/// A message on its way out, which counts as unsent until it is there or given up.
struct Sending<W> {
    output: Arc<Turns<W>>,
    unsent: watch::Sender<usize>,
    line: Vec<u8>,
}

impl<W: AsyncWrite + Unpin> Sending<W> {
    fn new(output: &Arc<Turns<W>>, unsent: &watch::Sender<usize>, message: &ServerJsonRpcMessage) -> Self {
        // What the library gives has no keys but texts, without which there would be nothing to write.
        let mut line = serde_json::to_vec(message).unwrap_or_default();
        line.push(b'\n');
        unsent.send_modify(|bytes| *bytes += line.len());
        Self { output: Arc::clone(output), unsent: unsent.clone(), line }
    }

    async fn write(self) -> io::Result<()> {
        let mut output = self.output.lock().await;
        output.write_all(&self.line).await?;
        output.flush().await
    }
}

impl<W> Drop for Sending<W> {
    fn drop(&mut self) {
        let length = self.line.len();
        self.unsent.send_modify(|bytes| *bytes -= length);
    }
}

/// The call that a message answers.
fn answered(message: &ServerJsonRpcMessage) -> Option<&RequestId> {
    match message {
        JsonRpcMessage::Response(response) => Some(&response.id),
        JsonRpcMessage::Error(error) => error.id.as_ref(),
        JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
    }
}

/// What is to be delivered with a message, and the call that it answers.
fn deliverable(message: &ServerJsonRpcMessage) -> Option<(Deliverable, RequestId)> {
    let JsonRpcMessage::Response(response) = message else { return None };
    let ServerResult::CallToolResult(result) = &response.result else { return None };
    let deliverable = Deliverable::in_meta(&result.meta.as_ref()?.0)?;
    Some((deliverable, response.id.clone()))
}
