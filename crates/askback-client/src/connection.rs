//! Calls to one hub with one token. A connection that a call has left idle serves the next one.

use crate::limits::{BODY_BYTES_PER_SECOND, RESPONSE, RESPONSE_BYTES, RESPONSE_PAUSE, RESPONSE_WHOLE};
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
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

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
    /// How long the call asks the hub to wait.
    pub(crate) wait: Duration,
    pub(crate) start: Start,
}

impl Call {
    pub(crate) fn new(method: Method, path: String) -> Self {
        Self { method, path, body: None, after: None, wait: Duration::ZERO, start: Start::OnlyDied }
    }

    /// How long the hub may take to begin its response.
    fn patience(&self) -> Duration {
        let bytes = self.body.as_ref().map_or(0, Bytes::len);
        self.wait + RESPONSE + Duration::from_secs((bytes / BODY_BYTES_PER_SECOND) as u64)
    }
}

fn lost(error: impl fmt::Display) -> ApiError {
    ApiError::Lost(error.to_string())
}

/// The error of a hub that has accepted a connection and does not respond: it was stopped, or its machine is too busy.
fn silent(patience: Duration) -> SendError {
    SendError::Silent(ApiError::Lost(format!("it has not answered within {} seconds", patience.as_secs())))
}

/// The reason why a call has no response.
enum SendError {
    /// The hub does not respond in time.
    Silent(ApiError),
    /// Any other.
    Failed(ApiError),
}

impl From<ApiError> for SendError {
    fn from(error: ApiError) -> Self {
        Self::Failed(error)
    }
}

