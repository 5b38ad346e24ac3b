//! The tools that MCP's conformance suite calls, in builds for its test alone. They use the same handler, delivery and dialogs as
//! askback's own tools, which are the subject of the test.

use crate::dialog::OpenDialog;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock, ElicitRequestParams,
    ElicitResult, InputRequiredResult, JsonObject, ProgressNotificationParam, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};
use std::sync::Arc;

type Called = Result<CallToolResponse, ErrorData>;

/// A picture of one point, and a sound of none.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const NAMES: [&str; 17] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    "test_tool_with_progress",
    "test_elicitation",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_missing_capability",
    "test_logging_tool",
    "test_streaming_elicitation",
    "test_input_required_result_elicitation",
    "test_input_required_result_request_state",
    "test_input_required_result_multi_round",
    "test_input_required_result_tampered_state",
];

/// Set where they are wanted: the other tests are to see the server as it is.
const WANTED: &str = "ASKBACK_CONFORMANCE";

/// All of them, as they are shown.
pub(super) fn tools() -> Vec<Tool> {
    if std::env::var_os(WANTED).is_none() {
        return Vec::new();
    }
    let tool = |name: &'static str, schema: Value| Tool::new(name, "For the conformance suite", object(&schema));
    let mut tools: Vec<Tool> = NAMES.map(|name| tool(name, json!({"type": "object"}))).into();
    tools.push(tool("json_schema_2020_12_tool", every_keyword()));
    tools
}

/// Calls the one that is meant, if it is one of these.
pub(super) async fn call(params: &CallToolRequestParams, context: &RequestContext<RoleServer>) -> Option<Called> {
    tools().iter().any(|tool| tool.name == params.name).then_some(())?;
    Some(match &*params.name {
        "test_tool_with_progress" => with_progress(context).await,
        "test_missing_capability" => with_sampling(context),
        "test_elicitation" => {
            let message = params.arguments.as_ref().and_then(|given| given.get("message")).cloned();
            let fields = json!({"username": {"type": "string"}, "email": {"type": "string"}});
            in_dialog(context, &message.unwrap_or_default(), fields, &["username", "email"]).await
        }
        "test_elicitation_sep1034_defaults" => in_dialog(context, &"Defaults".into(), defaults(), &[]).await,
        "test_elicitation_sep1330_enums" => in_dialog(context, &"Choices".into(), choices(), &[]).await,
        "test_streaming_elicitation" | "test_input_required_result_elicitation" => greeting(params),
        "test_input_required_result_request_state" | "test_input_required_result_tampered_state" => confirmed(params),
        "test_input_required_result_multi_round" => in_rounds(params),
        name => fixed(name),
    })
}

fn fixed(name: &str) -> Called {
    let text = |text: &str| json!({"type": "text", "text": text});
    let image = json!({"type": "image", "data": PNG, "mimeType": "image/png"});
    let resource = |uri: &str, mime: &str, text: &str| json!({"type": "resource", "resource": {"uri": uri, "mimeType": mime, "text": text}});
    let content = match name {
        "test_image_content" => json!([image]),
        "test_audio_content" => json!([{"type": "audio", "data": WAV, "mimeType": "audio/wav"}]),
        "test_embedded_resource" => json!([resource("test://embedded-resource", "text/plain", "An embedded text.")]),
        "test_multiple_content_types" => {
            json!([text("Several kinds"), image, resource("test://mixed-content-resource", "application/json", "{}")])
        }
        "test_error_handling" => {
            return Ok(CallToolResult::error(vec![ContentBlock::text("This tool always fails")]).into());
        }
        _ => json!([text("This is a text.")]),
    };
    let content = serde_json::from_value(content).map_err(unreadable)?;
    Ok(CallToolResult::success(content).into())
}

async fn with_progress(context: &RequestContext<RoleServer>) -> Called {
    if let Some(token) = context.meta.get_progress_token() {
        for done in [0.0, 50.0, 100.0] {
            let progress = ProgressNotificationParam::new(token.clone(), done).with_total(100.0);
            let _ = context.peer.notify_progress(progress).await;
        }
    }
    fixed("")
}

