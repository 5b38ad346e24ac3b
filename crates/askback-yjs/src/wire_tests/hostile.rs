//! A million mutated updates: none panics, and none exceeds a limit.

use super::{bytes, part};
use crate::error::DecodeError;
use crate::key_cache::KeyCache;
use crate::limits::{AWARENESS_ENTRIES, CACHED_KEY_BYTES, CACHED_KEYS, PROPOSAL_DEPTH, PROPOSAL_VALUES};
use crate::message::{self, ProtocolMessage};
use crate::proposal::Proposals;
use crate::{awareness, state_vector};
use askback_core::Json;

/// Updates in each of the four tests that mutate updates.
const UPDATES: u32 = 260_000;

/// Larger ones are left to the tests of bombs.
const MOST_BYTES: usize = 400;

/// A random number generator (xorshift64*).
struct Random(u64);

impl Random {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, end: usize) -> usize {
        ((self.roll() >> 32) as usize) % end.max(1)
    }

    fn byte(&mut self) -> u8 {
        (self.roll() >> 40) as u8
    }
}

/// Changes bytes in one of the ways that hurt readers.
fn mutate(random: &mut Random, bytes: &mut Vec<u8>, others: &[Vec<u8>]) {
    let at = random.below(bytes.len());
    let end = at + random.below((bytes.len() - at).min(40) + 1);
    match random.below(11) {
        0 | 1 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
        2 if !bytes.is_empty() => bytes[at] = random.byte(),
        // Small numbers are kinds, counts and clocks.
        3 if !bytes.is_empty() => bytes[at] = random.byte() % 12,
        4 => bytes.truncate(at),
        5 => bytes.insert(at, random.byte()),
        6 => drop(bytes.drain(at..end)),
        7 => {
            let stretch = bytes[at..end].to_vec();
            let times = 1 + random.below(4);
            bytes.splice(at..at, stretch.repeat(times));
        }
        8 => {
            let other = &others[random.below(others.len())];
            bytes.splice(at.., other[random.below(other.len())..].iter().copied());
        }
        // A length or count as large as can be written, or larger.
        9 => {
            let mut inflated = vec![0xff; random.below(9)];
            inflated.push([0x7f, 0x0f, 0x01, 0x00][random.below(4)]);
            bytes.splice(at..end.min(at + 1), inflated);
        }
        _ => {
            let opening: &[u8] = [&[117, 1][..], &[118, 1, 0], &[117, 3], &[118, 2, 1, 97]][random.below(4)];
            let times = 1 + random.below(50);
            bytes.splice(at..at, opening.repeat(times));
        }
    }
    bytes.truncate(MOST_BYTES);
}

fn small(name: &str) -> Vec<Vec<u8>> {
    part(name).iter().map(bytes).filter(|bytes| bytes.len() <= MOST_BYTES).collect()
}

/// Mutates entries of the corpus so many times.
fn each_mutant(seed: u64, times: u32, of: &[Vec<u8>], mut look: impl FnMut(&[u8])) {
    let mut random = Random(seed);
    for _ in 0..times {
        let mut bytes = of[random.below(of.len())].clone();
        for _ in 0..=random.below(3) {
            mutate(&mut random, &mut bytes, of);
        }
        look(&bytes);
    }
}

#[derive(Debug, Default)]
struct Seen {
    updates: u32,
    accepted: u32,
    proposals: u32,
    refused_proposals: u32,
    /// Those whose keys came in earlier updates, in a sample.
    remembered: u32,
    /// What one connection remembers of all of them.
    keys: KeyCache,
}

/// Reads a message as the socket will.
fn receive(message: &[u8], seen: &mut Seen) {
    match message::read(message) {
        Ok(ProtocolMessage::Update(update)) => receive_update(update, seen),
        Ok(ProtocolMessage::StateVector(vector)) => _ = read_vector(vector),
        Ok(ProtocolMessage::Awareness(update)) => receive_awareness(update),
        Ok(ProtocolMessage::AwarenessQuery | ProtocolMessage::Other) | Err(_) => {}
    }
}

