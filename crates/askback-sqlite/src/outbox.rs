//! The outbox in its tables.

use crate::rows::{event_columns, name, number, number_column, record, time, time_column};
use crate::select::{Filling, readable};
use askback_core::Name;
use askback_hub::Event;
use askback_hub::Settled;
use askback_hub::limits::PAGE_ITEMS;
use askback_hub::store::{HookLease, NodeId, Refill, Refilled, StoredDispatch, WantedLeases};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::BTreeSet;

pub(crate) fn set_hooks(connection: &Connection, hooks: &[Name]) -> rusqlite::Result<()> {
    let is_gone = |known: &String| !hooks.iter().any(|hook| hook.as_str() == known);
    for gone in names(connection)?.into_iter().filter(is_gone) {
        connection.prepare_cached("DELETE FROM outbox WHERE hook = ?1")?.execute([&gone])?;
        connection.prepare_cached("DELETE FROM hooks WHERE name = ?1")?.execute([&gone])?;
    }
    let sql = "INSERT INTO hooks (name, position, waiting) \
               VALUES (?1, (SELECT coalesce(max(number), 0) FROM events), 0) ON CONFLICT DO NOTHING";
    let mut statement = connection.prepare_cached(sql)?;
    hooks.iter().try_for_each(|hook| statement.execute([hook.as_str()]).map(drop))
}

fn names(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare_cached("SELECT name FROM hooks ORDER BY name")?;
    statement.query_map([], |row| row.get(0))?.collect()
}

pub(crate) fn refill(connection: &Connection, refill: Refill) -> rusqlite::Result<Refilled> {
    let mut refilled = Refilled::default();
    let mut statement = connection.prepare_cached("SELECT name, position, waiting FROM hooks ORDER BY name")?;
    let hooks = statement
        .query_map([], |row| Ok((name(row, 0)?, number(row, 1)?, number(row, 2)?)))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    for (hook, position, waiting) in hooks {
        let sql = "INSERT INTO outbox (hook, event, attempts, due_at) \
                   SELECT ?1, number, 0, ?3 FROM events WHERE number > ?2 ORDER BY number LIMIT ?4";
        let values =
            params![hook.as_str(), number_column(position), time_column(refill.due_at), count_column(refill.events)];
        let added = connection.prepare_cached(sql)?.execute(values)?;
        if added == 0 {
            continue;
        }
        let excess = (waiting + added as u64).saturating_sub(refill.most as u64);
        let sql = "UPDATE hooks SET position = (SELECT max(event) FROM outbox WHERE hook = ?1), waiting = ?2 \
                   WHERE name = ?1";
        let left = waiting + added as u64 - excess;
        connection.prepare_cached(sql)?.execute(params![hook.as_str(), number_column(left)])?;
        refilled.added += added;
        if excess > 0 {
            let sql = "DELETE FROM outbox WHERE hook = ?1 AND event IN \
                       (SELECT event FROM outbox WHERE hook = ?1 ORDER BY event LIMIT ?2)";
            connection.prepare_cached(sql)?.execute(params![hook.as_str(), number_column(excess)])?;
            refilled.dropped.push((hook, excess));
        }
    }
    Ok(refilled)
}

pub(crate) fn due(connection: &Connection, by: Timestamp, limit: usize) -> rusqlite::Result<Vec<StoredDispatch>> {
    let limit = limit.clamp(1, PAGE_ITEMS);
    // All statements see the same moment.
    let moment = connection.unchecked_transaction()?;
    let sql = "SELECT due_at, number FROM outbox WHERE hook = ?1 AND due_at <= ?2 ORDER BY due_at, number LIMIT ?3";
    let mut of_hook = moment.prepare_cached(sql)?;
    let mut turns = Vec::new();
    for hook in names(&moment)? {
        let values = params![hook, time_column(by), count_column(limit)];
        let due = of_hook.query_map(values, |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))?;
        for (turn, due) in due.enumerate() {
            let (due_at, number) = due?;
            turns.push((turn, due_at, number));
        }
    }
    turns.sort_unstable();
    turns.truncate(limit);
    let sql = format!(
        "SELECT {}, e.number, o.number, o.hook, o.attempts FROM outbox o JOIN events e ON e.number = o.event \
         JOIN requests r ON r.number = e.request WHERE o.number = ?1",
        event_columns()
    );
    let mut by_number = moment.prepare_cached(&sql)?;
    let mut filling = Filling::new(limit);
    for (_, _, number_of_row) in turns {
        let mut rows = by_number.query([number_of_row])?;
        let Some(row) = rows.next()? else { continue };
        if !filling.takes(row, 10)? {
            break;
        }
        let of_event = number(row, 9)?;
        let event = readable(record(row))?.map(|record| Event::read(of_event, record));
        let attempts = u32::try_from(number(row, 12)?).unwrap_or(u32::MAX);
        filling.items.push(StoredDispatch { number: number(row, 10)?, hook: name(row, 11)?, event, attempts });
    }
    Ok(filling.items)
}

