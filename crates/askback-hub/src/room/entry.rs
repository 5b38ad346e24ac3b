//! A request as the room's document shows it: one plain object, the same for everybody who reads it.

use crate::limits::ENTRY_BYTES;
use crate::record::{Event, Record};
use askback_core::{Answer, Answers, Json, Object, Outcome, Question, Reason, Resolution};
use askback_yjs::ByteWriter;
use std::sync::Arc;

/// What an entry may leave out when it is too large, the most dispensable first. What was left out is on HTTP.
const DISPENSABLE: [&[&str]; 3] = [
    &["context"],
    &["context", "options", "questions"],
    &["context", "options", "questions", "response", "responses", "selections"],
];

/// The entry that an event adds, as lib0 writes it.
pub(super) fn written(event: &Event) -> Arc<[u8]> {
    let whole = entry(&event.record);
    let bytes = write(&whole);
    if bytes.len() <= ENTRY_BYTES {
        return bytes;
    }
    let shortened = DISPENSABLE.iter().map(|names| write(&without(&whole, names)));
    // The last is small whatever was asked: every text that is left has its own limit.
    shortened.fold(bytes, |smallest, bytes| if smallest.len() <= ENTRY_BYTES { smallest } else { bytes })
}

fn write(entry: &[(String, Json)]) -> Arc<[u8]> {
    let mut writer = ByteWriter::default();
    writer.any(&Json::Object(entry.to_vec()));
    writer.into_vec().into()
}

fn without(whole: &[(String, Json)], names: &[&str]) -> Vec<(String, Json)> {
    let is_left_out = |(name, _): &&(String, Json)| names.contains(&name.as_str());
    let omitted: Vec<Json> = whole.iter().filter(is_left_out).map(|(name, _)| Json::from(name.as_str())).collect();
    let kept = whole.iter().filter(|field| !is_left_out(field)).cloned();
    kept.chain([("omitted".to_owned(), Json::Array(omitted))]).collect()
}

fn entry(record: &Record) -> Vec<(String, Json)> {
    let object = Object::new()
        .put("id", record.id.as_str())
        .put("room", record.room.as_str())
        .put("asker", record.asker.as_str());
    let object = asked(object, record)
        .put("createdAt", record.created_at.to_string())
        .put_some("expiresAt", record.deadline.map(|at| at.to_string()))
        .put("status", record.status().name());
    let object = match &record.outcome {
        Some(outcome) => ended(object, outcome, record),
        None => object,
    };
    match object.into() {
        Json::Object(fields) => fields,
        _ => Vec::new(),
    }
}

/// What was asked: one question's fields stand beside the request's own, several stand in a list.
fn asked(mut object: Object, record: &Record) -> Object {
    let Json::Object(fields) = record.request.to_json() else { return object };
    for (name, value) in fields {
        match (name.as_str(), value) {
            // Where it lives is said already, and its key is between the asker and the hub.
            ("room" | "key", _) => {}
            // What it took to decide is not needed once it is decided.
            ("context", _) if record.outcome.is_some() => {}
            ("questions", Json::Array(questions)) => object = asking(object, record, questions),
            (name, value) => object = object.put(name, value),
        }
    }
    object
}

fn asking(object: Object, record: &Record, mut questions: Vec<Json>) -> Object {
    let first = record.request.questions().first().map_or("", Question::message);
    match (questions.pop(), questions.is_empty()) {
        (Some(Json::Object(fields)), true) => fields.into_iter().fold(object, |object, (name, value)| {
            // The request's own id is what answers name.
            object.put(if name == "id" { "questionId" } else { &name }, value)
        }),
        (last, _) => {
            questions.extend(last);
            let message = record.request.title().unwrap_or(first);
            object.put("type", "form").put("message", message).put("questions", questions)
        }
    }
}

/// How it ended, as everywhere, without what says nothing here.
fn ended(object: Object, outcome: &Outcome, record: &Record) -> Object {
    let answers: Vec<&Answer> = outcome.resolution().answers().into_iter().flat_map(Answers::iter).collect();
    let object = match (answers.as_slice(), record.request.questions()) {
        ([], _) => object,
        ([answer], [_]) => {
            let selections = Some(answer.selections()).filter(|selections| !selections.is_empty());
            object.put("response", answer.written()).put_some("selections", selections)
        }
        _ => object.put("responses", outcome.responses()),
    };
    let is_by_default = matches!(outcome.resolution(), Resolution::Expired { default: Some(_), .. });
    let reason = outcome.resolution().reason().map(Reason::as_str);
    object
        .put("answeredBy", outcome.by())
        .put("answeredAt", outcome.at().to_string())
        .put("surface", outcome.surface().name())
        .put_some("reason", reason)
        .put_some("byDefault", is_by_default.then_some(true))
}