fn receive_update(update: &[u8], seen: &mut Seen) {
    seen.updates += 1;
    // One of sixteen is also read as if nothing had come before.
    let is_sample = seen.updates.is_multiple_of(16);
    let alone = is_sample.then(|| Proposals::read(update, &mut KeyCache::default()).map_or(0, Iterator::count));
    let Ok(found) = Proposals::read(update, &mut seen.keys) else { return };
    let (items, bytes) = seen.keys.extent();
    assert!(items <= CACHED_KEYS && bytes <= CACHED_KEY_BYTES);
    let proposals_before = seen.proposals;
    seen.accepted += 1;
    let mut held = 0;
    for proposal in found {
        seen.proposals += 1;
        held += proposal.key.len();
        match proposal.body {
            Ok(body) => {
                let (values, depth) = extent(&body);
                assert!(matches!(body, Json::Object(_)) && values <= PROPOSAL_VALUES && depth <= PROPOSAL_DEPTH);
            }
            Err(_) => seen.refused_proposals += 1,
        }
    }
    if let Some(alone) = alone {
        seen.remembered += (seen.proposals - proposals_before).saturating_sub(alone as u32);
        assert!(seen.keys.is_sound());
    }
    assert!(held <= update.len() + CACHED_KEY_BYTES, "each key was in the update or remembered, and once");
}

/// Reads a state vector, which is written alike.
fn read_vector(bytes: &[u8]) -> Result<(), DecodeError> {
    let mut found = Vec::new();
    state_vector::read(bytes, |client, clock| found.push((client, clock)))?;
    assert_eq!(state_vector::write(&found), bytes);
    Ok(())
}

fn receive_awareness(update: &[u8]) {
    let Ok(entries) = awareness::read(update) else { return };
    assert!(entries.len() <= AWARENESS_ENTRIES);
    assert_eq!(awareness::read(&awareness::write(&entries)), Ok(entries));
}

/// How many values there are, and on how many levels.
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

fn mutated_updates(seed: u64) {
    let (corpus, mut seen) = (small("updates"), Seen::default());
    each_mutant(seed, UPDATES, &corpus, |update| receive(&message::update(update), &mut seen));
    assert_eq!(seen.updates, UPDATES, "each came through the frame");
    // Enough of them get far that the readers behind are tried too.
    assert!(
        seen.accepted > UPDATES / 20
            && seen.proposals > UPDATES / 20
            && seen.refused_proposals > 1_000
            && seen.remembered > 200,
        "{seen:?}"
    );
}

#[test]
fn mutated_updates_do_no_harm_1() {
    mutated_updates(1);
}

#[test]
fn mutated_updates_do_no_harm_2() {
    mutated_updates(0x9e37_79b9_7f4a_7c15);
}

#[test]
fn mutated_updates_do_no_harm_3() {
    mutated_updates(0xdead_beef);
}

#[test]
fn mutated_updates_do_no_harm_4() {
    mutated_updates(20_240_917);
}

#[test]
fn mutated_messages_do_no_harm() {
    let updates: Vec<Vec<u8>> = small("updates").iter().map(|update| message::update(update)).collect();
    let vectors: Vec<Vec<u8>> = small("stateVectors").iter().map(|vector| message::step1(vector)).collect();
    let awareness: Vec<Vec<u8>> = small("awareness").iter().map(|update| message::awareness(update)).collect();
    let messages = [updates, vectors, awareness].concat();
    let mut seen = Seen::default();
    each_mutant(7, 60_000, &messages, |message| receive(message, &mut seen));
}

#[test]
fn mutated_state_vectors_do_no_harm() {
    let (mut accepted, vectors) = (0, small("stateVectors"));
    each_mutant(11, 60_000, &vectors, |vector| accepted += u32::from(read_vector(vector).is_ok()));
    assert!(accepted > 3_000, "{accepted}");
}

#[test]
fn mutated_awareness_does_no_harm() {
    let (mut accepted, updates) = (0, small("awareness"));
    each_mutant(13, 60_000, &updates, |update| {
        receive_awareness(update);
        accepted += u32::from(awareness::read(update).is_ok());
    });
    assert!(accepted > 3_000, "{accepted}");
}
