//! A disk whose sync fails: nothing that it says afterwards is believed.

use crate::campaign::shim;
use askback_core::{Limits, Name, Request, RequestId, State};
use askback_hub::{Ask, Hub, HubError, HubOptions, Room, StoreError};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What makes this test the child of itself.
const DATABASE: &str = "ASKBACK_UNSYNCED";

async fn ask(hub: &Hub) -> Result<RequestId, HubError> {
    let request = Request::parse(br#"{"type": "text", "message": "Name?"}"#, &Limits::DEFAULT).unwrap();
    let ask = Ask::new(request, Name::parse("ada").unwrap(), Room::parse("shop").unwrap());
    Ok(hub.ask(ask).await?.id().clone())
}

// L2
#[tokio::test]
async fn after_a_sync_that_failed_nothing_is_taken_until_the_hub_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    match std::env::var_os(DATABASE).map(PathBuf::from) {
        Some(path) => in_the_child(&path).await,
        None => {
            let output = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "--nocapture"])
                .arg("unsynced::after_a_sync_that_failed_nothing_is_taken_until_the_hub_is_opened_again")
                .env(DATABASE, folder.path().join("hub.sqlite"))
                .env("LD_PRELOAD", shim())
                .env("ASKBACK_SHIM_FAILS", "1")
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(said.contains("1 passed"), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
            // On a disk that works, what was acknowledged is there, and new requests are taken.
            let kept = said.lines().find_map(|line| line.strip_prefix("kept ")).unwrap();
            let kept = RequestId::parse(kept).unwrap();
            let hub = askback_sqlite::open_hub(folder.path().join("hub.sqlite"), HubOptions::default()).await.unwrap();
            assert_eq!(hub.outcome(&kept).await.unwrap(), State::Pending(kept));
            ask(&hub).await.unwrap();
        }
    }
}

async fn in_the_child(path: &Path) {
    let hub = askback_sqlite::open_hub(path, HubOptions::default()).await.unwrap();
    let kept = ask(&hub).await.unwrap();
    // From here on every sync of a commit fails.
    File::create(path.with_extension("sqlite-armed")).and_then(|file| file.sync_all()).unwrap();
    let error = ask(&hub).await.unwrap_err();
    assert!(matches!(&error, HubError::Store(StoreError::Failed(_))), "whether it is stored is not known: {error}");
    let error = ask(&hub).await.unwrap_err();
    assert!(matches!(&error, HubError::Store(StoreError::Broken(_))) && !error.is_passing(), "{error}");
    assert!(error.to_string().contains("takes nothing more: look at the disk, then start the hub again"), "{error}");
    assert_eq!(hub.outcome(&kept).await.unwrap(), State::Pending(kept.clone()), "what was stored can be read");
    hub.close().await.unwrap();
    let error = askback_sqlite::open_hub(path, HubOptions::default()).await.map(drop).unwrap_err();
    assert!(matches!(&error, HubError::Store(StoreError::Unusable { .. })), "the disk has not been looked at: {error}");
    println!("\nkept {kept}");
}
