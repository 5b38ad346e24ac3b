//! Written values are read back, and deleted ones are not proposed.

use super::{overwrite, set_value, update, update_from};
use crate::any::ValueBudget;
use crate::awareness::{self, AwarenessEntry};
use crate::byte_reader::{ByteReader, LARGEST};
use crate::byte_writer::ByteWriter;
use crate::key_cache::KeyCache;
use crate::proposal::Proposals;
use crate::update::kind;
use askback_core::{Json, Object};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn json() -> impl Strategy<Value = Json> {
    let whole = prop_oneof![any::<i32>().prop_map(f64::from), any::<f32>().prop_map(f64::from), any::<f64>()];
    let number = whole.prop_filter("JSON has only finite numbers", |number| number.is_finite()).prop_map(Json::Number);
    let leaf = prop_oneof![Just(Json::Null), any::<bool>().prop_map(Json::Bool), number, ".*".prop_map(Json::String)];
    leaf.prop_recursive(6, 60, 6, |inner| {
        prop_oneof![vec(inner.clone(), 0..6).prop_map(Json::Array), vec((".*", inner), 0..6).prop_map(Json::Object)]
    })
}

/// Numbers of all lengths.
fn unsigned() -> impl Strategy<Value = u64> {
    (0..=LARGEST, 0..53u32).prop_map(|(number, shift)| number >> shift)
}

/// A struct in a client's part of an update: a proposal, or so many clocks of something else.
#[derive(Debug, Clone)]
enum Written {
    Proposal,
    Elsewhere(u64),
}

fn structs() -> impl Strategy<Value = Vec<Written>> {
    vec(prop_oneof![3 => Just(Written::Proposal), 1 => (0..4u64).prop_map(Written::Elsewhere)], 0..30)
}

fn write(written: &Written, clock: u64) -> (Vec<u8>, u64) {
    match written {
        Written::Proposal => (set_value(&clock.to_string(), &Json::Object(vec![])), 1),
        Written::Elsewhere(length) => {
            let mut skip = ByteWriter::default();
            skip.byte(kind::SKIP);
            skip.unsigned(*length);
            (skip.into_vec(), *length)
        }
    }
}

/// What somebody does with one of a few keys.
#[derive(Debug, Clone, Copy)]
enum Act {
    Set(u8),
    Delete(u8),
    /// Sends all that was done since.
    Send,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![4 => (0..4u8).prop_map(Act::Set), 1 => (0..4u8).prop_map(Act::Delete), 2 => Just(Act::Send)]
}

fn numbered(clock: u64) -> Json {
    Object::new().put("n", clock as f64).into()
}

proptest! {
    #[test]
    fn last_value_of_each_key_is_proposed(acts in vec(act(), 0..60)) {
        let (mut keys, mut clock, mut sent) = (KeyCache::default(), 0, 0);
        // The last item of each key, and whether it stands.
        let mut map = BTreeMap::<u8, (u64, bool)>::new();
        let (mut structs, mut deleted) = (Vec::new(), Vec::new());
        for act in acts.into_iter().chain([Act::Send]) {
            match act {
                Act::Set(key) => {
                    let before = map.insert(key, (clock, true));
                    structs.push(match before {
                        Some((before, _)) => overwrite(6, before, &numbered(clock)),
                        None => set_value(&key.to_string(), &numbered(clock)),
                    });
                    deleted.extend(before.filter(|(_, stands)| *stands).map(|(before, _)| (before, 1)));
                    clock += 1;
                }
                Act::Delete(key) => if let Some((last, stands @ true)) = map.get_mut(&key) {
                    *stands = false;
                    deleted.push((*last, 1));
                },
                Act::Send => {
                    let update = update_from(6, sent, &structs, &[(6, std::mem::take(&mut deleted))]);
                    let new = map.iter().filter(|(_, (last, stands))| *stands && *last >= sent);
                    let mut expected: Vec<_> = new.map(|(key, (last, _))| (*last, key.to_string())).collect();
                    expected.sort_unstable();
                    let found: Vec<_> = Proposals::read(&update, &mut keys).unwrap().map(|found| (found.body.unwrap(), found.key)).collect();
                    let expected: Vec<_> = expected.into_iter().map(|(last, key)| (numbered(last), key)).collect();
                    prop_assert_eq!(found, expected);
                    structs.clear();
                    sent = clock;
                }
            }
        }
    }

    #[test]
    fn numbers_round_trip(number in unsigned()) {
        let mut writer = ByteWriter::default();
        writer.unsigned(number);
        let bytes = writer.into_vec();
        let mut reader = ByteReader::new(&bytes);
        prop_assert_eq!(reader.unsigned(), Ok(number));
        prop_assert!(reader.is_empty());
    }

    #[test]
    fn texts_and_bytes_round_trip(text in ".*", bytes in vec(any::<u8>(), 0..300), byte: u8) {
        let mut writer = ByteWriter::default();
        writer.text(&text);
        writer.byte(byte);
        writer.bytes(&bytes);
        let written = writer.into_vec();
        let mut reader = ByteReader::new(&written);
        prop_assert_eq!(reader.text(), Ok(text.as_str()));
        prop_assert_eq!(reader.byte(), Ok(byte));
        prop_assert_eq!(reader.bytes(), Ok(bytes.as_slice()));
        prop_assert!(reader.is_empty());
    }

    #[test]
    fn values_round_trip_and_can_be_skipped(value in json()) {
        let mut writer = ByteWriter::default();
        writer.any(&value);
        let bytes = writer.into_vec();
        let mut reader = ByteReader::new(&bytes);
        prop_assert_eq!(reader.any(&mut ValueBudget::new(10_000, 32)), Ok(value));
        prop_assert!(reader.is_empty());
        let mut reader = ByteReader::new(&bytes);
        prop_assert_eq!(reader.skip_any(), Ok(()));
        prop_assert!(reader.is_empty());
    }

    #[test]
    fn awareness_round_trips(entries in vec((unsigned(), unsigned(), proptest::option::of("[a-zé😀\"]{0,40}")), 0..20)) {
        let entry = |(client, clock, name): (u64, u64, Option<String>)| {
            AwarenessEntry { client, clock, state: name.map(|name| Object::new().put("name", name).into()) }
        };
        let entries: Vec<AwarenessEntry> = entries.into_iter().map(entry).collect();
        prop_assert_eq!(awareness::read(&awareness::write(&entries)), Ok(entries));
    }

    #[test]
    fn values_that_are_not_deleted_are_proposed(
        structs in structs(),
        deleted in vec((0..40u64, 0..12u64), 0..8),
        of_another in vec((0..40u64, 0..12u64), 0..4),
        is_split: bool,
    ) {
        let (mut clock, mut written, mut kept) = (0, Vec::new(), Vec::new());
        for one in &structs {
            let is_deleted = deleted.iter().any(|(start, length)| (*start..start + length).contains(&clock));
            if matches!(one, Written::Proposal) && !is_deleted {
                kept.push(clock.to_string());
            }
            let (bytes, length) = write(one, clock);
            written.push(bytes);
            clock += length;
        }
        // A client may stand in the set of deletions more than once.
        let (some, rest) = deleted.split_at(if is_split { deleted.len() / 2 } else { deleted.len() });
        let deletions = [(7, of_another.clone()), (6, some.to_vec()), (6, rest.to_vec()), (5, of_another)];
        let update = update(6, &written, &deletions);
        let found: Vec<String> = Proposals::read(&update, &mut KeyCache::default()).unwrap().map(|proposal| proposal.key).collect();
        prop_assert_eq!(found, kept);
    }
}
