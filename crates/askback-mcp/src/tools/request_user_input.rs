//! `request_user_input`: questions of any kind.

use super::schema;
use crate::arguments::{KEY, refuse, take_ask_again};
use crate::call::ToolCall;
use crate::client_info::ClientInfo;
use crate::result::{self, CallResult};
use askback_api::{AskAgain, claim_of_client};
use askback_core::{Json, Limits, Problems, Request};
use rmcp::model::{CallToolRequestParams, CallToolResponse, JsonObject, Tool as Definition};
use serde_json::Value;

pub(super) fn definition() -> Definition {
    schema::definition(
        ("request_user_input", "Ask a person anything"),
        format!(
            "Ask the person you work for one or more questions of any kind: approval, text, multiline, choice, confirm, number, email, \
             date, dropdown or rating. Each answer is checked against the rules you give. Use an approval before anything that can't be \
             undone, with what you will do as context (a diff, a command, the code): the person approves exactly what is shown, once.\n\n{}",
            schema::ASKING
        ),
        schema::with_ask_again(form()),
        schema::asking_result(schema::outcome_properties()),
        schema::asks(),
    )
    .with_meta(schema::always_loaded())
}

/// The schema of a form without a key.
fn form() -> Value {
    let mut form = askback_core::schema::form(&Limits::DEFAULT);
    if let Some(properties) = form["properties"].as_object_mut() {
        properties.shift_remove(KEY);
    }
    form
}

pub(super) async fn call(
    call: &ToolCall,
    given: JsonObject,
    params: CallToolRequestParams,
) -> CallResult<CallToolResponse> {
    let (request, again) = read_request(given, &call.client, |json| Request::from_json(json, &Limits::DEFAULT))?;
    call.ask(request, again, result::outcome_fields, params).await
}

/// Reads the request in the arguments of a tool that asks, with the client's name as its claim (S9).
pub(super) fn read_request(
    mut fields: JsonObject,
    client: &ClientInfo,
    parse: impl FnOnce(&Json) -> Result<Request, Problems>,
) -> CallResult<(Request, AskAgain)> {
    // An outcome that is found is reported as delivered only when it is sent; until then it can be found again.
    let again = if take_ask_again(&mut fields)? { AskAgain::Anew } else { AskAgain::AttachAndDeliverLater };
    if fields.contains_key(KEY) {
        return Err(refuse(KEY, "there are no keys here", "none: asking exactly the same again finds the question"));
    }
    if let Some(name) = client.claim() {
        let given = fields.get("from").and_then(Value::as_str);
        // A value that is not text is refused together with the other problems.
        if given.is_some() || !fields.contains_key("from") {
            let claim = claim_of_client(name, given);
            fields.insert("from".to_owned(), claim.into());
        }
    }
    let refused = |problems: Problems| Box::new(result::problems(&problems));
    // As text, since the limits count its bytes.
    let text = Value::Object(fields).to_string();
    let json = Json::parse(text.as_bytes(), &Limits::DEFAULT).map_err(refused)?;
    Ok((parse(&json).map_err(refused)?, again))
}
