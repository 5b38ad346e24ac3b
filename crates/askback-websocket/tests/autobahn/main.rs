//! The cases of RFC 6455 that the Autobahn test suite has for a server, by its numbers: an endpoint echoes each message, answers each
//! ping, and closes. Each case also arrives byte by byte and in random pieces, with the same replies.
//!
//! Two groups are different here: the limits (9) are those of this reader, in a small form, and compression (12 and 13) is not
//! offered, so that a compressed frame is an error.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what fails in a test should fail it")]

mod cases;
mod endpoint;

use cases::Case;
use endpoint::{Endpoint, Reply};
use proptest::prelude::*;
use std::sync::LazyLock;

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let sections = [
        cases::framing(),
        cases::pings(),
        cases::reserved_bits(),
        cases::opcodes(),
        cases::fragmentation(),
        cases::utf8(),
        cases::closing(),
        cases::limits(),
        cases::automatic_fragmentation(),
        cases::compression(),
    ];
    sections.into_iter().flatten().collect()
});

/// The replies to pieces of bytes, which arrive one after the other.
fn replies<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Reply> {
    let mut endpoint = Endpoint::default();
    pieces.into_iter().for_each(|piece| endpoint.receive(piece));
    endpoint.into_replies()
}

// W3
#[test]
fn every_case_has_its_replies() {
    let mut failed = Vec::new();
    for Case { name, sent, expected } in CASES.iter() {
        let found = replies([&**sent]);
        if found != *expected {
            failed.push(format!("{name}: {found:?} instead of {expected:?}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

// W3
#[test]
fn every_case_in_single_bytes_has_its_replies() {
    for Case { name, sent, expected } in CASES.iter() {
        assert!(replies(sent.chunks(1)) == *expected, "{name}");
    }
}

#[test]
fn every_case_has_a_name_of_its_own() {
    let mut names: Vec<&str> = CASES.iter().map(|case| &*case.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), CASES.len());
}

proptest! {
    // W3
    #[test]
    fn every_case_in_random_pieces_has_its_replies(
        index in any::<prop::sample::Index>(),
        sizes in prop::collection::vec(prop_oneof![1_usize..20, 1_usize..2_000], 1..20),
    ) {
        let Case { name, sent, expected } = &CASES[index.index(CASES.len())];
        let mut rest = &**sent;
        let mut sizes = sizes.iter().cycle();
        let pieces = std::iter::from_fn(|| {
            let (piece, after) = rest.split_at(rest.len().min(*sizes.next()?));
            rest = after;
            (!piece.is_empty()).then_some(piece)
        });
        prop_assert!(replies(pieces) == *expected, "{}", name);
    }
}
