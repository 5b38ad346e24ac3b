//! Inline: one question beside the request's own fields, `{"type":"text","message":"…","timeout":60}`.

use super::{Inexpressible, question_path};
use crate::fields::Fields;
use crate::json::{Json, Object};
use crate::question::Question;
use crate::request::Request;

pub(super) fn recognises(fields: &Fields<'_, '_>) -> bool {
    fields.has("type") || fields.has("message")
}

pub(super) fn read(fields: &mut Fields<'_, '_>) -> Vec<Option<Question>> {
    vec![Question::read(fields, 0)]
}

/// Writes a request that has one question.
pub fn render(request: &Request) -> Result<Json, Inexpressible> {
    let [question] = request.questions() else {
        return Err(Inexpressible::new("inline", question_path(1), "it has place for one question"));
    };
    Ok(question.write(request.write_envelope(Object::new())).into())
}
