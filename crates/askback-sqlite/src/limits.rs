//! The limits of the store (S3).

use std::time::Duration;

/// Writes waiting for the disk.
pub const WRITES_WAITING: usize = 65_536;

/// Bytes of requests and outcomes waiting for the disk.
pub const WRITE_BYTES_WAITING: usize = 512 << 20;

/// Writes that share one sync of the disk.
pub const WRITES_IN_BATCH: usize = 1_024;

/// Connections that read.
pub const READERS: usize = 4;

/// Reads waiting for one of them.
pub const READS_WAITING: usize = 65_536;

/// Pages of the database's log that are kept before they are moved into the database.
pub const LOG_PAGES: u32 = 4_000;

/// The longest nap of the thread that writes, while those it has just acknowledged are on their way back.
pub const GATHERING_NAP: Duration = Duration::from_micros(50);

/// Statements that a connection keeps prepared.
pub const STATEMENTS: usize = 64;

/// Bytes that the disk must have room for, for the store to count as taking requests: a usual one is written in less.
pub const ROOM_BYTES: usize = 64 << 10;

/// How often the high-water mark of the log is written, at most: what is lost of the last second is not noticed.
pub const MARK_INTERVAL: Duration = Duration::from_secs(1);
