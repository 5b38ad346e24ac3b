//! The log: what should be known but must not touch the screen.

use std::fs::{DirBuilder, OpenOptions};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Mutex;

/// Bytes after which the log begins anew.
const LARGEST: u64 = 10 << 20;

/// Writes warnings to `chat.log` from now on. Where that can't be done there is no log, and everything else goes on.
pub(super) fn start(folder: &Path) {
    let path = folder.join("chat.log");
    let is_large = std::fs::metadata(&path).is_ok_and(|log| log.len() > LARGEST);
    let mut options = OpenOptions::new();
    options.create(true).mode(0o600);
    if is_large {
        options.write(true).truncate(true)
    } else {
        options.append(true)
    };
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    if let Ok(file) = made.and_then(|()| options.open(path)) {
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(Mutex::new(file));
        // In one process there is one log; a second one would be a mistake, and no reason to stop.
        let _ = subscriber.try_init();
    }
}
