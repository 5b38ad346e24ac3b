//! The host of scripts: a script asks on the hub as the asker that started it.

use super::script_registry::TrackedScript;
use super::scripts::SOURCE;
use super::{Caller, Service};
use crate::fault::Fault;
use askback_api::{AskAgain, AskQuery, ProblemCode, claim_of_client};
use askback_core::{Json, Limits, Object, Outcome, OutcomeJson, Problems, Request, State, Status, show};
use askback_script::{Answering, Host};
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::oneshot;

/// The field that requests of scripts must not have.
const KEY: &str = "key";

/// The connection of one script to the hub.
pub(super) struct ScriptAsker {
    /// Weak: a script does not keep the server alive.
    service: Weak<Service>,
    caller: Caller,
    /// Weak: nor does it keep its own entry alive.
    script: Weak<TrackedScript>,
    /// Completes when the previous request was made: people see requests in the order of the script.
    last: Mutex<Option<oneshot::Receiver<()>>>,
}

impl ScriptAsker {
    pub(super) fn new(service: Weak<Service>, caller: Caller, script: Weak<TrackedScript>) -> Self {
        Self { service, caller, script, last: Mutex::default() }
    }
}

impl Host for ScriptAsker {
    fn request_user_input(&self, argument: Value) -> Answering {
        let (service, caller, script) = (self.service.upgrade(), self.caller.clone(), self.script.upgrade());
        let (is_asked, asked) = oneshot::channel();
        let before = self.last.lock().unwrap_or_else(PoisonError::into_inner).replace(asked);
        Box::pin(async move {
            let (Some(service), Some(script)) = (service, script) else { return Err("the hub has stopped".to_owned()) };
            if let Some(before) = before {
                // Also if it failed: a request that was not made blocks no other.
                let _ = before.await;
            }
            ask(&service, &caller, &script, argument, is_asked).await.map_err(|fault| fault.detail)
        })
    }
}

/// Asks, drops `is_asked`, and waits.
async fn ask(
    service: &Arc<Service>,
    caller: &Caller,
    script: &Arc<TrackedScript>,
    argument: Value,
    is_asked: oneshot::Sender<()>,
) -> Result<Value, Fault> {
    let permit = service.admit_ask(caller)?;
    let request = read(&argument, script)?;
    let _held = service.hold_waiting(caller, argument.to_string().len())?;
    // A person may take days.
    drop(argument);
    let message = request.questions().first().map_or("", |question| question.message()).to_owned();
    // In its own task: the request is tracked even if the script ends meanwhile, so that it can be cancelled.
    let (asking, asker, asked_by) = (Arc::clone(service), caller.clone(), Arc::clone(script));
    let asking = tokio::spawn(async move {
        // A script that runs again attaches to requests that are pending; delivered ones are asked anew (S5).
        let query = AskQuery { again: AskAgain::Attach, ..AskQuery::default() };
        let asked = asking.ask(&asker, permit, request, query).await?;
        asked_by.track(asked.id(), &message);
        asked_by.cancel_open_if_ended(&asking).await;
        Ok::<_, Fault>(asked)
    });
    let asked = match asking.await {
        Ok(asked) => asked?,
        Err(_) => return std::future::pending().await,
    };
    drop(is_asked);
    let record = asked.record();
    let waited = caller.while_valid(async { Ok(service.hub.wait(&record.id, None).await) }).await?;
    let outcome = match waited {
        Ok(State::Final(outcome)) => outcome,
        // The hub is stopping, and the script ends with it: it must not continue without an answer.
        Ok(State::Pending(_)) => return std::future::pending().await,
        Err(_) if service.is_stopping() => return std::future::pending().await,
        Err(error) => return Err(error.into()),
    };
    // Before the script gets the outcome: from here on no other call gets it.
    let permit = caller.token.permit().await?;
    service.hub.delivered(&record.id).await?;
    drop(permit);
    script.track_end(&outcome);
    Ok(outcome_value(&outcome, &record.request))
}

/// Parses the argument of a script as a request, with the script's claim and room.
fn read(argument: &Value, script: &TrackedScript) -> Result<Request, Fault> {
    let refuse = |problems: Problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Fault::new(ProblemCode::InvalidRequest, format!("requestUserInput: {}", lines.join("; ")))
    };
    let text = argument.to_string();
    let mut json = Json::parse(text.as_bytes(), &Limits::DEFAULT).map_err(refuse)?;
    if let Json::Object(fields) = &mut json {
        let has = |fields: &[(String, Json)], name: &str| fields.iter().any(|(known, _)| known == name);
        if has(fields, KEY) {
            let why = "requestUserInput: key: there are no keys here (expected none: asking exactly the same again finds the question)";
            return Err(Fault::new(ProblemCode::InvalidRequest, why));
        }
        if !has(fields, "metadata") {
            fields.push(("metadata".to_owned(), Object::new().put("source", SOURCE).into()));
        }
        if let Some(claim) = &script.claim {
            add_claim(fields, claim.as_str());
        }
        if let (false, Some(room)) = (has(fields, "room"), &script.room) {
            fields.push(("room".to_owned(), room.as_str().into()));
        }
    }
    let request = Request::from_json(&json, &Limits::DEFAULT).map_err(refuse)?;
    match &script.room {
        Some(only) if script.only_room && request.room() != Some(only.as_str()) => {
            let why = format!(
                "requestUserInput: room: this script asks in the room {} alone: name no other",
                show::quote(only.as_str())
            );
            Err(Fault::new(ProblemCode::Forbidden, why))
        }
        _ => Ok(request),
    }
}

/// Puts the claim of the client that started the script before the script's own.
fn add_claim(fields: &mut Vec<(String, Json)>, client: &str) {
    match fields.iter_mut().find(|(name, _)| name == "from") {
        None => fields.push(("from".to_owned(), claim_of_client(client, None).into())),
        Some((_, Json::String(own))) => *own = claim_of_client(client, Some(own.as_str())),
        // A value that is not text is refused together with the other problems.
        Some(_) => {}
    }
}

/// The outcome for a script: as the tools return it to a model, without a name and a time if no person answered.
fn outcome_value(outcome: &Outcome, request: &Request) -> Value {
    // For a single question, its selections are a field of the outcome.
    let selections = matches!(request.questions(), [_]).then(|| {
        let answer = outcome.resolution().answers().and_then(|answers| answers.iter().next());
        answer.map(|answer| answer.selections()).unwrap_or_default()
    });
    let success = outcome.status() == Status::Answered;
    json!(ScriptOutcome { outcome: outcome.to_json_for_model(request), success, selections })
}

/// An outcome as a script gets it.
#[derive(Serialize)]
struct ScriptOutcome<'a> {
    #[serde(flatten)]
    outcome: OutcomeJson,
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    selections: Option<Vec<&'a str>>,
}
