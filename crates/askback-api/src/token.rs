//! Tokens and logins: who calls, and what they may do.

use crate::schema;
use askback_core::{Name, Purpose, Role, Room};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::de::{Error, Expected, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};

/// A token, never its secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Token", deny_unknown_fields)]
pub struct TokenInfo {
    /// Its number.
    #[schemars(range(min = 1))]
    pub number: u64,
    /// What it is for.
    #[schemars(schema_with = "schema::purpose")]
    pub purpose: Purpose,
    /// What its holder may do.
    #[schemars(schema_with = "schema::role")]
    pub role: Role,
    /// Who its holder is.
    #[schemars(schema_with = "schema::name")]
    pub name: Name,
    /// The only room it is for, if it is bound to one.
    #[schemars(schema_with = "schema::text_or_null")]
    pub room: Option<Room>,
    /// When it was issued.
    pub created_at: Timestamp,
    /// When it stops to count.
    pub expires_at: Option<Timestamp>,
}

/// The token that a call carried, and who would notice a request now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Me {
    /// The token.
    #[serde(flatten)]
    pub token: TokenInfo,
    /// MCP clients whose own dialog counts as a surface, by what they call themselves.
    pub dialogs: Vec<String>,
    /// Connections of people who are looking on now.
    pub people: u64,
    /// Whether a webhook or a command is told of new requests.
    pub told: bool,
}

/// A token that was just issued, with its secret.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "NewToken", deny_unknown_fields)]
pub struct IssuedToken {
    /// The token.
    #[serde(flatten)]
    pub info: TokenInfo,
    /// Its secret, told this once.
    pub token: String,
}

/// Every token that is valid now.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TokenList {
    /// The tokens, the oldest first.
    pub items: Vec<TokenInfo>,
}

/// The body of `POST /tokens`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend(
    "if" = {"properties": {"role": {"const": "admin"}}},
    "then" = {"properties": {"room": {"type": "null"}}},
))]
pub struct TokenBody {
    /// What its holder may do.
    #[schemars(schema_with = "schema::role")]
    pub role: Role,
    /// Who its holder is.
    #[schemars(schema_with = "schema::name")]
    pub name: String,
    /// The only room it is for.
    #[serde(default)]
    #[schemars(schema_with = "schema::room_or_null")]
    pub room: Option<String>,
    /// When it stops to count; never unless given.
    #[serde(default, deserialize_with = "timestamp")]
    pub expires_at: Option<Timestamp>,
}

/// Reads a timestamp. The error says what would pass.
fn timestamp<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    let expected: &dyn Expected = &"a moment such as 2026-11-15T17:40:00Z";
    text.parse().map(Some).map_err(|_| D::Error::invalid_value(Unexpected::Str(&text), expected))
}

/// The body of `POST /login-links`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LoginLinkBody {
    /// Where on the page the browser goes on once it is logged in; to its beginning unless given.
    #[schemars(schema_with = "schema::page_path_or_null")]
    pub path: Option<String>,
    /// Whether it is for the page without scripts.
    pub plain: Option<bool>,
}

/// A link that logs a browser in, once.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct LoginLink {
    /// The link.
    #[schemars(url)]
    pub url: String,
    /// When it stops to work.
    pub expires_at: Timestamp,
}

/// The body of `POST /sessions`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["code", "redeem"]))]
pub struct SessionBody {
    /// The code in the fragment of a login link.
    #[serde(default)]
    pub code: String,
    /// Whether to log in; false only says as whom.
    pub redeem: bool,
}

/// Whose login a link stands for.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Login {
    /// The person.
    #[schemars(schema_with = "schema::text")]
    pub name: Name,
    /// The only room that the person sees, if there is one.
    #[schemars(schema_with = "schema::text_or_null")]
    pub room: Option<Room>,
    /// When the link or the session expires.
    pub expires_at: Option<Timestamp>,
}

/// A browser's session that was just made.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Session {
    /// Whose session it is.
    #[serde(flatten)]
    pub login: Login,
    /// The secret of the session, returned this once.
    pub secret: String,
}
