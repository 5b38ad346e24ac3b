//! The form: every question in full, in `questions`. This is the canonical shape and can express every request.

use super::Inexpressible;
use crate::fields::Fields;
use crate::json::Json;
use crate::question::Question;
use crate::request::{Request, check_ids};

pub(super) fn recognises(fields: &Fields<'_, '_>) -> bool {
    fields.has("questions")
}

pub(super) fn read(fields: &mut Fields<'_, '_>) -> Option<Vec<Question>> {
    let most = fields.limits.questions;
    let items = fields.counted_array("questions", 1..=most)?;
    let here = fields.place();
    let place = here.field("questions");
    let mut questions = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let question = fields.open_inner(item, place.index(index)).and_then(|mut inner| {
            let question = Question::read(&mut inner, index);
            inner.close();
            question
        });
        questions.push(question);
    }
    check_ids(fields, &questions, place);
    questions.into_iter().collect()
}

/// Writes the canonical form; there is always one.
pub fn render(request: &Request) -> Result<Json, Inexpressible> {
    Ok(request.to_json())
}
