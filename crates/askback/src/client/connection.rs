//! Calls to a hub, with a token: over a connection for each call, since a command makes few of them, or within the hub's own
//! process, where its MCP server is a client like any other.

use super::{Absent, ClientError};
use crate::hub::background;
use crate::hub::place::{Info, Place};
use crate::transport::{self, CONNECT, Sender, Target};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, AUTHORIZATION, HOST};
use hyper::{Method, Request, Response};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// How long an answer may take: a wait takes a minute at most.
const ANSWER: Duration = Duration::from_secs(90);

/// Bytes that an answer may have: a page has 4 MiB of requests at most, and each may be as large as one may be.
const LARGEST: usize = 64 << 20;

/// Calls to one hub, with one token.
#[derive(Clone)]
pub(super) struct Connection {
    way: Way,
    token: String,
    /// Where the hub of this machine lives, if it is that one.
    place: Option<Place>,
    /// What to do where that one was stopped.
    absent: Absent,
}

/// How calls get there.
#[derive(Debug, Clone)]
enum Way {
    Over(Target),
    /// The hub is this process.
    Within(Arc<dyn Within>),
}

/// What a call within the hub's own process comes to: its status and its body.
pub(crate) type Called = Pin<Box<dyn Future<Output = io::Result<(u16, Vec<u8>)>> + Send>>;

/// The API of the hub that this process is, called without a connection.
pub(crate) trait Within: std::fmt::Debug + Send + Sync {
    /// Makes a call like any other, with at most so many bytes as its answer.
    fn call(&self, request: Request<Full<Bytes>>, most: usize) -> Called;
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").field("way", &self.way).finish_non_exhaustive()
    }
}

impl Connection {
    pub(super) fn new(target: Target, token: String) -> Self {
        Self { way: Way::Over(target), token, place: None, absent: Absent::Leave }
    }

    /// To the hub that this process is.
    pub(super) fn within(api: Arc<dyn Within>, token: String) -> Self {
        Self { way: Way::Within(api), token, place: None, absent: Absent::Leave }
    }

    /// To the hub of this machine.
    pub(super) fn local(info: &Info, token: String, place: Place) -> Self {
        let way = Way::Over(Target::Local(info.socket.clone()));
        Self { way, token, place: Some(place), absent: Absent::Leave }
    }

    /// The same for something that must not be lost: a hub that was stopped is started for it.
    pub(super) fn insisting(self) -> Self {
        Self { absent: Absent::Start, ..self }
    }

    pub(super) fn is_local(&self) -> bool {
        self.place.is_some()
    }

    /// Connects. The hub of this machine is started again if it died in the middle, with everything it has acknowledged; if
    /// it was stopped it is not, unless this is worth it.
    pub(super) async fn connect(&self) -> Result<(), ClientError> {
        match &self.way {
            Way::Over(target) => self.connect_over(target).await.map(drop),
            Way::Within(_) => Ok(()),
        }
    }

    async fn connect_over(&self, target: &Target) -> Result<Sender, ClientError> {
        let lost = |error: io::Error| ClientError::Lost(error.to_string());
        let (error, place) = match (transport::connect(target).await, &self.place) {
            (Ok(sender), _) => return Ok(sender),
            (Err(error), None) => return Err(lost(error)),
            (Err(error), Some(place)) => (error, place.clone()),
        };
        let absent = self.absent;
        let revived = tokio::task::spawn_blocking(move || match absent {
            Absent::Start => background::running_or_started(&place).map(Some),
            Absent::Leave => background::revived(&place),
        });
        let revived = revived.await;
        match revived.map_err(io::Error::other).and_then(|revived| revived).map_err(lost)? {
            Some(_) => transport::connect(target).await.map_err(lost),
            None => Err(lost(error)),
        }
    }

    /// The status and the body of an answer.
    pub(super) async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
    ) -> Result<(u16, Vec<u8>), ClientError> {
        let sent = async {
            let target = match &self.way {
                Way::Over(target) => target,
                Way::Within(api) => {
                    let called = api.call(self.request(&method, path, body, None)?, LARGEST).await;
                    return called.map_err(|error| ClientError::Lost(error.to_string()));
                }
            };
            let response = match self.send(target, &method, path, body, None).await {
                // A hub that was just dying took the connection and could not answer; looking twice changes nothing.
                Err(ClientError::Lost(_)) if method == Method::GET => {
                    self.send(target, &method, path, None, None).await?
                }
                response => response?,
            };
            let status = response.status().as_u16();
            Ok((status, whole(response.into_body()).await?))
        };
        timeout(ANSWER, sent).await.unwrap_or_else(|_| Err(ClientError::Lost("it does not answer".to_owned())))
    }

    /// An answer that does not end.
    pub(super) async fn stream(&self, path: &str, after: Option<u64>) -> Result<Response<Incoming>, ClientError> {
        let Way::Over(target) = &self.way else {
            return Err(ClientError::Usage("whoever is the hub follows its log".to_owned()));
        };
        let sent = self.send(target, &Method::GET, path, None, after);
        timeout(CONNECT, sent).await.unwrap_or_else(|_| Err(ClientError::Lost("it does not answer".to_owned())))
    }

    async fn send(
        &self,
        target: &Target,
        method: &Method,
        path: &str,
        body: Option<String>,
        after: Option<u64>,
    ) -> Result<Response<Incoming>, ClientError> {
        // What it takes to connect, to start a hub or to speak TLS, is given back before the answer is waited for.
        let mut sender = Box::pin(self.connect_over(target)).await?;
        let request = self.request(method, path, body, after)?;
        sender.send_request(request).await.map_err(|error| ClientError::Lost(error.to_string()))
    }

    fn request(
        &self,
        method: &Method,
        path: &str,
        body: Option<String>,
        after: Option<u64>,
    ) -> Result<Request<Full<Bytes>>, ClientError> {
        let host = match &self.way {
            Way::Over(target) => target.host(),
            Way::Within(_) => "localhost".to_owned(),
        };
        let mut request = Request::builder()
            .method(method.clone())
            .uri(path)
            .header(HOST, host)
            .header(ACCEPT, "application/json, text/event-stream")
            .header(AUTHORIZATION, format!("Bearer {}", self.token));
        if let Some(after) = after {
            request = request.header("last-event-id", after);
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let request = request.body(Full::from(body.unwrap_or_default()));
        request.map_err(|error| ClientError::Nobody(format!("the token can't be sent: {error}")))
    }
}

pub(super) async fn whole(body: Incoming) -> Result<Vec<u8>, ClientError> {
    let read = http_body_util::Limited::new(body, LARGEST).collect().await;
    read.map(|whole| whole.to_bytes().to_vec()).map_err(|error| ClientError::Lost(error.to_string()))
}
