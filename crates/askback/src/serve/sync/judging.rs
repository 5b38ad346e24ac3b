//! What becomes of a proposal: the same rules as over HTTP, told in the words of the document.

use crate::fault::{Fault, Kind};
use crate::serve::app::App;
use crate::serve::caller::Caller;
use crate::serve::requests;
use crate::serve::wire::{Body, GivenAnswer};
use askback_core::{Json, Name, Object, Outcome, Problem, Refusal, Rule, Surface};
use askback_hub::{Proposal, Record, Scope, Signature};
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// What a proposal may say. Who answers and when, the hub knows better.
const FIELDS: [&str; 10] = [
    "requestId",
    "action",
    "response",
    "responses",
    "selections",
    "custom",
    "answers",
    "reason",
    "answeredBy",
    "answeredAt",
];

const ANSWERS: &str = "one of response, responses, selections and answers";

/// The verdict on a proposal, as the client is told.
pub(super) async fn judge(app: &App, caller: &Caller, scope: &Scope, proposal: Proposal) -> Json {
    let Proposal { key, body } = proposal;
    let id = body.as_ref().ok().and_then(|body| body.get("requestId")).and_then(Json::as_str).map(str::to_owned);
    let verdict = Object::new().put("key", key.as_str()).put("requestId", id);
    let body = body.map_err(|why| wrong("answers", &why.to_string(), "a plain object with requestId and response"));
    let judged = match body.and_then(|body| Body::from_json(body, &FIELDS, Kind::InvalidParameter)) {
        Ok(body) => decide(app, caller, scope, &key, &body).await,
        Err(fault) => Err(fault),
    };
    match judged {
        Ok((record, outcome)) => verdict
            .put("success", true)
            .put("status", outcome.status().name())
            .put("outcome", outcome.to_json(&record.request))
            .into(),
        Err(fault) => refused(verdict.put("success", false), &fault).into(),
    }
}

fn refused(verdict: Object, fault: &Fault) -> Object {
    let problems = || fault.errors().iter().map(Problem::to_json).collect::<Vec<_>>();
    match fault.kind {
        Kind::AlreadyEnded => {
            let outcome = fault.outcome().cloned().unwrap_or(Json::Null);
            let status = outcome.get("status").and_then(Json::as_str).unwrap_or_default();
            let error = match status {
                "answered" => "Request already answered",
                "declined" => "Request was declined",
                "cancelled" => "Request was cancelled",
                _ => "Request is not pending",
            };
            let by = outcome.get("answeredBy").cloned();
            verdict.put("error", error).put_some("answeredBy", by).put("status", status).put("outcome", outcome)
        }
        Kind::NoSuchRequest => verdict.put("error", "Request not found"),
        Kind::InvalidAnswer => {
            verdict.put("error", "Answer not valid").put("status", "pending").put("problems", problems())
        }
        Kind::InvalidParameter => verdict.put("error", "Proposal not valid").put("problems", problems()),
        Kind::TooMany | Kind::Stopping | Kind::StoreFull | Kind::StoreFailed => {
            verdict.put("error", "Try again").put("message", fault.detail.as_str())
        }
        Kind::InvalidRequest
        | Kind::Unauthenticated
        | Kind::Forbidden
        | Kind::ForeignOrigin
        | Kind::UnknownHost
        | Kind::NotFound
        | Kind::MethodNotAllowed
        | Kind::UpgradeRequired
        | Kind::KeyTaken
        | Kind::NameTaken
        | Kind::NoSuchEvent
        | Kind::TooLarge => verdict.put("error", "Not allowed").put("message", fault.detail.as_str()),
    }
}

type Decided = (Arc<Record>, Arc<Outcome>);

async fn decide(app: &App, caller: &Caller, scope: &Scope, key: &str, body: &Body) -> Result<Decided, Fault> {
    let key = Name::parse(key).map_err(|refusal| Fault::refused(Kind::InvalidParameter, "key", refusal))?;
    let id = body.text("requestId")?.ok_or_else(|| wrong("requestId", "there is none", "the id of a request"))?;
    let action = body.text("action")?.unwrap_or("answer");
    if !["answer", "decline", "cancel"].contains(&action) {
        return Err(wrong("action", "there is no such action", "answer, decline or cancel"));
    }
    // That nobody but a person answers comes before everything that could be learned.
    if action != "cancel" {
        caller.answers()?;
    }
    let record = app.visible(caller, id).await?;
    if !scope.shows(&record.room) {
        return Err(Fault::new(Kind::NoSuchRequest, "there is no such request in this room"));
    }
    let signature = caller.signature(Some(Surface::Yjs)).with_key(key);
    let outcome = act(app, caller, &record, action, body, signature).await?;
    Ok((record, outcome))
}

async fn act(
    app: &App,
    caller: &Caller,
    record: &Record,
    action: &str,
    body: &Body,
    signature: Signature,
) -> Result<Arc<Outcome>, Fault> {
    let about = |error| Fault::from(error).about(record);
    match action {
        "decline" => app.hub.decline(&record.id, body.reason()?, signature).await.map_err(about),
        "cancel" => {
            requests::may_cancel(caller, record)?;
            app.hub.cancel(&record.id, body.reason()?, signature).await.map_err(about)
        }
        _ => {
            let (given, field) = answers(body)?;
            requests::give(app, record, &given, field, signature).await
        }
    }
}

/// The answers: as over HTTP, or one without a list around it.
fn answers(body: &Body) -> Result<(Vec<GivenAnswer>, &'static str), Fault> {
    let named = ["response", "responses", "selections", "answers"].map(|name| body.get(name).is_some());
    match named {
        [true, false, false, false] => {
            let response = body.text("response")?.unwrap_or_default().to_owned();
            Ok((vec![GivenAnswer::Response(response)], "responses"))
        }
        [false, false, true, false] => Ok((vec![body.selected()?], "answers")),
        [false, true, false, false] | [false, false, false, true] => body.answers(),
        [false, false, false, false] => Err(wrong("response", "there are no answers", ANSWERS)),
        _ => Err(wrong("response", "it is answered in two ways", ANSWERS)),
    }
}

fn wrong(field: &str, message: &str, expected: &str) -> Fault {
    let refusal = Refusal { rule: Rule::Word, message: message.to_owned(), expected: expected.to_owned() };
    Fault::refused(Kind::InvalidParameter, field, refusal)
}
