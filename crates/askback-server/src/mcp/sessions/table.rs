//! The sessions in memory and the places of those that enter it: each token has its share, and all together have a total.

use super::AllInUse;
use askback_mcp::limits::{SESSION_NOTED, SESSIONS_IN_MEMORY, SESSIONS_IN_MEMORY_OF_TOKEN};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

/// The sessions in memory, and perhaps some that ended by themselves.
#[derive(Default)]
pub(super) struct SessionTable {
    sessions: HashMap<String, Session>,
    /// By their numbers, which grow.
    reservations: BTreeMap<u64, Reserved>,
    next_reservation: u64,
    /// Sessions in memory without an entry, with the number of the next reservation when each was first seen. A call that is beginning
    /// one has a lower number; without such a call the session was abandoned.
    unknown: HashMap<String, u64>,
    /// Counts uses, to order sessions by their last use.
    uses: u64,
}

struct Session {
    owner: u64,
    last_use: u64,
    /// The number of calls that handle it or send a response.
    calls: usize,
    /// The time at which its use was last persisted.
    persisted_at: Instant,
}

/// A place in memory.
struct Reserved {
    owner: u64,
    /// The session that has taken the place, which then counts itself.
    session: Option<String>,
}

/// The use of a session.
pub(super) struct Use {
    pub(super) owner: u64,
    /// Whether it is to be persisted, which is not done each time.
    pub(super) is_to_persist: bool,
}

impl SessionTable {
    pub(super) fn owner(&self, id: &str) -> Option<u64> {
        self.sessions.get(id).map(|session| session.owner)
    }

    /// Keeps a session in memory until [`release`](Self::release) is called as often.
    pub(super) fn lease(&mut self, id: &str) -> Option<Use> {
        self.uses += 1;
        let session = self.sessions.get_mut(id)?;
        session.last_use = self.uses;
        session.calls += 1;
        let is_to_persist = session.persisted_at.elapsed() > SESSION_NOTED;
        if is_to_persist {
            session.persisted_at = Instant::now();
        }
        Some(Use { owner: session.owner, is_to_persist })
    }

    pub(super) fn release(&mut self, id: &str) {
        if let Some(session) = self.sessions.get_mut(id) {
            session.calls = session.calls.saturating_sub(1);
        }
    }

    /// Reserves a place for another session of this token, and removes the sessions that must leave memory for it: of its own if it has
    /// its share, or else of the token that has the most, those that were idle for the longest time, and those that were abandoned.
    pub(super) fn reserve(&mut self, owner: u64, in_memory: &HashSet<&str>) -> (Vec<String>, Result<u64, AllInUse>) {
        self.sessions.retain(|id, session| session.calls > 0 || in_memory.contains(id.as_str()));
        let mut leaving = self.remove_abandoned(in_memory);
        loop {
            let Some(full) = self.full(owner) else { return (leaving, Ok(self.add_reservation(owner))) };
            let idle = match full {
                AllInUse::OfToken => self.longest_idle(owner),
                AllInUse::Total => self.longest_idle_of_largest(),
            };
            let Some(id) = idle else { return (leaving, Err(full)) };
            self.sessions.remove(&id);
            leaving.push(id);
        }
    }

    /// Ends a reservation: its session stays, and is idle unless another call uses it.
    pub(super) fn end_reservation(&mut self, number: u64) {
        if let Some(id) = self.reservations.remove(&number).and_then(|reserved| reserved.session) {
            self.release(&id);
        }
    }

    /// Enters a session, in the place that was reserved for it.
    pub(super) fn enter(&mut self, id: &str, owner: u64, reservation: Option<u64>) {
        self.uses += 1;
        let new = Session { owner, last_use: self.uses, calls: 0, persisted_at: Instant::now() };
        let session = self.sessions.entry(id.to_owned()).or_insert(new);
        session.last_use = self.uses;
        let reserved = reservation.and_then(|number| self.reservations.get_mut(&number));
        if let Some(reserved) = reserved.filter(|reserved| reserved.session.is_none()) {
            reserved.session = Some(id.to_owned());
            session.calls += 1;
        }
    }

