//! The queries.

use crate::rows::{
    STATUSES, id, id_column, name, number, number_column, record, select_events, select_records, select_records_from,
    status_column, time, time_column,
};
use askback_core::{Name, RequestId, Status};
use askback_hub::Room;
use askback_hub::limits::{PAGE_BYTES, PAGE_ITEMS, ROOMS_COUNTED};
use askback_hub::store::{AttemptId, LogEntry, NewRequest, Sameness, UnreadableEvent};
use askback_hub::{AuditQuery, Counts, Cursor, Page, Query, Unattended};
use askback_hub::{Event, Record};
use jiff::Timestamp;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params_from_iter};
use std::sync::Arc;

pub(crate) fn by_id(connection: &Connection, id: &RequestId) -> rusqlite::Result<Option<Record>> {
    connection.prepare_cached(&select_records("r.id = ?1"))?.query_row([id_column(id)?], record).optional()
}

/// The stored request that a new one counts as the same as.
pub(crate) fn same(connection: &Connection, new: &NewRequest) -> rusqlite::Result<Option<(Sameness, Arc<Record>)>> {
    let find = |condition: &str, values: &[&dyn ToSql]| {
        connection.prepare_cached(&select_records(condition))?.query_row(values, record).optional()
    };
    let (asker, room) = (new.asker.as_str(), new.room.as_str());
    for sameness in Sameness::ORDER {
        let found = match sameness {
            Sameness::Fingerprint => match new.fingerprint {
                Some(fingerprint) => {
                    let open = "r.asker = ?1 AND r.room = ?2 AND r.fingerprint = ?3 \
                                AND (r.status = 0 OR r.delivered_at IS NULL) ORDER BY r.number DESC LIMIT 1";
                    find(open, &[&asker, &room, &fingerprint])?
                }
                None => None,
            },
            Sameness::Id => find("r.id = ?1", &[&id_column(&new.id)?])?,
            Sameness::Key => match new.request.key() {
                Some(key) => find("r.asker = ?1 AND r.room = ?2 AND r.key = ?3", &[&asker, &room, &key])?,
                None => None,
            },
        };
        if let Some(found) = found {
            return Ok(Some((sameness, Arc::new(found))));
        }
    }
    Ok(None)
}

/// The attempt that made an event.
pub(crate) fn attempt(connection: &Connection, event: u64) -> rusqlite::Result<Option<AttemptId>> {
    let mut statement = connection.prepare_cached("SELECT attempt FROM events WHERE number = ?1")?;
    let attempt = statement.query_row([number_column(event)], |row| row.get::<_, Option<[u8; 16]>>(0)).optional()?;
    Ok(attempt.flatten().map(AttemptId))
}

/// Conditions that must all hold, with their values.
#[derive(Default)]
struct Conditions {
    sql: Vec<String>,
    values: Vec<Value>,
}

impl Conditions {
    /// Adds `condition`, in which `?` stands for the value, if there is one.
    fn add<V: Into<Value>>(&mut self, condition: &str, value: Option<V>) {
        if let Some(value) = value {
            self.values.push(value.into());
            self.sql.push(condition.replace('?', &format!("?{}", self.values.len())));
        }
    }

    fn joined(&self) -> String {
        if self.sql.is_empty() { "1".to_owned() } else { self.sql.join(" AND ") }
    }
}

/// A page of requests. Every index is by status first, so that looking through all of them is one search for each status,
/// of which the newest are taken.
pub(crate) fn page(connection: &Connection, query: &Query) -> rusqlite::Result<Page<Record>> {
    let limit = query.limit.clamp(1, PAGE_ITEMS);
    let mut conditions = Conditions::default();
    conditions.add("r.room = ?", query.room.as_ref().map(|room| room.as_str().to_owned()));
    conditions.add("r.asker = ?", query.asker.as_ref().map(|asker| asker.as_str().to_owned()));
    conditions.add("r.waited_at < ?", query.unwaited_since.map(time_column));
    conditions.add("r.number < ?", query.after.map(|cursor| number_column(cursor.number())));
    let index = |status: Status| match (&query.room, &query.asker) {
        // It has the room, too, and one asker's requests are fewer than a room's.
        (_, Some(_)) if status == Status::Pending => "requests_pending_by_asker",
        (Some(_), _) => "requests_by_room",
        (None, _) => "requests_by_status",
    };
    let statuses = query.status.map_or_else(|| STATUSES.to_vec(), |status| vec![status]);
    let newest = statuses.iter().map(|status| {
        format!(
            "SELECT * FROM (SELECT r.number FROM requests r INDEXED BY {} WHERE r.status = {} AND {} \
             ORDER BY r.number DESC LIMIT {})",
            index(*status),
            status_column(*status),
            conditions.joined(),
            limit + 1
        )
    });
    let newest = newest.collect::<Vec<_>>().join(" UNION ALL ");
    let sql = format!("{newest} ORDER BY 1 DESC LIMIT {}", limit + 1);
    // Both statements see the same moment.
    let moment = connection.unchecked_transaction()?;
    let numbers = moment
        .prepare_cached(&sql)?
        .query_map(params_from_iter(&conditions.values), |row| row.get::<_, i64>(0))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let mut by_number = moment.prepare_cached(&select_records("r.number = ?1"))?;
    let mut filling = Filling::new(limit);
    for number in numbers {
        let mut rows = by_number.query([number])?;
        let Some(row) = rows.next()? else { continue };
        if !filling.takes(row, 0)? {
            return Ok(filling.cut_short());
        }
        filling.items.extend(readable(record(row))?);
    }
    Ok(Page { items: filling.items, next: None })
}

