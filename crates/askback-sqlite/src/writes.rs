//! The statements of a write, inside a transaction that is not theirs.

use crate::rows::{id_column, number_column, outcome, status_column, time_column};
use crate::select::{attempt, by_id, same};
use askback_core::{Name, RequestId};
use askback_hub::Event;
use askback_hub::store::{AttemptId, Created, Delivery, NewOutcome, NewRequest, Resolved};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use std::sync::Arc;

/// What a transaction has changed so far.
pub(crate) struct Changes<'t> {
    pub(crate) connection: &'t Connection,
    last: u64,
    pub(crate) events: Vec<Event>,
}

impl<'t> Changes<'t> {
    /// Nothing yet; `last` is the number of the last event before it.
    pub(crate) fn after(last: u64, connection: &'t Connection) -> Self {
        Self { connection, last, events: Vec::new() }
    }

    pub(crate) fn create(&mut self, new: &NewRequest, text: &str) -> rusqlite::Result<Created> {
        let (id, room, asker, key) = (id_column(&new.id)?, new.room.as_str(), new.asker.as_str(), new.request.key());
        // Only a fingerprint has no unique index to tell.
        if new.fingerprint.is_some()
            && let Some(found) = self.known(new)?
        {
            return Ok(found);
        }
        let number = self.next_number();
        let sql = "INSERT INTO requests \
                   (number, id, room, asker, status, created_at, deadline, waited_at, key, fingerprint, request) \
                   VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?5, ?7, ?8, ?9) ON CONFLICT DO NOTHING";
        let (created_at, deadline) = (time_column(new.created_at), new.deadline.map(time_column));
        let values = params![number_column(number), id, room, asker, created_at, deadline, key, new.fingerprint, text];
        if self.connection.prepare_cached(sql)?.execute(values)? == 0 {
            return self.known(new)?.ok_or(rusqlite::Error::QueryReturnedNoRows);
        }
        let record = Arc::new(new.clone().into_record(number, text.len()));
        self.log(Event::created(Arc::clone(&record)), None, None, new.attempt)?;
        Ok(Created::New(record))
    }

    /// The stored request that a new one counts as the same as, or that an earlier call of this attempt stored.
    fn known(&self, new: &NewRequest) -> rusqlite::Result<Option<Created>> {
        // First, since a later request with the same fingerprint would hide it.
        if let Some(own) = by_id(self.connection, &new.id)?
            && attempt(self.connection, own.number)? == Some(new.attempt)
        {
            return Ok(Some(Created::Repeated(Arc::new(own))));
        }
        Ok(same(self.connection, new)?.map(|(sameness, found)| Created::Same(sameness, found)))
    }

    pub(crate) fn resolve(&mut self, ending: &NewOutcome, text: &str) -> rusqlite::Result<Resolved> {
        let NewOutcome { record, outcome: new, key, attempt } = ending;
        let status = new.resolution().status();
        let request = number_column(record.number);
        let number = self.next_number();
        // The compare-and-set: whoever comes second changes nothing.
        let sql = "UPDATE requests SET status = ?2, ended = ?3 WHERE number = ?1 AND status = 0";
        let values = params![request, status_column(status), number_column(number)];
        if self.connection.prepare_cached(sql)?.execute(values)? == 1 {
            let event = Event::ended(number, record, new, text.len());
            self.log(event, Some(text), key.as_ref().map(Name::as_str), *attempt)?;
            return Ok(Resolved::Now);
        }
        let sql = "SELECT e.outcome, e.resolution_key, e.attempt FROM requests r JOIN events e ON e.number = r.ended \
                   WHERE r.number = ?1";
        let before = self
            .connection
            .prepare_cached(sql)?
            .query_row([request], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?, row.get::<_, Option<[u8; 16]>>(2)?))
            })
            .optional()?;
        let Some((text, key, stored)) = before else {
            return Ok(Resolved::Unknown);
        };
        if stored == Some(attempt.0) {
            return Ok(Resolved::Now);
        }
        Ok(Resolved::Before { outcome: Arc::new(outcome(&text, &record.request)?), key })
    }

    pub(crate) fn deliver(&self, id: &RequestId, delivery: Delivery) -> rusqlite::Result<bool> {
        let (sql, at) = match delivery {
            Delivery::Made(at) => {
                let sql =
                    "UPDATE requests SET delivered_at = ?2 WHERE id = ?1 AND delivered_at IS NULL AND status <> 0";
                (sql, Some(time_column(at)))
            }
            Delivery::Failed => {
                ("UPDATE requests SET delivered_at = ?2 WHERE id = ?1 AND delivered_at IS NOT NULL", None)
            }
        };
        Ok(self.connection.prepare_cached(sql)?.execute(params![id_column(id)?, at])? == 1)
    }

    pub(crate) fn mark_seen(&self, seen: &[(RequestId, Timestamp)]) -> rusqlite::Result<()> {
        let sql = "UPDATE requests SET waited_at = ?2 WHERE id = ?1 AND waited_at < ?2 AND status = 0";
        let mut statement = self.connection.prepare_cached(sql)?;
        for (id, at) in seen {
            statement.execute(params![id_column(id)?, time_column(*at)])?;
        }
        Ok(())
    }

    fn next_number(&self) -> u64 {
        self.last + self.events.len() as u64 + 1
    }

    fn log(
        &mut self,
        event: Event,
        outcome: Option<&str>,
        key: Option<&str>,
        attempt: AttemptId,
    ) -> rusqlite::Result<()> {
        let sql = "INSERT INTO events (number, request, status, at, by, outcome, resolution_key, attempt) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let values = params![
            number_column(event.number),
            number_column(event.record.number),
            status_column(event.status),
            time_column(event.at()),
            event.by(),
            outcome,
            key,
            attempt.0,
        ];
        self.connection.prepare_cached(sql)?.execute(values)?;
        self.events.push(event);
        Ok(())
    }
}
