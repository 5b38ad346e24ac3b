//! JSON as it arrives: fields in order, repeated fields seen, numbers as JavaScript has them.
//!
//! `serde_json` reads the text; its own `Value` would silently keep the last of two fields with one name.

use crate::limits::Limits;
use crate::path::{Path, Place};
use crate::problem::{Problems, Refusal};
use crate::rule::Rule;
use crate::show::quote;
use std::collections::HashMap;

mod serde;
mod syntax;

/// Any JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A finite double, as every JSON number is to JavaScript.
    Number(f64),
    /// A text.
    String(String),
    /// A list.
    Array(Vec<Json>),
    /// Fields in the order of the text.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads one JSON text. A wrong text gets a report, whatever its bytes are.
    pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Self, Problems> {
        let most = limits.request_bytes;
        Rule::Size
            .unless(bytes.len() <= most, || {
                (format!("the text has more than {most} bytes"), format!("at most {most} bytes"))
            })
            .and_then(|()| syntax::read(bytes))
            .map_err(|refusal| Problems::from(refusal.at(Path::root())))
    }

    /// The value of a field, if this is an object that has it.
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(fields) => fields.iter().find(|(field, _)| field == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text, if this is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The items, if this is a list.
    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// What it is, for a message: "a text", "a list", …
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Number(_) => format!("the number {self}"),
            Self::String(text) => format!("the text {}", quote(text)),
            Self::Array(_) => "a list".to_owned(),
            Self::Object(_) => "an object".to_owned(),
        }
    }

    /// Over several lines, for people.
    pub fn to_pretty(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts as keys can always be written")
    }

    /// Reports every field that stands twice in its object.
    pub(crate) fn find_duplicates(&self, place: Place<'_>, problems: &mut Problems) {
        match self {
            Self::Array(items) => {
                for (index, item) in items.iter().enumerate().filter(|(_, item)| item.has_items()) {
                    item.find_duplicates(place.index(index), problems);
                }
            }
            Self::Object(fields) => {
                let repeated = repeated(fields);
                for (described, name) in repeated.iter().enumerate() {
                    if problems.is_full() {
                        problems.count(repeated.len() - described);
                        break;
                    }
                    let message = format!("the field {} stands here more than once", quote(name));
                    let refusal = Refusal::new(Rule::DuplicateField, message, "each field once");
                    problems.add(refusal.at(place.field(name).path()));
                }
                for (name, value) in fields.iter().filter(|(_, value)| value.has_items()) {
                    value.find_duplicates(place.field(name), problems);
                }
            }
            _ => {}
        }
    }

    fn has_items(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Object(_))
    }
}

/// The names that stand in an object more than once.
fn repeated(fields: &[(String, Json)]) -> Vec<&str> {
    // Up to so many, looking at each pair is quicker than hashing.
    const FEW: usize = 16;
    let names = || fields.iter().map(|(name, _)| name.as_str());
    if fields.len() <= FEW {
        let earlier = |at: usize, name: &str| names().take(at).filter(|earlier| *earlier == name).count();
        return names().enumerate().filter(|(at, name)| earlier(*at, name) == 1).map(|(_, name)| name).collect();
    }
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(fields.len());
    let mut is_second = |name| {
        let count = seen.entry(name).or_default();
        *count += 1;
        *count == 2
    };
    names().filter(|name| is_second(*name)).collect()
}

impl std::fmt::Display for Json {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| std::fmt::Error)?)
    }
}

/// An object under construction.
#[derive(Debug, Clone, Default)]
pub struct Object(Vec<(String, Json)>);

impl Object {
    /// Without fields.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a field.
    #[must_use]
    pub fn put(mut self, name: &str, value: impl Into<Json>) -> Self {
        self.0.push((name.to_owned(), value.into()));
        self
    }

    /// The names of the fields.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Adds a field if there is a value for it.
    #[must_use]
    pub fn put_some(self, name: &str, value: Option<impl Into<Json>>) -> Self {
        match value {
            Some(value) => self.put(name, value),
            None => self,
        }
    }
}

impl From<Object> for Json {
    fn from(object: Object) -> Self {
        Self::Object(object.0)
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<f64> for Json {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<u32> for Json {
    fn from(value: u32) -> Self {
        Self::Number(f64::from(value))
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Self {
        Self::Array(items.into_iter().map(Into::into).collect())
    }
}

/// `null` where there is nothing: for fields that are always written.
impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl From<Json> for serde_json::Value {
    fn from(json: Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(flag) => Self::Bool(flag),
            Json::String(text) => Self::String(text),
            // Whole numbers as such: to some readers 3.0 is none.
            Json::Number(number) if number.fract() == 0.0 && number.abs() < 9e15 => Self::from(number as i64),
            Json::Number(number) => Self::from(number),
            Json::Array(items) => items.into_iter().map(Self::from).collect(),
            Json::Object(fields) => fields.into_iter().map(|(name, value)| (name, Self::from(value))).collect(),
        }
    }
}

impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(value) => Self::Bool(value),
            serde_json::Value::Number(number) => {
                Self::Number(number.as_f64().expect("without arbitrary precision every number is a double"))
            }
            serde_json::Value::String(text) => Self::String(text),
            serde_json::Value::Array(items) => Self::Array(items.into_iter().map(Into::into).collect()),
            serde_json::Value::Object(fields) => {
                Self::Object(fields.into_iter().map(|(name, value)| (name, value.into())).collect())
            }
        }
    }
}
