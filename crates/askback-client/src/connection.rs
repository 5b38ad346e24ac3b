//! Calls to one hub with one token. A connection that a call has left idle serves the next one.

use crate::limits::{CONNECT, RESPONSE, RESPONSE_BYTES};
use crate::transport::{self, Sender, Target};
use askback_api::{ApiError, ProblemCode, ProblemDetails};
use askback_core::Outcome;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Method, Request, Response};
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::time::timeout;

/// Starts the local hub. The functions block.
pub trait HubStarter: Send + Sync {
    /// Starts the hub unless it runs.
    fn start(&self) -> io::Result<()>;

    /// Starts the hub again if it died; one that was stopped stays stopped. Returns whether a hub runs now.
    fn revive(&self) -> io::Result<bool>;
}

/// The state from which a call starts the local hub.
#[derive(Clone, Copy)]
pub(crate) enum Start {
    /// Stopped or dead: the content of the call must not be lost.
    Stopped,
    /// Dead only.
    OnlyDied,
}

#[derive(Clone)]
pub(crate) struct Connection {
    target: Target,
    token: String,
    starter: Option<Arc<dyn HubStarter>>,
    idle: Arc<Mutex<Option<Sender>>>,
}

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

    /// Connects, and keeps the connection for the next call.
    pub(crate) async fn reach(&self, start: Start) -> Result<(), ApiError> {
        self.connect(start).await.map(|sender| self.put_back(sender))
    }

    /// Makes a call, and returns the status and the body of the response.
    pub(crate) async fn call(&self, call: Call) -> Result<(u16, Bytes), ApiError> {
        let called = async {
            let (response, sender) = match self.send(&call).await {
                // A hub that died after it had accepted the connection. Reading twice changes nothing.
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

    /// Makes a call, and returns the body of a response that does not end.
    pub(crate) async fn stream(&self, call: Call) -> Result<Incoming, ApiError> {
        let (response, _) = timeout(CONNECT, self.send(&call)).await.unwrap_or_else(|_| silent())?;
        match response.status().as_u16() {
            200 => Ok(response.into_body()),
            status => Err(refusal(status, &whole(response.into_body()).await?, None)),
        }
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
        // On the heap, and freed before the wait for the response: starting a hub and TLS take much memory.
        let mut sender = Box::pin(self.connect(call.start)).await?;
        let response = sender.send_request(request).await.map_err(lost)?;
        Ok((response, sender))
    }

    async fn connect(&self, start: Start) -> Result<Sender, ApiError> {
        let error = match transport::connect(&self.target).await {
            Ok(sender) => return Ok(sender),
            Err(error) => lost(error),
        };
        let Some(starter) = self.starter.clone() else { return Err(error) };
        let started = tokio::task::spawn_blocking(move || match start {
            Start::Stopped => starter.start().map(|()| true),
            Start::OnlyDied => starter.revive(),
        });
        match started.await.map_err(lost)?.map_err(lost)? {
            true => transport::connect(&self.target).await.map_err(lost),
            false => Err(error),
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

async fn whole(body: Incoming) -> Result<Bytes, ApiError> {
    let read = Limited::new(body, RESPONSE_BYTES).collect().await;
    read.map(http_body_util::Collected::to_bytes).map_err(lost)
}

/// The error of a response that is not a success. A proxy in front of a hub that restarts responds with a status of its own: it is
/// unknown whether the call arrived.
pub(crate) fn refusal(status: u16, bytes: &[u8], about: Option<&askback_core::Request>) -> ApiError {
    let Ok(problem) = serde_json::from_slice::<ProblemDetails>(bytes) else {
        return match status {
            408 | 429 | 500..=599 => ApiError::Lost(format!("something on the way answers {status}")),
            _ => ApiError::Foreign(format!("it answers {status}, and not as a hub does")),
        };
    };
    let outcome = problem.outcome.as_ref().zip(about).map(|(outcome, request)| Outcome::from_json(outcome, request));
    match (problem.code, outcome) {
        (ProblemCode::AlreadyEnded, Some(Ok(outcome))) => {
            ApiError::AlreadyEnded { outcome: Box::new(outcome), problem: Box::new(problem) }
        }
        _ => ApiError::Refused(Box::new(problem)),
    }
}
