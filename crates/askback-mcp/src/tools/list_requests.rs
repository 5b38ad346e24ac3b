//! `list_requests`: the earlier requests, for a model that has lost its context.

use super::schema;
use crate::arguments::{read, refuse};
use crate::call::ToolCall;
use crate::limits::{LISTED, LISTED_MOST};
use crate::result::{self, CallResult, failed};
use askback_api::Record;
use askback_core::{Question, Reason, Status};
use rmcp::model::{CallToolResult, JsonObject, Tool as Definition, ToolAnnotations};
use serde::Deserialize;
use serde_json::{Value, json};

/// The status of a decided approval in a list: only its delivery tells the decision.
const ENDED: &str = "ended";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    status: Option<Status>,
    limit: Option<usize>,
}

pub(super) fn definition() -> Definition {
    schema::definition(
        ("list_requests", "List what was asked"),
        "List the questions that were asked in this room with your token, the newest first, with their status: to find again what was asked \
         before a restart or a timeout. wait_for_answer gives the answer; of an approval that was decided it alone says how.",
        schema::object(
            &json!({
                "status": {"enum": Status::ALL.map(Status::name), "description": "Only those that have come this far."},
                "limit": {
                    "type": "integer", "minimum": 1, "maximum": LISTED_MOST, "default": LISTED,
                    "description": "How many at most.",
                },
            }),
            &[],
        ),
        result_schema(),
        ToolAnnotations::new().read_only(true).idempotent(true).open_world(false),
    )
    .with_meta(schema::search_hint("find questions asked before a restart or a timeout"))
}

fn result_schema() -> Value {
    let listed: Vec<&str> = Status::ALL.map(Status::name).into_iter().chain([ENDED]).collect();
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
    schema::result(json!({"requests": {"type": "array", "items": request}}))
}

pub(super) async fn call(call: &ToolCall, given: JsonObject) -> CallResult<CallToolResult> {
    let statuses = Status::ALL.map(Status::name).join(", ");
    let expected = format!("a whole number from 1 to {LISTED_MOST}");
    let Arguments { status, limit } = read(given, &[("status", &statuses), ("limit", &expected)])?;
    let limit = limit.unwrap_or(LISTED);
    if !(1..=LISTED_MOST).contains(&limit) {
        return Err(refuse("limit", "this is not such a number", &expected));
    }
    let mut records = call.api().await?.list_own(status, limit).await.map_err(failed)?.items;
    if matches!(status, Some(Status::Answered | Status::Declined)) {
        records.retain(|record| !hides_decision(record));
    }
    Ok(listed(&records))
}

/// The list without the answers: those are delivered one by one, and an approval only once (S5).
fn listed(records: &[Record]) -> CallToolResult {
    let items: Vec<Value> = records.iter().map(item).collect();
    let line = |record: &Record| {
        let (title, asker) = (record.title(), record.asker_and_claim());
        format!("- {} {title} ({}), asked by {asker}", record.id, status_word(record))
    };
    let text = match records {
        [] => "There is nothing that was asked here.".to_owned(),
        _ => format!(
            "Asked here, the newest first (wait_for_answer with an id gives its outcome):\n{}",
            records.iter().map(line).collect::<Vec<_>>().join("\n")
        ),
    };
    result::success(text, [("requests".to_owned(), items.into())])
}

/// Whether the status would tell the decision of an approval: one that was answered is approved.
fn hides_decision(record: &Record) -> bool {
    matches!(record.status(), Status::Answered | Status::Declined) && record.request.asks_approval()
}

fn status_word(record: &Record) -> &'static str {
    if hides_decision(record) { ENDED } else { record.status().name() }
}

fn item(record: &Record) -> Value {
    let outcome = record.outcome.as_ref();
    let reason = outcome.filter(|_| !hides_decision(record)).and_then(|outcome| outcome.resolution().reason());
    let questions: Vec<&str> = record.request.questions().iter().map(Question::message).collect();
    json!({
        "request_id": record.id, "status": status_word(record), "room": record.room, "title": record.request.title(),
        "asker": record.asker, "from": record.request.from(),
        "createdAt": record.created_at, "expiresAt": record.expires_at, "questions": questions,
        "answeredBy": outcome.and_then(|outcome| outcome.answerer()),
        "reason": reason.map(Reason::as_str),
    })
}
