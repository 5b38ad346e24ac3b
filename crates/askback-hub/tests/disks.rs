//! Disks that are full or can't be written: a real one of each, small and in memory, mounted for a child of the test.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "what fails in a test should fail it")]

use askback_core::{Limits, Name, Request, RequestId, State};
use askback_hub::{Ask, Hub, HubError, HubOptions, Query, Room, StoreError};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the child finds its disk.
const DISK: &str = "ASKBACK_TEST_DISK";

/// Runs a test of this file again, in a mount namespace of its own with a disk of so many bytes.
fn on_a_disk_of(size: &str, test: &str, remount: &str) {
    let folder = tempfile::tempdir().unwrap();
    let script = format!(r#"mount -t tmpfs -o size={size} tmpfs "$0" && {remount} exec "$@""#);
    let output = Command::new("unshare")
        .args(["--mount", "--map-root-user", "sh", "-c", &script])
        .arg(folder.path())
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(DISK, folder.path())
        .output()
        .expect("unshare, of util-linux, is there");
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "no disk to test with?\n{said}\n{complained}");
}

fn disk() -> Option<PathBuf> {
    std::env::var_os(DISK).map(PathBuf::from)
}

async fn ask(hub: &Hub) -> Result<RequestId, HubError> {
    let request = Request::parse(br#"{"type": "text", "message": "Name?"}"#, &Limits::DEFAULT).unwrap();
    let ask = Ask::new(request, Name::parse("ada").unwrap(), Room::parse("shop").unwrap());
    Ok(hub.ask(ask).await?.id().clone())
}

fn fill(disk: &Path) {
    // Until nothing more fits.
    let _ = fs::write(disk.join("ballast"), vec![b'x'; 64 << 20]);
}

// S3, L2
#[tokio::test]
async fn a_full_disk_is_told_and_nothing_acknowledged_is_lost() {
    let Some(disk) = disk() else {
        return on_a_disk_of("4m", "a_full_disk_is_told_and_nothing_acknowledged_is_lost", "");
    };
    let path = disk.join("hub.sqlite");
    let hub = askback_sqlite::open_hub(&path, HubOptions::default()).await.unwrap();
    let mut kept = vec![ask(&hub).await.unwrap()];
    fill(&disk);
    let error = loop {
        match ask(&hub).await {
            Ok(id) => kept.push(id),
            Err(error) => break error,
        }
    };
    assert!(matches!(&error, HubError::Store(StoreError::Full(_))), "{error}");
    assert!(error.to_string().starts_with("the disk is full, nothing was stored: make room, then try again"));
    assert!(error.is_passing());
    for id in &kept {
        assert_eq!(hub.outcome(id).await.unwrap(), State::Pending(id.clone()));
    }
    // With room, it goes on by itself.
    fs::remove_file(disk.join("ballast")).unwrap();
    kept.push(ask(&hub).await.unwrap());
    hub.close().await.unwrap();
    let hub = askback_sqlite::open_hub(&path, HubOptions::default()).await.unwrap();
    assert_eq!(hub.counts().await.unwrap().pending, kept.len() as u64, "what failed was not stored");
}

// S3
#[tokio::test]
async fn a_disk_that_is_full_from_the_beginning_is_told() {
    let Some(disk) = disk() else {
        return on_a_disk_of("1m", "a_disk_that_is_full_from_the_beginning_is_told", "");
    };
    fill(&disk);
    let error = askback_sqlite::open_hub(&disk.join("hub.sqlite"), HubOptions::default()).await.map(drop).unwrap_err();
    assert!(error.to_string().contains("full") || error.to_string().contains("No space left"), "{error}");
    fs::remove_file(disk.join("ballast")).unwrap();
    ask(&askback_sqlite::open_hub(&disk.join("hub.sqlite"), HubOptions::default()).await.unwrap()).await.unwrap();
}

// S3
#[tokio::test]
async fn a_disk_that_can_not_be_written_is_told() {
    let Some(disk) = disk() else {
        return on_a_disk_of("1m", "a_disk_that_can_not_be_written_is_told", "mount -o remount,ro \"$0\" &&");
    };
    let error = askback_sqlite::open_hub(&disk.join("hub.sqlite"), HubOptions::default()).await.map(drop).unwrap_err();
    let said = error.to_string();
    assert!(said.starts_with("can't keep requests in ") && said.contains("Read-only file system"), "{said}");
}

// S3, L2
#[tokio::test]
async fn what_is_on_a_disk_that_is_read_only_for_a_while_is_there_afterwards() {
    let Some(disk) = disk() else {
        return on_a_disk_of("4m", "what_is_on_a_disk_that_is_read_only_for_a_while_is_there_afterwards", "");
    };
    let path = disk.join("hub.sqlite");
    let hub = askback_sqlite::open_hub(&path, HubOptions::default()).await.unwrap();
    let id = ask(&hub).await.unwrap();
    hub.close().await.unwrap();
    assert!(Command::new("mount").args(["-o", "remount,ro"]).arg(&disk).status().unwrap().success());
    let error = askback_sqlite::open_hub(&path, HubOptions::default()).await.map(drop).unwrap_err();
    assert!(error.to_string().contains("Read-only file system"), "{error}");
    assert!(Command::new("mount").args(["-o", "remount,rw"]).arg(&disk).status().unwrap().success());
    let hub = askback_sqlite::open_hub(&path, HubOptions::default()).await.unwrap();
    let page = hub.list(Query { limit: 10, ..Query::default() }).await.unwrap();
    assert_eq!(page.items.iter().map(|listed| &listed.record.id).collect::<Vec<_>>(), [&id]);
}
