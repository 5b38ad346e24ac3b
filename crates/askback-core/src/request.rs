//! A request: one pause of one agent. [`Request::parse`] is the only way to make one.

use crate::answer::RawAnswer;
use crate::context::Context;
use crate::dialect::{self, Dialect};
use crate::fields::{Fields, wrong_type};
use crate::json::{Json, Object};
use crate::kind::Answer;
use crate::limits::Limits;
use crate::path::{Path, Place};
use crate::problem::{Problem, Problems, Refusal};
use crate::question::Question;
use crate::rule::Rule;

/// What is asked for where an answer stands in a request.
pub(crate) const WRITTEN_FORM: &str = "the answer's written form, as a text such as \"3\"";

/// Questions that belong together, what to look at while answering them, and how long they stay open.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    envelope: Envelope,
    questions: Vec<Question>,
    default: Option<Answers>,
}

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

/// One answer for each question of a request, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers(Vec<Answer>);

impl Answers {
    /// The answers in the order of the questions.
    pub fn iter(&self) -> std::slice::Iter<'_, Answer> {
        self.0.iter()
    }
}

impl Request {
    /// Reads a request in any of its shapes (see [`crate::dialect`]), or reports everything that is wrong with it.
    pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Self, Problems> {
        Self::from_json(&Json::parse(bytes, limits)?, limits)
    }

    /// The same for JSON that is already read; how large it may be is then the reader's concern.
    pub fn from_json(json: &Json, limits: &Limits) -> Result<Self, Problems> {
        Self::read_shape(json, limits, dialect::recognise)
    }

    /// Reads an object in the shape that `choose` finds, with the fields that may stand beside it.
    pub(crate) fn read_shape<'d>(
        json: &Json,
        limits: &Limits,
        choose: impl FnOnce(&mut Fields<'_, '_>) -> Option<&'d Dialect>,
    ) -> Result<Self, Problems> {
        Self::read(json, limits, |fields| {
            let (envelope, silence) = Envelope::read(fields);
            let questions = choose(fields).and_then(|shape| (shape.read)(fields));
            (envelope, silence, questions)
        })
    }

    /// Reads an object with a reader of a dialect's own, which may leave the envelope out.
    pub(crate) fn read<'j>(
        json: &'j Json,
        limits: &Limits,
        reader: impl FnOnce(&mut Fields<'j, '_>) -> (Envelope, Silence<'j>, Option<Vec<Question>>),
    ) -> Result<Self, Problems> {
        let mut problems = Problems::default();
        json.find_duplicates(Place::Root, &mut problems);
        let request = Fields::open(json, Place::Root, "an object", &mut problems, limits).and_then(|mut fields| {
            let (envelope, silence, questions) = reader(&mut fields);
            let declared = silence.declared(&mut fields, &envelope);
            let request = questions.and_then(|questions| {
                let default = match declared? {
                    Some(items) => Some(read_default(&mut fields, items, &questions)?),
                    None => None,
                };
                Some(Self { envelope, questions, default })
            });
            fields.close();
            request
        });
        problems.into_result(request)
    }

    /// The room it was asked in, if one was named.
    pub fn room(&self) -> Option<&str> {
        self.envelope.room.as_deref()
    }

    /// What it is about.
    pub fn title(&self) -> Option<&str> {
        self.envelope.title.as_deref()
    }

    /// Who asks.
    pub fn from(&self) -> Option<&str> {
        self.envelope.from.as_deref()
    }

    /// The idempotency key: asking twice with the same key is asking once.
    pub fn key(&self) -> Option<&str> {
        self.envelope.key.as_deref()
    }

    /// The seconds it stays open.
    pub fn timeout_s(&self) -> Option<u32> {
        self.envelope.timeout_s
    }

    /// What the person must see to decide.
    pub fn context(&self) -> &[Context] {
        &self.envelope.context
    }

    /// Which part of the asking program it came from (`metadata.source`).
    pub fn source(&self) -> Option<&str> {
        self.envelope.source.as_deref()
    }

    /// The questions; never empty.
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// What is used when nobody answers in time.
    pub fn default_answers(&self) -> Option<&Answers> {
        self.default.as_ref()
    }

    /// One answer for each question, or everything that is wrong with them. `path` is where they came from.
    pub fn parse_answers(&self, raw: &[RawAnswer<'_>], path: &Path) -> Result<Answers, Problems> {
        parse_answers(&self.questions, raw, path)
    }

    /// The canonical form: the form dialect, with every default that matters written out.
    pub fn to_json(&self) -> Json {
        let questions = self.questions.iter().map(|question| question.write(Object::new())).collect::<Vec<_>>();
        self.write_envelope(Object::new()).put("questions", questions).into()
    }

    /// The names of what the request has besides its questions.
    pub(crate) fn envelope_fields(&self) -> Vec<&'static str> {
        let Envelope { room, title, from, key, timeout_s, context, source } = &self.envelope;
        let fields = [
            ("room", room.is_some()),
            ("title", title.is_some()),
            ("from", from.is_some()),
            ("key", key.is_some()),
            ("timeout", timeout_s.is_some()),
            ("onTimeout", self.default.is_some()),
            ("context", !context.is_empty()),
            ("metadata", source.is_some()),
        ];
        fields.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| *name).collect()
    }

    /// What the request has besides its questions, in the canonical form.
    pub(crate) fn write_envelope(&self, object: Object) -> Object {
        let Envelope { room, title, from, key, timeout_s, context, source } = &self.envelope;
        let context = (!context.is_empty()).then(|| context.iter().map(Context::to_json).collect::<Vec<_>>());
        let default = self.default.as_ref().map(|answers| answers.iter().map(Answer::written).collect::<Vec<_>>());
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

/// What the request says about silence, before its questions are known.
#[derive(Default)]
pub(crate) struct Silence<'j> {
    default: Option<&'j Json>,
}

