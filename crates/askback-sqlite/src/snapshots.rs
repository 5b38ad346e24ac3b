//! The documents of rooms in their table, and what tells the log they follow from.

use crate::rows::{number, number_column};
use askback_hub::Scope;
use askback_hub::store::StoredSnapshot;
use rusqlite::{Connection, OptionalExtension, params};

pub(crate) fn log_identity(connection: &Connection) -> rusqlite::Result<[u8; 16]> {
    connection.prepare_cached("SELECT identity FROM log")?.query_row([], |row| row.get(0))
}

pub(crate) fn put(connection: &Connection, scope: &Scope, snapshot: &StoredSnapshot) -> rusqlite::Result<()> {
    let sql = "INSERT INTO room_snapshots (room, through, document) VALUES (?1, ?2, ?3) \
               ON CONFLICT (room) DO UPDATE SET through = excluded.through, document = excluded.document \
               WHERE excluded.through >= through";
    let values = params![scope.name(), number_column(snapshot.through), snapshot.document];
    connection.prepare_cached(sql)?.execute(values).map(drop)
}

pub(crate) fn get(connection: &Connection, scope: &Scope) -> rusqlite::Result<Option<StoredSnapshot>> {
    let sql = "SELECT through, document FROM room_snapshots WHERE room = ?1";
    let found = connection
        .prepare_cached(sql)?
        .query_row([scope.name()], |row| Ok(StoredSnapshot { through: number(row, 0)?, document: row.get(1)? }));
    found.optional()
}
