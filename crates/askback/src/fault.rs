//! What can go wrong between a caller and the hub: one list, with the HTTP status and the exit status of each.

use crate::exit::Exit;
use askback_core::{Json, Object, Outcome, Path, Problem, Problems, Refusal, Rule};
use askback_hub::{HubError, Record, StoreError};
use std::sync::Arc;

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    InvalidRequest,
    InvalidAnswer,
    InvalidParameter,
    Unauthenticated,
    Forbidden,
    ForeignOrigin,
    UnknownHost,
    NotFound,
    NoSuchRequest,
    MethodNotAllowed,
    UpgradeRequired,
    AlreadyEnded,
    KeyTaken,
    NameTaken,
    NoSuchEvent,
    TooLarge,
    TooMany,
    Stopping,
    StoreFull,
    StoreFailed,
}

/// One of them, for every port.
struct Row {
    kind: Kind,
    /// The end of its `type` in a problem's JSON.
    name: &'static str,
    status: u16,
    /// What a command ends with that meets it.
    exit: Exit,
    title: &'static str,
}

const fn row(kind: Kind, name: &'static str, status: u16, exit: Exit, title: &'static str) -> Row {
    Row { kind, name, status, exit, title }
}

const ROWS: &[Row] = &[
    row(Kind::InvalidRequest, "invalid-request", 422, Exit::Wrong, "The request is not valid"),
    row(Kind::InvalidAnswer, "invalid-answer", 422, Exit::Refused, "These are not answers to the request"),
    row(Kind::InvalidParameter, "invalid-parameter", 400, Exit::Wrong, "The call is not valid"),
    row(Kind::Unauthenticated, "unauthenticated", 401, Exit::Wrong, "Authentication required"),
    row(Kind::Forbidden, "forbidden", 403, Exit::Wrong, "The token does not allow this"),
    row(Kind::ForeignOrigin, "foreign-origin", 403, Exit::Wrong, "The call comes from another site"),
    row(Kind::UnknownHost, "unknown-host", 421, Exit::Wrong, "The server is not known under this name"),
    row(Kind::NotFound, "not-found", 404, Exit::Wrong, "There is nothing here"),
    row(Kind::NoSuchRequest, "no-such-request", 404, Exit::Wrong, "There is no such request"),
    row(Kind::MethodNotAllowed, "method-not-allowed", 405, Exit::Wrong, "This can't be done here"),
    row(Kind::UpgradeRequired, "upgrade-required", 426, Exit::Wrong, "This is for WebSocket clients"),
    row(Kind::AlreadyEnded, "already-ended", 409, Exit::Refused, "The request has already ended"),
    row(Kind::KeyTaken, "key-taken", 409, Exit::Wrong, "The key or the id belongs to another request"),
    row(Kind::NameTaken, "name-taken", 409, Exit::Wrong, "Another asker has this name"),
    row(Kind::NoSuchEvent, "no-such-event", 409, Exit::Wrong, "The log has no such event"),
    row(Kind::TooLarge, "too-large", 413, Exit::Wrong, "The body is too large"),
    row(Kind::TooMany, "too-many", 429, Exit::Nobody, "A limit is reached"),
    row(Kind::Stopping, "stopping", 503, Exit::Nobody, "The hub is stopping; come back in a moment"),
    row(Kind::StoreFull, "store-full", 507, Exit::Nobody, "The disk is full"),
    row(Kind::StoreFailed, "store-failed", 503, Exit::Nobody, "The hub can't store anything now"),
];

/// What the `type` of a problem begins with.
const TYPE: &str = "urn:askback:problem:";

impl Kind {
    fn row(self) -> &'static Row {
        // The rows stand in the order of the kinds: a test looks.
        &ROWS[self as usize]
    }

    pub(crate) fn status(self) -> u16 {
        self.row().status
    }

    pub(crate) fn exit(self) -> Exit {
        self.row().exit
    }

    pub(crate) fn name(self) -> &'static str {
        self.row().name
    }

    pub(crate) fn title(self) -> &'static str {
        self.row().title
    }

    /// Its `type` in a problem's JSON.
    pub(crate) fn type_name(self) -> String {
        format!("{TYPE}{}", self.name())
    }

    /// The kind of a problem that a server sent.
    pub(crate) fn of_problem(problem: &Json) -> Option<Self> {
        let name = problem.get("type")?.as_str()?.strip_prefix(TYPE)?;
        ROWS.iter().find(|row| row.name == name).map(|row| row.kind)
    }

    /// Names and statuses, for the description of the API.
    pub(crate) fn all() -> impl Iterator<Item = (Self, &'static str, &'static str)> {
        ROWS.iter().map(|row| (row.kind, row.name, row.title))
    }
}

