//! Tokens in their table.

use crate::failure::unreadable;
use crate::rows::{name, number, number_column, time, time_column};
use crate::select::readable;
use askback_hub::Room;
use askback_hub::store::{AskerRename, StoredToken, StoredTokens};
use askback_hub::{Purpose, Role};
use rusqlite::{Connection, Row, params};

pub(crate) fn add(connection: &Connection, new: &StoredToken, replaced: &[u64]) -> rusqlite::Result<u64> {
    remove(connection, replaced)?;
    let sql = "INSERT INTO tokens (hash, purpose, role, name, room, parent, created_at, expires_at, is_local) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    connection.prepare_cached(sql)?.execute(params![
        new.hash,
        new.purpose.name(),
        new.role.name(),
        new.name.as_str(),
        new.room.as_ref().map(Room::as_str),
        new.parent.map(number_column),
        time_column(new.created_at),
        new.expires_at.map(time_column),
        new.is_local,
    ])?;
    Ok(u64::try_from(connection.last_insert_rowid()).unwrap_or_default())
}

/// Replaces a link by a session, if the link still exists.
pub(crate) fn redeem(connection: &Connection, login: u64, session: &StoredToken) -> rusqlite::Result<Option<u64>> {
    let sql = "DELETE FROM tokens WHERE number = ?1 AND purpose = ?2";
    let values = params![number_column(login), Purpose::Login.name()];
    if connection.prepare_cached(sql)?.execute(values)? == 0 {
        return Ok(None);
    }
    add(connection, session, &[]).map(Some)
}

pub(crate) fn remove(connection: &Connection, numbers: &[u64]) -> rusqlite::Result<()> {
    raise_version(connection)?;
    let mut statement = connection.prepare_cached("DELETE FROM tokens WHERE number = ?1")?;
    numbers.iter().try_for_each(|number| statement.execute([number_column(*number)]).map(drop))
}

pub(crate) fn rename_asker(connection: &Connection, token: u64, renamed: &AskerRename) -> rusqlite::Result<()> {
    raise_version(connection)?;
    let (from, to) = (renamed.from.as_str(), renamed.to.as_str());
    connection.execute("UPDATE tokens SET name = ?2 WHERE number = ?1", params![number_column(token), to])?;
    // Ignored are those whose key the new name has used.
    connection.execute("UPDATE OR IGNORE requests SET asker = ?2 WHERE asker = ?1", [from, to])?;
    let created = "UPDATE events SET by = ?2 WHERE status = 0 AND by = ?1 \
                   AND request IN (SELECT number FROM requests WHERE asker = ?2)";
    connection.execute(created, [from, to])?;
    connection.execute("DELETE FROM room_snapshots", [])?;
    connection.execute("UPDATE log SET identity = randomblob(16)", []).map(drop)
}

fn raise_version(connection: &Connection) -> rusqlite::Result<()> {
    connection.prepare_cached("UPDATE log SET tokens_version = tokens_version + 1")?.execute([]).map(drop)
}

pub(crate) fn version(connection: &Connection) -> rusqlite::Result<u64> {
    connection.prepare_cached("SELECT tokens_version FROM log")?.query_row([], |row| number(row, 0))
}

/// All tokens with their version, which is consistent inside a transaction.
pub(crate) fn all(connection: &Connection) -> rusqlite::Result<StoredTokens> {
    let sql = "SELECT number, hash, purpose, role, name, room, parent, created_at, expires_at, is_local \
               FROM tokens ORDER BY number";
    let mut statement = connection.prepare_cached(sql)?;
    let tokens = statement.query_and_then([], |row| readable(token(row)))?;
    let tokens = tokens.filter_map(Result::transpose).collect::<rusqlite::Result<_>>()?;
    Ok(StoredTokens { version: version(connection)?, tokens })
}

fn token(row: &Row<'_>) -> rusqlite::Result<(u64, StoredToken)> {
    let text = |column: usize| row.get::<_, String>(column);
    let room = row.get::<_, Option<String>>(5)?.map(|room| Room::parse(&room));
    let stored = StoredToken {
        hash: row.get(1)?,
        purpose: Purpose::parse(&text(2)?).map_err(|refusal| unreadable("a token's purpose", refusal))?,
        role: Role::parse(&text(3)?).map_err(|refusal| unreadable("a token's role", refusal))?,
        name: name(row, 4)?,
        room: room.transpose().map_err(|refusal| unreadable("a room", refusal))?,
        parent: row.get::<_, Option<i64>>(6)?.map(|parent| u64::try_from(parent).unwrap_or_default()),
        created_at: time(row.get(7)?)?,
        expires_at: row.get::<_, Option<i64>>(8)?.map(time).transpose()?,
        is_local: row.get(9)?,
    };
    Ok((number(row, 0)?, stored))
}
