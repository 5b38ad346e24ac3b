//! What the disk itself can do, one durable write at a time: whoever shares no syncs can't be faster.

use crate::Done;
use crate::times::Times;
use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

const WRITE: [u8; 512] = [b'w'; 512];
/// How long one look at the disk lasts.
const TURN: Duration = Duration::from_millis(200);
/// A log that is written again from its beginning, as databases do.
const LOG: u64 = 4 << 20;

/// The disk as it was through a whole measurement: the time of a write and its sync.
#[derive(Default)]
pub(crate) struct Disk {
    /// Where the file grows.
    pub(crate) appending: Times,
    /// Where it has its length already, so that the disk need not note a new one.
    pub(crate) overwriting: Times,
}

impl Disk {
    pub(crate) fn look(&mut self, folder: &Path) -> Done<()> {
        self.appending.add(turn(folder, 0)?);
        self.overwriting.add(turn(folder, LOG)?);
        Ok(())
    }
}

/// Writes to a file that has this length already, if any, one write after the other.
fn turn(folder: &Path, length: u64) -> Done<f64> {
    let path = folder.join("one-at-a-time");
    let file = OpenOptions::new().write(true).create(true).truncate(true).open(&path)?;
    for place in (0..length).step_by(WRITE.len()) {
        file.write_all_at(&WRITE, place)?;
    }
    file.sync_all()?;
    let start = Instant::now();
    let mut writes = 0;
    while start.elapsed() < TURN {
        let end = writes * WRITE.len() as u64;
        file.write_all_at(&WRITE, end.checked_rem(length).unwrap_or(end))?;
        file.sync_data()?;
        writes += 1;
    }
    let each = start.elapsed().as_nanos() as f64 / writes as f64;
    std::fs::remove_file(&path)?;
    Ok(each)
}