impl Envelope {
    /// Reads the fields that may stand beside every shape of a request.
    fn read<'j>(fields: &mut Fields<'j, '_>) -> (Self, Silence<'j>) {
        let room = fields.line("room");
        if room.as_deref().is_some_and(|room| room.starts_with('@')) {
            fields.report("room", Rule::Reserved, "names with @ in front are askback's own", "another first character");
        }
        let (title, from, key) = (fields.line("title"), fields.line("from"), fields.line("key"));
        let longest = i64::from(fields.limits.timeout_s);
        let timeout_s = fields
            .whole("timeout", 1..=longest, "a whole number of seconds")
            .and_then(|seconds| u32::try_from(seconds).ok());
        let silence = Silence { default: fields.value("onTimeout") };
        let context = read_context(fields);
        let source = read_metadata(fields);
        (Self { room, title, from, key, timeout_s, context, source }, silence)
    }
}

impl<'j> Silence<'j> {
    /// The answers declared for silence, if any are; they are checked when the questions are known.
    fn declared(&self, fields: &mut Fields<'j, '_>, envelope: &Envelope) -> Option<Option<&'j [Json]>> {
        const EXPECTED: &str = "an object such as {\"default\": [\"no\"]}";
        let Some(json) = self.default else {
            return Some(None);
        };
        if envelope.timeout_s.is_none() && !fields.has("timeout") {
            fields.report("onTimeout", Rule::Default, "there is no timeout", "`timeout` in seconds beside `onTimeout`");
        }
        let here = fields.place();
        let mut inner = fields.open_inner(json, here.field("onTimeout"), EXPECTED)?;
        let one_each = "a list with one answer for each question, such as [\"no\"]";
        let items = inner.array("default", one_each);
        let items = inner.need("default", items, one_each);
        inner.close();
        items.map(Some)
    }
}

/// The declared default, checked against the questions (L4).
fn read_default(fields: &mut Fields<'_, '_>, items: &[Json], questions: &[Question]) -> Option<Answers> {
    let here = fields.place();
    let place = here.field("onTimeout");
    let place = place.field("default");
    if let Some(question) = questions.iter().find(|question| !question.kind().may_default()) {
        let message = format!("a request with a question of type {} has no default", question.kind().name());
        fields.refuse(Refusal::new(Rule::Default, message, "no `onTimeout`: silence is never consent"), place);
        return None;
    }
    let mut texts = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        match item {
            Json::String(text) => texts.push(RawAnswer::Response(text)),
            other => fields.refuse(wrong_type(other, WRITTEN_FORM), place.index(index)),
        }
    }
    if texts.len() < items.len() {
        return None;
    }
    let answers = match parse_answers(questions, &texts, &place.path()) {
        Ok(answers) => answers,
        Err(problems) => {
            problems.iter().for_each(|problem| fields.add(problem.clone()));
            return None;
        }
    };
    for (index, answer) in answers.iter().enumerate() {
        if let Some(refusal) = answer.refuses_silence() {
            fields.refuse(refusal, place.index(index));
        }
    }
    Some(answers)
}

fn parse_answers(questions: &[Question], raw: &[RawAnswer<'_>], path: &Path) -> Result<Answers, Problems> {
    let mut problems = Problems::default();
    if raw.len() != questions.len() {
        problems.add(Problem {
            path: path.clone(),
            rule: Rule::Answers,
            message: format!("{} came for {}", counted(raw.len(), "answer"), counted(questions.len(), "question")),
            expected: "one answer for each question".to_owned(),
        });
        return Err(problems);
    }
    let mut answers = Vec::with_capacity(raw.len());
    for (index, (question, raw)) in questions.iter().zip(raw).enumerate() {
        match question.parse_answer(*raw) {
            Ok(answer) => answers.push(answer),
            Err(refusal) => problems.add(refusal.at(path.index(index))),
        }
    }
    problems.into_result(Some(Answers(answers)))
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn read_context(fields: &mut Fields<'_, '_>) -> Vec<Context> {
    const CONTEXT: &str = "an object such as {\"type\": \"markdown\", \"text\": \"…\"}";
    let most = fields.limits.context_items;
    let here = fields.place();
    let place = here.field("context");
    let items = fields.counted_array("context", 0..=most, "pieces of context").unwrap_or_default();
    let mut context = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        context.extend(fields.open_inner(item, place.index(index), CONTEXT).and_then(Context::read));
    }
    context
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
