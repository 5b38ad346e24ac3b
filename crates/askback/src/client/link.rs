//! The hub in a race with the terminal: asked by the asker, answered by the person.

use super::record::{HubRecord, outcome};
use super::{Client, ClientError, escaped};
use crate::fault::Kind;
use crate::serve::limits::WAIT_SECONDS;
use askback_core::{Answer, Ending, Json, Object, Outcome, Reason, Request, RequestId, Resolution, State};
use askback_hub::race::{Acknowledged, Link, LinkError, Linking, Proposed};
use askback_hub::{Ask, Signature};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// One request's way to the hub.
pub(crate) struct HubLink {
    asker: Client,
    /// Whoever answers at this terminal.
    person: Option<Client>,
    /// What is asked, as the hub has it: needed to read its outcome.
    asked: Mutex<Option<(RequestId, Request)>>,
    /// Why the hub would not take it.
    refused: Mutex<Option<Kind>>,
    /// Whether it has been said that the hub is away.
    is_lost: AtomicBool,
    telling: Telling,
}

/// Whether the person is told where the question can be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Telling {
    Quietly,
    Aloud,
}

impl HubLink {
    pub(crate) fn new(asker: Client, person: Option<Client>) -> Self {
        // What a person has decided is worth starting a hub for.
        let person = person.map(Client::insisting);
        Self {
            asker,
            person,
            asked: Mutex::new(None),
            refused: Mutex::new(None),
            is_lost: AtomicBool::new(false),
            telling: Telling::Quietly,
        }
    }

    /// The same for a question that nobody sees here: where it can be answered is said once the hub has it.
    pub(crate) fn telling(self) -> Self {
        Self { telling: Telling::Aloud, ..self }
    }

    /// Whether nobody sees the question here.
    pub(crate) fn is_telling(&self) -> bool {
        self.telling == Telling::Aloud
    }

    /// Why the hub would not take the question, if it said so.
    pub(crate) fn refused(&self) -> Option<Kind> {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The room to name: none where the token has one, and the asker has named none itself (L8).
    async fn body(&self, ask: &Ask) -> Result<Json, LinkError> {
        let room = ask.room().map_err(|refusal| LinkError::Refused(refusal.to_string()))?;
        if ask.request().room().is_none() && !self.asker.is_local() {
            let token = self.asker.get("/me").await.inspect_err(|error| self.note_refusal(error))?;
            if token.get("room").and_then(Json::as_str).is_some() {
                return Ok(ask.request().to_json());
            }
        }
        Ok(in_room(ask.request(), room.as_str()))
    }

    fn note_refusal(&self, error: &ClientError) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = error.kind();
    }

    /// Says once that the hub is away, where nobody would know otherwise.
    fn note_loss(&self, error: &ClientError) {
        if self.is_telling() && error.is_passing() && !self.is_lost.swap(true, Ordering::Relaxed) {
            crate::ask::race::say(&format!("{error}; waiting until it is back"));
        }
    }

    /// The id under which the hub has the question.
    pub(crate) fn asked_id(&self) -> Option<RequestId> {
        self.lock().as_ref().map(|(id, _)| id.clone())
    }

    /// Cancels the request as the asker's own act, and returns its outcome if it had already ended. A signal is never the person's
    /// key: every prompt turns off the terminal's signals, so that Ctrl+C arrives as a key and is proposed like an answer.
    pub(crate) async fn take_away(&self, id: &RequestId) -> Result<Option<Outcome>, LinkError> {
        let body: Json = Object::new().put("surface", "terminal").into();
        match self.settle(id, "cancel", &body, &self.asker).await? {
            Proposed::Counted(_) => Ok(None),
            Proposed::Late(outcome) => Ok(Some(outcome)),
        }
    }

    /// The actor of a cancellation (S9): the person who ends the prompt at the terminal, or else the asker.
    fn canceller(&self) -> &Client {
        self.person.as_ref().unwrap_or(&self.asker)
    }

