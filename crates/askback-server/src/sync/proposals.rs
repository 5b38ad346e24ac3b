//! The verdict on a proposal: the same decision as for a call over HTTP.

use crate::fault::Fault;
use crate::service::{Caller, Service};
use askback_api::{
    AnswerBody, AnswerItem, CancelBody, DeclineBody, ProblemCode, ProposalBody, ProposedAction, Verdict, read_json,
};
use askback_core::{Json, Name, Outcome, Status};
use askback_hub::Proposal;
use serde::Deserialize;

#[cfg(test)]
mod tests;

/// Decides on a caller's proposal.
pub(super) async fn judge(service: &Service, caller: &Caller, proposal: Proposal) -> Verdict {
    let Proposal { key, body } = proposal;
    let head = body.as_ref().ok().and_then(|body| read_json::<Head>(body).ok()).unwrap_or_default();
    let decided = async {
        let body = body.map_err(|why| {
            Fault::parameter("answers", why.to_string(), "a plain object with requestId and response")
        })?;
        // Problems with an answer are reported only to a person. The dialog of a client relays its answer over the API (S1).
        if head.action != Some(Json::from("cancel")) {
            caller.answers()?;
        }
        let body: ProposalBody =
            read_json(&body).map_err(|problem| Fault::of_problem(ProblemCode::InvalidParameter, problem))?;
        Name::parse(&key).map_err(|refusal| Fault::refused(ProblemCode::InvalidParameter, "key", refusal))?;
        let id =
            body.request_id.ok_or_else(|| Fault::parameter("requestId", "it is missing", "the id of a request"))?;
        let (key, reason) = (Some(key.clone()), body.reason);
        match body.action.unwrap_or_default() {
            ProposedAction::Answer => {
                // As over HTTP, or a single answer without a list.
                let (responses, answers) = match (body.response, body.responses, body.selections, body.answers) {
                    (Some(response), None, None, None) => (Some(vec![response]), None),
                    (None, Some(responses), None, None) => (Some(responses), None),
                    (None, None, Some(selections), None) => {
                        (None, Some(vec![AnswerItem::selected(selections, body.custom)]))
                    }
                    (None, None, None, Some(answers)) => (None, Some(answers)),
                    (None, None, None, None) => {
                        return Err(Fault::parameter("response", "there are no answers", ANSWERS));
                    }
                    _ => return Err(Fault::parameter("response", "it is answered in two ways", ANSWERS)),
                };
                service.answer(caller, &id, AnswerBody { responses, answers, key, ..AnswerBody::default() }).await
            }
            ProposedAction::Decline => {
                service.decline(caller, &id, DeclineBody { reason, key, ..DeclineBody::default() }).await
            }
            ProposedAction::Cancel => service.cancel(caller, &id, CancelBody { reason, key, surface: None }).await,
        }
    };
    let ended = decided.await;
    let request_id = head.request_id.as_ref().and_then(Json::as_str).map(str::to_owned);
    let verdict = Verdict { key, request_id, ..Verdict::default() };
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

/// The forms of the answers in a proposal.
const ANSWERS: &str = "one of response, responses, selections and answers";

/// The request and the action of a proposal, read even if the rest is invalid.
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
            let message = match status {
                Some(Status::Answered) => "Request already answered",
                Some(Status::Declined) => "Request was declined",
                Some(Status::Cancelled) => "Request was cancelled",
                Some(Status::Expired | Status::Pending) | None => "Request is not pending",
            };
            let answered_by = fault.outcome().map(|outcome| outcome.by().to_owned());
            Verdict { error: error(message), answered_by, status, outcome: problem.outcome, ..verdict }
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
