//! Two processes and one database.

use askback_hub::{HubError, HubOptions, StoreError};
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Where the child finds the database.
const DATABASE: &str = "ASKBACK_TEST_DATABASE";

/// In a child: opens the database, says so, and holds it until its standard input ends.
#[tokio::test]
async fn holder() {
    let Some(path) = std::env::var_os(DATABASE).map(PathBuf::from) else { return };
    let _hub = askback_sqlite::open_hub(&path, HubOptions::default()).await.unwrap();
    println!("\nopen");
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

// S3, L2
#[tokio::test]
async fn the_second_process_is_refused_until_the_first_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hub.sqlite");
    let mut first = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "holder", "--nocapture"])
        .env(DATABASE, &path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(first.stdout.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap() == "open"));
    let error = askback_sqlite::open_hub(&path, HubOptions::default()).await.map(drop).unwrap_err();
    assert!(matches!(&error, HubError::Store(StoreError::InUse { .. })), "{error}");
    let holder =
        format!("in use by process {}: only one hub can have it; stop that one, or use another store", first.id());
    assert!(error.to_string().ends_with(&holder), "{error}");
    // Even where it is killed, the lock goes with it.
    first.kill().unwrap();
    first.wait().unwrap();
    askback_sqlite::open_hub(&path, HubOptions::default()).await.unwrap().close().await.unwrap();
}
