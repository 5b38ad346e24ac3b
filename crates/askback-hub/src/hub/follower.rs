//! Follows the log, and tells of it those who wait and those who watch. Everything that happens after a commit happens
//! here, in the order of the log.

use super::Shared;
use crate::limits::{LOOK_AGAIN, PAGE_ITEMS};
use crate::on_drop::OnDrop;
use crate::record::Event;
use crate::signal::{Hint, Signal};
use crate::store::{LogEntry, UnreadableEvent};
use std::sync::Arc;
use tokio::time::{MissedTickBehavior, interval};

/// Follows the log for as long as it is let. However it ends, nobody waits for it any more.
pub(crate) async fn follow(shared: Arc<Shared>, mut signal: Box<dyn Signal>) {
    let _guard = OnDrop(|| shared.close());
    let mut look_again = interval(LOOK_AGAIN);
    look_again.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let hint = tokio::select! {
            hint = signal.next() => hint,
            _ = look_again.tick() => Hint::Look,
        };
        if let Hint::Committed(events) = &hint
            && let Some(new) = following(events, shared.log.last())
        {
            tell(&shared, new);
            continue;
        }
        catch_up(&shared).await;
    }
}

/// Of a batch, what follows on the last event seen; none if there is a gap between them.
fn following(events: &[Event], last: u64) -> Option<&[Event]> {
    let first = events.first()?.number;
    let seen = usize::try_from((last + 1).checked_sub(first)?).ok()?;
    Some(events.get(seen..).unwrap_or_default())
}

async fn catch_up(shared: &Shared) {
    loop {
        match shared.store.log(shared.log.last(), PAGE_ITEMS).await {
            Ok(entries) if entries.is_empty() => return,
            Ok(entries) => entries.iter().for_each(|entry| match entry {
                LogEntry::Event(event) => tell(shared, std::slice::from_ref(event)),
                LogEntry::Unreadable(event) => pass(shared, event),
            }),
            Err(error) => {
                tracing::warn!(%error, "the log can't be read; it is tried again");
                return;
            }
        }
    }
}

/// Goes past an event that can't be read. A waiter would wait for it for ever.
fn pass(shared: &Shared, entry: &UnreadableEvent) {
    shared.recent.telling(entry.number);
    match (&entry.asker, &entry.id) {
        (Some(asker), _) if entry.is_end => shared.gauge.ended(asker),
        (Some(asker), Some(id)) => shared.gauge.created(id, asker),
        _ => {}
    }
    if let Some(id) = &entry.id {
        shared.waited.forget(id);
        shared.recent.forget(id);
        shared.waiters.fail(id);
    }
    shared.log.pass(entry.number);
}

fn tell(shared: &Shared, events: &[Event]) {
    let Some(last) = events.last() else { return };
    shared.recent.telling(last.number);
    for event in events {
        let record = &event.record;
        match &record.outcome {
            None => {
                shared.gauge.created(&record.id, &record.asker);
                shared.recent.keep(record);
                record.deadline.into_iter().for_each(|deadline| shared.deadlines.set(deadline));
            }
            Some(outcome) => {
                shared.gauge.ended(&record.asker);
                shared.waited.forget(&record.id);
                // Forgotten before anyone is woken: who waits for what is kept here is sure to be woken.
                shared.recent.forget(&record.id);
                shared.waiters.wake(outcome);
            }
        }
    }
    shared.log.append(events);
}
