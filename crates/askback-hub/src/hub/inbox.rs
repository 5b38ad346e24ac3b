//! Looking: what is pending, what was, and everything that happened.

use super::listeners::Listener;
use super::{Hub, Shared, Signature};
use crate::error::HubError;
use crate::limits::{PAGE_ITEMS, PENDING_COUNTED, UNATTENDED, UNATTENDED_AMONG};
use crate::log::Events;
use crate::query::{AuditQuery, Counts, Page, Query, Unattended};
use crate::record::{Event, Record};
use crate::room::Room;
use askback_core::{Name, Reason, RequestId, Resolution, State, Status};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// A request as an inbox shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The request.
    pub record: Record,
    /// Whether its asker is still there.
    pub attendance: Attendance,
}

impl Listed {
    fn is_pending_and_absent(&self) -> bool {
        self.record.outcome.is_none() && self.attendance != Attendance::Waiting
    }
}

/// Whether an asker is there to hear the outcome (L9).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attendance {
    /// It waits for the outcome now, or follows the events.
    Waiting,
    /// Its last call or wait was then: less than [`crate::HubLimits::attended_for`] ago, so that it counts as there.
    Idle(Timestamp),
    /// Its last call or wait was then, and it no longer counts as there.
    Absent(Timestamp),
}

impl Attendance {
    /// Whether nobody waits for the outcome any more.
    pub fn is_absent(self) -> bool {
        matches!(self, Self::Absent(_))
    }

    /// When the asker was last there; none if it is there now.
    pub fn last_seen(self) -> Option<Timestamp> {
        match self {
            Self::Waiting => None,
            Self::Idle(at) | Self::Absent(at) => Some(at),
        }
    }
}

impl Hub {
    /// A page of requests, the newest first.
    pub async fn list(&self, query: Query) -> Result<Page<Listed>, HubError> {
        let since = query.unwaited_since;
        let page = self.shared.store.list(query).await?;
        let mut items: Vec<Listed> = page.items.into_iter().map(|record| self.listed_here(record)).collect();
        let absent = items.iter().filter(|listed| listed.is_pending_and_absent());
        let absent = absent.map(|listed| (listed.record.id.clone(), listed.record.asker.clone())).collect();
        let elsewhere = self.attended_elsewhere(absent).await?;
        for listed in items.iter_mut().filter(|listed| elsewhere.contains(&listed.record.id)) {
            listed.attendance = Attendance::Waiting;
        }
        // The stored time may be old.
        if let Some(since) = since {
            items.retain(|listed| listed.attendance.last_seen().is_some_and(|seen| seen < since));
        }
        Ok(Page { items, next: page.next })
    }

    fn listed_here(&self, record: Record) -> Listed {
        Listed { attendance: self.attendance_here(&record), record }
    }

    /// Whether the asker of a request is there, on any node.
    pub async fn attendance(&self, record: &Record) -> Result<Attendance, HubError> {
        let here = self.attendance_here(record);
        if here == Attendance::Waiting || record.outcome.is_some() {
            return Ok(here);
        }
        let elsewhere = self.attended_elsewhere(vec![(record.id.clone(), record.asker.clone())]).await?;
        Ok(if elsewhere.is_empty() { here } else { Attendance::Waiting })
    }

    /// Whether the asker of a request is there, as far as this node knows.
    pub fn attendance_here(&self, record: &Record) -> Attendance {
        self.attendance_of(&record.id, &record.asker, record.waited_at)
    }

    /// The same, of a request of which this much is known, and when its asker was last written down as waiting.
    fn attendance_of(&self, id: &RequestId, asker: &Name, written_down: Timestamp) -> Attendance {
        if self.shared.waiters.is_waited_for(id) {
            return Attendance::Waiting;
        }
        let called = match self.shared.listeners.presence(asker) {
            Some(Listener::Here(_)) => return Attendance::Waiting,
            Some(Listener::Recent(at) | Listener::Gone(at)) => at,
            None => written_down,
        };
        let marked = self.shared.waited.get(id).unwrap_or(written_down);
        let last_seen = written_down.max(marked).max(called);
        if self.shared.now().duration_since(last_seen) < self.shared.attended_for {
            Attendance::Idle(last_seen)
        } else {
            Attendance::Absent(last_seen)
        }
    }

    /// An asker that was seen since then counts as there (L9).
    pub fn attended_since(&self) -> Timestamp {
        self.shared.now().checked_sub(self.shared.attended_for).unwrap_or(Timestamp::MIN)
    }

    /// The pending requests, of all rooms or of one, whose askers were last seen before this time (L9), the newest first: of the
    /// newest [`crate::limits::UNATTENDED_AMONG`] that are pending, [`crate::limits::UNATTENDED`] at most. The requests
    /// themselves are not read, so that callers may poll every few seconds.
    pub async fn unattended(&self, room: Option<Room>, since: Timestamp) -> Result<Vec<Unattended>, HubError> {
        let written_down = self.shared.store.unattended(room, since, UNATTENDED_AMONG).await?;
        let unattended = written_down.into_iter().filter_map(|found| {
            // What was written down may be old.
            let last_seen = self.attendance_of(&found.id, &found.asker, found.waited_at).last_seen()?;
            (last_seen < since).then_some(Unattended { waited_at: last_seen, ..found })
        });
        let mut rest = unattended.peekable();
        let mut unattended: Vec<Unattended> = Vec::new();
        // In pieces: few of many are waited for on other nodes, and looking for all of them would read the presence of each.
        while unattended.len() < UNATTENDED && rest.peek().is_some() {
            let piece: Vec<Unattended> = rest.by_ref().take(UNATTENDED).collect();
            let absent = piece.iter().map(|found| (found.id.clone(), found.asker.clone())).collect();
            let elsewhere = self.attended_elsewhere(absent).await?;
            unattended.extend(piece.into_iter().filter(|found| !elsewhere.contains(&found.id)));
        }
        unattended.truncate(UNATTENDED);
        Ok(unattended)
    }

