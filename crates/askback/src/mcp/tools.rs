//! The tools: what the model is told of each, what it takes and what it gives back. One list, which the server shows and calls by.

use super::limits::{LISTED, LISTED_MOST, LONGEST_WAIT};
use super::result::{MESSAGE, REQUEST_ID};
use askback_core::{Limits, Status, schema, tool};
use rmcp::model::{JsonObject, MetaObject, Tool, ToolAnnotations};
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};

/// A tool by what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Name {
    AskUserQuestion,
    RequestUserInput,
    WaitForAnswer,
    ListRequests,
    CancelRequest,
    ExecuteCode,
}

struct Entry {
    name: Name,
    tool: Tool,
}

/// What every client is told of the server.
pub(crate) const INSTRUCTIONS: &str = "\
askback asks a person, who may be at a terminal, in a browser or at a phone, and brings back one validated answer.
Ask with AskUserQuestion (a choice between options) or request_user_input (approvals, texts, numbers, dates, whole forms) whenever you would \
otherwise guess, and before anything that can't be undone.
A result with status \"pending\" is no answer: the question stays open. Call wait_for_answer with its request_id to go on waiting. Never take \
silence, a timeout or an error for consent.
If a call was cut off, ask exactly the same again, or look with list_requests: the question and its answer are kept.";

/// What holds of every tool that asks.
const ASKING: &str = "\
It waits for the person as long as your client allows. A result with status \"pending\" means that nobody has answered yet: call \
wait_for_answer with its request_id. Asking exactly the same again finds the question that is still open, or an answer that did not \
reach you; set ask_again to true if you mean to ask once more.";

static TOOLS: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let asks = || ToolAnnotations::new().read_only(true).open_world(true);
    vec![
        Entry {
            name: Name::AskUserQuestion,
            tool: tool(
                tool::NAME,
                "Ask a person to choose",
                format!("{}\n\n{ASKING}", tool::DESCRIPTION),
                with_ask_again(tool::schema(&Limits::DEFAULT)),
                ask_user_question_result(),
                asks(),
            )
            .with_meta(always_loaded()),
        },
        Entry {
            name: Name::RequestUserInput,
            tool: tool(
                "request_user_input",
                "Ask a person anything",
                format!(
                    "Ask the person you work for one or more questions of any kind: approval, text, multiline, choice, confirm, number, email, \
                     date, dropdown or rating. Each answer is checked against the rules you give. Use an approval before anything that can't be \
                     undone, with what you will do as context (a diff, a command, the code): the person approves exactly what is shown, once.\n\n{ASKING}"
                ),
                with_ask_again(form()),
                outcome_result(),
                asks(),
            )
            .with_meta(always_loaded()),
        },
        Entry {
            name: Name::WaitForAnswer,
            tool: tool(
                "wait_for_answer",
                "Wait for an answer",
                "Go on waiting for a question that is pending, or for a script of execute_code that is still running, and get the outcome. The \
                 same request_id always gives the same outcome."
                    .to_owned(),
                object(
                    &json!({
                        "request_id": text("The request_id of a result that was pending."),
                        "max_wait_s": {
                            "type": "number", "minimum": 0, "maximum": LONGEST_WAIT.as_secs(),
                            "description": "The most seconds to wait in this call; as long as your client allows unless given.",
                        },
                    }),
                    &["request_id"],
                ),
                waited_result(),
                ToolAnnotations::new().read_only(true).idempotent(true),
            )
            .with_meta(search_hint("wait for a person's answer to a pending question")),
        },
        Entry {
            name: Name::ListRequests,
            tool: tool(
                "list_requests",
                "List what was asked",
                "List the questions that were asked in this room with your token, the newest first, with their status: to find again what was asked \
                 before a restart or a timeout. wait_for_answer gives the answer; of an approval that was decided it alone says how."
                    .to_owned(),
                object(
                    &json!({
                        "status": {"enum": STATUSES.map(Status::name), "description": "Only those that have come this far."},
                        "limit": {
                            "type": "integer", "minimum": 1, "maximum": LISTED_MOST, "default": LISTED,
                            "description": "How many at most.",
                        },
                    }),
                    &[],
                ),
                list_result(),
                ToolAnnotations::new().read_only(true).idempotent(true).open_world(false),
            )
            .with_meta(search_hint("find questions asked before a restart or a timeout")),
        },
        Entry {
            name: Name::CancelRequest,
            tool: tool(
                "cancel_request",
                "Take a question away",
                "Take a question away that no longer needs an answer, or stop a script of execute_code. If it has been answered in the meantime, \
                 you get that answer."
                    .to_owned(),
                object(
                    &json!({
                        "request_id": text("The request_id of what was asked."),
                        "reason": text("Why, for the person who might have been about to answer."),
                    }),
                    &["request_id"],
                ),
                waited_result(),
                ToolAnnotations::new().read_only(false).destructive(false).idempotent(true).open_world(false),
            )
            .with_meta(search_hint("withdraw a question that needs no answer any more")),
        },
        Entry {
            name: Name::ExecuteCode,
            tool: tool(
                "execute_code",
                "Run a script that asks",
                format!(
                    "Run JavaScript that asks a person and goes on with the answers: for questions that depend on each other, or many of them, \
                     without a call for each. The code is the body of an async function. `await requestUserInput({{type, message, ...}})` asks one \
                     question (or a form with `questions`), and gives {{success, status, response, selections, answers, answeredBy, reason}}; success is \
                     true only if a person answered. Promise.all asks several at once. `return` a value to get it as the result; console.log is \
                     returned, too. There are no files, no network, no imports and no timers.\n\n{ASKING}"
                ),
                with_ask_again(object(
                    &json!({"code": {
                        "type": "string", "minLength": 1, "maxLength": askback_script::limits::CODE_BYTES,
                        "description": "The body of an async function, for example: const a = await requestUserInput({type: \"confirm\", message: \"Deploy?\"}); return a.response",
                    }}),
                    &["code"],
                )),
                script_result(),
                asks(),
            )
            .with_meta(search_hint("ask a person many or dependent questions from a script")),
        },
    ]
});