/// Something that went wrong, with all there is to say of it.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) kind: Kind,
    pub(crate) detail: String,
    errors: Vec<Problem>,
    more_errors: usize,
    /// The end that counts, where one came too late.
    ended: Option<Arc<Outcome>>,
    /// The same as JSON, once it is known of which request.
    outcome: Option<Json>,
}

impl Fault {
    pub(crate) fn new(kind: Kind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), errors: Vec::new(), more_errors: 0, ended: None, outcome: None }
    }

    pub(crate) fn of_problems(kind: Kind, problems: &Problems) -> Self {
        let errors = problems.iter().cloned().collect();
        Self { errors, more_errors: problems.more(), ..Self::new(kind, problems.to_string()) }
    }

    /// A parameter, a header or a field that is not what it should be.
    pub(crate) fn parameter(name: &str, message: impl Into<String>, expected: impl Into<String>) -> Self {
        let refusal = Refusal { rule: Rule::Word, message: message.into(), expected: expected.into() };
        Self::refused(Kind::InvalidParameter, name, refusal)
    }

    pub(crate) fn refused(kind: Kind, field: &str, refusal: Refusal) -> Self {
        let problem = refusal.at(Path::root().field(field));
        Self { errors: vec![problem.clone()], ..Self::new(kind, problem.to_string()) }
    }

    /// Somebody was faster.
    pub(crate) fn already_ended(record: &Record, outcome: &Arc<Outcome>) -> Self {
        Self::from(HubError::AlreadyEnded(Arc::clone(outcome))).about(record)
    }

    /// The same, said of a request.
    pub(crate) fn about(mut self, record: &Record) -> Self {
        self.outcome = self.ended.as_ref().map(|outcome| outcome.to_json(&record.request));
        self
    }

    /// The outcome that counts, where one came too late.
    pub(crate) fn outcome(&self) -> Option<&Json> {
        self.outcome.as_ref()
    }

    /// Everything that is wrong with what was sent, one by one.
    pub(crate) fn errors(&self) -> &[Problem] {
        &self.errors
    }

    /// As RFC 9457 has it.
    pub(crate) fn to_json(&self) -> Json {
        let row = self.kind.row();
        let errors: Vec<Json> = self.errors.iter().map(Problem::to_json).collect();
        let object = Object::new()
            .put("type", self.kind.type_name())
            .put("title", row.title)
            .put("status", u32::from(row.status))
            .put("detail", self.detail.as_str());
        let object = if errors.is_empty() { object } else { object.put("errors", errors) };
        let object = if self.more_errors == 0 { object } else { object.put("moreErrors", self.more_errors as f64) };
        object.put_some("outcome", self.outcome.clone()).into()
    }
}

impl From<HubError> for Fault {
    fn from(error: HubError) -> Self {
        let kind = match &error {
            HubError::Unknown(_) => Kind::NoSuchRequest,
            HubError::AlreadyEnded(_) => Kind::AlreadyEnded,
            HubError::NotAnswers(_) => Kind::InvalidAnswer,
            HubError::Refused { .. } => Kind::InvalidParameter,
            HubError::KeyTaken { .. } | HubError::IdTaken(_) => Kind::KeyTaken,
            HubError::NoSuchEvent { .. } => Kind::NoSuchEvent,
            HubError::Revoked | HubError::NoSuchToken(_) => Kind::Unauthenticated,
            HubError::Limit { .. } | HubError::Store(StoreError::Busy { .. }) => Kind::TooMany,
            HubError::Store(StoreError::Full(_)) => Kind::StoreFull,
            HubError::Store(StoreError::Closed) => Kind::Stopping,
            _ => Kind::StoreFailed,
        };
        let detail = error.to_string();
        match error {
            HubError::NotAnswers(problems) => Self::of_problems(kind, &problems),
            HubError::AlreadyEnded(outcome) => Self { ended: Some(outcome), ..Self::new(kind, detail) },
            HubError::Refused { what, refusal } => {
                let field = what.trim_start_matches("the ").replace(' ', "-");
                Self { detail, ..Self::refused(kind, &field, refusal) }
            }
            _ => Self::new(kind, detail),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // F15
    #[test]
    fn every_kind_has_one_row_and_a_name_of_its_own() {
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(row.kind as usize, index, "{}: the rows stand in the order of the kinds", row.name);
            assert_eq!(ROWS.iter().filter(|other| other.name == row.name).count(), 1, "{}", row.name);
            let problem = Fault::new(row.kind, "why").to_json();
            assert_eq!(Kind::of_problem(&problem), Some(row.kind), "a client knows it again");
        }
    }
}
