//! Responses that are not a success.

use askback_api::{ApiError, ProblemCode, ProblemDetails, read_outcome};
use askback_core::Request;

/// What a response that is not a success means. A proxy before a hub that is being started again answers with a status of its own, and
/// then it is unknown whether the call had arrived.
pub(crate) fn refusal(status: u16, bytes: &[u8], about: Option<&Request>) -> ApiError {
    let Ok(problem) = serde_json::from_slice::<ProblemDetails>(bytes) else {
        return match status {
            408 | 429 | 500..=599 => ApiError::Lost(format!("something on the way answers {status}")),
            _ => ApiError::Foreign(format!("it answers {status}, and not as a hub does")),
        };
    };
    let outcome = problem.outcome.as_ref().zip(about).map(|(outcome, request)| read_outcome(outcome, request));
    match (problem.code, outcome) {
        (ProblemCode::AlreadyEnded, Some(Ok(Some(outcome)))) => {
            ApiError::AlreadyEnded { outcome: Box::new(outcome), problem: Box::new(problem) }
        }
        _ => ApiError::Refused(Box::new(problem)),
    }
}
