//! What the API says and hears, as JSON: requests as the hub has them, tokens, and the bodies of calls.

use super::limits::BETWEEN_WAITS;
use crate::fault::{Fault, Kind};
use askback_core::{Json, Limits, Name, Object, Outcome, RawAnswer, Reason, State, Surface};
use askback_hub::{Attendance, Cursor, Listed, Record, Room, Timestamp, Token, Unattended};

/// A request with everything the hub knows of it.
pub(crate) fn record(record: &Record, attendance: Attendance) -> Json {
    let (is_waiting, last_waited) = match attendance {
        Attendance::Waiting => (true, None),
        Attendance::LastSeen(at) => (is_waiting(attendance, Timestamp::now()), Some(at.to_string())),
    };
    Object::new()
        .put("id", record.id.as_str())
        .put("status", record.status().name())
        .put("room", record.room.as_str())
        .put("asker", record.asker.as_str())
        .put("createdAt", record.created_at.to_string())
        .put("expiresAt", record.deadline.map(|at| at.to_string()))
        .put("waiting", is_waiting)
        .put("lastWaitedAt", last_waited)
        .put("request", record.request.to_json())
        .put("outcome", record.outcome.as_ref().map(|outcome| outcome.to_json(&record.request)))
        .into()
}

/// Whether an asker counts as waiting (L9): between two calls it does not for a moment, and is there all the same.
pub(crate) fn is_waiting(attendance: Attendance, now: Timestamp) -> bool {
    match attendance {
        Attendance::Waiting => true,
        Attendance::LastSeen(at) => now.duration_since(at) < BETWEEN_WAITS,
    }
}

/// One that was made this moment: its asker is there.
pub(crate) fn new_record(new: &Record) -> Json {
    record(new, Attendance::Waiting)
}

/// A page of anything.
pub(crate) fn page(items: Vec<Json>, next: Option<Cursor>) -> Json {
    Object::new().put("items", items).put("next", next.map(|next| next.to_string())).into()
}

pub(crate) fn listed(listed: &Listed) -> Json {
    record(&listed.record, listed.attendance)
}

/// One that nobody waits for, without what it asks.
pub(crate) fn unattended(unattended: &Unattended) -> Json {
    let Unattended { id, waited_at, .. } = unattended;
    Object::new().put("id", id.as_str()).put("lastWaitedAt", waited_at.to_string()).into()
}

/// How far a request has come.
pub(crate) fn state(record: &Record, outcome: Option<&Outcome>) -> Json {
    match outcome {
        Some(outcome) => outcome.to_json(&record.request),
        None => State::Pending(record.id.clone()).to_json(&record.request),
    }
}

/// A token, never its secret.
pub(crate) fn token(token: &Token) -> Json {
    Object::new()
        .put("number", token.number as f64)
        .put("purpose", token.purpose.name())
        .put("role", token.role.name())
        .put("name", token.name.as_str())
        .put("room", token.room.as_ref().map(Room::as_str))
        .put("createdAt", token.created_at.to_string())
        .put("expiresAt", token.expires_at.map(|at| at.to_string()))
        .into()
}

/// The fields of a body, each of which must be known.
pub(crate) struct Body {
    json: Json,
    kind: Kind,
}

impl Body {
    /// Reads a body; none at all is an empty one. What is wrong with it is a fault of this kind.
    pub(crate) fn parse(bytes: &[u8], known: &[&str], kind: Kind) -> Result<Self, Fault> {
        let bytes = if bytes.is_empty() { b"{}" } else { bytes };
        let json = Json::parse(bytes, &Limits::DEFAULT).map_err(|problems| Fault::of_problems(kind, &problems))?;
        Self::from_json(json, known, kind)
    }

