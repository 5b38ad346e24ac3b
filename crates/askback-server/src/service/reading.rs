//! Reading requests, events, the audit log and the audience.

use super::turns::{Turn, Turns};
use super::{Caller, Service, views};
use crate::fault::Fault;
use crate::pool::PoolLease;
use askback_api::limits::PAGE_ITEMS_DEFAULT;
use askback_api::{
    AuditEvent, AuditQuery, ListQuery, Me, Page, ProblemCode, Record as ApiRecord, RoomQuery, UnattendedList,
};
use askback_core::Room;
use askback_hub::{
    AskerPresence, AuditQuery as HubAuditQuery, Cursor, Event, Events, Listed, Page as HubPage, PersonPresence, Query,
    Record,
};
use std::pin::pin;
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// A caller's event stream, and the guards held while it is followed.
pub(crate) struct FollowedEvents {
    events: Events,
    room: Option<Room>,
    turns: Arc<Turns>,
    /// While this is held, no other stream of the token reads old events.
    turn: Option<Turn>,
    /// Held until the stream has caught up.
    replay: Option<PoolLease>,
    /// While this is held, the asker counts as waiting.
    _attending: Option<AskerPresence>,
    /// While this is held, the person counts as connected.
    _presence: Option<PersonPresence>,
}

impl FollowedEvents {
    /// The next event that the caller may see, for as long as its token is valid (S8).
    pub(crate) async fn next(&mut self, caller: &Caller) -> Result<Event, Fault> {
        loop {
            let read = {
                let next = pin!(async {
                    if self.turn.is_none() && self.events.is_behind() {
                        self.turn = Some(self.turns.take(caller.holder()).await);
                    }
                    self.events.read_once().await.map_err(Fault::from)
                });
                caller.while_valid(next).await?
            };
            // Also where nothing could be read: the stream may wait for a long time now.
            if !self.events.has_read_ahead() {
                self.end_turn();
            }
            if let Some(event) = read.filter(|event| self.shows(caller, event)) {
                return Ok(event);
            }
        }
    }

    /// The next event of a replay that was read together with the last one.
    pub(crate) fn next_replayed(&mut self, caller: &Caller) -> Option<Event> {
        while self.turn.is_some() {
            let event = self.events.next_read()?;
            if self.shows(caller, &event) {
                return Some(event);
            }
        }
        None
    }

    /// Whether old events are read.
    pub(crate) fn is_replaying(&self) -> bool {
        self.turn.is_some()
    }

    /// Lets other streams read old events. A client may take any time to receive what was read for it.
    pub(crate) fn end_turn(&mut self) {
        if self.turn.take().is_some() {
            self.events.forget_ahead();
        }
        if self.replay.is_some() && !self.events.is_behind() {
            self.replay = None;
        }
    }

    fn shows(&self, caller: &Caller, event: &Event) -> bool {
        caller.sees(&event.record) && self.room.as_ref().is_none_or(|room| event.record.room == *room)
    }
}

impl Service {
    /// The caller's token, and the audience of a room.
    pub(crate) async fn me(&self, caller: &Caller, query: RoomQuery) -> Result<Me, Fault> {
        let room = caller.narrow_room(query.room)?;
        Ok(Me {
            token: views::token(&caller.token),
            dialogs: self.dialogs.clone(),
            told: self.audience.is_notified(room.as_ref()),
            people: self.hub.people(room).await?,
        })
    }

    /// Requests that the caller may see, the newest first.
    pub(crate) async fn list(&self, caller: &Caller, query: ListQuery) -> Result<Page<ApiRecord>, Fault> {
        let page = self.listed(caller, query).await?;
        let items = page.items.iter().map(|listed| views::record(&listed.record, listed.attendance)).collect();
        Ok(views::page(items, page.next))
    }

    /// The same, as records of the hub.
    pub(crate) async fn listed(&self, caller: &Caller, query: ListQuery) -> Result<HubPage<Listed>, Fault> {
        self.admit_list(caller)?;
        let ListQuery { status, room, asker, cursor, limit } = query;
        let after = cursor.as_deref().map(Cursor::parse).transpose()?;
        let limit = limit.unwrap_or(PAGE_ITEMS_DEFAULT);
        let query = caller.narrow(Query { status, room, asker: asker.clone(), after, limit, ..Query::default() })?;
        // An asker that sees only its own requests can't list another's.
        if asker.is_some() && query.asker != asker {
            let why = "this token sees its own requests alone: name no other asker";
            return Err(Fault::new(ProblemCode::Forbidden, why));
        }
        let hub = self.hub.clone();
        self.read(caller, async move { hub.list(query).await }).await
    }

