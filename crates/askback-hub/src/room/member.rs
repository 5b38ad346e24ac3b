//! A connection in a room: what it is to be told, and what it says. It has no queue: how far it was told is a number, and
//! whoever reads slowly is told later, in one piece.

use super::document::Document;
use super::open::{OpenRoom, Phase, Told};
use super::presence::Speaker;
use super::replica::ReplicaState;
use crate::limits::{NEWS_PAUSE, PRESENCE_PAUSE, ROOM_KEEP_ALIVE};
use askback_yjs::message::{self, ProtocolMessage};
use askback_yjs::{DecodeError, KeyCache, Proposals, awareness};
use bytes::Bytes;
use std::fmt;
use std::sync::Arc;
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval, sleep_until};

/// Somebody in a room. Dropped, they have left it.
pub struct Member {
    room: Arc<OpenRoom>,
    speaker: Speaker,
    told: watch::Receiver<Told>,
    /// What is said first: how far the server knows the document, to be sent everything else.
    greeting: Option<Bytes>,
    /// What the client says it knows, until it is told the rest.
    asked: Option<u64>,
    /// How far it was told; nothing until it has asked.
    known: Option<u64>,
    /// From when on it may be told more.
    news_from: Instant,
    presence: u64,
    presence_from: Instant,
    keep_alive: Interval,
    /// The keys it has set, for when it sets them again.
    keys: KeyCache,
}

/// Why a connection can't go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RoomError {
    /// What it sent is no message of Yjs.
    #[error("the message can't be read: {0}")]
    Malformed(#[from] DecodeError),
    /// It has the document of another room or another log, or one that has come further than this one.
    #[error("this replica is of another history: begin with a new Y.Doc")]
    AnotherHistory,
}

impl Member {
    pub(crate) fn new(room: Arc<OpenRoom>, speaker: Speaker) -> Self {
        let told = room.told();
        let mut keep_alive = interval(ROOM_KEEP_ALIVE);
        keep_alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let now = Instant::now();
        Self {
            room,
            speaker,
            told,
            greeting: None,
            asked: None,
            known: None,
            news_from: now,
            presence: 0,
            presence_from: now,
            keep_alive,
            keys: KeyCache::default(),
        }
    }

    /// Waits until the room's document is there, or will not be. Says which.
    pub(crate) async fn let_in(&mut self) -> Phase {
        let phase = self.told.wait_for(|told| told.phase != Phase::Loading).await.map(|told| told.phase);
        let state_vector = self.room.with_document(Document::state_vector);
        self.greeting = Some(message::step1(&state_vector).into());
        phase.unwrap_or(Phase::Over)
    }

    /// Hears a message, and gives what it proposes. What it asks for is told by [`Member::next`].
    pub fn receive<'m>(&mut self, message: &'m [u8]) -> Result<Proposals<'m>, RoomError> {
        match message::read(message)? {
            ProtocolMessage::StateVector(bytes) => self.synchronize(bytes)?,
            ProtocolMessage::Update(bytes) => return Ok(Proposals::read(bytes, &mut self.keys)?),
            ProtocolMessage::Awareness(bytes) => {
                let entries = awareness::read(bytes)?;
                self.room.change_presence(|presence| presence.hear(&self.speaker, entries));
            }
            // Whoever asks is told with the others, as if it had been told nothing.
            ProtocolMessage::AwarenessQuery => self.keep_alive.reset_immediately(),
            ProtocolMessage::Other => {}
        }
        Ok(Proposals::default())
    }

    /// Whoever asks again before it was told is told once.
    fn synchronize(&mut self, state_vector: &[u8]) -> Result<(), RoomError> {
        let latest = self.room.latest();
        self.asked = Some(self.room.with_document(|document| {
            let known = ReplicaState::read(state_vector, document.author.number())?;
            let is_ahead = known.clock > latest;
            if known.is_of_another_history || is_ahead { Err(RoomError::AnotherHistory) } else { Ok(known.clock) }
        })?);
        Ok(())
    }

    /// The next message for the client, once there is one; none when the hub is closed. Dropped in the middle, nothing is lost.
    pub async fn next(&mut self) -> Option<Bytes> {
        loop {
            let told = *self.told.borrow_and_update();
            if told.phase != Phase::Live {
                return None;
            }
            if let Some(greeting) = self.greeting.take() {
                return Some(greeting);
            }
            if let Some(asked) = self.asked.take() {
                let (message, end, is_last) = self.room.part_since(asked);
                (self.asked, self.known) = if is_last { (None, Some(end)) } else { (Some(end), None) };
                return Some(message);
            }
            let now = Instant::now();
            let news = self.known.filter(|known| *known < told.end);
            if let Some(known) = news
                && self.news_from <= now
            {
                let Some((message, end)) = self.room.news_since(known) else {
                    self.asked = Some(known);
                    continue;
                };
                (self.known, self.news_from) = (Some(end), now + NEWS_PAUSE);
                return Some(message);
            }
            let has_presence = self.presence < told.presence;
            if has_presence && self.presence_from <= now {
                let (message, presence) = self.room.presence_since(self.presence);
                return Some(self.tell_presence(message, presence));
            }
            // What happens until then is told together.
            let pauses = [news.map(|_| self.news_from), has_presence.then_some(self.presence_from)];
            let pause = pauses.into_iter().flatten().min();
            tokio::select! {
                changed = self.told.changed() => changed.ok()?,
                _ = self.keep_alive.tick() => {
                    let (message, presence) = self.room.everybody(self.presence);
                    return Some(self.tell_presence(message, presence));
                }
                () = sleep_until(pause.unwrap_or(now)), if pause.is_some() => {}
            }
        }
    }

    /// Whether what was told last is only a part.
    pub fn has_more(&self) -> bool {
        self.asked.is_some()
    }

    fn tell_presence(&mut self, message: Bytes, version: u64) -> Bytes {
        self.presence = version;
        self.presence_from = Instant::now() + PRESENCE_PAUSE;
        message
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.room.leave(self.speaker.member);
    }
}

impl fmt::Debug for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Member").field("name", &self.speaker.name).field("known", &self.known).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{Member, OpenRoom, Speaker};
    use crate::room::{Author, Room, Scope};
    use askback_core::{Json, Name, Object};
    use askback_yjs::message;
    use std::sync::Arc;

    #[tokio::test]
    async fn a_connection_may_set_its_keys_again() {
        let author = Author::new(&[7; 16], &Scope::Room(Room::parse("shop").unwrap()));
        let room = Arc::new(OpenRoom::new(author, 1));
        let enter = || Member::new(Arc::clone(&room), Speaker::new(room.enter(), 1, 1, &Name::parse("rita").unwrap()));
        let (mut rita, mut again_rita) = (enter(), enter());
        let set = [&[1, 1, 5, 0, 0x28, 1, 7][..], b"answers", &[1, b'k', 1, 119, 0, 0]].concat();
        let overwrite = [1, 1, 5, 1, 0xa8, 5, 0, 1, 118, 0, 1, 5, 1, 0, 1];
        let keys = |member: &mut Member, update: &[u8]| -> Vec<(String, Option<Json>)> {
            let message = message::update(update);
            member.receive(&message).unwrap().map(|proposal| (proposal.key, proposal.body.ok())).collect()
        };
        assert_eq!(keys(&mut rita, &set), [("k".to_owned(), None)]);
        assert_eq!(keys(&mut rita, &overwrite), [("k".to_owned(), Some(Object::new().into()))]);
        assert_eq!(keys(&mut again_rita, &overwrite), [], "another connection has keys of its own");
    }
}
