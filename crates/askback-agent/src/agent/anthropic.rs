//! `anthropic`: a model behind the Messages API, with tools.

use super::{Agent, AgentError, AgentSettings};
use crate::limits;
use crate::model::{Model, ModelError, ModelEvent, ModelRequest, ModelStream};
use crate::model_loop::AgentLoop;
use crate::tool::Registry;
use askback_sse::EventReader;
use reqwest::header::RETRY_AFTER;
use reqwest::{Client, Response, StatusCode};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{Sender, channel};
use wire::{Answer, Problem, Refused};

mod wire;
mod words;

pub(super) const USAGE: &str =
    "anthropic[:MODEL]     a model of the Messages API (ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, ANTHROPIC_MODEL)";

const DEFAULT_URL: &str = "https://api.anthropic.com";
const DEFAULT_MODEL: &str = "claude-sonnet-4-5";
const VERSION: &str = "2023-06-01";

pub(super) fn open(model: &str, settings: &AgentSettings<'_>) -> Result<Box<dyn Agent>, AgentError> {
    let variable = |name: &str| (settings.variable)(name).filter(|value| !value.is_empty());
    let key = variable("ANTHROPIC_API_KEY").ok_or_else(|| {
        AgentError(
            "the agent anthropic needs a key: set ANTHROPIC_API_KEY, or try `askback demo`, which needs none"
                .to_owned(),
        )
    })?;
    let url = variable("ANTHROPIC_BASE_URL").unwrap_or_else(|| DEFAULT_URL.to_owned());
    let named = (!model.is_empty()).then(|| model.to_owned());
    let model = named.or_else(|| variable("ANTHROPIC_MODEL")).unwrap_or_else(|| DEFAULT_MODEL.to_owned());
    let model = Anthropic::new(&url, &key, &model)?;
    Ok(Box::new(AgentLoop::new(Arc::new(model), Registry::standard(), settings.folder.clone())))
}

/// A model behind the Messages API.
#[derive(Clone)]
pub struct Anthropic {
    client: Client,
    url: String,
    key: String,
    model: String,
}

impl Anthropic {
    /// A model by its name, on a server, with a key.
    pub fn new(url: &str, key: &str, model: &str) -> Result<Self, AgentError> {
        let failed = |error: &dyn std::fmt::Display| AgentError(format!("the agent anthropic can't start: {error}"));
        // Somebody else in this program may have chosen one already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .connect_timeout(limits::CONNECT_TIME)
            .read_timeout(limits::SILENCE)
            // The key goes to the server it is for, and to no other that this one may point to.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("askback/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| failed(&error))?;
        let url = format!("{}/v1/messages", url.trim_end_matches('/'));
        reqwest::Url::parse(&url).map_err(|error| {
            AgentError(format!("ANTHROPIC_BASE_URL is no address ({error}): give one such as {DEFAULT_URL}"))
        })?;
        if key.chars().any(char::is_control) || !key.is_ascii() {
            return Err(AgentError("ANTHROPIC_API_KEY has characters that no key has".to_owned()));
        }
        Ok(Self { client, url, key: key.to_owned(), model: model.to_owned() })
    }

    /// The error without the key, should a server repeat it.
    fn without_key(&self, error: ModelError) -> ModelError {
        let clean = |message: String| message.replace(&self.key, "[the key]");
        match error {
            ModelError::Final(message) => ModelError::Final(clean(message)),
            ModelError::Transient { message, retry_after } => {
                ModelError::Transient { message: clean(message), retry_after }
            }
        }
    }
}

impl Model for Anthropic {
    fn name(&self) -> String {
        format!("anthropic:{}", self.model)
    }

    fn call(&self, request: &ModelRequest) -> ModelStream {
        let (out, stream) = channel(limits::EVENTS_WAITING);
        let model = self.clone();
        let body = wire::body(&self.model, request);
        tokio::spawn(async move {
            let answered = tokio::select! {
                biased;
                // The caller no longer wants the answer: the connection goes with it.
                () = out.closed() => return,
                answered = model.answer(body, &out) => answered,
            };
            if let Err(error) = answered {
                let _ = out.send(Err(model.without_key(error))).await;
            }
        });
        stream
    }
}

