//! Calls to one hub with one token. A connection that a call has left idle serves the next one.

use crate::limits::{CONNECT, RESPONSE, RESPONSE_BYTES};
use crate::transport::{self, Sender, Target};
use askback_api::ApiError;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Method, Request, Response};
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::time::timeout;

/// Starts the hub of this machine. Its functions block.
pub trait HubStarter: fmt::Debug + Send + Sync {
    /// Starts the hub unless it runs.
    fn start(&self) -> io::Result<()>;

    /// The same for a hub that died; one that was stopped stays stopped. Tells whether there is one now.
    fn revive(&self) -> io::Result<bool>;
}

/// Whether a call starts a hub of this machine that was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// It does: what the call carries must not be lost.
    Stopped,
    /// It does not; a hub that died is started again all the same.
    OnlyDied,
}

/// Calls to one hub, with one token.
#[derive(Clone)]
pub(crate) struct Connection {
    target: Target,
    token: String,
    starter: Option<Arc<dyn HubStarter>>,
    idle: Arc<Mutex<Option<Sender>>>,
}

/// A call: what is sent.
#[derive(Clone)]
pub(crate) struct Call {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) body: Option<Bytes>,
    /// The event after which a stream begins.
    pub(crate) after: Option<u64>,
    pub(crate) start: Start,
}

impl Call {
    pub(crate) fn new(method: Method, path: String) -> Self {
        Self { method, path, body: None, after: None, start: Start::OnlyDied }
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("target", &self.target).finish_non_exhaustive()
    }
}

fn lost(error: impl fmt::Display) -> ApiError {
    ApiError::Lost(error.to_string())
}

fn silent<T>() -> Result<T, ApiError> {
    Err(ApiError::Lost("it does not answer".to_owned()))
}

impl Connection {
    pub(crate) fn new(target: Target, token: String, starter: Option<Arc<dyn HubStarter>>) -> Self {
        Self { target, token, starter, idle: Arc::default() }
    }

    pub(crate) fn is_local(&self) -> bool {
        self.starter.is_some()
    }

    /// Reaches the hub, and keeps the connection for the next call.
    pub(crate) async fn reach(&self, start: Start) -> Result<(), ApiError> {
        let sender = self.connect(start).await?;
        self.put_back(sender);
        Ok(())
    }

    /// The status and the body of a response.
    pub(crate) async fn call(&self, call: Call) -> Result<(u16, Bytes), ApiError> {
        let called = async {
            let (response, sender) = match self.send(&call).await {
                // A hub that was just dying took the connection and could not answer; reading twice changes nothing.
                Err(ApiError::Lost(_)) if call.method == Method::GET => self.send(&call).await?,
                sent => sent?,
            };
            let status = response.status().as_u16();
            let body = whole(response.into_body()).await?;
            self.put_back(sender);
            Ok((status, body))
        };
        timeout(RESPONSE, called).await.unwrap_or_else(|_| silent())
    }

    /// A response that does not end.
    pub(crate) async fn stream(&self, call: Call) -> Result<Response<Incoming>, ApiError> {
        let sent = timeout(CONNECT, self.send(&call)).await.unwrap_or_else(|_| silent());
        sent.map(|(response, _)| response)
    }

    async fn send(&self, call: &Call) -> Result<(Response<Incoming>, Sender), ApiError> {
        let mut request = self.request(call)?;
        if let Some(mut sender) = self.take_idle() {
            match sender.try_send_request(request).await {
                Ok(response) => return Ok((response, sender)),
                Err(mut error) => match error.take_message() {
                    // The connection was closed meanwhile, and nothing was sent.
                    Some(unsent) => request = unsent,
                    None => return Err(lost(error.into_error())),
                },
            }
        }
        // What it takes to connect, to start a hub or to speak TLS, is given back before the response is waited for.
        let mut sender = Box::pin(self.connect(call.start)).await?;
        let response = sender.send_request(request).await.map_err(lost)?;
        Ok((response, sender))
    }

    async fn connect(&self, start: Start) -> Result<Sender, ApiError> {
        let error = match (transport::connect(&self.target).await, &self.starter) {
            (Ok(sender), _) => return Ok(sender),
            (Err(error), None) => return Err(lost(error)),
            (Err(error), Some(_)) => error,
        };
        let starter = self.starter.clone();
        let started = tokio::task::spawn_blocking(move || match (starter, start) {
            (Some(starter), Start::Stopped) => starter.start().map(|()| true),
            (Some(starter), Start::OnlyDied) => starter.revive(),
            (None, _) => Ok(false),
        });
        match started.await.map_err(io::Error::other).and_then(|started| started).map_err(lost)? {
            true => transport::connect(&self.target).await.map_err(lost),
            false => Err(lost(error)),
        }
    }

    fn take_idle(&self) -> Option<Sender> {
        let sender = self.idle.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        (!sender.is_closed()).then_some(sender)
    }

    fn put_back(&self, sender: Sender) {
        if !sender.is_closed() {
            *self.idle.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        }
    }

    fn request(&self, call: &Call) -> Result<Request<Full<Bytes>>, ApiError> {
        let mut request = Request::builder()
            .method(call.method.clone())
            .uri(&call.path)
            .header(HOST, self.target.host())
            .header(ACCEPT, "application/json, text/event-stream")
            .header(AUTHORIZATION, format!("Bearer {}", self.token));
        if let Some(after) = call.after {
            request = request.header("last-event-id", after);
        }
        if call.body.is_some() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        let request = request.body(Full::new(call.body.clone().unwrap_or_default()));
        request.map_err(|error| ApiError::Unavailable(format!("the token can't be sent: {error}")))
    }
}

pub(crate) async fn whole(body: Incoming) -> Result<Bytes, ApiError> {
    let read = Limited::new(body, RESPONSE_BYTES).collect().await;
    read.map(http_body_util::Collected::to_bytes).map_err(lost)
}