    /// The same of what was read already.
    pub(crate) fn from_json(json: Json, known: &[&str], kind: Kind) -> Result<Self, Fault> {
        let Json::Object(fields) = &json else {
            return Err(field_fault(kind, "$", "this is no object", format!("an object with {}", listed_words(known))));
        };
        let mut seen: Vec<&str> = Vec::new();
        for (name, _) in fields {
            if !known.contains(&name.as_str()) {
                return Err(field_fault(kind, name, "there is no such field", listed_words(known)));
            }
            if seen.contains(&name.as_str()) {
                return Err(field_fault(kind, name, "this field is there twice", "it once"));
            }
            seen.push(name);
        }
        Ok(Self { json, kind })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Json> {
        self.json.get(name).filter(|value| !matches!(value, Json::Null))
    }

    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, Fault> {
        match self.get(name) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text)),
            Some(_) => Err(field_fault(self.kind, name, "this is no text", "a text")),
        }
    }

    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, Fault> {
        match self.get(name) {
            None => Ok(None),
            Some(Json::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(field_fault(self.kind, name, "this is neither true nor false", "true or false")),
        }
    }

    pub(crate) fn name(&self, name: &str) -> Result<Option<Name>, Fault> {
        let text = self.text(name)?;
        text.map(Name::parse).transpose().map_err(|refusal| Fault::refused(self.kind, name, refusal))
    }

    pub(crate) fn reason(&self) -> Result<Option<Reason>, Fault> {
        let text = self.text("reason")?.unwrap_or_default();
        Reason::parse(text).map_err(|refusal| Fault::refused(self.kind, "reason", refusal))
    }

    /// Where a person says that they are: at a terminal or at a command. What a browser or a program is, the server knows.
    pub(crate) fn surface(&self) -> Result<Option<Surface>, Fault> {
        match self.text("surface")? {
            None => Ok(None),
            Some("terminal") => Ok(Some(Surface::Terminal)),
            Some("cli") => Ok(Some(Surface::Cli)),
            Some(_) => {
                Err(field_fault(self.kind, "surface", "this is none to choose", "terminal or cli, or no such field"))
            }
        }
    }

    /// The selections of one question, and Other's text.
    pub(crate) fn selected(&self) -> Result<GivenAnswer, Fault> {
        let text = |json: &Json| json.as_str().map(str::to_owned);
        let selections = self.get("selections").and_then(|list| each(list, text));
        let selections = selections
            .ok_or_else(|| field_fault(self.kind, "selections", "this is no list of texts", "a list of texts"))?;
        Ok(GivenAnswer::Selections { selections, custom: self.text("custom")?.map(str::to_owned) })
    }

    /// The answers, and the field that has them.
    pub(crate) fn answers(&self) -> Result<(Vec<GivenAnswer>, &'static str), Fault> {
        const EXPECTED: &str = "responses, one text for each question; or answers, each with selections and custom";
        let wrong = |name: &str, message: &str| field_fault(self.kind, name, message, EXPECTED);
        match (self.get("responses"), self.get("answers")) {
            (Some(_), Some(_)) => Err(wrong("answers", "this stands beside responses")),
            (None, None) => Err(wrong("responses", "there are no answers")),
            (Some(responses), None) => {
                let given = each(responses, |json| json.as_str().map(|text| GivenAnswer::Response(text.to_owned())));
                Ok((given.ok_or_else(|| wrong("responses", "this is no list of texts"))?, "responses"))
            }
            (None, Some(answers)) => {
                let given = each(answers, GivenAnswer::read);
                Ok((given.ok_or_else(|| wrong("answers", "this is no list of answers"))?, "answers"))
            }
        }
    }
}

/// An answer as it stands in a body.
pub(crate) enum GivenAnswer {
    /// A text, or `{"response": "…"}`.
    Response(String),
    /// `{"selections": ["…"], "custom": "…"}`
    Selections { selections: Vec<String>, custom: Option<String> },
}

impl GivenAnswer {
    fn read(json: &Json) -> Option<Self> {
        let Json::Object(fields) = json else { return None };
        if fields.iter().any(|(name, _)| !["response", "selections", "custom"].contains(&name.as_str())) {
            return None;
        }
        let value = |name: &str| json.get(name).filter(|value| !matches!(value, Json::Null));
        let text = |json: &Json| json.as_str().map(str::to_owned);
        let custom = match value("custom") {
            Some(custom) => Some(text(custom)?),
            None => None,
        };
        match (value("response"), value("selections")) {
            (Some(response), None) if custom.is_none() => text(response).map(Self::Response),
            (None, Some(selections)) => Some(Self::Selections { selections: each(selections, text)?, custom }),
            (None, None) if custom.is_some() => Some(Self::Selections { selections: Vec::new(), custom }),
            _ => None,
        }
    }

    pub(crate) fn raw(&self) -> RawAnswer<'_> {
        match self {
            Self::Response(text) => RawAnswer::Response(text),
            Self::Selections { selections, custom } => RawAnswer::Selections { selections, custom: custom.as_deref() },
        }
    }
}

/// What each item of a list is; nothing if this is no list, or one item is something else.
fn each<T>(list: &Json, read: impl Fn(&Json) -> Option<T>) -> Option<Vec<T>> {
    list.as_array()?.iter().map(read).collect()
}

fn field_fault(kind: Kind, name: &str, message: &str, expected: impl Into<String>) -> Fault {
    let refusal = askback_core::Refusal {
        rule: askback_core::Rule::Word,
        message: message.to_owned(),
        expected: expected.into(),
    };
    Fault::refused(kind, name, refusal)
}

fn listed_words(words: &[&str]) -> String {
    match words {
        [] => "no fields".to_owned(),
        words => words.join(", "),
    }
}
