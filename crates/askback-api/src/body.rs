//! Deserializes JSON bodies. An error is a problem with a path, a rule and the expected value.

use askback_core::{Json, Limits, Path, Problem, Problems, Refusal, Rule};
use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{self, DeserializeOwned, Expected, IntoDeserializer, Unexpected, Visitor};
use serde_path_to_error::Segment;
use std::fmt;

/// Reads the body of a call. An empty body is an empty object.
pub fn read_body<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problems> {
    let bytes = if bytes.is_empty() { b"{}" } else { bytes };
    read_json(&Json::parse(bytes, &Limits::DEFAULT)?).map_err(Problems::from)
}

/// Reads a parsed value. A null field counts as absent.
pub fn read_json<T: DeserializeOwned>(json: &Json) -> Result<T, Problem> {
    serde_path_to_error::deserialize(Reader(json)).map_err(|error| {
        let path = error.path().iter().fold(Path::root(), |path, segment| match segment {
            Segment::Map { key } => path.field(key),
            Segment::Seq { index } => path.index(*index),
            Segment::Enum { .. } | Segment::Unknown => path,
        });
        let FieldError { field, refusal } = error.into_inner();
        let path = field.iter().fold(path, |path, field| path.field(field));
        refusal.at(path)
    })
}

/// A broken rule, at a field of the object that is being read.
#[derive(Debug, thiserror::Error)]
#[error("{refusal}")]
struct FieldError {
    field: Option<String>,
    refusal: Refusal,
}

impl FieldError {
    fn new(rule: Rule, message: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { field: None, refusal: Refusal { rule, message: message.into(), expected: expected.into() } }
    }

    fn at(self, field: &str) -> Self {
        Self { field: Some(field.to_owned()), ..self }
    }
}

impl de::Error for FieldError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(Rule::Type, message.to_string(), "another value")
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(Rule::Type, format!("this is {}", describe(found)), phrase(&expected.to_string()))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::new(Rule::Word, "this is not one of these words", words(expected))
    }

    fn unknown_field(_: &str, expected: &'static [&'static str]) -> Self {
        // The path already contains the name.
        Self::new(Rule::UnknownField, "there is no such field", words(expected))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(Rule::Required, "it is missing", format!("a value for {field}")).at(field)
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new(Rule::DuplicateField, "this field is there twice", "it once").at(field)
    }
}

fn words(words: &[&str]) -> String {
    if words.is_empty() { "no fields".to_owned() } else { words.join(", ") }
}

/// Rewords serde's expectation like the other problems.
fn phrase(expected: &str) -> String {
    match expected {
        "a string" => "a text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "u64" | "usize" => "a whole number",
        "f64" => "a number",
        other => other,
    }
    .to_owned()
}

fn describe(found: Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "true or false",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "a number",
        Unexpected::Str(_) => "a text",
        Unexpected::Unit => "null",
        Unexpected::Seq => "a list",
        Unexpected::Map => "an object",
        _ => "something else",
    }
}

/// Deserializes the core's JSON.
#[derive(Clone, Copy)]
struct Reader<'j>(&'j Json);

impl<'de> IntoDeserializer<'de, FieldError> for Reader<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The largest integer that an `f64` represents exactly.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

impl<'de> de::Deserializer<'de> for Reader<'de> {
    type Error = FieldError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        match self.0 {
            Json::Null => visitor.visit_unit(),
            Json::Bool(value) => visitor.visit_bool(*value),
            Json::Number(number) if number.fract() == 0.0 && number.abs() <= LARGEST_EXACT => {
                if *number < 0.0 {
                    visitor.visit_i64(*number as i64)
                } else {
                    visitor.visit_u64(*number as u64)
                }
            }
            Json::Number(number) => visitor.visit_f64(*number),
            Json::String(text) => visitor.visit_borrowed_str(text),
            Json::Array(items) => visitor.visit_seq(SeqDeserializer::new(items.iter().map(Reader))),
            Json::Object(fields) => visitor
                .visit_map(MapDeserializer::new(fields.iter().map(|(name, value)| (name.as_str(), Reader(value))))),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        match self.0 {
            Json::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        match self.0 {
            Json::Object(entries) => {
                // A null field counts as absent.
                let is_absent = |name: &str, value: &Json| *value == Json::Null && fields.contains(&name);
                let present = entries.iter().filter(|(name, value)| !is_absent(name, value));
                visitor.visit_map(MapDeserializer::new(present.map(|(name, value)| (name.as_str(), Reader(value)))))
            }
            _ => Err(FieldError::new(Rule::Type, "this is not an object", format!("an object with {}", words(fields)))),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        match self.0 {
            Json::String(text) => visitor.visit_enum(StrDeserializer::new(text)),
            _ => Err(FieldError::new(Rule::Type, "this is not a text", words(variants))),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, FieldError> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        name: String,
        count: Option<u64>,
        word: Option<Word>,
        items: Option<Vec<Item>>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Word {
        One,
        Two,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Item {
        text: String,
    }

    fn refused(text: &str) -> (String, Rule) {
        let json = Json::parse(text.as_bytes(), &Limits::DEFAULT).unwrap();
        let problem = read_json::<Sample>(&json).unwrap_err();
        (problem.path.to_string(), problem.rule)
    }

    // F15
    #[test]
    fn problem_names_path_and_rule() {
        assert_eq!(refused(r#"{"name": 7}"#), ("name".to_owned(), Rule::Type));
        assert_eq!(refused(r#"{"name": null}"#), ("name".to_owned(), Rule::Required));
        assert_eq!(refused("{}"), ("name".to_owned(), Rule::Required));
        assert_eq!(refused(r#"{"name": "a", "nme": 1}"#), ("nme".to_owned(), Rule::UnknownField));
        assert_eq!(refused(r#"{"name": "a", "name": "b"}"#), ("name".to_owned(), Rule::DuplicateField));
        assert_eq!(refused(r#"{"name": "a", "word": "three"}"#), ("word".to_owned(), Rule::Word));
        assert_eq!(refused(r#"{"name": "a", "count": 1.5}"#), ("count".to_owned(), Rule::Type));
        assert_eq!(
            refused(r#"{"name": "a", "items": [{"text": "x"}, {}]}"#),
            ("items[1].text".to_owned(), Rule::Required)
        );
        assert_eq!(refused(r#"{"name": "a", "items": [7]}"#), ("items[0]".to_owned(), Rule::Type));
        assert_eq!(refused("[]"), ("$".to_owned(), Rule::Type));
    }

    // F15
    #[test]
    fn null_field_is_absent() {
        let json =
            Json::parse(br#"{"name": "a", "count": null, "word": "two", "items": []}"#, &Limits::DEFAULT).unwrap();
        let expected = Sample { name: "a".to_owned(), count: None, word: Some(Word::Two), items: Some(Vec::new()) };
        assert_eq!(read_json::<Sample>(&json), Ok(expected));
    }
}
