//! The store in memory, by the tests that every store passes.

use askback_hub::store::Store;
use askback_hub::store::memory::{Faults, MemoryStore};
use askback_testkit::store::{
    any_history_gives_one_outcome, concurrent_answers_have_one_winner, concurrent_requests_are_stored_once,
    repeated_creation_finds_its_own_request, tell,
};

fn empty() -> (Box<dyn Store>, ()) {
    (Box::new(MemoryStore::default()), ())
}

// L2, L3
#[tokio::test]
async fn store_in_memory_lives_through_the_story() {
    tell(MemoryStore::default()).await;
}

// L3, S5
#[tokio::test]
async fn repeated_creation_finds_its_own_request_in_memory() {
    repeated_creation_finds_its_own_request(MemoryStore::default()).await;
}

// L2, L3
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_requests_are_stored_once_in_memory() {
    concurrent_requests_are_stored_once(empty).await;
}

// L1, L2
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_answers_have_one_winner_in_memory() {
    concurrent_answers_have_one_winner(MemoryStore::default()).await;
}

// L1, L2, L3, L4
#[test]
fn any_history_gives_one_outcome_in_memory() {
    any_history_gives_one_outcome(MemoryStore::default, 400).unwrap();
}

// L1
#[test]
fn without_the_compare_and_set_the_model_notices() {
    let careless = || MemoryStore::with_faults(Faults { is_careless: true, ..Faults::default() });
    let error = any_history_gives_one_outcome(careless, 400).unwrap_err();
    assert!(error.contains("came to two outcomes"), "{error}");
}
