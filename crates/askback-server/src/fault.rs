//! The refusal of a use case.

use askback_api::{ApiError, ProblemCode, ProblemDetails};
use askback_core::{Outcome, Path, Problem, Problems, Refusal, Request, Rule};
use askback_hub::{HubError, Record, StoreError};
use std::sync::Arc;

/// The refusal of a use case, with its details.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) code: ProblemCode,
    pub(crate) detail: String,
    errors: Vec<Problem>,
    more_errors: usize,
    /// The outcome that counts, if the call came too late, and the request that it ended, once known.
    ended: Option<(Arc<Outcome>, Option<Arc<Request>>)>,
}

impl Fault {
    pub(crate) fn new(code: ProblemCode, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), errors: Vec::new(), more_errors: 0, ended: None }
    }

    pub(crate) fn of_problems(code: ProblemCode, problems: &Problems) -> Self {
        let errors = problems.iter().cloned().collect();
        Self { errors, more_errors: problems.more(), ..Self::new(code, problems.to_string()) }
    }

    pub(crate) fn of_problem(code: ProblemCode, problem: Problem) -> Self {
        Self { detail: problem.to_string(), errors: vec![problem], ..Self::new(code, "") }
    }

    /// The refusal of a parameter, a header or a field.
    pub(crate) fn parameter(name: &str, message: impl Into<String>, expected: impl Into<String>) -> Self {
        let refusal = Refusal { rule: Rule::Word, message: message.into(), expected: expected.into() };
        Self::refused(ProblemCode::InvalidParameter, name, refusal)
    }

    pub(crate) fn refused(code: ProblemCode, field: &str, refusal: Refusal) -> Self {
        Self::of_problem(code, refusal.at(Path::root().field(field)))
    }

    /// Adds the request that had ended.
    pub(crate) fn about(mut self, record: &Record) -> Self {
        self.ended = self.ended.map(|(outcome, _)| (outcome, Some(Arc::clone(&record.request))));
        self
    }

    /// The errors in the body or the parameters.
    pub(crate) fn errors(&self) -> &[Problem] {
        &self.errors
    }

    /// The outcome that counts, if the call came too late.
    pub(crate) fn outcome(&self) -> Option<&Outcome> {
        self.ended.as_ref().map(|(outcome, _)| &**outcome)
    }

    /// The body of the response.
    pub(crate) fn to_problem(&self) -> ProblemDetails {
        let ended = self.ended.as_ref().and_then(|(outcome, request)| Some((outcome, request.as_ref()?)));
        ProblemDetails {
            errors: self.errors.iter().map(Into::into).collect(),
            more_errors: self.more_errors as u64,
            outcome: ended.map(|(outcome, request)| outcome.to_json(request)),
            ..ProblemDetails::new(self.code, self.detail.clone())
        }
    }
}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> Self {
        let problem = Box::new(fault.to_problem());
        match fault.ended {
            Some((outcome, _)) if fault.code == ProblemCode::AlreadyEnded => {
                Self::AlreadyEnded { outcome: Box::new(Arc::unwrap_or_clone(outcome)), problem }
            }
            _ => Self::Refused(problem),
        }
    }
}

impl From<HubError> for Fault {
    fn from(error: HubError) -> Self {
        let code = match &error {
            HubError::Unknown(_) => ProblemCode::NoSuchRequest,
            HubError::AlreadyEnded(_) => ProblemCode::AlreadyEnded,
            HubError::NotAnswers(_) => ProblemCode::InvalidAnswer,
            HubError::Refused { .. } => ProblemCode::InvalidParameter,
            HubError::KeyTaken { .. } | HubError::IdTaken(_) => ProblemCode::KeyTaken,
            HubError::NameTaken(_) => ProblemCode::NameTaken,
            HubError::NoSuchEvent { .. } => ProblemCode::NoSuchEvent,
            HubError::Revoked | HubError::NoSuchToken(_) => ProblemCode::Unauthenticated,
            HubError::Limit { .. } | HubError::Store(StoreError::Busy { .. }) => ProblemCode::TooMany,
            HubError::Store(StoreError::Full(_)) => ProblemCode::StoreFull,
            HubError::Store(StoreError::Closed) => ProblemCode::Stopping,
            _ => ProblemCode::StoreFailed,
        };
        let detail = error.to_string();
        match error {
            HubError::NotAnswers(problems) => Self::of_problems(code, &problems),
            HubError::AlreadyEnded(outcome) => Self { ended: Some((outcome, None)), ..Self::new(code, detail) },
            HubError::Refused { what, refusal } => {
                let field = what.trim_start_matches("the ").replace(' ', "-");
                Self { detail, ..Self::refused(code, &field, refusal) }
            }
            _ => Self::new(code, detail),
        }
    }
}
