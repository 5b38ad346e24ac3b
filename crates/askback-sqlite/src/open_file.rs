//! Opening a database: alone, and only if it is ours.

use crate::beside::beside;
use crate::failure::{explain, has_no_room, is_full};
use crate::limits::{LOG_PAGES, STATEMENTS};
use crate::mark::{self, Mark};
use askback_hub::StoreError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

mod migrations {
    refinery::embed_migrations!("migrations");
}

/// Marks a database as ours: "askb" in ASCII.
const APPLICATION: i64 = 0x6173_6b62;

/// The version of the schema since which a log has an identity, and so a mark.
const WITH_IDENTITY: i64 = 4;

/// Bytes of the lock file: the number of the process that holds it, with spaces behind it.
const HOLDER_LENGTH: usize = 32;

/// What every database of SQLite begins with.
const HEADER: &[u8] = b"SQLite format 3\0";

/// The path of the file itself, so that it has one lock however it is called, and SQLite reads nothing else into it.
pub(crate) fn whole(path: &Path) -> Result<PathBuf, StoreError> {
    let unusable = |why: &str| StoreError::Unusable { store: path.display().to_string(), why: why.to_owned() };
    if path.file_name().is_none() {
        return Err(unusable("this is not the name of a file"));
    }
    match path.canonicalize() {
        Ok(whole) if whole.is_dir() => Err(unusable("it is a folder")),
        Ok(whole) if !whole.is_file() => Err(unusable("it is not a file")),
        Ok(whole) => Ok(whole),
        Err(_) => std::path::absolute(path).map_err(|error| unusable(&error.to_string())),
    }
}

/// Takes the lock beside the database, which closing the file gives back. SQLite's own would let a second process in.
pub(crate) fn lock(path: &Path) -> Result<File, StoreError> {
    let unusable =
        |why: std::io::Error| StoreError::Unusable { store: path.display().to_string(), why: why.to_string() };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        // What agents ask and people answer is for nobody else to read.
        if !folder.is_dir() {
            DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(unusable)?;
            // A folder that is new is not yet sure to be there after a power cut; its files are synced by SQLite.
            for above in folder.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()) {
                File::open(above).and_then(|above| above.sync_all()).map_err(unusable)?;
            }
        }
    }
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false).mode(0o600);
    let mut file = options.open(beside(path, ".lock")).map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            // Who it is only helps; that somebody is there is certain.
            let _ = (&file).take(HOLDER_LENGTH as u64).read_to_string(&mut holder);
            let holder = match holder.trim().parse::<u32>() {
                Ok(pid) if pid == std::process::id() => {
                    "this process: a handle on it is alive, or it is just closing".to_owned()
                }
                Ok(pid) => format!("process {pid}"),
                Err(_) => "another process".to_owned(),
            };
            return Err(StoreError::InUse { store: path.display().to_string(), holder });
        }
        Err(TryLockError::Error(error)) => return Err(unusable(error)),
    }
    // In its place, which needs no room on a disk that is full. The number only helps.
    let holder = format!("{:<HOLDER_LENGTH$}", std::process::id());
    match file.rewind().and_then(|()| file.write_all(holder.as_bytes())) {
        Err(error) if !has_no_room(&error) => Err(unusable(error)),
        _ => Ok(file),
    }
}

