//! A request: one pause of one agent. [`Request::parse`] is the only way to make one.

use crate::answer::AnswerInput;
use crate::context::Context;
use crate::fields::Fields;
use crate::json::{Json, Object};
use crate::kind::Answer;
use crate::kind::confirm::Confirmation;
use crate::limits::Limits;
use crate::name::Name;
use crate::path::{Path, Place};
use crate::problem::{Problems, Refusal};
use crate::question::Question;
use crate::room::Room;
use crate::rule::Rule;

mod envelope;

pub(crate) use envelope::{Envelope, read_metadata};

/// What is asked for where a request stands.
const REQUEST: &str = "an object such as {\"type\": \"text\", \"message\": \"Name?\"}, or one with a list `questions`";

/// Questions that belong together, what to look at while answering them, and how long they stay open.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    envelope: Envelope,
    questions: Vec<Question>,
    default: Option<Answers>,
}

/// One answer for each question of a request, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers(Vec<Answer>);

impl Answers {
    /// The answers in the order of the questions.
    pub fn iter(&self) -> std::slice::Iter<'_, Answer> {
        self.0.iter()
    }

    /// Whether the whole answer is the no to one confirm, after which nothing proceeds.
    pub fn is_single_no(&self) -> bool {
        matches!(self.0.as_slice(), [Answer::Confirm(Confirmation::No)])
    }
}

impl Request {
    /// Reads an object with a reader of a dialect's own, which gives the envelope, the field `onTimeout` and the questions.
    pub(crate) fn read<'j>(
        json: &'j Json,
        limits: &Limits,
        reader: impl FnOnce(&mut Fields<'j, '_>) -> (Envelope, Option<&'j Json>, Vec<Option<Question>>),
    ) -> Result<Self, Problems> {
        let mut problems = Problems::none();
        json.find_duplicates(Place::Root, &mut problems);
        let request = Fields::open(json, Place::Root, REQUEST, &mut problems, limits).and_then(|mut fields| {
            let (envelope, on_timeout, questions) = reader(&mut fields);
            let default = match on_timeout {
                Some(json) => envelope::read_on_timeout(&mut fields, json, &questions).map(Some),
                None => Some(None),
            };
            let questions = questions.into_iter().collect::<Option<Vec<Question>>>();
            let request = questions.zip(default).map(|(questions, default)| Self { envelope, questions, default });
            fields.close();
            request
        });
        problems.into_result(request)
    }

    /// The room it was asked in, if one was named.
    pub fn room(&self) -> Option<&str> {
        self.envelope.room.as_deref()
    }

    /// The same request, asked in this room.
    #[must_use]
    pub fn with_room(mut self, room: &Room) -> Self {
        self.envelope.room = Some(room.as_str().to_owned());
        self
    }

    /// The same request with this many seconds until it expires.
    #[must_use]
    pub fn with_timeout(mut self, seconds: u32) -> Self {
        self.envelope.timeout_s = Some(seconds);
        self
    }

    /// The same request with this claim of which program asks.
    #[must_use]
    pub fn with_from(mut self, from: &Name) -> Self {
        self.envelope.from = Some(from.as_str().to_owned());
        self
    }

    /// Whether both requests are equal apart from the rooms that they name.
    pub fn is_same_apart_from_room(&self, other: &Self) -> bool {
        let without_room = |request: &Self| Envelope { room: None, ..request.envelope.clone() };
        self.questions == other.questions && self.default == other.default && without_room(self) == without_room(other)
    }

    /// Whether a question of it asks for an approval.
    pub fn asks_approval(&self) -> bool {
        self.questions.iter().any(|question| question.kind().asks_approval())
    }

    /// Whether a question of it asks for consent.
    pub fn asks_consent(&self) -> bool {
        self.questions.iter().any(|question| question.kind().asks_consent())
    }

    /// What it is about, in a line: its title, or else its first question.
    pub fn summary(&self) -> String {
        match (self.title(), self.questions()) {
            (Some(title), _) => title.to_owned(),
            (None, [only]) => only.message().to_owned(),
            (None, [first, rest @ ..]) => format!("{} (and {} more)", first.message(), rest.len()),
            (None, []) => String::new(),
        }
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
    pub fn parse_answers(&self, inputs: &[AnswerInput], path: &Path) -> Result<Answers, Problems> {
        self.collect_answers(inputs.len(), path, |index, question| question.parse_answer(&inputs[index]))
    }

    /// One answer for each question from `parse`, or everything that is wrong with them. `count` answers came.
    pub(crate) fn collect_answers(
        &self,
        count: usize,
        path: &Path,
        parse: impl Fn(usize, &Question) -> Result<Answer, Refusal>,
    ) -> Result<Answers, Problems> {
        if count != self.questions.len() {
            return Err(wrong_count(count, self.questions.len()).at(path.clone()).into());
        }
        let mut problems = Problems::none();
        let mut answers = Vec::with_capacity(count);
        for (index, question) in self.questions.iter().enumerate() {
            match parse(index, question) {
                Ok(answer) => answers.push(answer),
                Err(refusal) => problems.add(refusal.at(path.index(index))),
            }
        }
        problems.into_result(Some(Answers(answers)))
    }

    /// The canonical form: the form dialect, with every default that matters written out.
    pub fn to_json(&self) -> Json {
        let questions = self.questions.iter().map(|question| question.write(Object::new())).collect::<Vec<_>>();
        self.write_envelope(Object::new()).put("questions", questions).into()
    }

    /// What the request has besides its questions, in the canonical form.
    pub(crate) fn write_envelope(&self, object: Object) -> Object {
        self.envelope.write(object, self.default.as_ref())
    }
}

fn wrong_count(answers: usize, questions: usize) -> Refusal {
    let message = format!("{} came for {}", counted(answers, "answer"), counted(questions, "question"));
    Refusal::new(Rule::Answers, message, "one answer for each question")
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
