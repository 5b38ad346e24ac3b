//! Messages of a megabyte that are cheap to send must be cheap to read.

use super::{overwrite, put_after, set, set_value, update, update_from};
use crate::byte_writer::ByteWriter;
use crate::error::DecodeError;
use crate::key_cache::KeyCache;
use crate::limits::{CACHED_KEY_BYTES, CACHED_KEYS, PROPOSAL_VALUES, STATE_VECTOR_CLIENTS};
use crate::proposal::{Proposal, ProposalError, Proposals};
use crate::update::kind;
use crate::{awareness, state_vector};
use askback_core::{Json, Object};
use std::time::{Duration, Instant};

const MEGABYTE: usize = 1 << 20;

/// Far more than a linear reader takes without optimisation on a busy machine, and far less than a quadratic one.
const PATIENCE: Duration = Duration::from_secs(5);

const HUGE: [u8; 8] = [255, 255, 255, 255, 255, 255, 255, 15];

fn in_time<T>(work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    assert!(start.elapsed() < PATIENCE, "it took {:?}", start.elapsed());
    result
}

fn read(update: &[u8]) -> Result<Vec<Proposal>, DecodeError> {
    read_after(update, &mut KeyCache::default())
}

fn read_after(update: &[u8], keys: &mut KeyCache) -> Result<Vec<Proposal>, DecodeError> {
    in_time(|| Ok(Proposals::read(update, keys)?.collect()))
}

/// An update that sets one key to values that are written already.
fn set_written(count: usize, values: &[u8]) -> Vec<u8> {
    let mut item = set("k", kind::ANY);
    item.unsigned(count as u64);
    update(5, &[[item.into_vec(), values.to_vec()].concat()], &[])
}

fn body_of(update: &[u8]) -> Result<Json, ProposalError> {
    let mut found = read(update).unwrap();
    assert_eq!(found.len(), 1);
    found.remove(0).body
}

// S3
#[test]
fn deep_nesting_is_refused() {
    for opening in [&[117, 1][..], &[118, 1, 0], &[117, 2, 126], &[118, 2, 0, 126, 0]] {
        let bomb = opening.repeat(MEGABYTE / opening.len());
        for whole in [bomb.clone(), [&bomb[..], &[126]].concat()] {
            assert_eq!(read(&set_written(1, &whole)), Err(DecodeError::NestedTooDeeply));
        }
    }
    let mut subdocument = set("k", kind::DOCUMENT);
    subdocument.text("guid");
    let bomb = [subdocument.into_vec(), [117, 1].repeat(MEGABYTE / 2), vec![126]].concat();
    assert_eq!(read(&update(5, &[bomb], &[])), Err(DecodeError::NestedTooDeeply));
}

// S3
#[test]
fn proposal_with_too_many_values_is_refused() {
    let several = set_written(MEGABYTE, &vec![126; MEGABYTE]);
    assert_eq!(body_of(&several), Err(ProposalError::NotAnObject("several values")));
    let values = |count: usize| Object::new().put("a", vec![Json::Null; count]).into();
    let with = |count: usize| body_of(&update(5, &[set_value("k", &values(count))], &[]));
    assert_eq!(with(PROPOSAL_VALUES - 2), Ok(values(PROPOSAL_VALUES - 2)));
    assert_eq!(with(PROPOSAL_VALUES - 1), Err(ProposalError::TooLarge));
    assert_eq!(with(MEGABYTE), Err(ProposalError::TooLarge));
    let fields = Json::Object(vec![(String::new(), Json::Null); MEGABYTE / 2]);
    assert_eq!(body_of(&update(5, &[set_value("k", &fields)], &[])), Err(ProposalError::TooLarge));
    let text = Object::new().put("a", "é".repeat(MEGABYTE / 2)).into();
    assert_eq!(body_of(&update(5, &[set_value("k", &text)], &[])), Ok(text));
}