    /// Says that an asker follows the events, and so waits for whatever it has asked (L3), until what comes back is dropped.
    pub fn attend(&self, asker: Name) -> AskerPresence {
        self.shared.listeners.enter(&asker);
        AskerPresence { shared: Arc::clone(&self.shared), asker }
    }

    /// Notes a call of an asker: what it has asked counts as attended for [`crate::HubLimits::attended_for`] from now (L9).
    pub fn heard_from(&self, asker: &Name) {
        self.shared.listeners.heard(asker, self.shared.now());
    }

    /// Notes that the asker of a pending request read its state: this request counts as attended for the same time (L9).
    pub fn asker_looked(&self, id: &RequestId) {
        self.shared.waited.mark(id, self.shared.now());
    }

    /// Waits for the outcome for this long as somebody who only looks on: nobody takes them for the asker (L9).
    pub async fn watch(&self, id: &RequestId, at_most: Duration) -> Result<State, HubError> {
        // Whatever happens from here on is in the events, so that nothing falls between reading and waiting.
        let mut events = self.events(self.last_event()).await?;
        let state = self.outcome(id).await?;
        if matches!(state, State::Final(_)) {
            return Ok(state);
        }
        let watching = async {
            loop {
                let event = events.next().await?;
                if event.record.id == *id && event.record.outcome.is_some() {
                    return Ok(event.record.state());
                }
            }
        };
        timeout(at_most, watching).await.unwrap_or(Ok(state))
    }

    /// How many requests are pending, as far as this hub has heard; at once, however many they are.
    pub fn pending(&self) -> usize {
        self.shared.gauge.pending()
    }

    /// How many requests are pending, in all rooms or in one; [`crate::limits::PENDING_COUNTED`] at most, so that somebody who
    /// looks on can ask every few seconds.
    pub async fn count_pending(&self, room: Option<Room>) -> Result<u64, HubError> {
        Ok(self.shared.store.pending(room, PENDING_COUNTED).await?)
    }

    /// How many requests are pending, and in which rooms.
    pub async fn counts(&self) -> Result<Counts, HubError> {
        Ok(self.shared.store.counts().await?)
    }

    /// Cancels the pending requests that nobody has waited for in this long (L9); of the query, the room and the asker count.
    /// Returns their number. Requests of an asker that counts as there stay, however short the time is. A hub that was opened
    /// less long ago dismisses nothing, since waits that its predecessor did not record are lost.
    pub async fn dismiss(
        &self,
        among: Query,
        unwaited_for: Duration,
        reason: Option<Reason>,
        signature: Signature,
    ) -> Result<usize, HubError> {
        let now = self.shared.now();
        let unwaited_for = SignedDuration::try_from(unwaited_for).map(|long| long.max(self.shared.attended_for));
        let since = unwaited_for.ok().and_then(|long| now.checked_sub(long).ok());
        let since = since.unwrap_or(Timestamp::MIN);
        if since < self.shared.opened_at {
            return Ok(0);
        }
        let (status, unwaited_since) = (Some(Status::Pending), Some(since));
        let mut query = Query { status, unwaited_since, after: None, limit: PAGE_ITEMS, ..among };
        let mut dismissed = 0;
        loop {
            let page = self.list(query.clone()).await?;
            let mut cancelling = JoinSet::new();
            for listed in page.items {
                let (shared, signature) = (Arc::clone(&self.shared), signature.clone());
                let resolution = Resolution::cancelled(reason.clone());
                cancelling.spawn(async move { shared.resolve(Arc::new(listed.record), resolution, signature).await });
            }
            while let Some(cancelled) = cancelling.join_next().await {
                match cancelled {
                    Ok(Ok(_)) => dismissed += 1,
                    Ok(Err(error @ (HubError::Store(_) | HubError::Revoked))) => return Err(error),
                    // Somebody was faster.
                    _ => {}
                }
            }
            match page.next {
                Some(next) => query.after = Some(next),
                None => return Ok(dismissed),
            }
        }
    }

    /// Everything that happens after the event of this number, 0 for all of it. Whoever comes back with the number of the last
    /// event it has seen misses nothing; one that this log does not have yet is refused.
    pub async fn events(&self, after: u64) -> Result<Events, HubError> {
        let Shared { store, log, .. } = &*self.shared;
        if after > log.last() {
            let last = store.last_event().await?;
            if after > last {
                return Err(HubError::NoSuchEvent { after, last });
            }
        }
        Ok(Events::new(store, log, after))
    }

    /// The number of the last event that the hub has told of.
    pub fn last_event(&self) -> u64 {
        self.shared.log.last()
    }

    /// A page of the audit log (L6), the oldest entry first.
    pub async fn audit(&self, query: AuditQuery) -> Result<Page<Event>, HubError> {
        Ok(self.shared.store.events(query).await?)
    }
}

/// An asker that follows the events.
#[derive(Debug)]
pub struct AskerPresence {
    shared: Arc<Shared>,
    asker: Name,
}

impl Drop for AskerPresence {
    fn drop(&mut self) {
        self.shared.listeners.leave(&self.asker, self.shared.now());
    }
}
