//! The rooms that somebody is in, as any Yjs client enters them: told of what happens, written down from time to time, and forgotten when all have left.

use super::{Hub, Shared};
use crate::error::{HubError, StoreError};
use crate::limits::{
    EMPTY_ROOM_STAYS, OPEN_ROOMS, OPEN_ROOMS_OF_TOKEN, PAGE_ITEMS, QUIET_EVENTS, ROOM_SWEEP, ROOMS_RETRY,
    SNAPSHOT_EVENTS,
};
use crate::log::Events;
use crate::mutex::Mutex;
use crate::on_drop::OnDrop;
use crate::query::{AuditQuery, Cursor};
use crate::record::Event;
use crate::room::document::Document;
use crate::room::member::Member;
use crate::room::open::{OpenRoom, Phase};
use crate::room::presence::{MemberId, Speaker};
use crate::room::{Author, Scope};
use crate::store::StoredSnapshot;
use crate::token::Token;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval, sleep};

#[derive(Debug)]
struct Entered {
    room: Arc<OpenRoom>,
    member: MemberId,
    /// Whether its document is yet to be loaded.
    is_new: bool,
    /// The room that made place for it, to be written down.
    evicted: Option<Unsaved>,
}

/// A room to be written down, and the event up to which it was told everything. A room that was taken out hears nothing after that, and
/// must not claim it.
#[derive(Debug)]
pub(crate) struct Unsaved {
    scope: Scope,
    room: Arc<OpenRoom>,
    told: u64,
}

#[derive(Debug)]
pub(crate) struct Rooms {
    /// The log they follow from.
    log: [u8; 16],
    /// The number of the last event that was told.
    told: AtomicU64,
    open: Mutex<HashMap<Scope, Arc<OpenRoom>>>,
}

impl Rooms {
    /// Of this log, when it had come so far.
    pub(crate) fn new(log: [u8; 16], last: u64) -> Self {
        Self { log, told: AtomicU64::new(last), open: Mutex::default() }
    }

    /// Enters a room. When there are too many, the one that has been empty for the longest makes place.
    fn enter(&self, scope: &Scope, root: u64) -> Result<Entered, HubError> {
        let mut open = self.open.lock();
        let found = open.get(scope).cloned();
        let is_new = found.is_none();
        let is_own = |room: &OpenRoom| room.opened_by == root && room.empty_since().is_none();
        if is_new && open.values().filter(|room| is_own(room)).count() >= OPEN_ROOMS_OF_TOKEN {
            let (what, advice) = ("this token has opened too many rooms", "leave some");
            return Err(HubError::Limit { what, limit: OPEN_ROOMS_OF_TOKEN, advice });
        }
        let mut evicted = None;
        if is_new && open.len() >= OPEN_ROOMS {
            let empty = open.iter().filter_map(|(scope, room)| room.empty_since().map(|since| (since, scope.clone())));
            let longest = empty.min_by_key(|(since, _)| *since).and_then(|(_, scope)| open.remove_entry(&scope));
            let advice = "leave some, or wait a minute";
            let too_many = HubError::Limit { what: "people are in too many rooms", limit: OPEN_ROOMS, advice };
            let (scope, room) = longest.ok_or(too_many)?;
            evicted = Some(Unsaved { scope, room, told: self.told() });
        }
        let room = found.unwrap_or_else(|| {
            let room = Arc::new(OpenRoom::new(Author::new(&self.log, scope), root));
            open.insert(scope.clone(), Arc::clone(&room));
            room
        });
        // Entered under the lock, so that it is not swept away meanwhile.
        let member = room.enter();
        Ok(Entered { room, member, is_new, evicted })
    }

    /// The rooms that an event is shown in.
    fn showing(&self, event: &Event) -> Vec<(Scope, Arc<OpenRoom>)> {
        let open = self.open.lock();
        let scopes = [Scope::Room(event.record.room.clone()), Scope::Inbox];
        scopes.into_iter().filter_map(|scope| open.get(&scope).cloned().map(|room| (scope, room))).collect()
    }

    /// Takes out the rooms that nobody has been in for so long.
    pub(crate) fn sweep(&self, empty_for: Duration) -> Vec<Unsaved> {
        let is_empty = |room: &OpenRoom| room.empty_since().is_some_and(|since| since.elapsed() >= empty_for);
        let mut open = self.open.lock();
        // Looked at under the lock: what is told after it is told to those that are left.
        let told = self.told();
        open.extract_if(|_, room| is_empty(room)).map(|(scope, room)| Unsaved { scope, room, told }).collect()
    }

    pub(crate) fn all(&self) -> Vec<Unsaved> {
        let open = self.open.lock();
        let told = self.told();
        open.clone().into_iter().map(|(scope, room)| Unsaved { scope, room, told }).collect()
    }

    /// The number of the last event that all rooms were told that were open then.
    pub(crate) fn told(&self) -> u64 {
        self.told.load(Ordering::SeqCst)
    }

    /// Tells everyone in every room that nothing more comes.
    fn end(&self) {
        self.all().iter().for_each(|unsaved| unsaved.room.end(Phase::Over));
    }
}

