//! The store in SQLite, by the tests that every store passes.

#![expect(clippy::panic, clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use askback_hub::StoreError;
use askback_hub::signal::Signal;
use askback_hub::store::Store;
use askback_sqlite::SqliteStore;
use askback_testkit::store::{
    World, agrees_with_memory, any_history_gives_one_outcome, concurrent_answers_have_one_winner,
    concurrent_requests_are_stored_once, repeated_creation_finds_its_own_request, tell,
};
use std::sync::Arc;
use tempfile::TempDir;

fn open(folder: &TempDir) -> SqliteStore {
    SqliteStore::open(&folder.path().join("hub.sqlite")).unwrap().0
}

fn empty() -> (Box<dyn Store>, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (Box::new(open(&folder)), folder)
}

// L2, L3
#[tokio::test]
async fn a_database_lives_through_the_story() {
    let folder = tempfile::tempdir().unwrap();
    tell(open(&folder)).await;
}

// L2, L3, S1
#[test]
fn a_database_agrees_with_the_store_in_memory() {
    agrees_with_memory(empty);
}

// L3, S5
#[tokio::test]
async fn repeated_creation_finds_its_own_request_in_a_database() {
    let folder = tempfile::tempdir().unwrap();
    repeated_creation_finds_its_own_request(open(&folder)).await;
}

// L2, L3
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_requests_are_stored_once_in_a_database() {
    concurrent_requests_are_stored_once(empty).await;
}

// L1, L2
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_answers_have_one_winner_in_a_database() {
    let folder = tempfile::tempdir().unwrap();
    concurrent_answers_have_one_winner(open(&folder)).await;
}

/// A folder with a database.
struct Folder(TempDir);

impl World for Folder {
    async fn open(&self) -> (Arc<dyn Store>, Box<dyn Signal>) {
        let path = self.0.path().join("hub.sqlite");
        loop {
            match SqliteStore::open(&path) {
                Ok((store, signal)) => return (Arc::new(store), Box::new(signal)),
                Err(StoreError::InUse { .. }) => tokio::task::yield_now().await,
                Err(error) => panic!("{error}"),
            }
        }
    }
}

// L1, L2, L3, L4
#[test]
fn any_history_gives_one_outcome_in_a_database() {
    any_history_gives_one_outcome(|| Folder(tempfile::tempdir().unwrap()), 60).unwrap();
}
