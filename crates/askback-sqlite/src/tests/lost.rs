//! Files of a database that are cut, removed or replaced: what is lost is told.

use super::{asked, place, refusal};
use crate::mark::path_of;
use crate::open_file::{move_log, open_reader};
use crate::open_hub;
use askback_core::State;
use askback_hub::{HubError, HubOptions, StoreError};
use askback_testkit::wait::{PATIENCE, wait_until};
use rusqlite::Connection;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tokio::time::timeout;

fn beside(path: &Path, ending: &str) -> PathBuf {
    crate::beside::beside(path, ending)
}

/// Copies a database in use as a power cut would leave it: with its write-ahead log cut to so many bytes.
fn copy_with_cut_log(path: &Path, to: &Path, log_bytes: usize) {
    let log = fs::read(beside(path, "-wal")).unwrap();
    fs::copy(path, to).unwrap();
    fs::copy(path_of(path), path_of(to)).unwrap();
    if log_bytes > 0 {
        fs::write(beside(to, "-wal"), &log[..log_bytes]).unwrap();
    }
}

// L2
#[tokio::test]
async fn log_that_was_cut_or_removed_is_told_with_the_events_that_are_missing() {
    let (folder, path) = place();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    let first = asked(&hub, "First?").await.unwrap();
    let cut = fs::metadata(beside(&path, "-wal")).unwrap().len();
    asked(&hub, "Second?").await.unwrap();
    asked(&hub, "Third?").await.unwrap();
    wait_until("the mark is written", || {
        fs::read_to_string(path_of(&path)).is_ok_and(|mark| mark.trim().ends_with(" 3"))
    });
    for (bytes, lost) in [(0, "the events 1 to 3"), (usize::try_from(cut).unwrap(), "the events 2 to 3")] {
        let copy = folder.path().join(format!("copy-{bytes}"));
        copy_with_cut_log(&path, &copy, bytes);
        for _ in 0..2 {
            let error = refusal(&copy);
            assert!(matches!(&error, StoreError::LostEvents { last: 3, .. }), "{error}");
            assert!(error.to_string().contains(lost), "{error}");
        }
        // The person decides to go on without them.
        fs::remove_file(path_of(&copy)).unwrap();
        let hub = open_hub(&copy, HubOptions::default()).await.unwrap();
        assert_eq!(hub.outcome(&first).await.is_ok(), bytes > 0);
        hub.close().await.unwrap();
    }
    hub.close().await.unwrap();
    open_hub(&path, HubOptions::default()).await.unwrap().close().await.unwrap();
}

// L2
#[tokio::test]
async fn log_or_database_that_is_removed_under_a_hub_is_noticed_and_nothing_acknowledged_is_lost() {
    let (_folder, path) = place();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    let id = asked(&hub, "Name?").await.unwrap();
    fs::remove_file(beside(&path, "-wal")).unwrap();
    let error = hub.check_writable().await.unwrap_err();
    assert!(matches!(&error, HubError::Store(StoreError::Broken(_))), "{error}");
    assert!(error.to_string().contains("-wal was removed or replaced while the hub ran"), "{error}");
    asked(&hub, "Another?").await.unwrap_err();
    hub.close().await.unwrap();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    assert_eq!(hub.outcome(&id).await.unwrap(), State::Pending(id), "it was moved into the database first");
    fs::rename(&path, beside(&path, "-moved")).unwrap();
    let error = asked(&hub, "Another?").await.unwrap_err();
    assert!(error.to_string().contains("was removed or replaced"), "{error}");
}

// L2
#[tokio::test]
async fn older_copy_of_a_database_in_its_place_is_told() {
    let (_folder, path) = place();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    asked(&hub, "First?").await.unwrap();
    hub.close().await.unwrap();
    fs::copy(&path, beside(&path, "-copy")).unwrap();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    asked(&hub, "Second?").await.unwrap();
    hub.close().await.unwrap();
    fs::copy(beside(&path, "-copy"), &path).unwrap();
    assert!(refusal(&path).to_string().contains("the events 2 to 2"), "{}", refusal(&path));
    // A database that begins anew has another log.
    fs::remove_file(&path).unwrap();
    open_hub(&path, HubOptions::default()).await.unwrap().close().await.unwrap();
}

// L2
#[tokio::test]
async fn database_refused_without_its_log_is_not_written_to_and_opens_whole_with_the_log_again() {
    let (folder, path) = place();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    let first = asked(&hub, "First?").await.unwrap();
    hub.close().await.unwrap();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    let second = asked(&hub, "Second?").await.unwrap();
    wait_until("the mark is written", || {
        fs::read_to_string(path_of(&path)).is_ok_and(|mark| mark.trim().ends_with(" 2"))
    });
    let copy = folder.path().join("copy");
    copy_with_cut_log(&path, &copy, 0);
    let (database, log) = (fs::read(&copy).unwrap(), fs::read(beside(&path, "-wal")).unwrap());
    for _ in 0..2 {
        let error = refusal(&copy);
        assert!(matches!(&error, StoreError::LostEvents { first: 2, last: 2, .. }), "{error}");
    }
    assert!(fs::read(&copy).unwrap() == database, "it was written to");
    fs::write(beside(&copy, "-wal"), log).unwrap();
    let restored = open_hub(&copy, HubOptions::default()).await.unwrap();
    for id in [first, second] {
        assert_eq!(restored.outcome(&id).await.unwrap(), State::Pending(id));
    }
    restored.close().await.unwrap();
    hub.close().await.unwrap();
}

// L2
#[tokio::test]
async fn log_that_a_reader_holds_does_not_count_as_moved() {
    let (_folder, path) = place();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    asked(&hub, "First?").await.unwrap();
    let reader = open_reader(&path).unwrap();
    let moment = reader.unchecked_transaction().unwrap();
    moment.query_row("SELECT count(*) FROM requests", [], |_| Ok(())).unwrap();
    asked(&hub, "Second?").await.unwrap();
    let writer = Connection::open(&path).unwrap();
    writer.busy_timeout(Duration::ZERO).unwrap();
    assert!(!move_log(&writer).unwrap());
    drop(moment);
    assert!(move_log(&writer).unwrap());
}

// L2
#[tokio::test]
async fn writes_are_acknowledged_while_the_mark_of_the_log_blocks() {
    let (_folder, path) = place();
    let hub = open_hub(&path, HubOptions::default()).await.unwrap();
    // Writing to it waits for a reader.
    assert!(Command::new("mkfifo").arg(path_of(&path)).status().unwrap().success());
    for number in 0..100 {
        let message = format!("Number {number}?");
        timeout(PATIENCE, asked(&hub, &message)).await.expect("it waits for the mark").unwrap();
    }
    // Open for reading until the end, so that nothing blocks any more.
    let mut reader = File::options().read(true).write(true).open(path_of(&path)).unwrap();
    let mut mark = [0; 64];
    reader.read_exact(&mut mark).unwrap();
    let text = String::from_utf8(mark.to_vec()).unwrap();
    let marked: u64 = text.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!((1..=100).contains(&marked), "{text}");
    hub.close().await.unwrap();
}
