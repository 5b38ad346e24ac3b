//! Proposals that Yjs clients write into their replica of a room, and the hub's verdict on each.

use crate::answer::AnswerItem;
use crate::problem::{ProblemCode, ProblemItem};
use crate::schema;
use askback_core::{Json, Status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a proposal wants to happen to its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProposedAction {
    /// It is answered.
    #[default]
    Answer,
    /// It is declined.
    Decline,
    /// It is cancelled.
    Cancel,
}

/// A proposal. Who answers and when, the hub knows better than the proposal.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProposalBody {
    /// The request's id.
    pub request_id: Option<String>,
    /// What is to happen; it is answered unless given.
    pub action: Option<ProposedAction>,
    /// The written form of the only answer.
    pub response: Option<String>,
    /// The written forms of all answers.
    pub responses: Option<Vec<String>>,
    /// The selections of the only answer.
    pub selections: Option<Vec<String>>,
    /// Other's text beside `selections`.
    pub custom: Option<String>,
    /// All answers in parts.
    pub answers: Option<Vec<AnswerItem>>,
    /// Why it is declined or cancelled.
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
    /// The request that it names, if it names one.
    pub request_id: Option<String>,
    /// Whether it counts.
    pub success: bool,
    /// Why it does not: a stable word to branch on, the same as in a problem of the HTTP API.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "code")]
    pub code: Option<String>,
    /// The same in a few words for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Who was faster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// What the request has come to, as far as it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::status")]
    pub status: Option<Status>,
    /// The outcome that counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::outcome")]
    pub outcome: Option<Json>,
    /// Everything that is wrong with the proposal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problems: Option<Vec<ProblemItem>>,
    /// What else there is to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

fn code(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let names: Vec<&str> = ProblemCode::ALL.iter().map(|code| code.name()).collect();
    schemars::json_schema!({"enum": names})
}