/// The field of a request that none made here has.
pub(crate) const KEY: &str = "key";

/// Every status that can be looked for.
pub(crate) const STATUSES: [Status; 5] =
    [Status::Pending, Status::Answered, Status::Declined, Status::Cancelled, Status::Expired];

/// What a list says of an approval that was decided: how, only its delivery tells.
pub(crate) const ENDED: &str = "ended";

/// All of them, as they are shown.
pub(crate) fn all() -> Vec<Tool> {
    TOOLS.iter().map(|entry| entry.tool.clone()).collect()
}

/// The one of this name.
pub(crate) fn find(name: &str) -> Option<(Name, &'static Tool)> {
    TOOLS.iter().find(|entry| entry.tool.name == name).map(|entry| (entry.name, &entry.tool))
}

/// Their names, for whoever has mistaken one.
pub(crate) fn names() -> String {
    TOOLS.iter().map(|entry| &*entry.tool.name).collect::<Vec<_>>().join(", ")
}

fn tool(
    name: &'static str,
    title: &str,
    description: String,
    input: Value,
    output: Value,
    annotations: ToolAnnotations,
) -> Tool {
    Tool::new(name, description, as_object(input))
        .with_title(title)
        .with_raw_output_schema(as_object(output))
        .with_annotations(annotations)
}

/// Keeps a tool in the model's first request, where Claude Code otherwise sends its name alone and has the model search for the rest.
fn always_loaded() -> MetaObject {
    meta("anthropic/alwaysLoad", true)
}

/// The words by which such a search finds a tool.
fn search_hint(words: &str) -> MetaObject {
    meta("anthropic/searchHint", words)
}

fn meta(name: &str, value: impl Into<Value>) -> MetaObject {
    let mut meta = MetaObject::new();
    meta.0.insert(name.to_owned(), value.into());
    meta
}

fn as_object(schema: Value) -> Arc<JsonObject> {
    Arc::new(match schema {
        Value::Object(fields) => fields,
        _ => JsonObject::new(),
    })
}

fn object(properties: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "additionalProperties": false, "properties": properties, "required": required})
}

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

/// A form without a key: what asks by MCP is found again by what it asks, and a key would bring back an approval that was used (S5).
fn form() -> Value {
    let mut form = schema::form(&Limits::DEFAULT);
    if let Some(properties) = form["properties"].as_object_mut() {
        properties.shift_remove(KEY);
    }
    form
}