impl Hub {
    /// Enters a room with a token; whether that may see it is for the caller to say.
    pub async fn enter(&self, scope: Scope, token: &Token) -> Result<Member, HubError> {
        let shared = &self.shared;
        let Entered { room, member: id, is_new, evicted } = shared.rooms.enter(&scope, token.root)?;
        if let Some(evicted) = evicted {
            let shared = Arc::clone(shared);
            tokio::spawn(async move { save(&shared, evicted).await });
        }
        if is_new {
            // On its own: others wait for it, too, should this one not wait any more.
            tokio::spawn(load(Arc::clone(shared), scope, Arc::clone(&room)));
        }
        let mut member = Member::new(room, Speaker::new(id, token.number, token.root, &token.name));
        match member.let_in().await {
            Phase::Live => Ok(member),
            Phase::Unreadable => Err(StoreError::Failed("the room can't be read now".to_owned()).into()),
            Phase::Loading | Phase::Over => Err(StoreError::Closed.into()),
        }
    }
}

/// Tells the rooms what happens, for as long as it is let. However it ends, nobody waits in one any more.
pub(crate) async fn follow(shared: Arc<Shared>) {
    let _guard = OnDrop(|| shared.rooms.end());
    let mut events = Events::new(&shared.store, &shared.log, shared.rooms.told());
    let mut sweep = interval(ROOM_SWEEP);
    sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            event = events.next() => match event {
                Ok(event) => tell(&shared, &event),
                Err(HubError::Store(StoreError::Closed)) => return,
                Err(error) => {
                    tracing::warn!(%error, "rooms are not told what happens; it is tried again");
                    sleep(ROOMS_RETRY).await;
                }
            },
            _ = sweep.tick() => {
                let (shared, empty) = (Arc::clone(&shared), shared.rooms.sweep(EMPTY_ROOM_STAYS));
                // On its own, so that nobody waits for it.
                tokio::spawn(async move { save_each(&shared, empty).await });
            }
        }
    }
}

fn tell(shared: &Arc<Shared>, event: &Event) {
    for (scope, room) in shared.rooms.showing(event) {
        if room.tell(event) >= SNAPSHOT_EVENTS {
            // Nobody waits for it: what is lost of it is made again from the log.
            let (shared, unsaved) = (Arc::clone(shared), Unsaved { scope, room, told: event.number });
            tokio::spawn(async move { save(&shared, unsaved).await });
        }
    }
    shared.rooms.told.store(event.number, Ordering::SeqCst);
}

pub(crate) async fn save_each(shared: &Shared, rooms: Vec<Unsaved>) {
    for unsaved in rooms {
        save(shared, unsaved).await;
    }
}

/// Writes a room's document down, if there is something new in it.
pub(crate) async fn save(shared: &Shared, unsaved: Unsaved) {
    let Unsaved { scope, room, told } = unsaved;
    let Some(document) = room.begin_saving() else { return };
    let snapshot = StoredSnapshot { through: told.max(document.end), document: document.to_snapshot() };
    if let Err(error) = shared.store.put_snapshot(scope.clone(), snapshot).await {
        tracing::warn!(%error, %scope, "a room can't be written down; it stays in the log");
    }
    room.end_saving();
}

/// Loads a room's document, from where it was written down and what has happened since.
async fn load(shared: Arc<Shared>, scope: Scope, room: Arc<OpenRoom>) {
    // However loading ends, no member waits for it any more.
    let loading = OnDrop(|| {
        if room.is_loading() {
            shared.rooms.open.lock().remove(&scope);
            room.end(Phase::Unreadable);
        }
    });
    match read(&shared, &scope, &room).await {
        Ok((told, unsaved)) if unsaved >= SNAPSHOT_EVENTS => {
            drop(loading);
            save(&shared, Unsaved { scope, room, told }).await;
        }
        Ok(_) => {}
        Err(error) => tracing::warn!(%error, %scope, "a room can't be read"),
    }
}

/// Reads a room's document, and says up to which event, and how many of them are not written down with it.
async fn read(shared: &Shared, scope: &Scope, open: &OpenRoom) -> Result<(u64, usize), HubError> {
    let last = shared.store.last_event().await?;
    let author = Author::new(&shared.rooms.log, scope);
    let kept = shared.store.snapshot(scope.clone()).await?;
    let kept = kept.and_then(|kept| match Document::from_snapshot(&kept.document, author) {
        Ok(document) => Some((document, kept.through)),
        Err(error) => {
            tracing::info!(%error, %scope, "a room is made anew from the log");
            None
        }
    });
    let (mut document, through) = kept.unwrap_or_else(|| (Document::new(author), 0));
    let room = scope.room().cloned();
    let mut query = AuditQuery { room, after: Some(Cursor(through)), limit: PAGE_ITEMS, ..AuditQuery::default() };
    let mut unsaved = 0;
    loop {
        let page = shared.store.events(query.clone()).await?;
        unsaved += page.items.iter().filter(|event| document.apply(event)).count();
        match page.next {
            Some(next) => query.after = Some(next),
            None => {
                document.settle();
                // A room that was quiet while much happened elsewhere is not to read all that again.
                let was_quiet = last.saturating_sub(through) >= QUIET_EVENTS;
                let unsaved = if was_quiet { unsaved.max(SNAPSHOT_EVENTS) } else { unsaved };
                open.begin(document, last, unsaved);
                return Ok((last, unsaved));
            }
        }
    }
}
