//! Scripts that ask people and run on the hub.

use crate::schema;
use askback_core::{Json, RequestId, Status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The body of `POST /scripts`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptBody {
    /// The body of an async function.
    #[schemars(length(min = 1))]
    pub code: String,
    /// The room for requests that name none.
    #[serde(default)]
    #[schemars(schema_with = "schema::room_or_null")]
    pub room: Option<String>,
    /// Whether requests that name another room are refused.
    #[serde(default, rename = "onlyRoom")]
    pub only_room: bool,
    /// The calling program's claim of its own name, which every request of the script carries.
    #[serde(default)]
    #[schemars(schema_with = "schema::name_or_null")]
    pub from: Option<String>,
}

/// A script and its state.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Script {
    /// Its id.
    #[schemars(schema_with = "schema::id")]
    pub id: RequestId,
    /// Its status.
    #[schemars(schema_with = "script_status")]
    pub status: ScriptStatus,
    /// The value that it returned.
    #[schemars(schema_with = "anything")]
    pub result: Json,
    /// The error, if it failed.
    pub error: Option<String>,
    /// The console output, one item for each call.
    pub console: Vec<String>,
    /// The requests that it has made.
    pub requests: Vec<ScriptRequest>,
}

fn script_status(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"enum": ["running", "finished", "failed"]})
}

fn anything(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({})
}

impl Script {
    /// Whether it has not ended yet.
    pub fn is_running(&self) -> bool {
        self.status == ScriptStatus::Running
    }
}

/// The status of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScriptStatus {
    /// The script runs, or waits for a person.
    Running,
    /// The script returned.
    Finished,
    /// The script threw, exceeded a limit, or was stopped.
    Failed,
}

/// A request that a script has made.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(inline, deny_unknown_fields)]
pub struct ScriptRequest {
    /// The request's id.
    #[schemars(schema_with = "schema::id")]
    pub id: RequestId,
    /// Its status.
    #[schemars(schema_with = "schema::status")]
    pub status: Status,
    /// The beginning of its first question.
    pub message: String,
}
