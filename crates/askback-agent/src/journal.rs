//! Sessions as files: one JSON line for everything that happens, appended when it happens.

use crate::event::Usage;
use crate::journal::record::{Line, Record};
use crate::limits::SESSION_BYTES;
use crate::turn::{Asked, AskedAs, ToolUse, TurnEnd};
use askback_core::Request;
use rustix::fs::{FlockOperation, flock};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use thiserror::Error;

mod reading;
mod record;

pub use reading::Saved;

/// Why a session can't be kept or found.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file can't be read or written.
    #[error("the session can't be kept in {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There is no such session.
    #[error("there is no session {0:?}; `/resume` in a chat lists those there are")]
    Unknown(String),
    /// Another program has it open.
    #[error("this session is open in another chat: end that one first")]
    InUse,
    /// The file is larger than a session can be.
    #[error("{} has more than {} MiB, which is too much to go on from", .0.display(), SESSION_BYTES >> 20)]
    TooLarge(PathBuf),
}

/// A session's file, open for appending. Only one program has it open at a time.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// The last line could not be written to its end: what follows begins on its own.
    is_torn: bool,
}

/// One thing that happens in a session, for its journal.
#[derive(Debug, Clone, Copy)]
pub enum Note<'n> {
    /// The person has said something.
    Message(&'n str),
    /// The agent has changed.
    Agent(&'n str),
    /// The agent has written a text.
    Text(&'n str),
    /// The agent is using a tool, or the tool's result is there.
    Tool(&'n ToolUse),
    /// Something went wrong.
    Error(&'n str),
    /// A question is about to be asked.
    Asking(&'n Request, AskedAs),
    /// A question has come to an end. The agent does not know of it yet.
    Asked(&'n Asked),
    /// The turn is over.
    End(Usage, &'n TurnEnd),
}

/// A session that can be resumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedSession {
    /// Its id.
    pub id: String,
    /// When it began.
    pub began: String,
    /// The agent it was with.
    pub agent: String,
    /// What was said first.
    pub first_message: Option<String>,
}

impl Journal {
    /// Begins a session in a folder, which is made if need be; what people say to their agents is for nobody else to read.
    pub fn create(folder: &Path, id: &str, agent: &str) -> Result<Self, JournalError> {
        let path = path_of(folder, id)?;
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        let opened = made.and_then(|()| OpenOptions::new().append(true).create_new(true).mode(0o600).open(&path));
        let file = opened.map_err(|error| JournalError::Io { path: path.clone(), error })?;
        let mut journal = Self { path, file, is_torn: false };
        journal.lock()?;
        journal.write(Record::Session { version: record::VERSION, id: id.to_owned(), agent: agent.to_owned() })?;
        Ok(journal)
    }

    /// Opens a session to go on with it, and reads what is in it.
    pub fn resume(folder: &Path, id: &str) -> Result<(Self, Saved), JournalError> {
        let path = path_of(folder, id)?;
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => JournalError::Unknown(id.to_owned()),
            _ => JournalError::Io { path: path.clone(), error },
        };
        let file = OpenOptions::new().read(true).append(true).open(&path).map_err(failed)?;
        let mut journal = Self { path: path.clone(), file, is_torn: false };
        journal.lock()?;
        let mut bytes = Vec::new();
        (&journal.file).take(SESSION_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > SESSION_BYTES {
            return Err(JournalError::TooLarge(path));
        }
        // The program before us may have been stopped in the middle of a line: what follows begins on its own.
        journal.is_torn = bytes.last().is_some_and(|byte| *byte != b'\n');
        Ok((journal, Saved::read(&bytes)))
    }

    /// The sessions of a folder, the one that was used last first.
    pub fn list(folder: &Path) -> Vec<SavedSession> {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut found: Vec<(Option<SystemTime>, String)> = files
            .filter_map(|file| {
                let id = file.file_name().to_str()?.strip_suffix(".jsonl")?.to_owned();
                Some((file.metadata().and_then(|metadata| metadata.modified()).ok(), id))
            })
            .collect();
        // Ids begin with the time, and tell sessions apart that were used in the same moment.
        found.sort_unstable_by(|left, right| right.cmp(left));
        found.into_iter().filter_map(|(_, id)| reading::summary(&folder.join(format!("{id}.jsonl")))).collect()
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The session's id.
    pub fn id(&self) -> &str {
        self.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
    }

    /// Appends a note.
    pub fn note(&mut self, note: Note<'_>) -> Result<(), JournalError> {
        self.write(note.into())
    }

    fn write(&mut self, record: Record) -> Result<(), JournalError> {
        self.append(record).map_err(|error| JournalError::Io { path: self.path.clone(), error })
    }

    /// In one piece, so that a program that is stopped leaves whole lines, or at most one that is torn.
    fn append(&mut self, record: Record) -> io::Result<()> {
        let mut line = serde_json::to_vec(&Line { at: jiff::Timestamp::now().to_string(), record })?;
        line.push(b'\n');
        let ended = if self.is_torn { self.file.write_all(b"\n") } else { Ok(()) };
        let written = ended.and_then(|()| self.file.write_all(&line));
        self.is_torn = written.is_err();
        written
    }

    fn lock(&self) -> Result<(), JournalError> {
        flock(&self.file, FlockOperation::NonBlockingLockExclusive).map_err(|errno| match errno {
            rustix::io::Errno::WOULDBLOCK => JournalError::InUse,
            errno => JournalError::Io { path: self.path.clone(), error: errno.into() },
        })
    }
}

/// An id is a file's name, and nothing else.
fn path_of(folder: &Path, id: &str) -> Result<PathBuf, JournalError> {
    let is_name = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if is_name { Ok(folder.join(format!("{id}.jsonl"))) } else { Err(JournalError::Unknown(id.to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    // T6, S3
    #[test]
    fn a_line_that_could_not_be_written_spoils_no_other() {
        let folder = std::env::temp_dir().join(format!("askback-journal-{}", std::process::id()));
        let mut journal = Journal::create(&folder, "one", "a").unwrap();
        // A disk that is full after half a line, and then has room again.
        let reading = File::open(journal.path()).unwrap();
        let file = std::mem::replace(&mut journal.file, reading);
        assert!(matches!(journal.note(Note::Message("lost")), Err(JournalError::Io { .. })));
        (&file).write_all(b"{\"at\": \"2026").unwrap();
        journal.file = file;
        journal.note(Note::Message("kept")).unwrap();
        drop(journal);
        let (journal, saved) = Journal::resume(&folder, "one").unwrap();
        assert_eq!((saved.turns.len(), saved.turns[0].message.as_str(), saved.unreadable), (1, "kept", 1));
        drop(journal);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