    fn lock(&self) -> MutexGuard<'_, Option<(RequestId, Request)>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn request(&self) -> Result<Request, LinkError> {
        let asked = self.lock().as_ref().map(|(_, request)| request.clone());
        asked.ok_or_else(|| LinkError::Refused("nothing was asked yet".to_owned()))
    }

    fn keep(&self, id: &RequestId, record: HubRecord) {
        let key = record.request.key().map(str::to_owned);
        let is_first = self.lock().replace((id.clone(), record.request)).is_none();
        if let (true, true, Some(outcome), Some(key)) = (is_first, self.is_telling(), &record.outcome, key) {
            let who = crate::ask::race::who(outcome);
            crate::ask::race::say(&format!(
                "this was asked before with the key {key}, and {who} at {}: another key asks again",
                outcome.at()
            ));
        }
        if is_first && self.is_telling() && record.outcome.is_none() {
            let url = self.asker.url.as_ref().map_or_else(String::new, |url| format!(", {url}"));
            crate::ask::race::say(&format!(
                "waiting for an answer to {id}: `askback inbox`, `askback answer {id} …`{url}"
            ));
        }
    }

    async fn settle(&self, id: &RequestId, how: &str, body: &Json, who: &Client) -> Result<Proposed, LinkError> {
        let request = self.request()?;
        match who.post(&format!("/requests/{id}/{how}"), body).await {
            Ok((_, json)) => Ok(Proposed::Counted(ended(&json, &request)?)),
            Err(ClientError::Refused { kind: Kind::AlreadyEnded, problem, .. }) => {
                let json = problem.get("outcome").cloned().unwrap_or(Json::Null);
                Ok(Proposed::Late(ended(&json, &request)?))
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn ended(json: &Json, request: &Request) -> Result<Outcome, LinkError> {
    outcome(json, request)?.ok_or_else(|| LinkError::Lost("it says that the request is pending".to_owned()))
}

impl From<ClientError> for LinkError {
    fn from(error: ClientError) -> Self {
        let why = error.to_string();
        match error {
            ClientError::Lost(why) => Self::Lost(why),
            ClientError::Refused { kind: Kind::TooMany | Kind::StoreFull, .. } => Self::NotNow(why),
            ClientError::Refused { kind: Kind::Stopping | Kind::StoreFailed, .. } => Self::Lost(why),
            _ => Self::Refused(why),
        }
    }
}

impl Link for HubLink {
    fn connect(&self) -> Linking<'_, ()> {
        Box::pin(async move { Ok(self.asker.connect().await?) })
    }

    fn ask(&self, ask: Ask) -> Linking<'_, Acknowledged> {
        Box::pin(async move {
            let body = self.body(&ask).await?;
            let posted = self.asker.post(&format!("/requests{}", query(&ask)), &body).await;
            let (status, json) = posted.inspect_err(|error| self.note_refusal(error))?;
            let record = HubRecord::read(&json)?;
            let id = RequestId::parse(&record.id).map_err(|refusal| LinkError::Refused(refusal.to_string()))?;
            let outcome = record.outcome.clone();
            self.keep(&id, record);
            Ok(match (status, outcome) {
                (201, _) => Acknowledged::New(id),
                (_, Some(outcome)) => Acknowledged::Known(State::Final(outcome)),
                (_, None) => Acknowledged::Known(State::Pending(id)),
            })
        })
    }

    fn wait(&self, id: RequestId) -> Linking<'_, Outcome> {
        Box::pin(async move {
            let request = self.request()?;
            loop {
                let begun = std::time::Instant::now();
                let waited = self.asker.get(&format!("/requests/{id}?wait={WAIT_SECONDS}")).await;
                let json = waited.inspect_err(|error| self.note_loss(error))?;
                if let Some(outcome) = outcome(&json, &request)? {
                    return Ok(outcome);
                }
                // A hub that does not wait is not to be asked without a pause.
                if begun.elapsed() < Duration::from_secs(1) {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            }
        })
    }

    fn propose(&self, id: RequestId, resolution: Resolution, signature: Signature) -> Linking<'_, Proposed> {
        Box::pin(async move {
            let body = Object::new().put_some("key", signature.key().map(|key| key.as_str().to_owned()));
            let by_person = || {
                let person = self.person.as_ref();
                person.ok_or_else(|| LinkError::Refused("there is no person's token here".to_owned()))
            };
            let terminal = |body: Object| body.put("surface", "terminal");
            match resolution.ending() {
                Ending::Answered(answers) | Ending::Declined { answers: Some(answers), .. } => {
                    let body = terminal(body).put("answers", answers.iter().map(given).collect::<Vec<_>>());
                    self.settle(&id, "answer", &body.into(), by_person()?).await
                }
                Ending::Declined { reason, answers: None } => {
                    let body = terminal(body).put_some("reason", reason.map(Reason::as_str));
                    self.settle(&id, "decline", &body.into(), by_person()?).await
                }
                // What this process asked, it may take away.
                Ending::Cancelled { reason } => {
                    let body = terminal(body).put_some("reason", reason.map(Reason::as_str));
                    self.settle(&id, "cancel", &body.into(), self.canceller()).await
                }
                Ending::Expired { .. } => Err(LinkError::Refused("the hub itself says when time is up".to_owned())),
            }
        })
    }
}

/// What a hub is told of an asking besides what is asked.
fn query(ask: &Ask) -> String {
    let id = ask.id().map(|id| format!("id={}", escaped(id.as_str())));
    let moment = ask.moment().map(|moment| format!("askedAt={}", escaped(&moment.to_string())));
    let attach = ask.is_attaching().then(|| "attach=true".to_owned());
    let later = ask.is_delivered_later().then(|| "deliverLater=true".to_owned());
    let parts: Vec<String> = id.into_iter().chain(moment).chain(attach).chain(later).collect();
    if parts.is_empty() { String::new() } else { format!("?{}", parts.join("&")) }
}

/// An answer as the hub takes it: a list stays a list, whatever is in it (F11).
pub(crate) fn given(answer: &Answer) -> Json {
    match answer.selections().as_slice() {
        [] => Object::new().put("response", answer.written()).into(),
        selections => {
            let selections: Vec<Json> = selections.iter().map(|selection| (*selection).into()).collect();
            Object::new().put("selections", selections).put("custom", answer.custom()).into()
        }
    }
}

/// A request that says where it lives.
pub(crate) fn in_room(request: &Request, room: &str) -> Json {
    match request.to_json() {
        Json::Object(mut fields) => {
            fields.retain(|(name, _)| name != "room");
            fields.push(("room".to_owned(), room.into()));
            Json::Object(fields)
        }
        other => other,
    }
}
