//! The Yjs codec: messages, updates, awareness and state vectors. What is decoded is encoded as the same value, within limits.

use super::check_printable;
use askback_core::Json;
use askback_yjs::limits::{
    AWARENESS_BYTES, AWARENESS_ENTRIES, CACHED_KEY_BYTES, CACHED_KEYS, PROPOSAL_DEPTH, PROPOSAL_VALUES, VALUE_DEPTH,
};
use askback_yjs::message::{self, ProtocolMessage};
use askback_yjs::{
    AwarenessEntry, ByteReader, ByteWriter, DecodeError, KeyCache, Proposal, Proposals, ValueBudget, awareness,
    state_vector,
};

pub(super) const WORDS: &[&str] = &[
    "\u{1}\u{7}answers",
    "answers",
    "\u{1}k",
    "(\u{1}\u{7}answers\u{1}k",
    "v\u{1}\u{1}a",
    "u\u{1}",
    "w\u{0}",
    "}\u{0}",
    "{}",
    "null",
    "{\"a\":1e9}",
    "\u{0}\u{2}",
    "\u{0}\u{0}",
    "\u{7f}\u{7f}",
];

/// The first byte of an update that is not put into a message.
const BARE_UPDATE: u8 = 0x2a;
/// The first byte of a value.
const VALUE: u8 = 0x2b;

/// Reads an input as a message, or, after one of two marks, as an update or a value.
pub(super) fn accepts(input: &[u8]) -> bool {
    let accepted = match input {
        [BARE_UPDATE, update @ ..] => check_update(update),
        [VALUE, value @ ..] => check_value(value),
        _ => check_message(input),
    };
    if let Err(error) = accepted {
        check_printable(&error.to_string());
    }
    accepted.is_ok()
}

fn check_message(bytes: &[u8]) -> Result<(), DecodeError> {
    let message = message::read(bytes)?;
    let written = match message {
        ProtocolMessage::StateVector(vector) => message::step1(vector),
        ProtocolMessage::Update(update) => message::update(update),
        ProtocolMessage::Awareness(update) => message::awareness(update),
        ProtocolMessage::AwarenessQuery | ProtocolMessage::Other => bytes.to_vec(),
    };
    assert_eq!(message::read(&written), Ok(message));
    match message {
        ProtocolMessage::StateVector(vector) => check_state_vector(vector),
        ProtocolMessage::Update(update) => check_update(update),
        ProtocolMessage::Awareness(update) => check_awareness(update),
        ProtocolMessage::AwarenessQuery | ProtocolMessage::Other => Ok(()),
    }
}

fn check_state_vector(bytes: &[u8]) -> Result<(), DecodeError> {
    let mut found = Vec::new();
    state_vector::read(bytes, |client, clock| found.push((client, clock)))?;
    assert_eq!(state_vector::write(&found), bytes);
    Ok(())
}

fn check_awareness(bytes: &[u8]) -> Result<(), DecodeError> {
    let entries = awareness::read(bytes)?;
    assert!(entries.len() <= AWARENESS_ENTRIES);
    // A number may be longer in its canonical form, so that its state is too large to be read again.
    let is_small =
        |entry: &AwarenessEntry| entry.state.as_ref().is_none_or(|state| state.to_string().len() <= AWARENESS_BYTES);
    let small: Vec<AwarenessEntry> = entries.iter().filter(|entry| is_small(entry)).cloned().collect();
    assert_eq!(awareness::read(&awareness::write(&entries)), Ok(small));
    Ok(())
}

fn check_update(update: &[u8]) -> Result<(), DecodeError> {
    let mut keys = KeyCache::default();
    let proposals: Vec<Proposal> = Proposals::read(update, &mut keys)?.collect();
    check_cache(&keys);
    let key_bytes: usize = proposals.iter().map(|proposal| proposal.key.len()).sum();
    assert!(key_bytes <= update.len(), "each key is in the update, and read once");
    for proposal in &proposals {
        match &proposal.body {
            Ok(body) => {
                let (values, depth) = extent(body);
                assert!(matches!(body, Json::Object(_)) && values <= PROPOSAL_VALUES && depth <= PROPOSAL_DEPTH);
                check_round_trip(body);
            }
            Err(error) => check_printable(&error.to_string()),
        }
    }
    // The same update again is the same proposals, whether its keys are cached or not.
    let again: Vec<Proposal> = Proposals::read(update, &mut KeyCache::default())?.collect();
    assert_eq!(again, proposals);
    let count = Proposals::read(update, &mut keys)?.count();
    assert!(count >= proposals.len(), "{count} proposals with cached keys, {} without", proposals.len());
    check_cache(&keys);
    // An update ends where it says.
    let longer = [update, &[0]].concat();
    assert_eq!(Proposals::read(&longer, &mut keys).err(), Some(DecodeError::TrailingBytes));
    assert!(update.split_last().is_some_and(|(_, shorter)| Proposals::read(shorter, &mut keys).is_err()));
    Ok(())
}

fn check_cache(keys: &KeyCache) {
    assert!(keys.len() <= CACHED_KEYS && keys.key_bytes() <= CACHED_KEY_BYTES, "{} keys", keys.len());
}

fn check_value(bytes: &[u8]) -> Result<(), DecodeError> {
    let mut skipped = ByteReader::new(bytes);
    let is_value = skipped.skip_any();
    let mut read = ByteReader::new(bytes);
    let value = read.any(&mut ValueBudget::new(bytes.len(), VALUE_DEPTH));
    if let Ok(value) = &value {
        assert_eq!((is_value, skipped.remaining()), (Ok(()), read.remaining()), "both end at the same byte");
        check_round_trip(value);
    }
    is_value
}

/// Checks that a value is written so that it is read as the same value.
fn check_round_trip(value: &Json) {
    let mut writer = ByteWriter::default();
    writer.any(value);
    let bytes = writer.into_vec();
    let mut reader = ByteReader::new(&bytes);
    assert_eq!(reader.any(&mut ValueBudget::new(bytes.len(), VALUE_DEPTH)).as_ref(), Ok(value));
    assert!(reader.is_empty());
}

/// The number of values, nested ones included, and of their levels.
fn extent(value: &Json) -> (usize, usize) {
    let add = |(values, depth): (usize, usize), inner: &Json| {
        let (more, deeper) = extent(inner);
        (values + more, depth.max(deeper + 1))
    };
    match value {
        Json::Array(items) => items.iter().fold((1, 1), add),
        Json::Object(fields) => fields.iter().map(|(_, value)| value).fold((1, 1), add),
        _ => (1, 0),
    }
}
