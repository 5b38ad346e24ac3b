//! State vectors: what a replica has of each author, as far as it concerns us.

use super::author::Author;
use super::reading::{Malformed, Reader};
use crate::limits::STATE_VECTOR_CLIENTS;

/// What a replica knows of a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Known {
    /// How far it has the room's document.
    pub(crate) clock: u64,
    /// Whether it has something of a room that is not this one, or not any more.
    pub(crate) is_of_another_history: bool,
}

/// Reads what a replica knows of the room whose id is given. Of repeated entries the highest counts.
pub(crate) fn read(bytes: &[u8], own: u64) -> Result<Known, Malformed> {
    // An id and a clock.
    const ENTRY_BYTES: usize = 2;
    let mut reader = Reader::new(bytes);
    let mut known = Known { clock: 0, is_of_another_history: false };
    let entries = reader.count(ENTRY_BYTES)?;
    if entries > STATE_VECTOR_CLIENTS {
        return Err(Malformed("the state vector names too many clients"));
    }
    for _ in 0..entries {
        let client = reader.unsigned()?;
        let clock = reader.unsigned()?;
        if client == own {
            known.clock = known.clock.max(clock);
        } else {
            known.is_of_another_history |= Author::is_one(client);
        }
    }
    reader.end()?;
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::{Known, STATE_VECTOR_CLIENTS, read};
    use crate::room::writing::Writer;
    use crate::room::{Author, Scope};

    fn own() -> u64 {
        Author::new(&[7; 16], &Scope::Inbox).number()
    }

    fn written(entries: &[(u64, u64)]) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.unsigned(entries.len() as u64);
        for (client, clock) in entries {
            writer.unsigned(*client);
            writer.unsigned(*clock);
        }
        writer.into_vec()
    }

    #[test]
    fn only_rooms_matter() {
        let known = |entries: &[(u64, u64)]| read(&written(entries), own()).unwrap();
        assert_eq!(known(&[]), Known { clock: 0, is_of_another_history: false });
        // Yjs chooses 32 bits, and other implementations 53.
        for client in [0xffff_ffff, 0x1f_ffff_ffff_ffff, 0x10_0000_0000_0001] {
            assert_eq!(known(&[(client, 40)]), Known { clock: 0, is_of_another_history: false }, "{client}");
        }
        let client = (0xffff_ffff, 40);
        assert_eq!(known(&[client, (own(), 5)]), Known { clock: 5, is_of_another_history: false });
        assert_eq!(known(&[(own(), 3), (own(), 5), (own(), 4)]), Known { clock: 5, is_of_another_history: false });
        for other in [own() ^ 1, own() ^ 0xff_ffff] {
            assert_eq!(known(&[(own(), 5), (other, 9), client]), Known { clock: 5, is_of_another_history: true });
        }
    }

    // S3
    #[test]
    fn there_is_an_end_to_them() {
        let most = usize::try_from(STATE_VECTOR_CLIENTS).unwrap();
        assert!(read(&written(&vec![(1, 1); most]), own()).is_ok());
        assert!(read(&written(&vec![(1, 1); most + 1]), own()).is_err());
        for wrong in [&[][..], &[1], &[1, 1], &[0, 0], &[2, 1, 1], &[255, 255, 255, 255, 255, 255, 255, 15, 1, 1]] {
            assert!(read(wrong, own()).is_err(), "{wrong:?}");
        }
    }
}
