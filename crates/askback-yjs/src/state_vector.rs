//! State vectors: how many clocks of each client a replica knows.

use crate::byte_reader::ByteReader;
use crate::byte_writer::ByteWriter;
use crate::error::DecodeError;
use crate::limits::STATE_VECTOR_CLIENTS;

/// Reads a state vector, and passes each client with its clock to `found`. A client may be repeated.
pub fn read(bytes: &[u8], mut found: impl FnMut(u64, u64)) -> Result<(), DecodeError> {
    // A client and a clock.
    const ENTRY_BYTES: usize = 2;
    let mut reader = ByteReader::new(bytes);
    let entries = reader.count(ENTRY_BYTES)?;
    if entries > STATE_VECTOR_CLIENTS {
        return Err(DecodeError::TooManyClients);
    }
    for _ in 0..entries {
        found(reader.unsigned()?, reader.unsigned()?);
    }
    reader.end()
}

/// Writes a state vector of clients with their clocks.
pub fn write(entries: &[(u64, u64)]) -> Vec<u8> {
    let mut writer = ByteWriter::default();
    writer.unsigned(entries.len() as u64);
    for (client, clock) in entries {
        writer.unsigned(*client);
        writer.unsigned(*clock);
    }
    writer.into_vec()
}

#[cfg(test)]
mod tests {
    use super::{STATE_VECTOR_CLIENTS, read, write};

    #[test]
    fn written_vector_is_read_back() {
        for entries in [&[][..], &[(7, 5)], &[(0, 0), (1, 1), (1, 2), ((1 << 53) - 1, (1 << 53) - 1)]] {
            let mut found = Vec::new();
            read(&write(entries), |client, clock| found.push((client, clock))).unwrap();
            assert_eq!(found, entries);
        }
    }

    // S3
    #[test]
    fn vector_with_too_many_clients_is_refused() {
        let most = usize::try_from(STATE_VECTOR_CLIENTS).unwrap();
        let read = |bytes: &[u8]| read(bytes, |_, _| ());
        assert!(read(&write(&vec![(1, 1); most])).is_ok());
        assert!(read(&write(&vec![(1, 1); most + 1])).is_err());
        for wrong in [&[][..], &[1], &[1, 1], &[0, 0], &[2, 1, 1], &[255, 255, 255, 255, 255, 255, 255, 15, 1, 1]] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }
}