    pub(super) fn remove(&mut self, id: &str) {
        self.sessions.remove(id);
    }

    fn add_reservation(&mut self, owner: u64) -> u64 {
        let number = self.next_reservation;
        self.next_reservation += 1;
        self.reservations.insert(number, Reserved { owner, session: None });
        number
    }

    /// Removes the sessions whose call was cut off before it entered them.
    fn remove_abandoned(&mut self, in_memory: &HashSet<&str>) -> Vec<String> {
        let sessions = &self.sessions;
        let is_unknown = |id: &str| in_memory.contains(id) && !sessions.contains_key(id);
        self.unknown.retain(|id, _| is_unknown(id));
        for id in in_memory.iter().filter(|id| is_unknown(id)) {
            self.unknown.entry((*id).to_owned()).or_insert(self.next_reservation);
        }
        let oldest = self.entering().map(|(number, _)| *number).next().unwrap_or(self.next_reservation);
        self.unknown.extract_if(|_, seen| *seen <= oldest).map(|(id, _)| id).collect()
    }

    /// The reservations whose session has no entry yet.
    fn entering(&self) -> impl Iterator<Item = (&u64, &Reserved)> {
        self.reservations.iter().filter(|(_, reserved)| reserved.session.is_none())
    }

    /// The bound that another session of this token would exceed.
    fn full(&self, owner: u64) -> Option<AllInUse> {
        let own = self.sessions.values().filter(|session| session.owner == owner).count();
        let own_entering = self.entering().filter(|(_, reserved)| reserved.owner == owner).count();
        // An unknown session may be that of a call that is entering.
        let entering = self.entering().count().max(self.unknown.len());
        if own + own_entering >= SESSIONS_IN_MEMORY_OF_TOKEN {
            Some(AllInUse::OfToken)
        } else if self.sessions.len() + entering >= SESSIONS_IN_MEMORY {
            Some(AllInUse::Total)
        } else {
            None
        }
    }

    fn longest_idle(&self, owner: u64) -> Option<String> {
        let own = self.sessions.iter().filter(|(_, session)| session.owner == owner && session.calls == 0);
        own.min_by_key(|(_, session)| session.last_use).map(|(id, _)| id.clone())
    }

