//! Rows as records, and values as columns.

use crate::failure::unreadable;
use askback_core::{Limits, Name, Outcome, Request, RequestId, Status};
use askback_hub::Record;
use askback_hub::Room;
use jiff::Timestamp;
use rusqlite::Row;
use std::sync::Arc;
use uuid::Uuid;

/// The columns that make a record, in the order in which [`record`] reads them.
const COLUMNS: &str = "r.number, r.id, r.room, r.asker, r.created_at, r.deadline, r.waited_at, r.request, e.outcome";

/// Records as they are now, for a condition to follow.
pub(crate) fn select_records(condition: &str) -> String {
    select_records_from("requests r", condition)
}

/// The same by an index of one's choice.
pub(crate) fn select_records_from(from: &str, condition: &str) -> String {
    format!("SELECT {COLUMNS} FROM {from} LEFT JOIN events e ON e.number = r.ended WHERE {condition}")
}

/// Events with their numbers, for a condition to follow. An event is told the same way for ever, so that it does not say
/// when the asker was last seen.
pub(crate) fn select_events(condition: &str) -> String {
    let columns = event_columns();
    format!("SELECT {columns}, e.number FROM events e JOIN requests r ON r.number = e.request WHERE {condition}")
}

/// The columns that make the record of an event.
pub(crate) fn event_columns() -> String {
    COLUMNS.replace("r.waited_at", "r.created_at")
}

pub(crate) const STATUSES: [Status; 5] =
    [Status::Pending, Status::Answered, Status::Declined, Status::Cancelled, Status::Expired];

pub(crate) fn status_column(status: Status) -> i64 {
    STATUSES.iter().zip(0..).find(|(known, _)| **known == status).map_or(0, |(_, number)| number)
}

pub(crate) fn id_column(id: &RequestId) -> rusqlite::Result<[u8; 16]> {
    Uuid::parse_str(id.as_str()).map(Uuid::into_bytes).map_err(|error| unreadable("an id", error))
}

pub(crate) fn time_column(moment: Timestamp) -> i64 {
    moment.as_microsecond()
}

/// A number as its column has it; there are not so many events that one would not fit.
pub(crate) fn number_column(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(crate) fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(column).map(|number| u64::try_from(number).unwrap_or_default())
}

/// The record in a row that begins with [`COLUMNS`].
pub(crate) fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
    let (text, ended): (String, Option<String>) = (row.get(7)?, row.get(8)?);
    let request = Request::parse(text.as_bytes(), &Limits::STORED);
    let request = request.map_err(|problems| unreadable("a request", problems))?;
    let outcome = ended.as_deref().map(|text| outcome(text, &request)).transpose()?;
    Ok(Record {
        number: number(row, 0)?,
        id: id(row, 1)?,
        room: Room::parse(&row.get::<_, String>(2)?).map_err(|refusal| unreadable("a room", refusal))?,
        asker: name(row, 3)?,
        request: Arc::new(request),
        created_at: time(row.get(4)?)?,
        deadline: row.get::<_, Option<i64>>(5)?.map(time).transpose()?,
        waited_at: time(row.get(6)?)?,
        outcome: outcome.map(Arc::new),
        size: text.len() + ended.map_or(0, |text| text.len()),
    })
}

pub(crate) fn id(row: &Row<'_>, column: usize) -> rusqlite::Result<RequestId> {
    let id = Uuid::from_bytes(row.get(column)?).to_string();
    RequestId::parse(&id).map_err(|refusal| unreadable("an id", refusal))
}

pub(crate) fn name(row: &Row<'_>, column: usize) -> rusqlite::Result<Name> {
    Name::parse(&row.get::<_, String>(column)?).map_err(|refusal| unreadable("a name", refusal))
}

pub(crate) fn outcome(text: &str, request: &Request) -> rusqlite::Result<Outcome> {
    Outcome::parse(text.as_bytes(), request).map_err(|problems| unreadable("an outcome", problems))
}

pub(crate) fn time(microseconds: i64) -> rusqlite::Result<Timestamp> {
    Timestamp::from_microsecond(microseconds).map_err(|error| unreadable("a time", error))
}
