//! Types that are one text in JSON, as serde reads and writes them.

use crate::{Name, Purpose, RequestId, Role, Room, Status, Surface};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// A type that is one text.
trait Text: Sized {
    const EXPECTED: &'static str;

    fn write(&self) -> &str;
    fn read<E: Error>(text: &str) -> Result<Self, E>;
}

macro_rules! parsed {
    ($($type:ident: $expected:literal;)+) => {$(
        impl Text for $type {
            const EXPECTED: &'static str = $expected;

            fn write(&self) -> &str {
                self.as_str()
            }

            fn read<E: Error>(text: &str) -> Result<Self, E> {
                Self::parse(text).map_err(E::custom)
            }
        }
    )+};
}

macro_rules! word {
    ($($type:ident: $words:expr;)+) => {$(
        impl Text for $type {
            const EXPECTED: &'static str = "a word";

            fn write(&self) -> &str {
                self.name()
            }

            fn read<E: Error>(text: &str) -> Result<Self, E> {
                const WORDS: &[&str] = &$words;
                Self::parse(text).into_iter().next().ok_or_else(|| E::unknown_variant(text, WORDS))
            }
        }
    )+};
}

parsed! {
    Name: "a name";
    RequestId: "the id of a request";
    Room: "the name of a room";
}

word! {
    Role: ["asker", "answerer", "admin"];
    Purpose: ["token", "session", "plain-session", "login"];
    Status: ["pending", "answered", "declined", "cancelled", "expired"];
    Surface: ["terminal", "page", "yjs", "mcp", "cli", "http", "hub"];
}

macro_rules! serde_text {
    ($($type:ident)+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.write())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(TextVisitor(PhantomData))
            }
        }
    )+};
}

serde_text!(Name Purpose RequestId Role Room Status Surface);

struct TextVisitor<T>(PhantomData<T>);

impl<T: Text> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::read(text)
    }
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
