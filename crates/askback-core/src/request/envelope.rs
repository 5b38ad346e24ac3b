//! What a request has besides its questions, and what it says about silence (L4).

use super::{Answers, wrong_count};
use crate::answer::AnswerInput;
use crate::context::Context;
use crate::fields::{Fields, wrong_type};
use crate::json::{Json, Object};
use crate::kind::Answer;
use crate::question::{Question, written_form};
use crate::rule::Rule;

/// What a request has besides its questions.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Envelope {
    pub(crate) room: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) from: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) timeout_s: Option<u32>,
    pub(crate) context: Vec<Context>,
    pub(crate) source: Option<String>,
}

impl Envelope {
    /// Reads the fields that may stand beside every shape of a request, except `onTimeout`, which needs the questions.
    pub(crate) fn read<'j>(fields: &mut Fields<'j, '_>) -> (Self, Option<&'j Json>) {
        let room = fields.line("room");
        if room.as_deref().is_some_and(|room| room.starts_with('@')) {
            fields.report("room", Rule::Reserved, "names with @ in front are askback's own", "another first character");
        }
        let (title, from, key) = (fields.line("title"), fields.line("from"), fields.line("key"));
        let longest = i64::from(fields.limits.timeout_s);
        let timeout_s = fields
            .whole("timeout", 1..=longest, "a whole number of seconds")
            .and_then(|seconds| u32::try_from(seconds).ok());
        let on_timeout = fields.value("onTimeout");
        let context = read_context(fields);
        let source = read_metadata(fields);
        (Self { room, title, from, key, timeout_s, context, source }, on_timeout)
    }

    /// The fields in the canonical form.
    pub(super) fn write(&self, object: Object, default: Option<&Answers>) -> Object {
        let Self { room, title, from, key, timeout_s, context, source } = self;
        let context = (!context.is_empty()).then(|| context.iter().map(Context::to_json).collect::<Vec<_>>());
        let default = default.map(|answers| answers.iter().map(Answer::written).collect::<Vec<_>>());
        object
            .put_some("room", room.as_deref())
            .put_some("title", title.as_deref())
            .put_some("from", from.as_deref())
            .put_some("key", key.as_deref())
            .put_some("timeout", *timeout_s)
            .put_some("onTimeout", default.map(|default| Object::new().put("default", default)))
            .put_some("context", context)
            .put_some("metadata", source.as_deref().map(|source| Object::new().put("source", source)))
    }
}

/// The default that `onTimeout` declares for silence, checked against the questions that could be read (L4).
pub(super) fn read_on_timeout<'j>(
    fields: &mut Fields<'j, '_>,
    json: &'j Json,
    questions: &[Option<Question>],
) -> Option<Answers> {
    const EXPECTED: &str = "an object such as {\"default\": [\"no\"]}";
    const ONE_EACH: &str = "a list with one answer for each question, such as [\"no\"]";
    if !fields.has("timeout") {
        fields.report("onTimeout", Rule::Default, "there is no timeout", "`timeout` in seconds beside `onTimeout`");
    }
    let here = fields.place();
    let mut inner = fields.open_inner(json, here.field("onTimeout"), EXPECTED)?;
    let items = inner.array("default", ONE_EACH);
    let items = inner.need("default", items, ONE_EACH);
    let answers = items.and_then(|items| read_default(&mut inner, items, questions));
    inner.close();
    answers
}

/// The answers of a default. Each is checked on its own, whatever is wrong with the others.
fn read_default(fields: &mut Fields<'_, '_>, items: &[Json], questions: &[Option<Question>]) -> Option<Answers> {
    if let Some(question) = questions.iter().flatten().find(|question| question.kind().asks_approval()) {
        let message = format!("a request with a question of type {} has no default", question.kind().name());
        fields.report("default", Rule::Default, message, "no `onTimeout`: silence is never consent");
        return None;
    }
    if items.len() != questions.len() && !questions.is_empty() {
        fields.refuse_field("default", wrong_count(items.len(), questions.len()));
    }
    let here = fields.place();
    let place = here.field("default");
    let mut answers = Vec::with_capacity(items.len());
    for (index, (item, question)) in items.iter().zip(questions).enumerate() {
        let answer = match (item, question) {
            (Json::String(text), Some(question)) => question.parse_answer(&AnswerInput::from(text)).map(Some),
            (Json::String(_), None) => Ok(None),
            (other, _) => Err(wrong_type(other, &written_form(other))),
        };
        let refusal = match &answer {
            Ok(answer) => answer.as_ref().and_then(Answer::refuses_silence),
            Err(refusal) => Some(refusal.clone()),
        };
        refusal.into_iter().for_each(|refusal| fields.refuse(refusal, place.index(index)));
        answers.push(answer.ok().flatten());
    }
    answers.into_iter().collect::<Option<Vec<_>>>().map(Answers)
}

fn read_context(fields: &mut Fields<'_, '_>) -> Vec<Context> {
    const CONTEXT: &str = "an object such as {\"type\": \"markdown\", \"text\": \"…\"}";
    let most = fields.limits.context_items;
    let items = fields.counted_array("context", 0..=most, "pieces of context").unwrap_or_default();
    let context = fields.objects("context", items, CONTEXT, |inner, _| Context::read(inner));
    context.into_iter().flatten().collect()
}

/// The tool's `metadata`, of which the source is kept (Q1).
pub(crate) fn read_metadata(fields: &mut Fields<'_, '_>) -> Option<String> {
    let json = fields.value("metadata")?;
    let here = fields.place();
    let mut inner = fields.open_inner(json, here.field("metadata"), "an object such as {\"source\": \"plan\"}")?;
    let source = inner.line("source");
    inner.close();
    source
}