pub(crate) fn lease(connection: &Connection, wanted: &WantedLeases) -> rusqlite::Result<Vec<HookLease>> {
    // Both sides of an assignment see the row as it was: the fence rises unless the node held the lease before.
    let sql = "UPDATE hooks SET fence = fence + (holder IS NOT ?2), holder = ?2, leased_until = ?4 \
               WHERE name = ?1 AND (holder IS NULL OR holder = ?2 OR leased_until <= ?3) RETURNING fence";
    let mut statement = connection.prepare_cached(sql)?;
    let hooks: BTreeSet<&Name> = wanted.hooks.iter().collect();
    let mut held = Vec::new();
    for hook in hooks {
        let values = params![hook.as_str(), wanted.node.0, time_column(wanted.now), time_column(wanted.until)];
        if let Some(fence) = statement.query_row(values, |row| number(row, 0)).optional()? {
            held.push(HookLease { hook: hook.clone(), fence });
        }
    }
    Ok(held)
}

pub(crate) fn release(connection: &Connection, node: NodeId) -> rusqlite::Result<()> {
    connection.prepare_cached("UPDATE hooks SET holder = NULL WHERE holder = ?1")?.execute([node.0]).map(drop)
}

/// Ends all leases: the process that opens the database is the only one that has it open.
pub(crate) fn release_all(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute("UPDATE hooks SET holder = NULL WHERE holder IS NOT NULL", []).map(drop)
}

pub(crate) fn settle(
    connection: &Connection,
    number_of_row: u64,
    fence: u64,
    settled: Settled,
) -> rusqlite::Result<Option<(Name, u64)>> {
    let (which, fence) = (number_column(number_of_row), number_column(fence));
    let known = |row: &Row<'_>| Ok((name(row, 0)?, number(row, 1)?));
    if let Settled::Retry { at } = settled {
        let sql = "UPDATE outbox SET attempts = attempts + 1, due_at = ?3 WHERE number = ?1 \
                   AND (SELECT fence FROM hooks WHERE name = hook) = ?2 RETURNING hook, event";
        return connection.prepare_cached(sql)?.query_row(params![which, fence, time_column(at)], known).optional();
    }
    let sql = "DELETE FROM outbox WHERE number = ?1 AND (SELECT fence FROM hooks WHERE name = hook) = ?2 \
               RETURNING hook, event";
    let removed = connection.prepare_cached(sql)?.query_row([which, fence], known).optional()?;
    if let Some((hook, _)) = &removed {
        let sql = "UPDATE hooks SET waiting = waiting - 1 WHERE name = ?1";
        connection.prepare_cached(sql)?.execute([hook.as_str()])?;
    }
    Ok(removed)
}

pub(crate) fn next(connection: &Connection) -> rusqlite::Result<Option<Timestamp>> {
    let sql = "SELECT min((SELECT min(due_at) FROM outbox WHERE hook = name)) FROM hooks";
    let next = connection.prepare_cached(sql)?.query_row([], |row| row.get::<_, Option<i64>>(0))?;
    next.map(time).transpose()
}

pub(crate) fn waiting(connection: &Connection) -> rusqlite::Result<u64> {
    connection.prepare_cached("SELECT coalesce(sum(waiting), 0) FROM hooks")?.query_row([], |row| number(row, 0))
}

fn count_column(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
