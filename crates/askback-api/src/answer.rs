//! The bodies of the calls that answer, decline, cancel and dismiss requests.

use crate::schema;
use askback_core::{AnswerInput, Answers, Surface};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The surface that a program claims for its person. The server itself recognizes browsers and programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimedSurface {
    /// A prompt in a terminal.
    Terminal,
    /// A command such as `askback answer`.
    Cli,
}

impl From<ClaimedSurface> for Surface {
    fn from(claimed: ClaimedSurface) -> Self {
        match claimed {
            ClaimedSurface::Terminal => Self::Terminal,
            ClaimedSurface::Cli => Self::Cli,
        }
    }
}

fn surface(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"enum": ["terminal", "cli", null]})
}

/// The body of `POST /requests/{id}/answer`: one answer for each question, in order.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("oneOf" = [
    {"required": ["responses"], "properties": {"responses": {"type": "array"}, "answers": {"type": "null"}}},
    {"required": ["answers"], "properties": {"answers": {"type": "array"}, "responses": {"type": "null"}}},
]))]
pub struct AnswerBody {
    /// The written form of each answer, in the order of the questions.
    pub responses: Option<Vec<String>>,
    /// The same answers as selections and custom texts.
    pub answers: Option<Vec<AnswerItem>>,
    /// Idempotency key: a repeated call with the same key counts as the same call, not as a late one.
    #[schemars(schema_with = "schema::name_or_null")]
    pub key: Option<String>,
    /// The person's surface, if a program calls for them. A browser is always `page`.
    #[schemars(schema_with = "surface")]
    pub surface: Option<ClaimedSurface>,
    /// For an asker: the MCP client whose dialog the person answered in, if the hub accepts such answers.
    pub client: Option<String>,
}

/// One answer: its written form, or its selections and custom text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(inline, extend("oneOf" = [
    {
        "required": ["response"],
        "properties": {"response": {"type": "string"}, "selections": {"type": "null"}, "custom": {"type": "null"}},
    },
    {
        "required": ["selections"],
        "properties": {"selections": {"type": "array", "items": {"type": "string"}}, "response": {"type": "null"}},
    },
    {
        "required": ["custom"],
        "properties": {"custom": {"type": "string"}, "selections": {"type": "null"}, "response": {"type": "null"}},
    },
]))]
pub struct AnswerItem {
    /// The written form.
    pub response: Option<String>,
    /// The values of the chosen options, in order.
    pub selections: Option<Vec<String>>,
    /// The text beside Other.
    pub custom: Option<String>,
}

impl AnswerItem {
    /// An answer by its written form.
    pub fn written(response: impl Into<String>) -> Self {
        Self { response: Some(response.into()), ..Self::default() }
    }

    /// An answer by its selections.
    pub fn selected(selections: Vec<String>, custom: Option<String>) -> Self {
        Self { response: None, selections: Some(selections), custom }
    }

    /// The answer as the core reads it; `None` if the item has both forms, or neither.
    pub fn into_input(self) -> Option<AnswerInput> {
        match (self.response, self.selections, self.custom) {
            (Some(response), None, None) => Some(AnswerInput::Response(response)),
            (None, Some(selections), custom) => Some(AnswerInput::Selections { selections, custom }),
            (None, None, Some(custom)) => {
                Some(AnswerInput::Selections { selections: Vec::new(), custom: Some(custom) })
            }
            _ => None,
        }
    }
}

impl From<AnswerInput> for AnswerItem {
    fn from(input: AnswerInput) -> Self {
        match input {
            AnswerInput::Response(response) => Self::written(response),
            AnswerInput::Selections { selections, custom } => Self::selected(selections, custom),
        }
    }
}

impl AnswerBody {
    /// A body with valid answers.
    pub fn of_answers(answers: &Answers) -> Self {
        Self {
            answers: Some(answers.iter().map(|answer| AnswerInput::from(answer).into()).collect()),
            ..Self::default()
        }
    }
}

/// The body of `POST /requests/{id}/decline`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DeclineBody {
    /// The reason, or a question to the asker.
    #[schemars(schema_with = "schema::reason_or_null")]
    pub reason: Option<String>,
    /// Idempotency key: a repeated call with the same key counts as the same call, not as a late one.
    #[schemars(schema_with = "schema::name_or_null")]
    pub key: Option<String>,
    /// The person's surface, if a program calls for them. A browser is always `page`.
    #[schemars(schema_with = "surface")]
    pub surface: Option<ClaimedSurface>,
    /// For an asker: the MCP client whose dialog the person answered in, if the hub accepts such answers.
    pub client: Option<String>,
}

/// The body of `POST /requests/{id}/cancel`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CancelBody {
    /// The reason, or a question to the asker.
    #[schemars(schema_with = "schema::reason_or_null")]
    pub reason: Option<String>,
    /// Idempotency key: a repeated call with the same key counts as the same call, not as a late one.
    #[schemars(schema_with = "schema::name_or_null")]
    pub key: Option<String>,
    /// The person's surface, if a program calls for them. A browser is always `page`.
    #[schemars(schema_with = "surface")]
    pub surface: Option<ClaimedSurface>,
}

/// The body of `POST /requests/dismiss`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DismissBody {
    /// The minimum number of seconds for which no asker has waited for the outcome. What an asker of the last 60 seconds asked stays.
    #[schemars(schema_with = "dismiss_seconds")]
    pub unwaited_for: f64,
    /// Only requests of this room.
    #[serde(default)]
    #[schemars(schema_with = "schema::room_or_null")]
    pub room: Option<String>,
    /// The reason, or a question to the asker.
    #[serde(default)]
    #[schemars(schema_with = "schema::reason_or_null")]
    pub reason: Option<String>,
    /// The person's surface, if a program calls for them. A browser is always `page`.
    #[serde(default)]
    #[schemars(schema_with = "surface")]
    pub surface: Option<ClaimedSurface>,
}

fn dismiss_seconds(_: &mut SchemaGenerator) -> Schema {
    let seconds = crate::limits::DISMISS_SECONDS;
    json_schema!({"type": "number", "minimum": seconds.start(), "maximum": seconds.end()})
}

/// The response to `POST /requests/dismiss`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Dismissed {
    /// The number of requests that were dismissed.
    pub dismissed: u64,
}

/// The body of a delivery report: whether an outcome, or the end of a script, reaches its asker.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeliveryBody {
    /// False reverts an earlier report.
    pub delivered: bool,
    /// Identifies one delivery attempt. The same attempt may be reported twice, and only the last reported attempt can be reverted.
    #[serde(default)]
    #[schemars(schema_with = "schema::name_or_null")]
    pub key: Option<String>,
}

/// The response to a delivery report.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Changed {
    /// Whether the report changed anything.
    pub changed: bool,
}
