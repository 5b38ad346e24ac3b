//! The high-water mark of the log, in a file of its own: it tells when the write-ahead log was cut or removed, or the database was
//! replaced by an older copy.
//!
//! The mark is written at most once a second, behind the acknowledgements and without a sync. It is never ahead of what is durable,
//! so that a database that is behind its mark has lost events.

use crate::beside::beside;
use crate::limits::MARK_INTERVAL;
use crate::select::last_event;
use crate::snapshots::log_identity;
use askback_hub::StoreError;
use jiff::Timestamp;
use rusqlite::Connection;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Bytes of the file: always the same, so that it is overwritten in its place, on a full disk too.
const LENGTH: usize = 64;

/// How far a log has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The identity of the log.
    pub(crate) identity: [u8; 16],
    /// The number of the last event that is durable.
    pub(crate) last: u64,
}

impl Mark {
    /// How far the log of a database has come.
    pub(crate) fn of(connection: &Connection) -> rusqlite::Result<Self> {
        let moment = connection.unchecked_transaction()?;
        Ok(Self { identity: log_identity(&moment)?, last: last_event(&moment)? })
    }

    fn parse(text: &str) -> Option<Self> {
        let (identity, last) = text.trim().split_once(' ')?;
        let identity = u128::from_str_radix(identity, 16).ok().filter(|_| identity.len() == 32)?.to_be_bytes();
        Some(Self { identity, last: last.trim().parse().ok()? })
    }

    fn text(self) -> String {
        let mut text = format!("{:032x} {}", u128::from_be_bytes(self.identity), self.last);
        let _ = write!(text, "{:1$}", "", LENGTH.saturating_sub(text.len() + 1));
        text.push('\n');
        text
    }

    fn write(self, path: &Path) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600).open(path)?.write_all(self.text().as_bytes())
    }
}

/// The path of the mark of a database.
pub(crate) fn path_of(database: &Path) -> PathBuf {
    beside(database, ".mark")
}

/// Refuses a database that is behind its mark. A mark that can't be read, or of another log, says nothing.
pub(crate) fn check(database: &Path, now: Mark) -> Result<(), StoreError> {
    let path = path_of(database);
    let Ok(mut file) = File::open(&path) else { return Ok(()) };
    let mut text = String::new();
    let read = (&mut file).take(LENGTH as u64).read_to_string(&mut text);
    let Some(mark) = read.ok().and_then(|_| Mark::parse(&text)) else {
        tracing::warn!(path = %path.display(), "the mark of the log can't be read, and is written anew");
        return Ok(());
    };
    if mark.identity != now.identity || mark.last <= now.last {
        return Ok(());
    }
    let at = file.metadata().and_then(|found| found.modified()).ok();
    let at = at
        .and_then(|at| Timestamp::try_from(at).ok())
        .map_or_else(|| "an unknown time".to_owned(), |at| format!("{at:.0}"));
    let (store, mark_file) = (database.display().to_string(), path.display().to_string());
    Err(StoreError::LostEvents { store, first: now.last + 1, last: mark.last, at, mark: mark_file })
}

/// Writes the mark in a thread of its own.
#[derive(Debug)]
pub(crate) struct Marker {
    last: Arc<AtomicU64>,
    /// Closed to end the thread, both of them.
    wake: Option<(SyncSender<()>, SyncSender<()>)>,
    thread: Option<JoinHandle<()>>,
}

impl Marker {
    pub(crate) fn start(database: &Path, opened: Mark) -> io::Result<Self> {
        let (wake, woken) = sync_channel(1);
        let (open, closed) = sync_channel(0);
        let last = Arc::new(AtomicU64::new(opened.last));
        let marking = Marking {
            path: path_of(database),
            identity: opened.identity,
            last: Arc::clone(&last),
            written: 0,
            is_failing: false,
        };
        let pause = move || closed.recv_timeout(MARK_INTERVAL) == Err(RecvTimeoutError::Timeout);
        let run = move || marking.run(&woken, pause);
        let thread = std::thread::Builder::new().name("askback-mark".to_owned()).spawn(run)?;
        Ok(Self { last, wake: Some((wake, open)), thread: Some(thread) })
    }

