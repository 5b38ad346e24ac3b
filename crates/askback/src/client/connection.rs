//! Calls to a hub, with a token. One connection for each call: a command makes few of them.

use super::{Absent, ClientError};
use crate::hub::background;
use crate::hub::place::{Info, Place};
use crate::transport::{self, CONNECT, Sender, Target};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{ACCEPT, AUTHORIZATION, HOST};
use hyper::{Method, Request, Response};
use std::io;
use std::time::Duration;
use tokio::time::timeout;

/// How long an answer may take: a wait takes a minute at most.
const ANSWER: Duration = Duration::from_secs(90);

/// Bytes that an answer may have: a page has 4 MiB of requests at most, and each may be as large as one may be.
const LARGEST: usize = 64 << 20;

/// Calls to one hub, with one token.
#[derive(Clone)]
pub(super) struct Connection {
    target: Target,
    token: String,
    /// Where the hub of this machine lives, if it is that one.
    place: Option<Place>,
    /// What to do where that one was stopped.
    absent: Absent,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").field("target", &self.target).finish_non_exhaustive()
    }
}

impl Connection {
    pub(super) fn new(target: Target, token: String) -> Self {
        Self { target, token, place: None, absent: Absent::Leave }
    }

    /// To the hub of this machine.
    pub(super) fn local(info: &Info, token: String, place: Place) -> Self {
        Self { target: Target::Local(info.socket.clone()), token, place: Some(place), absent: Absent::Leave }
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
    pub(super) async fn connect(&self) -> Result<Sender, ClientError> {
        let lost = |error: io::Error| ClientError::Lost(error.to_string());
        let (error, place) = match (transport::connect(&self.target).await, &self.place) {
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
            Some(_) => transport::connect(&self.target).await.map_err(lost),
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
            let response = match self.send(method.clone(), path, body, None).await {
                // A hub that was just dying took the connection and could not answer; looking twice changes nothing.
                Err(ClientError::Lost(_)) if method == Method::GET => self.send(method, path, None, None).await?,
                response => response?,
            };
            let status = response.status().as_u16();
            Ok((status, whole(response.into_body()).await?))
        };
        timeout(ANSWER, sent).await.unwrap_or_else(|_| Err(ClientError::Lost("it does not answer".to_owned())))
    }

    /// An answer that does not end.
    pub(super) async fn stream(&self, path: &str, after: Option<u64>) -> Result<Response<Incoming>, ClientError> {
        let sent = self.send(Method::GET, path, None, after);
        timeout(CONNECT, sent).await.unwrap_or_else(|_| Err(ClientError::Lost("it does not answer".to_owned())))
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
        after: Option<u64>,
    ) -> Result<Response<Incoming>, ClientError> {
        let mut sender = self.connect().await?;
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, self.target.host())
            .header(ACCEPT, "application/json, text/event-stream")
            .header(AUTHORIZATION, format!("Bearer {}", self.token));
        if let Some(after) = after {
            request = request.header("last-event-id", after);
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let request = request.body(Full::from(body.unwrap_or_default()));
        let request = request.map_err(|error| ClientError::Nobody(format!("the token can't be sent: {error}")))?;
        sender.send_request(request).await.map_err(|error| ClientError::Lost(error.to_string()))
    }
}

pub(super) async fn whole(body: Incoming) -> Result<Vec<u8>, ClientError> {
    let read = http_body_util::Limited::new(body, LARGEST).collect().await;
    read.map(|whole| whole.to_bytes().to_vec()).map_err(|error| ClientError::Lost(error.to_string()))
}
