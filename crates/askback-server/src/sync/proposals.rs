//! The verdict on a proposal: decided as a call over HTTP would be, and told in the words of the document.

use crate::fault::Fault;
use crate::service::{Caller, Service, Signing, read_reason};
use askback_api::{ProblemCode, ProposalBody, ProposedAction, Verdict, read_json};
use askback_core::{Json, Name, Outcome, Refusal, Rule, Status, Surface};
use askback_hub::{Proposal, Record, Scope};
use serde::Deserialize;
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// The verdict on a proposal, as the client is told.
pub(super) async fn judge(service: &Service, caller: &Caller, scope: &Scope, proposal: Proposal) -> Verdict {
    let Proposal { key, body } = proposal;
    let head = body.as_ref().ok().and_then(|body| read_json::<Head>(body).ok()).unwrap_or_default();
    let body = body.map_err(|why| wrong("answers", &why.to_string(), "a plain object with requestId and response"));
    let body = body.and_then(|body| {
        // What is wrong with an answer is told only to a person. The dialog of a client relays its answer over the API, never here (S1).
        if head.action != Some(Json::from("cancel")) {
            caller.answers()?;
        }
        read_json(&body).map_err(|problem| Fault::of_problem(ProblemCode::InvalidParameter, problem))
    });
    let verdict = Verdict::on(&key, head.request_id.as_ref().and_then(Json::as_str).map(str::to_owned));
    let ended = match body {
        Ok(body) => act(service, caller, scope, &key, &body).await,
        Err(fault) => Err(fault),
    };
    match ended {
        Ok((record, outcome)) => Verdict {
            success: true,
            status: Some(outcome.status()),
            outcome: Some(outcome.to_json(&record.request)),
            ..verdict
        },
        Err(fault) => refused(verdict, &fault),
    }
}

/// The request that a proposal names and what it wants, whatever else it says.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    request_id: Option<Json>,
    action: Option<Json>,
}

fn refused(verdict: Verdict, fault: &Fault) -> Verdict {
    let verdict = Verdict { code: Some(fault.code.name().to_owned()), ..verdict };
    let problem = fault.to_problem();
    let error = |error: &str| Some(error.to_owned());
    match fault.code {
        ProblemCode::AlreadyEnded => {
            let status = fault.outcome().map(Outcome::status);
            let said = match status {
                Some(Status::Answered) => "Request already answered",
                Some(Status::Declined) => "Request was declined",
                Some(Status::Cancelled) => "Request was cancelled",
                Some(Status::Expired | Status::Pending) | None => "Request is not pending",
            };
            let answered_by = fault.outcome().map(|outcome| outcome.by().to_owned());
            Verdict { error: error(said), answered_by, status, outcome: problem.outcome, ..verdict }
        }
        ProblemCode::NoSuchRequest => Verdict { error: error("Request not found"), ..verdict },
        ProblemCode::InvalidAnswer => Verdict {
            error: error("Answer not valid"),
            status: Some(Status::Pending),
            problems: Some(problem.errors),
            ..verdict
        },
        ProblemCode::InvalidParameter => {
            Verdict { error: error("Proposal not valid"), problems: Some(problem.errors), ..verdict }
        }
        ProblemCode::TooMany | ProblemCode::Stopping | ProblemCode::StoreFull | ProblemCode::StoreFailed => {
            Verdict { error: error("Try again"), message: Some(problem.detail), ..verdict }
        }
        ProblemCode::InvalidRequest
        | ProblemCode::Unauthenticated
        | ProblemCode::Forbidden
        | ProblemCode::ForeignOrigin
        | ProblemCode::UnknownHost
        | ProblemCode::NotFound
        | ProblemCode::MethodNotAllowed
        | ProblemCode::UpgradeRequired
        | ProblemCode::KeyTaken
        | ProblemCode::NameTaken
        | ProblemCode::NoSuchEvent
        | ProblemCode::TooLarge => Verdict { error: error("Not allowed"), message: Some(problem.detail), ..verdict },
    }
}

async fn act(
    service: &Service,
    caller: &Caller,
    scope: &Scope,
    key: &str,
    body: &ProposalBody,
) -> Result<(Arc<Record>, Arc<Outcome>), Fault> {
    let key = Name::parse(key).map_err(|refusal| Fault::refused(ProblemCode::InvalidParameter, "key", refusal))?;
    let id = body.request_id.as_deref().ok_or_else(|| wrong("requestId", "it is missing", "the id of a request"))?;
    let within = Some(scope.clone());
    let signing = Signing { key: Some(key), surface: Some(Surface::Yjs), client: None, within };
    match body.action.unwrap_or_default() {
        ProposedAction::Answer => {
            let given = body.given().map_err(|problem| Fault::of_problem(ProblemCode::InvalidParameter, problem));
            service.answer_with(caller, id, given, signing).await
        }
        ProposedAction::Decline => {
            service.decline_with(caller, id, read_reason(body.reason.as_deref())?, signing).await
        }
        ProposedAction::Cancel => service.cancel_with(caller, id, read_reason(body.reason.as_deref())?, signing).await,
    }
}

fn wrong(field: &str, message: &str, expected: &str) -> Fault {
    let refusal = Refusal { rule: Rule::Word, message: message.to_owned(), expected: expected.to_owned() };
    Fault::refused(ProblemCode::InvalidParameter, field, refusal)
}
