//! Tests of the codec as a whole: messages of real clients, of hostile ones, and of our own writer.

use crate::byte_writer::ByteWriter;
use askback_core::{Json, Limits};
use std::sync::LazyLock;

mod bombs;
mod corpus;
mod hostile;
mod properties;

/// Messages of real clients with their expected contents, written by `tests/corpus/make.mjs`.
static CORPUS: LazyLock<Json> = LazyLock::new(|| {
    Json::parse(include_bytes!("../tests/corpus/corpus.json"), &Limits::DEFAULT).expect("it was written by JavaScript")
});

/// A part of the corpus.
fn part(name: &str) -> &'static [Json] {
    CORPUS.get(name).and_then(Json::as_array).expect("it has all parts")
}

/// The bytes of an entry.
fn bytes(entry: &Json) -> Vec<u8> {
    let text = entry.get("bytes").and_then(Json::as_str).expect("every entry has bytes");
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|letter| *letter != b'=').collect();
    let group = |letters: &[u8]| {
        let bits = letters.iter().fold(0u32, |bits, letter| bits << 6 | u32::from(digit(*letter)));
        let bits = bits << (6 * (4 - letters.len()));
        bits.to_be_bytes()[1..letters.len()].to_vec()
    };
    letters.chunks(4).flat_map(group).collect()
}

/// An update of one client's structs, which are encoded already, and of deletions.
fn update(client: u64, structs: &[Vec<u8>], deletions: &[(u64, Vec<(u64, u64)>)]) -> Vec<u8> {
    update_from(client, 0, structs, deletions)
}

/// The same, of a client that has written before.
fn update_from(client: u64, clock: u64, structs: &[Vec<u8>], deletions: &[(u64, Vec<(u64, u64)>)]) -> Vec<u8> {
    let mut writer = ByteWriter::default();
    writer.unsigned(1);
    writer.unsigned(structs.len() as u64);
    writer.unsigned(client);
    writer.unsigned(clock);
    structs.iter().flatten().for_each(|byte| writer.byte(*byte));
    writer.unsigned(deletions.len() as u64);
    for (client, ranges) in deletions {
        writer.unsigned(*client);
        writer.unsigned(ranges.len() as u64);
        for (clock, length) in ranges {
            writer.unsigned(*clock);
            writer.unsigned(*length);
        }
    }
    writer.into_vec()
}

/// An item that sets a key of the map for the first time, up to its content.
fn set(key: &str, kind: u8) -> ByteWriter {
    let mut writer = ByteWriter::default();
    writer.byte(kind | 0x20);
    writer.unsigned(1);
    writer.text("answers");
    writer.text(key);
    writer
}

/// An item that was inserted after another, up to its content: in a map it overwrites that one.
fn put_after(client: u64, clock: u64, kind: u8) -> ByteWriter {
    let mut writer = ByteWriter::default();
    writer.byte(kind | 0xa0);
    writer.unsigned(client);
    writer.unsigned(clock);
    writer
}

/// An item that sets a key again.
fn overwrite(client: u64, clock: u64, value: &Json) -> Vec<u8> {
    let mut writer = put_after(client, clock, crate::update::kind::ANY);
    writer.unsigned(1);
    writer.any(value);
    writer.into_vec()
}

/// An item that sets a key to a value for the first time.
fn set_value(key: &str, value: &Json) -> Vec<u8> {
    let mut writer = set(key, crate::update::kind::ANY);
    writer.unsigned(1);
    writer.any(value);
    writer.into_vec()
}