/// What of the newest that are pending nobody has been seen waiting for since then. Nothing but these columns is read, and no
/// more rows than may be looked at, so that it is as fast when nothing is found.
pub(crate) fn unattended(
    connection: &Connection,
    room: Option<&Room>,
    since: Timestamp,
    among: usize,
) -> rusqlite::Result<Vec<Unattended>> {
    let mut values: Vec<Value> = vec![time_column(since).into()];
    let (index, there) = match room {
        Some(room) => {
            values.push(room.as_str().to_owned().into());
            ("requests_by_room", "r.room = ?2")
        }
        None => ("requests_by_status", "1"),
    };
    let newest = format!(
        "SELECT r.id, r.asker, r.waited_at FROM requests r INDEXED BY {index} WHERE r.status = {} AND {there} \
         ORDER BY r.number DESC LIMIT {among}",
        status_column(Status::Pending)
    );
    let mut statement = connection.prepare_cached(&format!("SELECT * FROM ({newest}) WHERE waited_at < ?1"))?;
    let read = |row: &Row<'_>| Ok(Unattended { id: id(row, 0)?, asker: name(row, 1)?, waited_at: time(row.get(2)?)? });
    let found = statement.query_and_then(params_from_iter(values), |row| readable(read(row)))?;
    found.filter_map(Result::transpose).collect()
}

/// What could be read. One row that another version of askback has written must not hide all others.
pub(crate) fn readable<T>(read: rusqlite::Result<T>) -> rusqlite::Result<Option<T>> {
    match read {
        Err(rusqlite::Error::FromSqlConversionFailure(_, _, error)) => {
            tracing::error!(%error, "left out what can't be read");
            Ok(None)
        }
        read => read.map(Some),
    }
}

pub(crate) fn events(connection: &Connection, query: &AuditQuery) -> rusqlite::Result<Page<Event>> {
    let limit = query.limit.clamp(1, PAGE_ITEMS);
    let mut conditions = Conditions::default();
    conditions.add("e.number > ?", Some(query.after.map_or(0, |cursor| number_column(cursor.number()))));
    conditions.add("r.id = ?", query.id.as_ref().map(id_column).transpose()?.map(|id| id.to_vec()));
    // The plus keeps SQLite from finding all of the room and sorting it, once for every page: the log is read in its order.
    conditions.add("+r.room = ?", query.room.as_ref().map(|room| room.as_str().to_owned()));
    conditions.add("e.status = ?", query.status.map(status_column));
    conditions.add("e.at >= ?", query.from.map(time_column));
    conditions.add("e.at < ?", query.until.map(time_column));
    conditions.add("e.by = ?", query.by.as_ref().map(|by| by.as_str().to_owned()));
    let sql = format!("{} ORDER BY e.number LIMIT {}", select_events(&conditions.joined()), limit + 1);
    #[cfg(test)]
    crate::tests::assert_no_sorting(connection, &sql, query);
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(&conditions.values))?;
    let mut filling = Filling::new(limit);
    while let Some(row) = rows.next()? {
        if !filling.takes(row, 9)? {
            return Ok(filling.cut_short());
        }
        let number = number(row, 9)?;
        filling.items.extend(readable(record(row))?.map(|record| Event::read(number, record)));
    }
    Ok(Page { items: filling.items, next: None })
}

/// The log after an event, in its order. An event that can't be read is told by its number and its request.
pub(crate) fn log(connection: &Connection, after: u64, limit: usize) -> rusqlite::Result<Vec<LogEntry>> {
    let limit = limit.clamp(1, PAGE_ITEMS);
    let sql = format!("{} ORDER BY e.number LIMIT {limit}", select_events("e.number > ?1"));
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([number_column(after)])?;
    let mut filling = Filling::new(limit);
    while let Some(row) = rows.next()?
        && filling.takes(row, 9)?
    {
        let number = number(row, 9)?;
        filling.items.push(match readable(record(row))? {
            Some(record) => LogEntry::Event(Event::read(number, record)),
            None => {
                let is_end = !matches!(row.get_ref(8)?, ValueRef::Null);
                let (id, asker) = (readable(id(row, 1))?, readable(name(row, 3))?);
                LogEntry::Unreadable(UnreadableEvent { number, id, asker, is_end })
            }
        });
    }
    Ok(filling.items)
}

