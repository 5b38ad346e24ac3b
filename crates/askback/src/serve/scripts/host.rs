//! Whom a script asks: the hub, as the asker that started it.

use super::SOURCE;
use super::registry::Kept;
use crate::fault::Fault;
use crate::mcp::claim;
use crate::mcp::result::answerer;
use crate::mcp::tools::KEY;
use crate::serve::app::App;
use crate::serve::caller::Caller;
use crate::serve::requests;
use askback_core::{Json, Limits, Object, Outcome, Problems, Request, State, Status};
use askback_hub::HubError;
use askback_script::{Answering, Host};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Instant;
use tokio::sync::oneshot;

/// The way from one script to the hub.
pub(super) struct Asking {
    /// A script does not keep a server alive.
    app: Weak<App>,
    caller: Caller,
    /// Nor does it keep what is kept of it.
    kept: Weak<Kept>,
    /// Completes when what was last to be asked is asked: people see questions in the order of the script.
    last: Mutex<Option<oneshot::Receiver<()>>>,
}

impl Asking {
    pub(super) fn new(app: Weak<App>, caller: Caller, kept: Weak<Kept>) -> Self {
        Self { app, caller, kept, last: Mutex::default() }
    }
}

impl Host for Asking {
    fn request_user_input(&self, argument: Value) -> Answering {
        let (app, caller, kept) = (self.app.upgrade(), self.caller.clone(), self.kept.upgrade());
        let (is_asked, asked) = oneshot::channel();
        let before = self.last.lock().unwrap_or_else(PoisonError::into_inner).replace(asked);
        Box::pin(async move {
            let (Some(app), Some(kept)) = (app, kept) else { return Err("the hub has stopped".to_owned()) };
            if let Some(before) = before {
                // Whatever became of it: what could not be asked is in nobody's way.
                let _ = before.await;
            }
            ask(&app, &caller, &kept, &argument, is_asked).await.map_err(|fault| fault.detail)
        })
    }
}

/// Asks, says that it is asked, and waits.
async fn ask(
    app: &Arc<App>,
    caller: &Caller,
    kept: &Arc<Kept>,
    argument: &Value,
    is_asked: oneshot::Sender<()>,
) -> Result<Value, Fault> {
    if app.asks.take(caller.token.number, Instant::now()).is_err() {
        return Err(requests::too_often());
    }
    let request = read(argument, kept)?;
    let room = requests::room_of(caller, &request)?;
    let message = request.questions().first().map_or("", |question| question.message()).to_owned();
    // A script that is run again finds what is still open; what it has heard it asks anew (S5).
    let ask = caller.ask(request, room).attaching();
    // In a task of its own: a script that ends in this moment is to know what it has asked, or nobody takes it away.
    let (asking, asked_by) = (Arc::clone(app), Arc::clone(kept));
    let asking = tokio::spawn(async move {
        let asked = asking.hub.ask(ask).await?;
        asked_by.asks(&asked.record().id, &message);
        asked_by.clear_up_if_ended(&asking).await;
        Ok::<_, HubError>(asked)
    });
    let asked = match asking.await {
        Ok(asked) => asked?,
        Err(_) => return std::future::pending().await,
    };
    drop(is_asked);
    let record = asked.record();
    let waited = caller.while_valid(async { Ok(app.hub.wait(&record.id, None).await) }).await?;
    let outcome = match waited {
        Ok(State::Final(outcome)) => outcome,
        // The hub is stopping, and the script ends with it: it must not take that for an answer and go on.
        Ok(State::Pending(_)) => return std::future::pending().await,
        Err(_) if app.is_stopping() => return std::future::pending().await,
        Err(error) => return Err(error.into()),
    };
    // Before the script hears it: from here on nobody else gets it.
    let permit = caller.token.permit().await?;
    app.hub.delivered(&record.id).await?;
    drop(permit);
    kept.heard(&outcome);
    Ok(told(&outcome, &record.request))
}

/// What a script asks, as a request from it.
fn read(argument: &Value, kept: &Kept) -> Result<Request, Fault> {
    let refuse = |problems: Problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Fault::new(crate::fault::Kind::InvalidRequest, format!("requestUserInput: {}", lines.join("; ")))
    };
    let text = argument.to_string();
    let mut json = Json::parse(text.as_bytes(), &Limits::DEFAULT).map_err(refuse)?;
    if let Json::Object(fields) = &mut json {
        let has = |fields: &[(String, Json)], name: &str| fields.iter().any(|(known, _)| known == name);
        if has(fields, KEY) {
            let why = "requestUserInput: key: there are no keys here (expected none: asking exactly the same again finds the question)";
            return Err(Fault::new(crate::fault::Kind::InvalidRequest, why));
        }
        if !has(fields, "metadata") {
            fields.push(("metadata".to_owned(), Object::new().put("source", SOURCE).into()));
        }
        if let Some(claim) = &kept.claim {
            add_claim(fields, claim.as_str());
        }
        if let (false, Some(room)) = (has(fields, "room"), &kept.room) {
            fields.push(("room".to_owned(), room.as_str().into()));
        }
    }
    Request::from_json(&json, &Limits::DEFAULT).map_err(refuse)
}

/// Puts the claim of the client that started the script before what the script says of who asks.
fn add_claim(fields: &mut Vec<(String, Json)>, client: &str) {
    match fields.iter_mut().find(|(name, _)| name == "from") {
        None => fields.push(("from".to_owned(), claim::of_client(client, None).into())),
        Some((_, Json::String(said))) => *said = claim::of_client(client, Some(said.as_str())),
        // An item that is not text is refused together with the other problems.
        Some(_) => {}
    }
}

/// The outcome as a script reads it: as the tools give it to a model, with neither a name nor a time of answering if nobody answered.
fn told(outcome: &Outcome, request: &Request) -> Value {
    let mut told: Value = serde_json::from_str(&outcome.to_json(request).to_string()).unwrap_or_default();
    if answerer(outcome).is_none() {
        told["answeredBy"] = Value::Null;
        told["answeredAt"] = Value::Null;
    }
    told["success"] = (outcome.status() == Status::Answered).into();
    // Of a single question, the parts stand beside the whole.
    if let [_] = request.questions() {
        told["selections"] = told["answers"][0].get("selections").cloned().unwrap_or_else(|| json!([]));
    }
    told
}
