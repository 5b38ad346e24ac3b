//! Problems (RFC 9457): the table of codes, and the body of a refusal.

use crate::schema;
use askback_core::{OutcomeJson, Problem};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

macro_rules! codes {
    ($($name:ident = $word:literal, $status:literal, $title:literal;)+) => {
                /// The code of a refusal: a stable word that a program can branch on.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ProblemCode { $(#[doc = $title] $name,)+ }

        impl ProblemCode {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

                        /// The name of the code: its `type` in JSON without [`ProblemCode::TYPE_PREFIX`].
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }

                        /// The HTTP status of this code.
            pub fn status(self) -> u16 {
                match self { $(Self::$name => $status,)+ }
            }

                        /// The title of this code, the same for every call.
            pub fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)+ }
            }
        }
    };
}

codes! {
    InvalidRequest = "invalid-request", 422, "The request is not valid";
    InvalidAnswer = "invalid-answer", 422, "These are not answers to the request";
    InvalidParameter = "invalid-parameter", 400, "The call is not valid";
    Unauthenticated = "unauthenticated", 401, "Authentication required";
    Forbidden = "forbidden", 403, "The token does not allow this";
    ForeignOrigin = "foreign-origin", 403, "The call comes from another site";
    UnknownHost = "unknown-host", 421, "The server is not known under this name";
    NotFound = "not-found", 404, "There is nothing here";
    NoSuchRequest = "no-such-request", 404, "There is no such request";
    MethodNotAllowed = "method-not-allowed", 405, "This can't be done here";
    UpgradeRequired = "upgrade-required", 426, "This is for WebSocket clients";
    AlreadyEnded = "already-ended", 409, "The request has already ended";
    KeyTaken = "key-taken", 409, "The key or the id belongs to another request";
    NameTaken = "name-taken", 409, "Another asker has this name";
    NoSuchEvent = "no-such-event", 409, "The log has no such event";
    TooLarge = "too-large", 413, "The body is too large";
    TooMany = "too-many", 429, "A limit is reached";
    Stopping = "stopping", 503, "The hub is stopping; come back in a moment";
    StoreFull = "store-full", 507, "The disk is full";
    StoreFailed = "store-failed", 503, "The hub can't store anything now";
}

impl ProblemCode {
    /// The start of every problem's `type`.
    pub const TYPE_PREFIX: &'static str = "urn:askback:problem:";

    /// The `type` of a problem with this code.
    pub fn type_uri(self) -> String {
        format!("{}{}", Self::TYPE_PREFIX, self.name())
    }

    /// Whether the same call may succeed shortly.
    pub fn is_transient(self) -> bool {
        matches!(self, Self::Stopping | Self::TooMany | Self::StoreFailed)
    }

    fn of_type_uri(uri: &str) -> Option<Self> {
        let name = uri.strip_prefix(Self::TYPE_PREFIX)?;
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }
}

impl Serialize for ProblemCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.type_uri())
    }
}

impl<'de> Deserialize<'de> for ProblemCode {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let uri = String::deserialize(deserializer)?;
        Self::of_type_uri(&uri).ok_or_else(|| serde::de::Error::custom(format!("{uri} is not the type of a problem")))
    }
}

/// A problem (RFC 9457): the body of every refusal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Problem", deny_unknown_fields)]
pub struct ProblemDetails {
    /// The code, as a URI.
    #[serde(rename = "type")]
    #[schemars(schema_with = "schema::problem_types")]
    pub code: ProblemCode,
    /// The title of the code.
    pub title: String,
    /// The HTTP status.
    #[schemars(schema_with = "schema::integer")]
    pub status: u16,
    /// The reason why this call was refused.
    pub detail: String,
    /// The errors in the body or the parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub errors: Vec<ProblemItem>,
    /// The number of further errors that are not listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = 1))]
    pub more_errors: u64,
    /// The outcome that counts, if the call came too late.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "readable_outcome")]
    #[schemars(schema_with = "schema::outcome")]
    pub outcome: Option<OutcomeJson>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Reads an outcome. An outcome that this version cannot read leaves the rest of the problem readable.
fn readable_outcome<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<OutcomeJson>, D::Error> {
    Value::deserialize(deserializer).map(|value| OutcomeJson::deserialize(value).ok())
}

/// One error in a body or a parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline, deny_unknown_fields)]
pub struct ProblemItem {
    /// The path of the field, such as `questions[1].step`, or `$` for the whole body.
    pub path: String,
    /// The rule that the value breaks.
    #[schemars(schema_with = "schema::rules")]
    pub rule: String,
    /// The error, for people.
    pub message: String,
    /// The expected value.
    pub expected: String,
}

impl ProblemDetails {
    /// A problem with a code and a detail alone.
    pub fn new(code: ProblemCode, detail: impl Into<String>) -> Self {
        Self {
            code,
            title: code.title().to_owned(),
            status: code.status(),
            detail: detail.into(),
            errors: Vec::new(),
            more_errors: 0,
            outcome: None,
        }
    }
}

impl From<&Problem> for ProblemItem {
    fn from(problem: &Problem) -> Self {
        Self {
            path: problem.path.to_string(),
            rule: problem.rule.name().to_owned(),
            message: problem.message.clone(),
            expected: problem.expected.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // F15
    #[test]
    fn every_code_has_a_name_of_its_own_and_is_read_back() {
        for code in ProblemCode::ALL {
            assert_eq!(ProblemCode::ALL.iter().filter(|other| other.name() == code.name()).count(), 1, "{code:?}");
            let body = serde_json::to_string(&ProblemDetails::new(*code, "why")).unwrap();
            assert_eq!(serde_json::from_str::<ProblemDetails>(&body).unwrap().code, *code);
        }
        assert!(serde_json::from_str::<ProblemDetails>(r#"{"type":"about:blank"}"#).is_err());
    }

    // L1
    #[test]
    fn problem_with_unreadable_outcome_is_read_without_it() {
        let mut body = serde_json::json!(ProblemDetails::new(ProblemCode::AlreadyEnded, "why"));
        body["outcome"] = serde_json::json!({"id": "1", "status": "postponed"});
        let problem: ProblemDetails = serde_json::from_value(body).unwrap();
        assert_eq!(problem, ProblemDetails::new(ProblemCode::AlreadyEnded, "why"));
    }
}
