//! A room that somebody is in: its document and who is looking, shared by all who are.

use super::author::Author;
use super::document::Document;
use super::presence::{MemberId, Presence};
use crate::mutex::Mutex;
use crate::record::Event;
use askback_yjs::message;
use bytes::Bytes;
use tokio::sync::watch;
use tokio::time::Instant;

#[derive(Debug)]
pub(crate) struct OpenRoom {
    /// The root of the token that opened it, to whose share it counts for as long as anybody is in it.
    pub(crate) opened_by: u64,
    state: Mutex<State>,
    told: watch::Sender<Told>,
}

/// How far a room has come, for those who wait for more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) phase: Phase,
    /// The number of the last event in its document.
    pub(crate) end: u64,
    /// The version of who is looking.
    pub(crate) presence: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Its document is being read.
    Loading,
    /// It is told what happens.
    Live,
    /// Its document could not be read.
    Unreadable,
    /// The hub was closed.
    Over,
}

#[derive(Debug)]
struct State {
    document: Document,
    /// What has happened while the document was being read.
    meanwhile: Vec<Event>,
    presence: Presence,
    members: usize,
    last_member: MemberId,
    empty_since: Instant,
    /// Events since the document was last written down.
    unsaved: usize,
    is_saving: bool,
    /// The number of the last event when the document was read: what can't be read any more was shown before.
    last_before: u64,
    newest: Option<Newest>,
    newest_presence: Option<Newest>,
}

/// The newest message, which most are told at the same time, and from where to where it leads.
#[derive(Debug)]
struct Newest {
    from: u64,
    to: u64,
    message: Bytes,
}

impl Newest {
    /// The message that leads from here to there, if this is it.
    fn leading(newest: Option<&Self>, from: u64, to: u64) -> Option<Bytes> {
        newest.filter(|newest| (newest.from, newest.to) == (from, to)).map(|newest| newest.message.clone())
    }
}

impl OpenRoom {
    /// A room whose document is yet to be read.
    pub(crate) fn new(author: Author, opened_by: u64) -> Self {
        let state = State {
            document: Document::new(author),
            meanwhile: Vec::new(),
            presence: Presence::default(),
            members: 0,
            last_member: 0,
            empty_since: Instant::now(),
            unsaved: 0,
            is_saving: false,
            last_before: 0,
            newest: None,
            newest_presence: None,
        };
        let told = watch::Sender::new(Told { phase: Phase::Loading, end: 0, presence: 0 });
        Self { opened_by, state: Mutex::new(state), told }
    }

    /// Its document was read, when the log had come so far, with so many events that are not written down in it.
    pub(crate) fn begin(&self, document: Document, last_before: u64, unsaved: usize) {
        let mut state = self.state.lock();
        state.document = document;
        state.last_before = last_before;
        state.unsaved = unsaved;
        for event in std::mem::take(&mut state.meanwhile) {
            state.unsaved += usize::from(state.document.apply(&event));
        }
        let end = state.document.end;
        self.told.send_modify(|told| {
            // A hub that was closed meanwhile stays closed.
            if told.phase == Phase::Loading {
                *told = Told { phase: Phase::Live, end, ..*told };
            }
        });
    }

    /// Shows an event. Says how many are not written down, if nobody is at it.
    pub(crate) fn tell(&self, event: &Event) -> usize {
        let mut state = self.state.lock();
        // Asked under the lock: it begins under it, too.
        if self.told.borrow().phase == Phase::Loading {
            state.meanwhile.push(event.clone());
            return 0;
        }
        if state.document.apply(event) {
            state.unsaved += 1;
            let end = state.document.end;
            self.told.send_modify(|told| told.end = end);
        }
        if state.is_saving { 0 } else { state.unsaved }
    }

    /// Tells everyone that nothing more comes, and why.
    pub(crate) fn end(&self, phase: Phase) {
        self.told.send_modify(|told| told.phase = phase);
    }

    pub(crate) fn is_loading(&self) -> bool {
        self.told.borrow().phase == Phase::Loading
    }

    /// A copy of the document, to be written down; none if that was done, or somebody is at it.
    pub(crate) fn begin_saving(&self) -> Option<Document> {
        let mut state = self.state.lock();
        let is_due = !state.is_saving && std::mem::take(&mut state.unsaved) > 0;
        state.is_saving |= is_due;
        is_due.then(|| state.document.clone())
    }

    pub(crate) fn end_saving(&self) {
        self.state.lock().is_saving = false;
    }

    /// The newest clock that a replica of this room can know.
    pub(super) fn latest(&self) -> u64 {
        let state = self.state.lock();
        state.document.end.max(state.last_before)
    }

    /// Since when nobody is here; none if somebody is.
    pub(crate) fn empty_since(&self) -> Option<Instant> {
        let state = self.state.lock();
        (state.members == 0 && self.told.borrow().phase != Phase::Loading).then_some(state.empty_since)
    }

    pub(super) fn told(&self) -> watch::Receiver<Told> {
        self.told.subscribe()
    }

    pub(crate) fn enter(&self) -> MemberId {
        let mut state = self.state.lock();
        state.members += 1;
        state.last_member += 1;
        state.last_member
    }

    pub(super) fn leave(&self, member: MemberId) {
        self.change_presence(|presence| presence.forget(member));
        let mut state = self.state.lock();
        state.members -= 1;
        state.empty_since = Instant::now();
    }

    pub(super) fn change_presence(&self, change: impl FnOnce(&mut Presence)) {
        let mut state = self.state.lock();
        let before = state.presence.version;
        change(&mut state.presence);
        let presence = state.presence.version;
        if presence != before {
            self.told.send_modify(|told| told.presence = presence);
        }
    }

    pub(super) fn with_document<T>(&self, look: impl FnOnce(&Document) -> T) -> T {
        look(&self.state.lock().document)
    }

    /// The message for a client that was told everything up to this clock, and the clock it then knows; none if it is to be told as
    /// if it had asked.
    pub(super) fn news_since(&self, known: u64) -> Option<(Bytes, u64)> {
        let mut state = self.state.lock();
        let end = state.document.end;
        if let Some(message) = Newest::leading(state.newest.as_ref(), known, end) {
            return Some((message, end));
        }
        let message = Bytes::from(message::update(&state.document.news_since(known)?));
        state.newest = Some(Newest { from: known, to: end, message: message.clone() });
        Some((message, end))
    }

    /// The message for a client that says it knows everything up to this clock, the clock it then knows, and whether that is all.
    pub(super) fn part_since(&self, known: u64) -> (Bytes, u64, bool) {
        let state = self.state.lock();
        let (update, end) = state.document.part_since(known.min(state.document.end));
        let is_last = end == state.document.end;
        // With the second step a client counts itself as synchronized.
        let message = if is_last { message::step2(&update) } else { message::update(&update) };
        (message.into(), end, is_last)
    }

    /// The message that says who came, changed or left since then, and the version that is told with it.
    pub(super) fn presence_since(&self, version: u64) -> (Bytes, u64) {
        let mut state = self.state.lock();
        let now = state.presence.version;
        if let Some(message) = Newest::leading(state.newest_presence.as_ref(), version, now) {
            return (message, now);
        }
        let message = Bytes::from(message::awareness(&state.presence.news_since(version)));
        state.newest_presence = Some(Newest { from: version, to: now, message: message.clone() });
        (message, now)
    }

    /// The message that says who is there, and who has left since then.
    pub(super) fn everybody(&self, version: u64) -> (Bytes, u64) {
        let state = self.state.lock();
        (message::awareness(&state.presence.all(version)).into(), state.presence.version)
    }
}