type Out = Sender<Result<ModelEvent, ModelError>>;

impl Anthropic {
    async fn answer(&self, body: serde_json::Result<String>, out: &Out) -> Result<(), ModelError> {
        let body =
            body.map_err(|error| ModelError::Final(format!("The call of the model can't be written: {error}.")))?;
        let sent = self
            .client
            .post(&self.url)
            .header("x-api-key", &self.key)
            .header("anthropic-version", VERSION)
            .header("content-type", "application/json")
            .header("accept", "text/event-stream")
            .body(body)
            .send()
            .await;
        let response =
            sent.map_err(|error| transient(format!("The model's server can't be reached: {}.", causes(&error))))?;
        if response.status() != StatusCode::OK {
            return Err(refused(response).await);
        }
        read(response, out).await
    }
}

async fn read(mut response: Response, out: &Out) -> Result<(), ModelError> {
    let (mut reader, mut answer) = (EventReader::new(limits::SERVER_EVENT_BYTES), Answer::default());
    loop {
        let bytes = match response.chunk().await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Err(transient("The model's server ended its answer in the middle.".to_owned())),
            Err(error) => return Err(transient(format!("The connection to the model was cut: {}.", causes(&error)))),
        };
        reader.feed(&bytes);
        let endless = |_| ModelError::Final("The model's server sent an endless event.".to_owned());
        while let Some(event) = reader.next_event().map_err(endless)? {
            let event = match answer.read(&event.data) {
                Ok(Some(event)) => event,
                Ok(None) => continue,
                Err(problem) if is_transient(&problem.kind) => return Err(transient(said(&problem))),
                Err(problem) => return Err(ModelError::Final(said(&problem))),
            };
            let is_last = matches!(event, ModelEvent::Stop(_));
            if out.send(Ok(event)).await.is_err() || is_last {
                return Ok(());
            }
        }
    }
}

fn transient(message: String) -> ModelError {
    ModelError::Transient { message, retry_after: None }
}

/// What the server has against a call.
async fn refused(mut response: Response) -> ModelError {
    let status = response.status();
    let header = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let retry_after = header.and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs);
    let mut body = Vec::new();
    while body.len() <= limits::SERVER_ERROR_BYTES
        && let Ok(Some(bytes)) = response.chunk().await
    {
        body.extend_from_slice(&bytes);
    }
    body.truncate(limits::SERVER_ERROR_BYTES);
    let problem = match serde_json::from_slice::<Refused>(&body) {
        Ok(refused) => refused.error,
        Err(_) => Problem { kind: String::new(), message: String::from_utf8_lossy(&body).trim().to_owned() },
    };
    let hint = match status.as_u16() {
        401 | 403 => " Check ANTHROPIC_API_KEY.",
        404 => " Check the model's name and ANTHROPIC_BASE_URL.",
        300..=399 => " Check ANTHROPIC_BASE_URL: the server is elsewhere.",
        _ => "",
    };
    let message = format!("The model's server refused the call ({}): {}{hint}", status.as_u16(), said(&problem));
    if status.is_server_error() || matches!(status.as_u16(), 408 | 429) {
        return ModelError::Transient { message, retry_after };
    }
    ModelError::Final(message)
}

fn is_transient(kind: &str) -> bool {
    matches!(kind, "overloaded_error" | "api_error" | "rate_limit_error" | "timeout_error")
}

fn said(problem: &Problem) -> String {
    match (problem.kind.as_str(), problem.message.as_str()) {
        ("", "") => "it did not say why.".to_owned(),
        (kind, "") => format!("{kind}."),
        ("", message) => message.to_owned(),
        (kind, message) => format!("{kind}: {message}."),
    }
}

/// An error with everything behind it, which is where the reason stands.
fn causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |said, cause| match cause.to_string() {
        text if said.contains(&text) => said,
        text => format!("{said}: {text}"),
    })
}
