//! Who is looking: what each connection says of itself, under the name of its token, for the others in the room.
//!
//! It is told from one number to the next, as the document is, so that nobody has a queue of it.

use crate::limits::{GONE_KEPT, PRESENCE_CLOCK, PRESENT, PRESENT_OF_TOKEN};
use askback_core::{Json, Name};
use askback_yjs::{AwarenessEntry, awareness};
use std::collections::VecDeque;

/// A connection, as the room tells it from the others.
pub(crate) type MemberId = u64;

/// A connection that says where it looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Speaker {
    pub(crate) member: MemberId,
    /// The token that the connection has: only it may take over what it said on another one.
    token: u64,
    /// The root of that token, to whose share it counts: all of its sessions are shown under one name.
    root: u64,
    pub(crate) name: Name,
}

impl Speaker {
    pub(crate) fn new(member: MemberId, token: u64, root: u64, name: &Name) -> Self {
        Self { member, token, root, name: name.clone() }
    }
}

/// Who is there, and who has just left.
#[derive(Debug, Default)]
pub(crate) struct Presence {
    /// Counts what is worth telling at once.
    pub(super) version: u64,
    here: Vec<Looking>,
    /// Those who left, so that the others take them away.
    gone: VecDeque<Gone>,
}

#[derive(Debug)]
struct Gone {
    left_in: u64,
    /// Only it may come back under this id.
    token: u64,
    entry: AwarenessEntry,
}

#[derive(Debug)]
struct Looking {
    speaker: Speaker,
    entry: AwarenessEntry,
    changed_in: u64,
    /// Whether it has spoken more than once. What it says first may have a clock that the others pass over: that of its birth, or the
    /// one it left with.
    is_settled: bool,
}

impl Presence {
    /// Hears what a connection says. It speaks for one client, its own; clients also repeat what they heard of others.
    pub(crate) fn hear(&mut self, speaker: &Speaker, entries: Vec<AwarenessEntry>) {
        for entry in entries.into_iter().filter(|entry| entry.clock <= PRESENCE_CLOCK) {
            let position = self.here.iter().position(|looking| looking.entry.client == entry.client);
            match position {
                Some(position) => self.hear_again(position, speaker, entry),
                None => self.hear_new(speaker, entry),
            }
        }
    }

    fn hear_new(&mut self, speaker: &Speaker, entry: AwarenessEntry) {
        let speaks_already = self.here.iter().any(|looking| looking.speaker.member == speaker.member);
        let of_token = self.here.iter().filter(|looking| looking.speaker.root == speaker.root).count();
        let is_anothers = self.gone.iter().any(|gone| gone.entry.client == entry.client && gone.token != speaker.token);
        let has_place = self.here.len() < PRESENT && of_token < PRESENT_OF_TOKEN;
        if speaks_already || is_anothers || !has_place || entry.state.is_none() {
            return;
        }
        self.version += 1;
        self.gone.retain(|gone| gone.entry.client != entry.client);
        let entry = signed(entry, &speaker.name);
        self.here.push(Looking { speaker: speaker.clone(), entry, changed_in: self.version, is_settled: false });
    }

    fn hear_again(&mut self, position: usize, speaker: &Speaker, entry: AwarenessEntry) {
        let speaks_already = self.here.iter().any(|looking| looking.speaker.member == speaker.member);
        let looking = &mut self.here[position];
        let is_news = entry.clock > looking.entry.clock;
        // Who comes back on another connection speaks for itself there; what is said again by others says nothing. A connection
        // that has a client of its own takes over no other: it would leave one of them behind.
        let is_its_own =
            looking.speaker.member == speaker.member || (looking.speaker.token == speaker.token && !speaks_already);
        if !is_news || !is_its_own {
            return;
        }
        let entry = signed(entry, &speaker.name);
        let is_changed =
            entry.state != looking.entry.state || !looking.is_settled || looking.speaker.member != speaker.member;
        (looking.speaker.member, looking.is_settled) = (speaker.member, true);
        if entry.state.is_none() {
            self.leave(position, entry.clock);
            return;
        }
        self.version += u64::from(is_changed);
        let looking = &mut self.here[position];
        looking.entry = entry;
        if is_changed {
            looking.changed_in = self.version;
        }
    }

    /// A connection has ended.
    pub(crate) fn forget(&mut self, member: MemberId) {
        if let Some(position) = self.here.iter().position(|looking| looking.speaker.member == member) {
            // With the clock it had: should it come back, it goes on from there.
            let clock = self.here[position].entry.clock;
            self.leave(position, clock);
        }
    }

    fn leave(&mut self, position: usize, clock: u64) {
        self.version += 1;
        let Looking { speaker: Speaker { token, .. }, entry, .. } = self.here.swap_remove(position);
        let entry = AwarenessEntry { clock, state: None, ..entry };
        self.gone.push_back(Gone { left_in: self.version, token, entry });
        if self.gone.len() > GONE_KEPT {
            self.gone.pop_front();
        }
    }