fn with_sampling(context: &RequestContext<RoleServer>) -> Called {
    if context.client_capabilities().is_some_and(|known| known.sampling.is_some()) {
        return fixed("");
    }
    let needed: ClientCapabilities = serde_json::from_value(json!({"sampling": {}})).map_err(unreadable)?;
    Err(ErrorData::missing_required_client_capability(needed))
}

/// Asks in the client's dialog, in the era in which a server calls its client.
async fn in_dialog(context: &RequestContext<RoleServer>, message: &Value, fields: Value, required: &[&str]) -> Called {
    let schema = json!({"type": "object", "properties": fields, "required": required});
    let params = json!({"mode": "form", "message": message, "requestedSchema": schema});
    let params: ElicitRequestParams = serde_json::from_value(params).map_err(unreadable)?;
    let entered = OpenDialog::show(&context.peer, params).await;
    let entered = entered.ok_or_else(|| ErrorData::invalid_request("the client has no dialog", None))?;
    let entered = serde_json::to_string(&entered).unwrap_or_default();
    said(&format!("Entered: {entered}"))
}

fn greeting(params: &CallToolRequestParams) -> Called {
    match entered(params, "user_name", "name") {
        Some(name) => said(&format!("Hello, {name}!")),
        None => required("user_name", "name", "What is your name?", None),
    }
}

fn confirmed(params: &CallToolRequestParams) -> Called {
    const STATE: &str = "asked-once";
    match (entered(params, "confirm", "ok"), params.request_state.as_deref()) {
        (Some(_), Some(STATE)) => said("state-ok"),
        (Some(_), _) => Err(ErrorData::invalid_params("this is no state of ours", None)),
        (None, _) => required("confirm", "ok", "Please confirm", Some(STATE)),
    }
}

fn in_rounds(params: &CallToolRequestParams) -> Called {
    const STATES: [&str; 2] = ["asked-first", "asked-second"];
    match params.request_state.as_deref() {
        Some(state) if state == STATES[0] && entered(params, "step1", "name").is_some() => {
            required("step2", "color", "What is your favourite colour?", Some(STATES[1]))
        }
        Some(state) if state == STATES[1] && entered(params, "step2", "color").is_some() => said("That was all."),
        _ => required("step1", "name", "What is your name?", Some(STATES[0])),
    }
}

/// What a client came back with, if it is what it was asked for.
fn entered(params: &CallToolRequestParams, key: &str, field: &str) -> Option<String> {
    let given = params.input_responses.as_ref()?.get(key)?.clone();
    let entered: ElicitResult = serde_json::from_value(given).ok()?;
    match entered.content?.get(field)? {
        Value::String(text) => Some(text.clone()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// Asks by the result, in the era in which a server does.
fn required(key: &str, field: &str, message: &str, state: Option<&str>) -> Called {
    let kind = if field == "ok" { "boolean" } else { "string" };
    let schema = json!({"type": "object", "properties": {field: {"type": kind}}, "required": [field]});
    let form = json!({"mode": "form", "message": message, "requestedSchema": schema});
    let mut asked = json!({"resultType": "input_required", "inputRequests": {key: {"method": "elicitation/create", "params": form}}});
    if let Some(state) = state {
        asked["requestState"] = state.into();
    }
    serde_json::from_value::<InputRequiredResult>(asked).map(Into::into).map_err(unreadable)
}

fn said(text: &str) -> Called {
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn unreadable(error: serde_json::Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

fn object(schema: &Value) -> Arc<JsonObject> {
    Arc::new(schema.as_object().cloned().unwrap_or_default())
}

fn defaults() -> Value {
    json!({
        "name": {"type": "string", "default": "John Doe"}, "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5}, "verified": {"type": "boolean", "default": true},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    })
}

fn choices() -> Value {
    let plain = json!(["option1", "option2", "option3"]);
    let titled = json!([{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}, {"const": "value3", "title": "Third"}]);
    json!({
        "untitledSingle": {"type": "string", "enum": plain}, "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    })
}

/// A schema with the words of JSON Schema 2020-12 that must not be lost on the way.
fn every_keyword() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "additionalProperties": false,
        "$defs": {"address": {"$anchor": "addressDef", "type": "object"}},
        "properties": {"address": {"$ref": "#/$defs/address"}, "phone": {"type": "string"}, "email": {"type": "string"}},
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"required": ["address"]}, "then": {"required": ["phone"]}, "else": {"required": ["email"]},
    })
}
