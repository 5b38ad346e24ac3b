//! Messages of real Yjs clients are read with the meaning that Yjs gives them.

use super::{bytes, part};
use crate::any::ValueBudget;
use crate::awareness::{self, AwarenessEntry};
use crate::byte_reader::ByteReader;
use crate::byte_writer::ByteWriter;
use crate::error::DecodeError;
use crate::key_cache::KeyCache;
use crate::message::{self, ProtocolMessage};
use crate::proposal::{Proposal, Proposals};
use crate::state_vector;
use askback_core::{Json, Limits};

/// KeyCache, each with its object if it is a proposal.
type Found = Vec<(String, Option<Json>)>;

fn found(update: &[u8], keys: &mut KeyCache) -> Result<Found, DecodeError> {
    let as_expected = |proposal: Proposal| (proposal.key, proposal.body.ok());
    Ok(Proposals::read(update, keys)?.map(as_expected).collect())
}

fn expected(entry: &Json) -> Found {
    let pair = |pair: &Json| {
        let pair = pair.as_array().unwrap();
        (pair[0].as_str().unwrap().to_owned(), pair.get(1).cloned())
    };
    entry.get("proposals").and_then(Json::as_array).unwrap().iter().map(pair).collect()
}

fn number(entry: &Json, field: &str) -> u64 {
    match entry.get(field) {
        Some(Json::Number(number)) => *number as u64,
        other => panic!("{field} is {other:?}"),
    }
}

#[test]
fn proposals_of_real_updates_are_found() {
    assert!(part("updates").len() >= 200);
    let mut keys = KeyCache::default();
    for entry in part("updates") {
        let (name, bytes) = (entry.get("name"), bytes(entry));
        // Some come from the same connection as the one before.
        if entry.get("follows").is_none() {
            keys = KeyCache::default();
        }
        assert_eq!(found(&bytes, &mut keys), Ok(expected(entry)), "{name:?}");
        let framed = message::update(&bytes);
        assert_eq!(message::read(&framed), Ok(ProtocolMessage::Update(&bytes)), "{name:?}");
    }
}

#[test]
fn shortened_or_lengthened_update_is_refused() {
    let mut keys = KeyCache::default();
    for entry in part("updates") {
        let bytes = bytes(entry);
        let ends = (0..bytes.len()).step_by(1 + bytes.len() / 500);
        for end in ends {
            assert!(Proposals::read(&bytes[..end], &mut keys).is_err(), "{end} bytes of {:?}", entry.get("name"));
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(
            Proposals::read(&longer, &mut keys).err(),
            Some(DecodeError::TrailingBytes),
            "{:?}",
            entry.get("name")
        );
    }
    assert!(keys.is_empty(), "what can't be read is not remembered");
}

#[test]
fn damaged_update_is_read_as_yjs_reads_it_or_refused() {
    let mut refused = 0;
    for entry in part("damaged") {
        match found(&bytes(entry), &mut KeyCache::default()) {
            Ok(found) => assert_eq!(found, expected(entry), "{entry}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused * 10 <= part("damaged").len(), "{refused} of {} were refused", part("damaged").len());
}

#[test]
fn values_have_the_bytes_of_lib0() {
    for entry in part("any") {
        let text = entry.get("json").and_then(Json::as_str).unwrap();
        let (value, bytes) = (Json::parse(text.as_bytes(), &Limits::DEFAULT).unwrap(), bytes(entry));
        let mut writer = ByteWriter::default();
        writer.any(&value);
        assert_eq!(writer.into_vec(), bytes, "{text}");
        let mut reader = ByteReader::new(&bytes);
        assert_eq!(reader.any(&mut ValueBudget::new(1_000, 32)), Ok(value), "{text}");
        assert!(reader.is_empty(), "{text}");
        let mut reader = ByteReader::new(&bytes);
        assert_eq!(reader.skip_any(), Ok(()), "{text}");
        assert!(reader.is_empty(), "{text}");
    }
}

#[test]
fn state_vectors_of_real_clients_are_read() {
    for entry in part("stateVectors") {
        let (own, bytes, mut found) = (number(entry, "own"), bytes(entry), Vec::new());
        assert_eq!(state_vector::read(&bytes, |client, clock| found.push((client, clock))), Ok(()), "{entry}");
        let clock = found.iter().filter(|(client, _)| *client == own).map(|(_, clock)| *clock).max();
        assert_eq!(clock.unwrap_or_default(), number(entry, "clock"), "{entry}");
        assert_eq!(state_vector::write(&found), bytes, "{entry}");
    }
}

#[test]
fn awareness_of_real_clients_is_read_and_written_alike() {
    for entry in part("awareness") {
        let expected: Vec<AwarenessEntry> =
            entry.get("entries").and_then(Json::as_array).unwrap().iter().map(as_entry).collect();
        let bytes = bytes(entry);
        assert_eq!(awareness::read(&bytes).as_ref(), Ok(&expected), "{entry}");
        let written = awareness::write(&expected);
        assert_eq!(awareness::read(&written).as_ref(), Ok(&expected), "{entry}");
        if usize::from(bytes[0]) == expected.len() {
            assert_eq!(written, bytes, "nothing was left out, so nothing has changed");
        }
    }
}

fn as_entry(entry: &Json) -> AwarenessEntry {
    let state = entry.get("state").filter(|state| **state != Json::Null).cloned();
    AwarenessEntry { client: number(entry, "client"), clock: number(entry, "clock"), state }
}