    /// Tells that the log is durable up to this event.
    pub(crate) fn pass(&self, last: u64) {
        self.last.store(last, Ordering::Release);
        // Where one signal waits already, the thread will see this number, too.
        let _ = self.wake.as_ref().map(|(wake, _)| wake.try_send(()));
    }
}

impl Drop for Marker {
    /// Writes the mark a last time.
    fn drop(&mut self) {
        self.wake = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Marking {
    path: PathBuf,
    identity: [u8; 16],
    last: Arc<AtomicU64>,
    written: u64,
    is_failing: bool,
}

impl Marking {
    /// Writes the mark once between two pauses, until a pause tells that the store is closed.
    fn run(mut self, woken: &Receiver<()>, mut pause: impl FnMut() -> bool) {
        loop {
            self.write();
            if !pause() || woken.recv().is_err() {
                return self.write();
            }
        }
    }

    fn write(&mut self) {
        let last = self.last.load(Ordering::Acquire);
        if last == self.written {
            return;
        }
        match (Mark { identity: self.identity, last }).write(&self.path) {
            Ok(()) => (self.written, self.is_failing) = (last, false),
            // Said once, and not each second.
            Err(error) if !std::mem::replace(&mut self.is_failing, true) => {
                tracing::warn!(path = %self.path.display(), %error, "the mark of the log can't be written");
            }
            Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: Mark = Mark { identity: [7; 16], last: 12 };

    // L2
    #[test]
    fn database_behind_its_mark_is_refused_and_any_other_passes() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("hub.db");
        check(&database, MARK).unwrap();
        MARK.write(&path_of(&database)).unwrap();
        check(&database, MARK).unwrap();
        check(&database, Mark { last: 13, ..MARK }).unwrap();
        check(&database, Mark { identity: [8; 16], last: 1 }).unwrap();
        let told = check(&database, Mark { last: 9, ..MARK }).unwrap_err().to_string();
        assert!(told.contains("has lost the events 10 to 12") && told.contains("hub.db.mark"), "{told}");
        for broken in ["", "x", "07 12", &"7".repeat(100)] {
            std::fs::write(path_of(&database), broken).unwrap();
            check(&database, Mark { last: 9, ..MARK }).unwrap();
        }
    }

    // L2
    #[test]
    fn mark_is_overwritten_in_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mark");
        for last in [u64::MAX, 0, 12] {
            let mark = Mark { last, ..MARK };
            mark.write(&path).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!((Mark::parse(&text), text.len()), (Some(mark), LENGTH));
        }
    }

    // L2
    #[test]
    fn mark_is_written_once_between_two_pauses_however_many_events_come() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mark");
        let (wake, woken) = sync_channel(1);
        let last = Arc::new(AtomicU64::new(0));
        let marking =
            Marking { path: path.clone(), identity: [7; 16], last: Arc::clone(&last), written: 0, is_failing: false };
        let marked = || Mark::parse(&std::fs::read_to_string(&path).unwrap_or_default()).map_or(0, |mark| mark.last);
        let mut pauses = 0;
        marking.run(&woken, || {
            pauses += 1;
            let before = last.load(Ordering::Acquire);
            assert_eq!(marked(), before, "in pause {pauses}");
            for event in before + 1..=before + 1_000 {
                last.store(event, Ordering::Release);
                let _ = wake.try_send(());
            }
            assert_eq!(marked(), before, "a pause writes nothing");
            pauses < 5
        });
        assert_eq!((pauses, marked()), (5, 5_000), "what came last is written as the store is closed");
        assert!(MARK_INTERVAL >= std::time::Duration::from_secs(1));
    }

    // L2
    #[test]
    fn marker_writes_what_it_was_told_last() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("hub.db");
        let marker = Marker::start(&database, MARK).unwrap();
        (13..=40).for_each(|last| marker.pass(last));
        drop(marker);
        let text = std::fs::read_to_string(path_of(&database)).unwrap();
        assert_eq!(Mark::parse(&text), Some(Mark { last: 40, ..MARK }));
    }
}