    /// A request and its state.
    pub(crate) async fn show(&self, caller: &Caller, id: &str) -> Result<ApiRecord, Fault> {
        let record: Arc<Record> = self.visible(caller, id).await?;
        Ok(views::record(&record, self.hub.attendance(&record).await?))
    }

    /// Pending requests that no asker waits for.
    pub(crate) async fn unattended(&self, caller: &Caller, query: RoomQuery) -> Result<UnattendedList, Fault> {
        self.admit_list(caller)?;
        caller.answers()?;
        let room = caller.narrow_room(query.room)?;
        let hub = self.hub.clone();
        let reading = async move {
            let unattended = hub.unattended(room.clone(), hub.attended_since()).await?;
            Ok((unattended, hub.count_pending(room).await?))
        };
        let (unattended, pending) = self.read(caller, reading).await?;
        let items = unattended.into_iter().map(views::unattended).collect();
        // A room's document contains only the newest requests: with this number a reader can tell that there are more.
        Ok(UnattendedList { items, pending })
    }

    /// Events from now on, or after the one with this number.
    pub(crate) async fn follow(
        &self,
        caller: &Caller,
        query: RoomQuery,
        after: Option<u64>,
    ) -> Result<FollowedEvents, Fault> {
        self.admit_list(caller)?;
        let room = caller.narrow_room(query.room)?;
        let events = self.hub.events(after.unwrap_or_else(|| self.hub.last_event())).await?;
        let mut replay = None;
        if events.is_behind() {
            let mut lease = self.replays.lease(caller.holder());
            lease.grow_to(1)?;
            replay = Some(lease);
        }
        // An asker that follows the events waits for its outcomes (L3, L9).
        let attending = self.asker_presence(caller);
        let presence = self.person_presence(caller, room.clone());
        let turns = Arc::clone(&self.replay_turns);
        Ok(FollowedEvents { events, room, turns, turn: None, replay, _attending: attending, _presence: presence })
    }

    /// Notes a call of an asker: what it has asked counts as attended for a minute (L9).
    pub(crate) fn note_call(&self, caller: &Caller) {
        if caller.attends_by_calls() {
            self.hub.heard_from(caller.name());
        }
    }

    /// Counts a call of an asker that takes long, in the same way.
    pub(crate) fn attending_call(&self, caller: &Caller) -> Option<AskerPresence> {
        caller.attends_by_calls().then(|| self.hub.attend(caller.name().clone()))
    }

    /// Counts a connection of an asker, whose requests are attended for as long as the returned value is held (L9).
    pub(crate) fn asker_presence(&self, caller: &Caller) -> Option<AskerPresence> {
        caller.asks().is_ok().then(|| self.hub.attend(caller.name().clone()))
    }

    /// Counts the connection of a person for as long as the returned value is held. Agents can't answer, and so don't count.
    pub(crate) fn person_presence(&self, caller: &Caller, room: Option<Room>) -> Option<PersonPresence> {
        caller.answers().is_ok().then(|| self.hub.enter_person(room))
    }

    /// The audit log, the oldest first (L6).
    pub(crate) async fn audit(&self, caller: &Caller, query: AuditQuery) -> Result<Page<AuditEvent>, Fault> {
        self.admit_list(caller)?;
        caller.answers()?;
        let after = match query.cursor.as_deref() {
            Some(cursor) => Some(Cursor::parse(cursor)?),
            None => query.after.map(Cursor::after_event),
        };
        let query = HubAuditQuery {
            room: caller.narrow_room(query.room)?,
            by: query.by,
            status: query.status,
            id: query.id,
            from: query.from,
            until: query.until,
            after,
            limit: query.limit.unwrap_or(PAGE_ITEMS_DEFAULT),
        };
        let hub = self.hub.clone();
        let page = self.read(caller, async move { hub.audit(query).await }).await?;
        Ok(views::page(page.items.iter().map(views::audit_event).collect(), page.next))
    }
}
