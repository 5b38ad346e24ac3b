//! A request: one pause of one agent. [`Request::parse`] is the only way to make one.

use crate::answer::RawAnswer;
use crate::context::Context;
use crate::dialect;
use crate::fields::Fields;
use crate::json::{Json, Object};
use crate::kind::Answer;
use crate::limits::Limits;
use crate::path::{Path, Place};
use crate::problem::{Problem, Problems};
use crate::question::Question;
use crate::rule::Rule;
use std::collections::HashMap;

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

    /// The same for JSON that is already read.
    pub fn from_json(json: &Json, limits: &Limits) -> Result<Self, Problems> {
        Self::read(json, limits, |fields| {
            let shape = dialect::recognise(fields)?;
            let (envelope, silence) = Envelope::read(fields);
            Some((envelope, silence, (shape.read)(fields)))
        })
    }

    /// Reads an object with a reader of a dialect's own, which may leave the envelope out.
    pub(crate) fn read<'j>(
        json: &'j Json,
        limits: &Limits,
        reader: impl FnOnce(&mut Fields<'j, '_>) -> Option<(Envelope, Silence<'j>, Option<Vec<Question>>)>,
    ) -> Result<Self, Problems> {
        let mut problems = Problems::default();
        let request = Fields::open(json, Place::Root, &mut problems, limits).and_then(|mut fields| {
            let Some((envelope, silence, questions)) = reader(&mut fields) else {
                fields.forgive();
                fields.close();
                return None;
            };
            let request = questions.and_then(|questions| {
                let default = silence.read(&mut fields, &envelope, &questions)?;
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

    /// The canonical form without what is not the questions.
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
    /// The declared default, checked against the questions (L4).
    fn read(
        &self,
        fields: &mut Fields<'j, '_>,
        envelope: &Envelope,
        questions: &[Question],
    ) -> Option<Option<Answers>> {
        let Some(json) = self.default else {
            return Some(None);
        };
        let here = fields.place();
        let place = here.field("onTimeout");
        if envelope.timeout_s.is_none() && !fields.has("timeout") {
            fields.report("onTimeout", Rule::Default, "there is no timeout", "`timeout` in seconds beside `onTimeout`");
        }
        let mut inner = fields.open_inner(json, place)?;
        let items = inner.array("default");
        let items = inner.need("default", items, "a list with one answer for each question");
        inner.close();
        let items = items?;
        let place = place.field("default");
        let texts: Vec<RawAnswer<'_>> = items.iter().filter_map(Json::as_str).map(RawAnswer::Response).collect();
        if let Some(wrong) = items.iter().position(|item| item.as_str().is_none()) {
            let refusal = crate::problem::Refusal::new(
                Rule::Type,
                format!("this is {}", items[wrong].describe()),
                "the answer's written form, as a text",
            );
            fields.refuse(refusal, place.index(wrong));
            return None;
        }
        let answers = match parse_answers(questions, &texts, &place.path()) {
            Ok(answers) => answers,
            Err(problems) => {
                for problem in &problems {
                    fields.add(problem.clone());
                }
                return None;
            }
        };
        let consenting = answers.iter().position(|answer| !answer.may_be_default());
        if let Some(index) = consenting {
            fields.add(Problem {
                path: place.index(index).path(),
                rule: Rule::Default,
                message: "silence is never consent".to_owned(),
                expected: "no default for an approval, and only \"no\" for a confirm".to_owned(),
            });
        }
        Some(Some(answers))
    }
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
    let most = fields.limits.context_items;
    let here = fields.place();
    let place = here.field("context");
    let items = fields.counted_array("context", 0..=most).unwrap_or_default();
    let mut context = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        context.extend(fields.open_inner(item, place.index(index)).and_then(Context::read));
    }
    context
}

/// The tool's `metadata`, of which the source is kept (Q1).
pub(crate) fn read_metadata(fields: &mut Fields<'_, '_>) -> Option<String> {
    let json = fields.value("metadata")?;
    let here = fields.place();
    let mut inner = fields.open_inner(json, here.field("metadata"))?;
    let source = inner.line("source");
    inner.close();
    source
}

/// Reports ids that stand twice; for dialects whose questions have ids.
pub(crate) fn check_ids(fields: &mut Fields<'_, '_>, questions: &[Option<Question>], place: Place<'_>) {
    let mut seen = HashMap::new();
    for (index, question) in questions.iter().enumerate() {
        let Some(question) = question else { continue };
        if let Some(first) = seen.insert(question.id(), index) {
            fields.add(Problem {
                path: place.index(index).field("id").path(),
                rule: Rule::Unique,
                message: format!(
                    "this question and `{}` have the same id, \"{}\"",
                    place.index(first).path(),
                    question.id()
                ),
                expected: "ids that differ; without one, a question is called by its position from 1".to_owned(),
            });
        }
    }
}
