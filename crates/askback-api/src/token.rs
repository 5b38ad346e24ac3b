//! Tokens and logins.

use crate::schema;
use askback_core::{Name, Purpose, Role, Room};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::de::{Error, Expected, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};

/// A token without its secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Token", deny_unknown_fields)]
pub struct TokenInfo {
    /// Its number.
    #[schemars(range(min = 1))]
    pub number: u64,
    /// The purpose of the token.
    #[schemars(schema_with = "schema::purpose")]
    pub purpose: Purpose,
    /// The role, which determines the calls that the token allows.
    #[schemars(schema_with = "schema::role")]
    pub role: Role,
    /// The name of the holder.
    #[schemars(schema_with = "schema::name")]
    pub name: Name,
    /// The only room that it is valid for, if it is bound to one.
    #[schemars(schema_with = "schema::text_or_null")]
    pub room: Option<Room>,
    /// The time at which it was issued.
    pub created_at: Timestamp,
    /// The time at which it expires.
    pub expires_at: Option<Timestamp>,
}

/// The token of a call, and the current audience of requests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Me {
    /// The token.
    #[serde(flatten)]
    pub token: TokenInfo,
    /// The names of the MCP clients whose own dialog is accepted as a surface.
    pub dialogs: Vec<String>,
    /// The number of open connections of people.
    pub people: u64,
    /// Whether a webhook or a command is notified of new requests.
    pub told: bool,
}

/// A token that was just issued, with its secret.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "NewToken", deny_unknown_fields)]
pub struct IssuedToken {
    /// The token.
    #[serde(flatten)]
    pub info: TokenInfo,
    /// The secret, returned only here.
    pub token: String,
}

/// All valid tokens.
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
    /// The role, which determines the calls that the token allows.
    #[schemars(schema_with = "schema::role")]
    pub role: Role,
    /// The name of the holder.
    #[schemars(schema_with = "schema::name")]
    pub name: String,
    /// The only room that it is valid for.
    #[serde(default)]
    #[schemars(schema_with = "schema::room_or_null")]
    pub room: Option<String>,
    /// The time at which it expires; never unless given.
    #[serde(default, deserialize_with = "timestamp")]
    pub expires_at: Option<Timestamp>,
}

/// Reads a timestamp. The error names the expected form.
fn timestamp<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    let expected: &dyn Expected = &"a moment such as 2026-11-15T17:40:00Z";
    text.parse().map(Some).map_err(|_| D::Error::invalid_value(Unexpected::Str(&text), expected))
}

/// The body of `POST /login-links`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LoginLinkBody {
    /// The path on the page to open after the login; `/` unless given.
    #[schemars(schema_with = "schema::page_path_or_null")]
    pub path: Option<String>,
    /// Whether the link leads to the page without scripts.
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
    /// The time at which the link expires.
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
    /// Whether to log in; with false, only the login is returned.
    pub redeem: bool,
}

/// The login that a link or a session stands for.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Login {
    /// The name of the person.
    #[schemars(schema_with = "schema::text")]
    pub name: Name,
    /// The only room that the person may see, if the login is bound to one.
    #[schemars(schema_with = "schema::text_or_null")]
    pub room: Option<Room>,
    /// The time at which the link or the session expires.
    pub expires_at: Option<Timestamp>,
}

/// A new session of a browser.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Session {
    /// The login of the session.
    #[serde(flatten)]
    pub login: Login,
    /// The secret of the session, returned only here.
    pub secret: String,
}