/// The connection that writes, to a database of ours with the newest schema.
pub(crate) fn open(path: &Path) -> Result<Connection, StoreError> {
    let failed = |error: rusqlite::Error| explain(path, &error);
    let unusable =
        |error: std::io::Error| StoreError::Unusable { store: path.display().to_string(), why: error.to_string() };
    // Made by us and not by SQLite, which would let others read it. An empty file is a database without a table.
    let made = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path);
    let mut beginning = Vec::new();
    made.map_err(unusable)?.take(HEADER.len() as u64).read_to_end(&mut beginning).map_err(unusable)?;
    if !beginning.is_empty() && beginning != HEADER {
        let why = "it does not begin as one does".to_owned();
        return Err(StoreError::Damaged { store: path.display().to_string(), why });
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    // Looked at by one that can't write: closing another would tidy up what may not be ours.
    check(&open_reader(path)?, path)?;
    let mut connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    let journal = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0));
    let journal = journal.map_err(failed)?;
    if journal != "wal" {
        let why = format!("this file system takes no write-ahead log, only the journal {journal:?}: use a local disk");
        return Err(StoreError::Unusable { store: path.display().to_string(), why });
    }
    // NORMAL would acknowledge what a power cut can still take back.
    connection.pragma_update(None, "synchronous", "FULL").map_err(failed)?;
    // On macOS a sync is one only with these.
    connection.pragma_update(None, "fullfsync", true).map_err(failed)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true).map_err(failed)?;
    // What the process before us wrote and did not sync is synced before anyone is told of it.
    unless_full(move_log(&connection).map(drop)).map_err(failed)?;
    // Where the disk is too full for that, it stays in the write-ahead log.
    sync(&beside(path, "-wal")).map_err(unusable)?;
    connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES).map_err(failed)?;
    let application = connection.query_row("PRAGMA application_id", [], |row| row.get::<_, i64>(0)).map_err(failed)?;
    // Also where it is there: a disk that can't be written is noticed here, before anyone is told anything.
    let marked = connection.pragma_update(None, "application_id", APPLICATION);
    let marked = if application == APPLICATION { unless_full(marked) } else { marked };
    marked.map_err(failed)?;
    // In one transaction, which is synced once.
    let migrated = migrations::migrations::runner().set_grouped(true).run(&mut connection);
    let migrated = migrated.map_err(|error| {
        use std::error::Error;
        let cause = error.source().and_then(|source| source.downcast_ref::<rusqlite::Error>());
        cause.map_or_else(|| StoreError::Failed(error.to_string()), |cause| explain(path, cause))
    })?;
    if !migrated.applied_migrations().is_empty() {
        // The identity of the log is in the file itself then, also where its write-ahead log is lost.
        move_log(&connection).map_err(failed)?;
    }
    // Leases that can't be released end by themselves.
    unless_full(crate::outbox::release_all(&connection)).map_err(failed)?;
    prepare(&connection).map_err(failed)?;
    Ok(connection)
}

/// A full disk is no reason not to open a database that is to be read.
fn unless_full(result: rusqlite::Result<()>) -> rusqlite::Result<()> {
    result.or_else(|error| if is_full(&error) { Ok(()) } else { Err(error) })
}

/// Moves the write-ahead log into the database, and returns whether all of it was moved: a connection that reads can prevent it,
/// which SQLite tells in the row and not as an error.
pub(crate) fn move_log(connection: &Connection) -> rusqlite::Result<bool> {
    let is_busy = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0))?;
    Ok(!is_busy)
}

/// Syncs a file, if it is there.
fn sync(path: &Path) -> std::io::Result<()> {
    match File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        file => file?.sync_all(),
    }
}

/// What every connection has. Plans do not depend on values: a statement would be planned again each time it is used.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop)
}

pub(crate) fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let failed = |error: rusqlite::Error| explain(path, &error);
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    prepare(&connection).map_err(failed)?;
    Ok(connection)
}

/// Refuses what is not ours to write to, and what has lost events, before anything is written: a write-ahead log that was moved
/// away can be put back then.
fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |error: rusqlite::Error| explain(path, &error);
    let one = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(failed);
    let tables = one("SELECT count(*) FROM sqlite_schema")?;
    let application = one("PRAGMA application_id")?;
    if tables == 0 {
        return Ok(());
    }
    if application != APPLICATION {
        let why = "it holds the tables of another program".to_owned();
        return Err(StoreError::Damaged { store: path.display().to_string(), why });
    }
    let history = one("SELECT count(*) FROM sqlite_schema WHERE name = 'refinery_schema_history'")?;
    let found = if history == 0 { 0 } else { one("SELECT coalesce(max(version), 0) FROM refinery_schema_history")? };
    let known = migrations::migrations::runner().get_migrations().iter().map(|one| i64::from(one.version())).max();
    let known = known.unwrap_or_default();
    if found > known {
        return Err(StoreError::Newer { store: path.display().to_string(), found, known });
    }
    if found < WITH_IDENTITY {
        return Ok(());
    }
    mark::check(path, Mark::of(connection).map_err(failed)?)
}