impl From<SendError> for ApiError {
    fn from(error: SendError) -> Self {
        match error {
            SendError::Silent(error) | SendError::Failed(error) => error,
        }
    }
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
        let sender = self.connect(start).await?;
        self.put_back(sender);
        Ok(())
    }

    /// Makes a call, and returns the status and the body of the response.
    pub(crate) async fn call(&self, call: Call) -> Result<(u16, Bytes), ApiError> {
        let (response, sender) = match self.send(&call).await {
            // A hub that died after it had accepted the connection. Reading twice changes nothing.
            Err(SendError::Failed(ApiError::Lost(_))) if call.method == Method::GET => self.send(&call).await?,
            sent => sent?,
        };
        let status = response.status().as_u16();
        let body = whole(response.into_body()).await?;
        self.put_back(sender);
        Ok((status, body))
    }

    /// Makes a call, and returns the body of a response that does not end.
    pub(crate) async fn stream(&self, call: Call) -> Result<Incoming, ApiError> {
        let (response, _) = self.send(&call).await?;
        match response.status().as_u16() {
            200 => Ok(response.into_body()),
            status => Err(refusal(status, &whole(response.into_body()).await?, None)),
        }
    }

    async fn send(&self, call: &Call) -> Result<(Response<Incoming>, Sender), SendError> {
        let patience = call.patience();
        let mut request = self.request(call)?;
        if let Some(mut sender) = self.take_idle() {
            match timeout(patience, sender.try_send_request(request)).await {
                Err(_) => return Err(silent(patience)),
                Ok(Ok(response)) => return Ok((response, sender)),
                Ok(Err(mut error)) => match error.take_message() {
                    // The connection was closed meanwhile, and nothing was sent.
                    Some(unsent) => request = unsent,
                    None => return Err(lost(error.into_error()).into()),
                },
            }
        }
        // On the heap, and freed before the wait for the response: starting a hub and TLS take much memory.
        let mut sender = Box::pin(self.connect(call.start)).await?;
        match timeout(patience, sender.send_request(request)).await {
            Err(_) => Err(silent(patience)),
            Ok(sent) => Ok((sent.map_err(lost)?, sender)),
        }
    }

    async fn connect(&self, start: Start) -> Result<Sender, SendError> {
        let error = match self.connect_once().await {
            Err(SendError::Failed(error)) => error,
            // A hub that is there and does not answer is not started again.
            connected => return connected,
        };
        let Some(starter) = self.starter.clone() else { return Err(error.into()) };
        let started = tokio::task::spawn_blocking(move || match start {
            Start::Stopped => starter.start().map(|()| true),
            Start::OnlyDied => starter.revive(),
        });
        match started.await.map_err(lost)?.map_err(lost)? {
            true => self.connect_once().await,
            false => Err(error.into()),
        }
    }

    async fn connect_once(&self) -> Result<Sender, SendError> {
        transport::connect(&self.target).await.map_err(|error| match error.kind() {
            // It took as long as a call may: a second one would take as long again.
            io::ErrorKind::TimedOut => SendError::Silent(lost(error)),
            _ => SendError::Failed(lost(error)),
        })
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
    let mut body = Limited::new(body, RESPONSE_BYTES);
    let until = Instant::now() + RESPONSE_WHOLE;
    let mut bytes = Vec::new();
    loop {
        let pause = until.min(Instant::now() + RESPONSE_PAUSE);
        let Ok(frame) = timeout_at(pause, body.frame()).await else {
            return Err(lost("its response does not end"));
        };
        match frame {
            None => return Ok(bytes.into()),
            // Trailers are no part of it.
            Some(frame) => bytes.extend_from_slice(&frame.map_err(lost)?.into_data().unwrap_or_default()),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Client;
    use crate::limits::CONNECT;
    use askback_api::{DismissBody, HubApi, PersonApi, RequestRef};
    use askback_core::{Limits, RequestId};
    use tokio::net::TcpListener;
    use tokio::time::sleep;

    /// What the clock may be ahead of a limit.
    const SLACK: Duration = Duration::from_secs(1);

    async fn listener() -> (TcpListener, u16) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        (listener, port)
    }

    // S3
    #[tokio::test(start_paused = true)]
    async fn connect_that_times_out_is_not_tried_again() {
        let (_accepts_and_is_silent, port) = listener().await;
        // TLS needs the server's word before the call is sent.
        let target = Target::Https { host: "127.0.0.1".to_owned(), port };
        let connection = Connection::new(target, "token".to_owned(), None);
        let begun = Instant::now();
        let error = connection.call(Call::new(Method::GET, "/".to_owned())).await.unwrap_err();
        assert!(matches!(&error, ApiError::Lost(why) if why == "it does not answer"), "{error}");
        assert!(begun.elapsed() < CONNECT + SLACK, "{:?}", begun.elapsed());
    }

    // S3, L3
    #[tokio::test(start_paused = true)]
    async fn wait_on_a_silent_hub_fails_once_a_poll_is_late_for_longer_than_the_client_is_patient() {
        let (_accepts_and_is_silent, port) = listener().await;
        let (poll, patience) = (Duration::from_secs(10), Duration::from_secs(5));
        let client = Client::at(&format!("http://127.0.0.1:{port}"), "token".to_owned()).unwrap();
        let client = client.waiting_through(Some(patience)).polling(poll);
        let request = br#"{"type": "confirm", "message": "Deploy?"}"#;
        let request = askback_core::Request::parse(request, &Limits::STORED).unwrap();
        let id = RequestId::parse("018f0000-0000-7000-8000-000000000001").unwrap();
        let begun = Instant::now();
        let error = client.wait(RequestRef { id: &id, request: &request }, None).await.unwrap_err();
        assert!(matches!(error, ApiError::Lost(_)), "{error}");
        assert!(begun.elapsed() < poll + RESPONSE + SLACK, "{:?}", begun.elapsed());
    }

    // S3, L9
    #[tokio::test(start_paused = true)]
    async fn bulk_dismissal_that_takes_a_minute_succeeds() {
        let (listener, port) = listener().await;
        let client = Client::at(&format!("http://127.0.0.1:{port}"), "token".to_owned()).unwrap();
        let hub = async {
            let (stream, _) = listener.accept().await.unwrap();
            sleep(Duration::from_secs(60)).await;
            let body = r#"{"dismissed":100000}"#;
            let reply = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
            stream.writable().await.unwrap();
            assert_eq!(stream.try_write(reply.as_bytes()).unwrap(), reply.len());
            // Open until the client has read it.
            std::future::pending::<()>().await;
        };
        let body = DismissBody { unwaited_for: 60.0, room: None, reason: None, surface: None };
        let dismissed = tokio::select! {
            dismissed = client.dismiss(body) => dismissed,
            () = hub => unreachable!("it waits"),
        };
        assert_eq!(dismissed.unwrap(), 100_000);
    }
}
