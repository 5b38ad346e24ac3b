//! What is written down of what a server does, on standard error.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use tracing::Level;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Bytes after which a log begins anew.
const LOG_BYTES: u64 = 10 << 20;

/// Begins to write down what is at least so important. The library of MCP writes down what clients send, whole and as often as they send
/// it: of that, only what is wrong with us is of interest, and nobody is to fill a disk with it.
pub(crate) fn start(level: Level) {
    let heard = Targets::new().with_default(level).with_target("rmcp", Level::ERROR);
    let written = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(io::stderr);
    let _ = tracing_subscriber::registry().with(written.with_filter(heard)).try_init();
}

/// Empties a log that has become long. Another process that writes to it goes on at its new end.
pub(crate) fn begin_anew(path: &Path) {
    if std::fs::metadata(path).is_ok_and(|log| log.len() > LOG_BYTES) {
        let _ = OpenOptions::new().write(true).truncate(true).open(path);
    }
}
