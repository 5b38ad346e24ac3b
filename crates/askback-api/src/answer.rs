//! How a request is ended: the bodies of the calls that answer, decline, cancel and dismiss.

use crate::schema;
use askback_core::{Answer, Answers, RawAnswer, Surface};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Where a person says that they are, if a program before them calls. What a browser or a program is, the server knows.
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

/// The body of `POST /requests/{id}/answer`: one answer for each question, in their order.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("oneOf" = [
    {"required": ["responses"], "properties": {"responses": {"type": "array"}, "answers": {"type": "null"}}},
    {"required": ["answers"], "properties": {"answers": {"type": "array"}, "responses": {"type": "null"}}},
]))]
pub struct AnswerBody {
    /// The written form of each answer, in the order of the questions.
    pub responses: Option<Vec<String>>,
    /// The same in parts.
    pub answers: Option<Vec<AnswerItem>>,
    /// Sent again with the same key, it counts as the same call, and not as too late.
    #[schemars(schema_with = "schema::name_or_null")]
    pub key: Option<String>,
    /// Where the person is, if a program before them calls. A browser is always `page`.
    #[schemars(schema_with = "surface")]
    pub surface: Option<ClaimedSurface>,
    /// For an asker: the MCP client in whose own dialog the person answered, if such answers count.
    pub client: Option<String>,
}

/// One answer in parts: its written form, or what was selected.
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
    /// What is chosen, in order.
    pub selections: Option<Vec<String>>,
    /// Other's text.
    pub custom: Option<String>,
}

impl AnswerItem {
    /// An answer by its written form.
    pub fn written(response: impl Into<String>) -> Self {
        Self { response: Some(response.into()), ..Self::default() }
    }

    /// An answer by what was selected.
    pub fn selected(selections: Vec<String>, custom: Option<String>) -> Self {
        Self { response: None, selections: Some(selections), custom }
    }

    /// The answer as the core reads it; `None` if the item has both forms, or neither.
    pub fn raw(&self) -> Option<RawAnswer<'_>> {
        match (&self.response, &self.selections, &self.custom) {
            (Some(response), None, None) => Some(RawAnswer::Response(response)),
            (None, Some(selections), custom) => Some(RawAnswer::Selections { selections, custom: custom.as_deref() }),
            (None, None, Some(custom)) => Some(RawAnswer::Selections { selections: &[], custom: Some(custom) }),
            _ => None,
        }
    }
}

/// An answer that passed: a list stays a list, whatever is in it (F11).
impl From<&Answer> for AnswerItem {
    fn from(answer: &Answer) -> Self {
        match answer.selections().as_slice() {
            [] => Self::written(answer.written()),
            selections => {
                let selections = selections.iter().map(|selection| (*selection).to_owned()).collect();
                Self::selected(selections, answer.custom().map(str::to_owned))
            }
        }
    }
}

impl AnswerBody {
    /// Answers that passed already.
    pub fn of_answers(answers: &Answers) -> Self {
        Self { answers: Some(answers.iter().map(AnswerItem::from).collect()), ..Self::default() }
    }
}

/// The body of `POST /requests/{id}/decline`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DeclineBody {
    /// Why, or a question back.
    #[schemars(schema_with = "schema::reason_or_null")]
    pub reason: Option<String>,
    /// Sent again with the same key, it counts as the same call, and not as too late.
    #[schemars(schema_with = "schema::name_or_null")]
    pub key: Option<String>,
    /// Where the person is, if a program before them calls. A browser is always `page`.
    #[schemars(schema_with = "surface")]
    pub surface: Option<ClaimedSurface>,
    /// For an asker: the MCP client in whose own dialog the person answered, if such answers count.
    pub client: Option<String>,
}

/// The body of `POST /requests/{id}/cancel`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CancelBody {
    /// Why, or a question back.
    #[schemars(schema_with = "schema::reason_or_null")]
    pub reason: Option<String>,
    /// Sent again with the same key, it counts as the same call, and not as too late.
    #[schemars(schema_with = "schema::name_or_null")]
    pub key: Option<String>,
    /// Where the person is, if a program before them calls. A browser is always `page`.
    #[schemars(schema_with = "surface")]
    pub surface: Option<ClaimedSurface>,
}

/// The body of `POST /requests/dismiss`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DismissBody {
    /// The seconds for which nobody has waited for the outcome.
    #[schemars(schema_with = "dismiss_seconds")]
    pub unwaited_for: f64,
    /// Only what was asked in this room.
    #[serde(default)]
    #[schemars(schema_with = "schema::room_or_null")]
    pub room: Option<String>,
    /// Why, or a question back.
    #[serde(default)]
    #[schemars(schema_with = "schema::reason_or_null")]
    pub reason: Option<String>,
    /// Where the person is, if a program before them calls. A browser is always `page`.
    #[serde(default)]
    #[schemars(schema_with = "surface")]
    pub surface: Option<ClaimedSurface>,
}

fn dismiss_seconds(_: &mut SchemaGenerator) -> Schema {
    let seconds = crate::limits::DISMISS_SECONDS;
    json_schema!({"type": "number", "minimum": seconds.start(), "maximum": seconds.end()})
}

/// How many requests were dismissed.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Dismissed {
    /// How many they were.
    pub dismissed: u64,
}

/// The body that says whether an outcome, or the end of a script, reaches its asker.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeliveryBody {
    /// False takes it back.
    pub delivered: bool,
    /// Identifies one delivery attempt. The same attempt may be reported twice, and only the attempt that was reported last can be
    /// taken back.
    #[serde(default)]
    #[schemars(schema_with = "schema::name_or_null")]
    pub key: Option<String>,
}

/// Whether a delivery that was reported was news.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Changed {
    /// Whether it was.
    pub changed: bool,
}