// S3
#[test]
fn many_structs_are_read_in_linear_time() {
    let of = |one: &[u8]| read(&update(5, &vec![one.to_vec(); MEGABYTE / one.len()], &[]));
    assert_eq!(of(&[kind::GONE, 1]), Ok(vec![]));
    assert_eq!(of(&[kind::SKIP, 0]), Ok(vec![]));
    // A text with an origin, and one in a root without a name.
    assert_eq!(of(&[kind::TEXT | 0x80, 5, 0, 1, 97]), Ok(vec![]));
    assert_eq!(of(&[kind::TEXT, 1, 0, 0]), Ok(vec![]));
    let smallest = set_value("", &Json::Object(vec![]));
    assert_eq!(of(&smallest).unwrap().len(), MEGABYTE / smallest.len());
    let mut empty = set("", kind::ANY);
    empty.unsigned(0);
    let empty = empty.into_vec();
    assert_eq!(empty.len(), 12, "the smallest that is remembered");
    assert_eq!(of(&empty).unwrap().len(), MEGABYTE / 12);
}

// S3
#[test]
fn map_items_and_values_are_small_in_memory() {
    assert!(std::mem::size_of::<crate::map_values::MapItem>() <= 32);
    assert!(std::mem::size_of::<crate::map_values::MapValue>() <= 32);
}

const MANY: u64 = 100_000;

fn numbered(number: u64) -> Json {
    Object::new().put("n", number as f64).into()
}

/// What is proposed, as keys and numbers.
fn numbers(found: Vec<Proposal>) -> Vec<(String, Json)> {
    found.into_iter().map(|proposal| (proposal.key, proposal.body.unwrap())).collect()
}

// S3
#[test]
fn many_overwrites_are_one_proposal() {
    let first = || set_value("k", &numbered(0));
    let last = vec![("k".to_owned(), numbered(MANY))];
    let one_after_the_other = |clock: u64| overwrite(5, clock - 1, &numbered(clock));
    let chain: Vec<_> = std::iter::once(first()).chain((1..=MANY).map(one_after_the_other)).collect();
    assert_eq!(numbers(read(&update(5, &chain, &[])).unwrap()), last);
    let all_but_the_last = (0..MANY).map(|clock| (clock, 1)).collect();
    assert_eq!(numbers(read(&update(5, &chain, &[(5, all_but_the_last)])).unwrap()), last);
    assert_eq!(read(&update(5, &chain, &[(5, vec![(MANY, 1)])])), Ok(vec![]), "the last is gone, and none comes back");

    let all_after_the_first = |clock: u64| overwrite(5, 0, &numbered(clock));
    let star: Vec<_> = std::iter::once(first()).chain((1..=MANY).map(all_after_the_first)).collect();
    let mut keys = KeyCache::default();
    assert_eq!(numbers(read_after(&update(5, &star, &[]), &mut keys).unwrap()), last);
    assert_eq!(keys.extent(), (2, 2));
    // And once more, after what is remembered.
    let star: Vec<_> = (1..=MANY).map(all_after_the_first).collect();
    assert_eq!(numbers(read_after(&update_from(9, 7, &star, &[]), &mut keys).unwrap()), last);
    let chain: Vec<_> = (1..=MANY).map(|clock| overwrite(5, MANY + clock - 1, &numbered(clock))).collect();
    assert_eq!(numbers(read_after(&update_from(5, MANY + 1, &chain, &[]), &mut keys).unwrap()), last);
    assert_eq!(keys.extent(), (CACHED_KEYS, CACHED_KEYS));
}

