//! The form: every question in full, in `questions`. This is the canonical shape and can express every request.

use super::Inexpressible;
use crate::fields::Fields;
use crate::json::Json;
use crate::path::Place;
use crate::problem::Refusal;
use crate::question::{Question, default_id};
use crate::request::Request;
use crate::rule::Rule;
use crate::show::quote;
use std::collections::HashMap;

const QUESTION: &str = "an object such as {\"type\": \"text\", \"message\": \"Name?\"}";

pub(super) fn recognises(fields: &Fields<'_, '_>) -> bool {
    fields.has("questions")
}

pub(super) fn read(fields: &mut Fields<'_, '_>) -> Vec<Option<Question>> {
    let most = fields.limits.questions;
    let items = fields.counted_array("questions", 1..=most, "questions").unwrap_or_default();
    let questions = fields.objects("questions", items, QUESTION, |mut inner, index| {
        let question = Question::read(&mut inner, index);
        inner.close();
        question
    });
    let here = fields.place();
    check_ids(fields, items, here.field("questions"));
    questions
}

/// Writes the canonical form; there is always one.
pub fn render(request: &Request) -> Result<Json, Inexpressible> {
    Ok(request.to_json())
}

/// Reports ids that stand twice, whatever else is wrong with their questions.
fn check_ids(fields: &mut Fields<'_, '_>, items: &[Json], place: Place<'_>) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (index, item) in items.iter().enumerate() {
        let id = item.get("id").and_then(Json::as_str).map_or_else(|| default_id(index), str::to_owned);
        let first = *seen.entry(id.clone()).or_insert(index);
        if first < index {
            let message = format!("the id {} is that of `{}` already", quote(&id), place.index(first).path());
            let expected = "ids that differ; a question without one is called by its position from 1";
            fields.refuse(Refusal::new(Rule::Unique, message, expected), place.index(index).field("id"));
        }
    }
}