fn with_ask_again(mut schema: Value) -> Value {
    schema["properties"]["ask_again"] = json!({
        "type": "boolean", "default": false,
        "description": "Ask once more, even if exactly this is still open or its answer has not reached you.",
    });
    schema
}

/// The schema of a tool's result. Errors have the message alone, and clients check them against the same schema.
fn result_schema(properties: Value) -> Value {
    let message = text("What happened, in words: the same text as the content.");
    let mut all = json!({MESSAGE: message});
    if let (Some(all), Value::Object(properties)) = (all.as_object_mut(), properties) {
        all.extend(properties);
    }
    json!({"type": "object", "properties": all, "required": [MESSAGE]})
}

/// The result of a tool that asks.
fn asking_result(own: Value) -> Value {
    let mut properties = json!({
        "status": {"enum": STATUSES.map(Status::name)},
        REQUEST_ID: text("For wait_for_answer and cancel_request."),
        "next": text("What to call next, while it is pending."),
    });
    if let (Some(properties), Value::Object(own)) = (properties.as_object_mut(), own) {
        properties.extend(own);
    }
    result_schema(properties)
}

/// An outcome as the API tells of it, under the name that the tools have for its id.
fn outcome_properties() -> Value {
    let mut properties = schema::outcome(&Limits::DEFAULT)["properties"].take();
    if let Some(fields) = properties.as_object_mut() {
        fields.shift_remove("id");
        fields.shift_remove("status");
    }
    properties
}

fn outcome_result() -> Value {
    asking_result(outcome_properties())
}

fn ask_user_question_result() -> Value {
    let answer = json!({
        "type": "object", "required": ["question", "selectedOptions"],
        "properties": {
            "question": {"type": "string"}, "header": {"type": "string"},
            "selectedOptions": {"type": "array", "items": {"type": "string"}}, "customInput": {"type": "string"},
        },
    });
    let text_or_null = json!({"type": ["string", "null"]});
    asking_result(json!({
        "title": {"type": "string"}, "subtitle": {"type": "string"}, "answers": {"type": "array", "items": answer},
        "answeredBy": text_or_null, "surface": text_or_null, "answeredAt": text_or_null, "byDefault": {"type": "boolean"},
        "reason": text_or_null,
    }))
}

fn script_properties() -> Value {
    json!({
        "status": {"enum": ["pending", "finished", "failed"]},
        "request_id": text("For wait_for_answer and cancel_request, while it is pending."),
        "next": text("What to call next, while it is pending."),
        "result": {"description": "What the script returned."},
        "error": text("Why it failed."),
        "console": {"type": "array", "items": {"type": "string"}},
        "requests": {"type": "array", "items": {"type": "object"}, "description": "What it has asked, and how far that has come."},
    })
}

fn script_result() -> Value {
    result_schema(script_properties())
}

/// Of a request or of a script.
fn waited_result() -> Value {
    let mut properties = outcome_properties();
    if let (Some(own), Some(script)) = (properties.as_object_mut(), script_properties().as_object_mut()) {
        own.append(script);
    }
    let statuses: Vec<&str> = STATUSES.map(Status::name).into_iter().chain(["finished", "failed"]).collect();
    properties["status"] = json!({"enum": statuses});
    result_schema(properties)
}

fn list_result() -> Value {
    let listed: Vec<&str> = STATUSES.map(Status::name).into_iter().chain([ENDED]).collect();
    let request = json!({
        "type": "object", "required": ["request_id", "status", "room", "createdAt", "questions"],
        "properties": {
            "request_id": {"type": "string"}, "status": {"enum": listed}, "room": {"type": "string"},
            "asker": {"type": "string"}, "from": {"type": ["string", "null"]},
            "title": {"type": ["string", "null"]}, "createdAt": {"type": "string"}, "expiresAt": {"type": ["string", "null"]},
            "questions": {"type": "array", "items": {"type": "string"}},
            "answeredBy": {"type": ["string", "null"]}, "reason": {"type": ["string", "null"]},
        },
    });
    result_schema(json!({"requests": {"type": "array", "items": request}}))
}