// S3
#[test]
fn items_that_overwrite_nothing_are_no_proposals() {
    let mut smallest = put_after(5, 0, kind::ANY);
    smallest.unsigned(0);
    let smallest = smallest.into_vec();
    let bomb = |first: &[u8]| update(6, &[&[first.to_vec()][..], &vec![smallest.clone(); MEGABYTE / 4]].concat(), &[]);
    assert_eq!(read(&bomb(&set_value("k", &numbered(1)))).unwrap().len(), 1);
    assert_eq!(read(&bomb(&smallest)), Ok(vec![]));
    // Two clients whose items were all put after each other's.
    let ring = |first: u64, other: u64| {
        let structs: Vec<_> = (0..MANY).map(|clock| overwrite(other, clock, &numbered(clock))).collect();
        let update = update(first, &structs, &[]);
        update[1..update.len() - 1].to_vec()
    };
    let rings = [&[3][..], &ring(5, 6), &ring(6, 5), &update(7, &[set_value("k", &numbered(1))], &[])[1..]].concat();
    assert_eq!(numbers(read(&rings).unwrap()), [("k".to_owned(), numbered(1))]);
    let itself: Vec<_> = (0..MANY).map(|clock| overwrite(5, clock, &numbered(clock))).collect();
    let mut keys = KeyCache::default();
    read_after(&update(9, &[set_value("k", &numbered(1))], &[]), &mut keys).unwrap();
    assert_eq!(read_after(&update(5, &itself, &[]), &mut keys), Ok(vec![]));
}

// S3
#[test]
fn long_key_of_many_items_stays_within_the_limit() {
    for length in [MEGABYTE / 2, CACHED_KEY_BYTES, CACHED_KEY_BYTES / 2] {
        let key = "k".repeat(length);
        let star = (1..=MANY).map(|clock| overwrite(5, 0, &numbered(clock)));
        let structs: Vec<_> = std::iter::once(set_value(&key, &numbered(0))).chain(star).collect();
        let mut keys = KeyCache::default();
        assert_eq!(read_after(&update(5, &structs, &[]), &mut keys).unwrap().len(), 1);
        assert!(keys.extent().1 <= CACHED_KEY_BYTES);
        let chain = (1..=MANY).map(|clock| overwrite(5, clock - 1, &numbered(clock)));
        let structs: Vec<_> = std::iter::once(set_value(&key, &numbered(0))).chain(chain).collect();
        assert_eq!(read_after(&update(5, &structs, &[]), &mut keys).unwrap().len(), 1);
        assert!(keys.extent().1 <= CACHED_KEY_BYTES);
    }
}

// S3
#[test]
fn oldest_keys_are_removed_from_the_cache() {
    let mut keys = KeyCache::default();
    let sets: Vec<_> = (0..MANY / 4).map(|clock| set_value(&clock.to_string(), &numbered(clock))).collect();
    assert_eq!(read_after(&update(5, &sets, &[]), &mut keys).unwrap().len(), sets.len());
    assert_eq!(keys.extent().0, CACHED_KEYS);
    let last = sets.len() as u64 - 1;
    let again = |clock: u64| update(6, &[overwrite(5, clock, &numbered(7))], &[]);
    assert_eq!(numbers(read_after(&again(last), &mut keys).unwrap()), [(last.to_string(), numbered(7))]);
    assert_eq!(read_after(&again(0), &mut keys), Ok(vec![]), "it was forgotten");
    // Those that are gone are forgotten before those that stand.
    let all_but_the_first = vec![(5, vec![(1, last)])];
    let mut keys = KeyCache::default();
    assert_eq!(read_after(&update(5, &sets, &all_but_the_first), &mut keys).unwrap().len(), 1);
    assert_eq!(numbers(read_after(&again(0), &mut keys).unwrap()), [("0".to_owned(), numbered(7))]);
}

