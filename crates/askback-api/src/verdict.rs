//! Proposals that Yjs clients write into their replicas of a room, and the hub's verdicts on them.

use crate::answer::AnswerItem;
use crate::problem::{ProblemCode, ProblemItem};
use crate::schema;
use askback_core::{Json, OutcomeJson, Status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The action that a proposal requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProposedAction {
    /// Answer the request.
    #[default]
    Answer,
    /// Decline the request.
    Decline,
    /// Cancel the request.
    Cancel,
}

/// A proposal. The hub sets the answerer and the time itself.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProposalBody {
    /// The request's id.
    pub request_id: Option<String>,
    /// The action; `answer` unless given.
    pub action: Option<ProposedAction>,
    /// The written form of a single answer.
    pub response: Option<String>,
    /// The written forms of all answers.
    pub responses: Option<Vec<String>>,
    /// The selections of a single answer.
    pub selections: Option<Vec<String>>,
    /// The text beside Other, with `selections`.
    pub custom: Option<String>,
    /// All answers as selections and custom texts.
    pub answers: Option<Vec<AnswerItem>>,
    /// The reason for declining or cancelling.
    pub reason: Option<String>,
    /// Ignored: the hub signs with the token's name.
    #[serde(rename = "answeredBy")]
    _answered_by: Option<Json>,
    /// Ignored: the hub's clock counts.
    #[serde(rename = "answeredAt")]
    _answered_at: Option<Json>,
}

/// The hub's verdict on a proposal, sent to the connection that made it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Verdict {
    /// The proposal's key.
    pub key: String,
    /// The id of the request, if the proposal names one.
    pub request_id: Option<String>,
    /// Whether the proposal counts.
    pub success: bool,
    /// The code of the refusal: a stable word to branch on, the same as in a problem of the HTTP API.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "code")]
    pub code: Option<String>,
    /// The refusal in a few words for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The name of the answerer whose answer counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// The status of the request, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::status")]
    pub status: Option<Status>,
    /// The outcome that counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::outcome")]
    pub outcome: Option<OutcomeJson>,
    /// The errors in the proposal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problems: Option<Vec<ProblemItem>>,
    /// Further details of the refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

fn code(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let names: Vec<&str> = ProblemCode::ALL.iter().map(|code| code.name()).collect();
    schemars::json_schema!({"enum": names})
}