    /// What was worth telling since then.
    pub(crate) fn news_since(&self, version: u64) -> Vec<u8> {
        self.told(version, version)
    }

    /// Everybody who is there, for those who would otherwise think that they had left, and who has left since then.
    pub(crate) fn all(&self, version: u64) -> Vec<u8> {
        self.told(0, version)
    }

    fn told(&self, here_since: u64, gone_since: u64) -> Vec<u8> {
        let here = self.here.iter().filter(|looking| looking.changed_in > here_since).map(|looking| &looking.entry);
        let gone = self.gone.iter().filter(|gone| gone.left_in > gone_since).map(|gone| &gone.entry);
        awareness::write(&here.chain(gone).cloned().collect::<Vec<_>>())
    }
}

/// The same under the name that the hub knows, whatever name it gave itself.
fn signed(entry: AwarenessEntry, name: &Name) -> AwarenessEntry {
    let state = entry.state.map(|state| match state {
        Json::Object(fields) => {
            let others = fields.into_iter().filter(|(field, _)| field != "name");
            Json::Object([("name".to_owned(), Json::from(name.as_str()))].into_iter().chain(others).collect())
        }
        other => other,
    });
    AwarenessEntry { state, ..entry }
}

#[cfg(test)]
mod tests {
    use super::{AwarenessEntry, PRESENT, PRESENT_OF_TOKEN, Presence, Speaker};
    use askback_core::{Name, Object};

    // S1
    #[test]
    fn nobody_takes_the_place_of_who_is_away() {
        let (rita, paul) = (Name::parse("rita").unwrap(), Name::parse("paul").unwrap());
        let says = |clock| vec![AwarenessEntry { client: 101, clock, state: Some(Object::new().into()) }];
        let mut presence = Presence::default();
        presence.hear(&Speaker::new(1, 9, 9, &rita), says(1));
        presence.forget(1);
        presence.hear(&Speaker::new(2, 8, 8, &paul), says(2));
        assert!(presence.here.is_empty(), "another token is another person");
        presence.hear(&Speaker::new(3, 9, 9, &rita), says(1 << 52));
        assert!(presence.here.is_empty(), "nobody could speak after that");
        presence.hear(&Speaker::new(3, 9, 9, &rita), says(1));
        assert_eq!(presence.here.len(), 1);
    }

    // S3
    #[test]
    fn token_with_many_sessions_leaves_places_in_the_room_to_others() {
        let name = Name::parse("rita").unwrap();
        let mut presence = Presence::default();
        for client in 0..2 * PRESENT as u64 {
            let state = Some(Object::new().into());
            // Each connection has a session of its own.
            let speaker = Speaker::new(client, 100 + client, client / 20, &name);
            presence.hear(&speaker, vec![AwarenessEntry { client, clock: 1, state }]);
        }
        assert_eq!(presence.here.len(), PRESENT_OF_TOKEN * (2 * PRESENT).div_ceil(20));
    }

    #[test]
    fn what_yjs_passes_over_is_told_again() {
        let name = Name::parse("rita").unwrap();
        let says = |clock| vec![AwarenessEntry { client: 101, clock, state: Some(Object::new().into()) }];
        let mut presence = Presence::default();
        presence.hear(&Speaker::new(1, 9, 9, &name), says(0));
        let before = presence.version;
        presence.hear(&Speaker::new(1, 9, 9, &name), says(1));
        assert_eq!(presence.version, before + 1);
        presence.hear(&Speaker::new(1, 9, 9, &name), says(2));
        assert_eq!(presence.version, before + 1, "a sign of life is no news");
    }

    #[test]
    fn a_connection_leaves_nobody_behind() {
        let name = Name::parse("rita").unwrap();
        let says = |client, clock| vec![AwarenessEntry { client, clock, state: Some(Object::new().into()) }];
        let mut presence = Presence::default();
        presence.hear(&Speaker::new(1, 9, 9, &name), says(101, 1));
        presence.hear(&Speaker::new(2, 9, 9, &name), says(102, 1));
        // It has one client, and takes over no other of the same token.
        presence.hear(&Speaker::new(2, 9, 9, &name), says(101, 5));
        presence.forget(1);
        presence.forget(2);
        assert!(presence.here.is_empty(), "{presence:?}");
        // Who comes back on another connection before the first was missed takes its place.
        presence.hear(&Speaker::new(3, 9, 9, &name), says(101, 6));
        presence.hear(&Speaker::new(4, 9, 9, &name), says(101, 7));
        presence.forget(3);
        assert_eq!(presence.here.len(), 1);
        presence.forget(4);
        assert!(presence.here.is_empty());
    }
}