/// A page that is being filled. Rows count whether or not they can be read, so that the next page begins behind them.
pub(crate) struct Filling<T> {
    pub(crate) items: Vec<T>,
    limit: usize,
    rows: usize,
    bytes: usize,
    last: Option<Cursor>,
}

impl<T> Filling<T> {
    pub(crate) fn new(limit: usize) -> Self {
        Self { items: Vec::new(), limit, rows: 0, bytes: 0, last: None }
    }

    /// Whether there is place for one more row, whose number is in this column; for the first there always is.
    pub(crate) fn takes(&mut self, row: &Row<'_>, column: usize) -> rusqlite::Result<bool> {
        let length =
            |column: usize| row.get_ref(column).map(|value| value.as_str_or_null().ok().flatten().map_or(0, str::len));
        self.bytes += length(7)? + length(8)?;
        let takes = self.rows == 0 || (self.rows < self.limit && self.bytes <= PAGE_BYTES);
        if takes {
            self.rows += 1;
            self.last = Some(Cursor::after_event(number(row, column)?));
        }
        Ok(takes)
    }

    /// The page, with more behind it.
    fn cut_short(self) -> Page<T> {
        Page { items: self.items, next: self.last }
    }
}

/// How many are pending, counted in an index alone, and no further than this.
pub(crate) fn pending(connection: &Connection, room: Option<&Room>, at_most: usize) -> rusqlite::Result<u64> {
    let (index, there) = match room {
        Some(_) => ("requests_by_room", "room = ?1"),
        None => ("requests_by_status", "1"),
    };
    let some = format!("SELECT 1 FROM requests INDEXED BY {index} WHERE status = 0 AND {there} LIMIT {at_most}");
    let mut statement = connection.prepare_cached(&format!("SELECT count(*) FROM ({some})"))?;
    statement.query_row(params_from_iter(room.map(Room::as_str)), |row| number(row, 0))
}

/// What is pending, by the one index that holds nothing else.
const PENDING: &str = "requests INDEXED BY requests_pending_by_asker WHERE status = 0";

pub(crate) fn counts(connection: &Connection) -> rusqlite::Result<Counts> {
    let pending =
        connection.prepare_cached(&format!("SELECT count(*) FROM {PENDING}"))?.query_row([], |row| number(row, 0))?;
    let sql = format!("SELECT room, count(*) FROM {PENDING} GROUP BY room ORDER BY 2 DESC, 1 LIMIT {ROOMS_COUNTED}");
    let rooms = connection
        .prepare_cached(&sql)?
        .query_map([], |row| Ok((Room::parse(&row.get::<_, String>(0)?).ok(), number(row, 1)?)))?
        .filter_map(|row| row.map(|(room, count)| Some((room?, count))).transpose())
        .collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(Counts { pending, rooms })
}

pub(crate) fn pending_of_askers(connection: &Connection) -> rusqlite::Result<Vec<(Name, u64)>> {
    let sql = format!("SELECT asker, count(*) FROM {PENDING} GROUP BY asker");
    let mut statement = connection.prepare_cached(&sql)?;
    let askers =
        statement.query_and_then([], |row| readable(name(row, 0).and_then(|asker| Ok((asker, number(row, 1)?)))))?;
    askers.filter_map(Result::transpose).collect()
}

pub(crate) fn last_event(connection: &Connection) -> rusqlite::Result<u64> {
    connection.prepare_cached("SELECT coalesce(max(number), 0) FROM events")?.query_row([], |row| number(row, 0))
}

pub(crate) fn due(connection: &Connection, by: Timestamp, limit: usize) -> rusqlite::Result<Vec<Record>> {
    // Left to itself, SQLite would look through everything that is pending.
    let from = "requests r INDEXED BY requests_by_deadline";
    let sql = select_records_from(from, "r.status = 0 AND r.deadline <= ?1 ORDER BY r.deadline LIMIT ?2");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query((time_column(by), i64::try_from(limit).unwrap_or(i64::MAX)))?;
    let mut filling = Filling::new(limit);
    while let Some(row) = rows.next()?
        && filling.takes(row, 0)?
    {
        filling.items.extend(readable(record(row))?);
    }
    Ok(filling.items)
}

pub(crate) fn next_deadline(connection: &Connection) -> rusqlite::Result<Option<Timestamp>> {
    let sql = "SELECT min(deadline) FROM requests INDEXED BY requests_by_deadline \
               WHERE status = 0 AND deadline IS NOT NULL";
    let next = connection.prepare_cached(sql)?.query_row([], |row| row.get::<_, Option<i64>>(0))?;
    next.map(time).transpose()
}
