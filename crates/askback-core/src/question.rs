//! One question: a message, a kind, and what every kind has.

use crate::answer::AnswerInput;
use crate::fields::{Fields, Shape};
use crate::json::{Json, Object};
use crate::kind::{Answer, KINDS, Kind, KindEntry};
use crate::problem::Refusal;
use crate::rule::Rule;

/// A question that can be asked and answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    id: String,
    header: Option<String>,
    message: String,
    placeholder: Option<String>,
    initial: Option<Answer>,
    kind: Kind,
}

impl Question {
    /// What the question is called within its request; its position from 1 if it was not given.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// A short label.
    pub fn header(&self) -> Option<&str> {
        self.header.as_deref()
    }

    /// What is asked.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What an empty field shows.
    pub fn placeholder(&self) -> Option<&str> {
        self.placeholder.as_deref()
    }

    /// What is filled in at first. It is shown, never submitted by itself.
    pub fn initial(&self) -> Option<&Answer> {
        self.initial.as_ref()
    }

    /// The kind, with everything that is its own.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// An answer that passes every rule of this question, or the rule it breaks.
    pub fn parse_answer(&self, input: &AnswerInput) -> Result<Answer, Refusal> {
        self.kind.parse_answer(input)
    }

    /// A question of a dialect that knows only message, kind and perhaps a header.
    pub(crate) fn plain(position: usize, header: Option<&str>, message: &str, kind: Kind) -> Self {
        Self {
            id: default_id(position),
            header: header.map(str::to_owned),
            message: message.to_owned(),
            placeholder: None,
            initial: None,
            kind,
        }
    }

    /// Reads the fields of a question, leaving others for whoever closes `fields`.
    pub(crate) fn read(fields: &mut Fields<'_, '_>, position: usize) -> Option<Self> {
        let limits = fields.limits;
        let id = fields.text("id", Shape::Line, 1..=limits.id_length).map(str::to_owned);
        let header = fields.header(1..=limits.header_length).map(str::to_owned);
        let message = fields.text("message", Shape::Block, limits.message_length_min..=limits.message_length);
        let message = fields.need("message", message, "the question to ask").map(str::to_owned);
        let placeholder = fields.line("placeholder");
        let Some(entry) = read_type(fields) else {
            // Which fields belong here can't be told, but some belong nowhere.
            fields.know(&["initial"]);
            KINDS.iter().for_each(|entry| fields.know(entry.fields));
            return None;
        };
        let kind = (entry.read)(fields);
        let initial = read_initial(fields, entry, kind.as_ref())?;
        let kind = kind?;
        let id = id.unwrap_or_else(|| default_id(position));
        Some(Self { id, header, message: message?, placeholder, initial, kind })
    }

    /// The canonical form of the question.
    pub fn to_json(&self) -> Json {
        self.write(Object::new()).into()
    }

    pub(crate) fn write(&self, object: Object) -> Object {
        let object = object
            .put("id", self.id.as_str())
            .put("type", self.kind.name())
            .put_some("header", self.header.as_deref())
            .put("message", self.message.as_str())
            .put_some("placeholder", self.placeholder.as_deref())
            .put_some("initial", self.initial.as_ref().map(Answer::written));
        self.kind.write(object)
    }
}

/// People count from 1, and so do the numbered lists that models read.
pub(crate) fn default_id(position: usize) -> String {
    (position + 1).to_string()
}

fn read_type(fields: &mut Fields<'_, '_>) -> Option<&'static KindEntry> {
    let words: Vec<(&'static str, &'static KindEntry)> = KINDS.iter().map(|entry| (entry.name, entry)).collect();
    let found = fields.word("type", &words);
    let names = KINDS.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ");
    fields.need("type", found, &format!("one of {names}"))
}

/// What is filled in at first, if anything is.
fn read_initial(fields: &mut Fields<'_, '_>, entry: &KindEntry, kind: Option<&Kind>) -> Option<Option<Answer>> {
    if entry.starts_open && !fields.has("initial") {
        return Some(None);
    }
    let Some(json) = fields.value("initial") else {
        return Some(None);
    };
    if entry.starts_open {
        let message = format!("a question of type {} starts with nothing chosen", entry.name);
        fields.report("initial", Rule::Initial, message, "no `initial`");
        return None;
    }
    let Json::String(text) = json else {
        return fields.wrong_type("initial", json, &written_form(json));
    };
    let answer = kind?.parse_answer(&AnswerInput::from(text));
    answer.map_err(|refusal| fields.refuse_field("initial", refusal)).ok().map(Some)
}

/// What is asked for where an answer stands in a request as something else than a text.
pub(crate) fn written_form(found: &Json) -> String {
    let example = match found {
        Json::Number(_) => format!("\"{found}\""),
        Json::Bool(true) => "\"yes\"".to_owned(),
        Json::Bool(false) => "\"no\"".to_owned(),
        _ => "\"a\"".to_owned(),
    };
    format!("the answer's written form, as a text such as {example}")
}

#[cfg(test)]
mod tests {
    use crate::{Limits, Request, Rule};

    // T7
    #[test]
    fn only_approvals_and_confirms_start_with_nothing_chosen() {
        let read = |kind: &str, initial: &str| {
            let text = format!(r#"{{"type": "{kind}", "message": "?", "initial": "{initial}"}}"#);
            Request::parse(text.as_bytes(), &Limits::DEFAULT)
        };
        for (kind, initial) in [("approval", "approve"), ("approval", "reject"), ("confirm", "yes"), ("confirm", "no")]
        {
            let problems = read(kind, initial).unwrap_err();
            assert_eq!(problems.iter().map(|problem| problem.rule).collect::<Vec<_>>(), [Rule::Initial], "{kind}");
        }
        let request = read("number", "1e3").unwrap();
        assert_eq!(request.questions()[0].initial().map(crate::Answer::written).as_deref(), Some("1000"));
    }
}
