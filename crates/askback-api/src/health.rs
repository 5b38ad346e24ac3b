//! The health checks of a hub.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The body of `GET /healthz` and `GET /readyz`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Health {
    /// Always `ok`: a hub that is not alive does not respond, and one that is not ready responds with a problem.
    #[schemars(schema_with = "ok")]
    pub status: String,
    /// The version of the program.
    pub version: String,
    /// The version of the API.
    #[schemars(schema_with = "crate::schema::integer")]
    pub api: u32,
    /// The number of the newest event.
    pub last_event: u64,
}

fn ok(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"const": "ok"})
}