// S3
#[test]
fn many_deletions_are_read_in_linear_time() {
    let items = vec![set_value("", &Json::Object(vec![])); MEGABYTE / 3 / 14];
    let all = items.len() as u64;
    let everything = vec![(0, all); MEGABYTE / 6];
    assert_eq!(read(&update(5, &items, &[(5, everything)])), Ok(vec![]));
    let all_but_the_last = vec![(0, all - 1); MEGABYTE / 6];
    assert_eq!(read(&update(5, &items, &[(5, all_but_the_last)])).unwrap().len(), 1);
    let one_by_one = (0..all).rev().map(|clock| (clock, 1)).collect();
    assert_eq!(read(&update(5, &items, &[(5, one_by_one)])), Ok(vec![]));
    let of_others = (0..200_000).map(|client| (client + 6, vec![])).collect::<Vec<_>>();
    assert_eq!(read(&update(5, &items, &of_others)).unwrap().len(), items.len());
}

// S3
#[test]
fn many_clients_are_read_in_linear_time() {
    let clients = MEGABYTE / 3;
    let mut idle = ByteWriter::default();
    idle.unsigned(clients as u64);
    let idle = [idle.into_vec(), [0, 1, 0].repeat(clients), vec![0]].concat();
    assert_eq!(read(&idle), Ok(vec![]));

    let mut busy = ByteWriter::default();
    busy.unsigned(10_000);
    for client in 0..10_000 {
        busy.unsigned(1);
        busy.unsigned(client << 20);
        busy.unsigned(client);
        set_value(&client.to_string(), &Json::Object(vec![])).iter().for_each(|byte| busy.byte(*byte));
    }
    busy.unsigned(0);
    let keys: Vec<String> = read(&busy.into_vec()).unwrap().into_iter().map(|proposal| proposal.key).collect();
    assert!(
        keys.iter().map(String::as_str).eq((0..10_000).map(|client| client.to_string()).collect::<Vec<_>>().iter())
    );
}

// S3
#[test]
fn count_beyond_the_remaining_bytes_is_refused() {
    let filler = vec![1; MEGABYTE];
    let bomb = |start: &[u8]| [start, &HUGE, &filler].concat();
    // Clients, structs of one, its items of every kind, deletions, and ranges of one.
    assert!(read(&bomb(&[])).is_err());
    assert!(read(&bomb(&[1])).is_err());
    for kind in [kind::JSON, kind::BINARY, kind::TEXT, kind::EMBED, kind::FORMAT, kind::TYPE, kind::ANY, kind::DOCUMENT]
    {
        assert!(read(&bomb(&[1, 1, 5, 0, kind, 1, 0])).is_err(), "{kind}");
    }
    for tag in [116, 117, 118, 119] {
        assert!(read(&bomb(&[1, 1, 5, 0, kind::ANY, 1, 0, 1, tag])).is_err(), "{tag}");
    }
    assert!(read(&bomb(&[0])).is_err());
    assert!(read(&bomb(&[0, 1, 5])).is_err());
    assert!(in_time(|| state_vector::read(&bomb(&[]), |_, _| ())).is_err());
    assert!(in_time(|| awareness::read(&bomb(&[]))).is_err());
}

// S3
#[test]
fn long_state_vectors_and_awareness_are_read_in_linear_time() {
    let clients = usize::try_from(STATE_VECTOR_CLIENTS).unwrap();
    let mut vector = ByteWriter::default();
    vector.unsigned(STATE_VECTOR_CLIENTS);
    let vector = [vector.into_vec(), [255, 255, 255, 255, 15, 1].repeat(clients)].concat();
    assert!(in_time(|| state_vector::read(&vector, |_, _| ())).is_ok());

    for state in ["{}", "null", "1", "", &"[".repeat(1_000), &"{\"a\":".repeat(200), &" ".repeat(1_024)] {
        let mut entry = ByteWriter::default();
        entry.unsigned(1);
        entry.unsigned(1);
        entry.text(state);
        let entry = entry.into_vec();
        let mut crowd = ByteWriter::default();
        let count = MEGABYTE / entry.len();
        crowd.unsigned(count as u64);
        let crowd = [crowd.into_vec(), entry.repeat(count)].concat();
        assert!(in_time(|| awareness::read(&crowd)).unwrap().len() <= 64);
    }
}