    /// The longest idle session of the token that has the most, of those that have an idle one.
    fn longest_idle_of_largest(&self) -> Option<String> {
        let mut counts: HashMap<u64, usize> = HashMap::new();
        for session in self.sessions.values() {
            *counts.entry(session.owner).or_default() += 1;
        }
        let mut owners: Vec<(usize, u64)> = counts.into_iter().map(|(owner, count)| (count, owner)).collect();
        owners.sort_unstable_by(|one, other| other.cmp(one));
        owners.into_iter().find_map(|(_, owner)| self.longest_idle(owner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// New sessions of a token, which have entered without a reservation.
    fn begun(table: &mut SessionTable, owner: u64, count: usize) -> Vec<String> {
        let ids: Vec<String> = (0..count).map(|index| format!("{owner}-{index}")).collect();
        ids.iter().for_each(|id| table.enter(id, owner, None));
        ids
    }

    /// Reserves a place while all sessions with an entry are in memory, and others.
    fn reserve(table: &mut SessionTable, owner: u64, others: &[&str]) -> (Vec<String>, Result<u64, AllInUse>) {
        let ids: Vec<String> = table.sessions.keys().cloned().collect();
        table.reserve(owner, &ids.iter().map(String::as_str).chain(others.iter().copied()).collect())
    }

    // S3, S8
    #[test]
    fn token_with_its_share_in_memory_evicts_its_own_longest_idle_session() {
        let mut table = SessionTable::default();
        begun(&mut table, 8, 1);
        let own = begun(&mut table, 7, SESSIONS_IN_MEMORY_OF_TOKEN);
        // The first has a response under way, and the second was used again.
        table.lease(&own[0]).unwrap();
        table.lease(&own[1]).unwrap();
        table.release(&own[1]);
        let (leaving, reserved) = reserve(&mut table, 8, &[]);
        assert!(leaving.is_empty() && reserved.is_ok(), "another token has its own share");
        let (leaving, reserved) = reserve(&mut table, 7, &[]);
        assert_eq!((leaving, reserved.is_ok()), (vec![own[2].clone()], true));
        for id in &own {
            table.lease(id);
        }
        assert_eq!(reserve(&mut table, 7, &[]), (Vec::new(), Err(AllInUse::OfToken)));
        assert!(reserve(&mut table, 8, &[]).1.is_ok());
    }

    // S3, S8
    #[test]
    fn sessions_that_are_beginning_count_for_the_share_of_their_token_until_they_end() {
        let mut table = SessionTable::default();
        let numbers: Vec<u64> =
            (0..SESSIONS_IN_MEMORY_OF_TOKEN).map(|_| reserve(&mut table, 7, &[]).1.unwrap()).collect();
        assert_eq!(reserve(&mut table, 7, &[]), (Vec::new(), Err(AllInUse::OfToken)));
        // One that has entered counts once, and stays while its call is handled.
        table.enter("one", 7, Some(numbers[0]));
        assert_eq!(reserve(&mut table, 7, &[]), (Vec::new(), Err(AllInUse::OfToken)));
        table.end_reservation(numbers[0]);
        assert_eq!(reserve(&mut table, 7, &[]).0, ["one"]);
        // One whose call was cut off leaves its place.
        table.end_reservation(numbers[1]);
        assert!(reserve(&mut table, 7, &[]).1.is_ok());
        assert!(reserve(&mut table, 7, &[]).1.is_err());
    }

    // S3, S8
    #[test]
    fn token_beyond_its_share_evicts_until_it_has_room() {
        let mut table = SessionTable::default();
        let own = begun(&mut table, 7, SESSIONS_IN_MEMORY_OF_TOKEN + 20);
        assert_eq!(reserve(&mut table, 7, &[]).0, own[..21]);
    }

    // S3, S8
    #[test]
    fn total_of_sessions_in_memory_is_kept_by_the_token_that_has_the_most() {
        let mut table = SessionTable::default();
        begun(&mut table, 1, 1);
        let tokens = SESSIONS_IN_MEMORY / (SESSIONS_IN_MEMORY_OF_TOKEN - 1) + 1;
        let mut firsts = Vec::new();
        for owner in 0..tokens as u64 {
            firsts.extend(begun(&mut table, 10 + owner, SESSIONS_IN_MEMORY_OF_TOKEN - 1).into_iter().next());
        }
        let (leaving, reserved) = reserve(&mut table, 2, &[]);
        assert!(reserved.is_ok() && table.sessions.len() < SESSIONS_IN_MEMORY);
        assert!(firsts.contains(&leaving[0]) && table.owner("1-0").is_some());
    }

    // S3, S8
    #[test]
    fn session_without_an_entry_is_closed_when_no_earlier_call_can_enter_it() {
        let mut table = SessionTable::default();
        let beginning = reserve(&mut table, 7, &[]).1.unwrap();
        // It may be that of the first call.
        assert!(reserve(&mut table, 8, &["unknown"]).0.is_empty());
        assert!(reserve(&mut table, 8, &["unknown"]).0.is_empty());
        // Calls that began later can't enter it.
        table.end_reservation(beginning);
        let later: Vec<u64> = table.reservations.keys().copied().collect();
        table.end_reservation(later[0]);
        assert_eq!(reserve(&mut table, 8, &["unknown"]).0, ["unknown"]);
        // Until then it counts for the total.
        let others: Vec<String> = (0..SESSIONS_IN_MEMORY).map(|index| index.to_string()).collect();
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        assert_eq!(reserve(&mut table, 9, &others), (Vec::new(), Err(AllInUse::Total)));
    }
}
