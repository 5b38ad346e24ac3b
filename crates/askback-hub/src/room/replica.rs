//! The state of a client's replica, as far as it concerns the room.

use super::author::Author;
use askback_yjs::{DecodeError, state_vector};

/// How much of a room's document a replica has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReplicaState {
    /// The clock up to which it has the document.
    pub(crate) clock: u64,
    /// Whether it has items of another room, or of an earlier document of this one.
    pub(crate) is_of_another_history: bool,
}

impl ReplicaState {
    /// Reads the state vector of a replica. `own` is the client id of the room's author; of its repeated entries the highest counts.
    pub(crate) fn read(state_vector: &[u8], own: u64) -> Result<Self, DecodeError> {
        let mut state = Self { clock: 0, is_of_another_history: false };
        state_vector::read(state_vector, |client, clock| {
            if client == own {
                state.clock = state.clock.max(clock);
            } else {
                state.is_of_another_history |= Author::is_one(client);
            }
        })?;
        Ok(state)
    }
}

#[cfg(test)]
mod tests {
    use super::ReplicaState;
    use crate::room::{Author, Scope};
    use askback_yjs::state_vector;

    #[test]
    fn clients_that_are_no_authors_do_not_count() {
        let own = Author::new(&[7; 16], &Scope::Inbox).number();
        let state = |entries: &[(u64, u64)]| ReplicaState::read(&state_vector::write(entries), own).unwrap();
        let at = |clock| ReplicaState { clock, is_of_another_history: false };
        assert_eq!(state(&[]), at(0));
        // Yjs chooses 32 bits, and other implementations 53.
        for client in [0xffff_ffff, 0x1f_ffff_ffff_ffff, 0x10_0000_0000_0001] {
            assert_eq!(state(&[(client, 40)]), at(0), "{client}");
        }
        let client = (0xffff_ffff, 40);
        assert_eq!(state(&[client, (own, 5)]), at(5));
        assert_eq!(state(&[(own, 3), (own, 5), (own, 4)]), at(5));
        for other in [own ^ 1, own ^ 0xff_ffff] {
            let mixed = ReplicaState { clock: 5, is_of_another_history: true };
            assert_eq!(state(&[(own, 5), (other, 9), client]), mixed);
        }
    }
}
