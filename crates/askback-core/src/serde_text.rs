//! Types that are one text in JSON, as serde reads and writes them.

use crate::word::meaning_of;
use crate::{Name, Purpose, Refusal, RequestId, Role, Room, Status, Surface};
use serde::de::{Deserialize, Deserializer, Error, Visitor, value};
use serde::ser::{Serialize, Serializer};
use std::fmt;

macro_rules! serde_text {
    ($($type:ident: $expected:literal, $write:ident, $read:expr;)+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.$write())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(TextVisitor { expected: $expected, read: $read })
            }
        }
    )+};
}

serde_text! {
    Name: "a name", as_str, |text| read_parsed(Name::parse(text));
    RequestId: "the id of a request", as_str, |text| read_parsed(RequestId::parse(text));
    Room: "the name of a room", as_str, |text| read_parsed(Room::parse(text));
    Role: "a word", name, |text| read_word(&Role::WORDS, Role::NAMES, text);
    Purpose: "a word", name, |text| read_word(&Purpose::WORDS, Purpose::NAMES, text);
    Status: "a word", name, |text| read_word(&Status::WORDS, Status::NAMES, text);
    Surface: "a word", name, |text| read_word(&Surface::WORDS, Surface::NAMES, text);
}

struct TextVisitor<T> {
    expected: &'static str,
    read: fn(&str) -> Result<T, String>,
}

impl<T> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.read)(text).map_err(E::custom)
    }
}

fn read_parsed<T>(parsed: Result<T, Refusal>) -> Result<T, String> {
    parsed.map_err(|refusal| refusal.to_string())
}

fn read_word<T: Copy>(words: &[(&'static str, T)], names: &'static [&'static str], text: &str) -> Result<T, String> {
    meaning_of(words, text).ok_or_else(|| value::Error::unknown_variant(text, names).to_string())
}

#[cfg(test)]
mod tests {
    use crate::{Purpose, Role, Status, Surface};

    #[test]
    fn every_word_is_read_as_it_is_written() {
        fn check<T: serde::Serialize + for<'de> serde::Deserialize<'de> + PartialEq + std::fmt::Debug>(all: &[T]) {
            for value in all {
                let text = serde_json::to_string(value).unwrap();
                assert_eq!(serde_json::from_str::<T>(&text).unwrap(), *value);
            }
            assert!(serde_json::from_str::<T>("\"nonsense\"").is_err());
        }
        check(&Role::ALL);
        check(&Purpose::ALL);
        check(&Status::ALL);
        check(&Surface::WORDS.map(|(_, surface)| surface));
    }
}
