//! A document as a store keeps it: what it shows, and how far it has come. It is made anew from the log if it can't be read.

use super::{Document, Entry, Standing};
use crate::room::author::Author;
use askback_core::Name;
use askback_yjs::{ByteReader, ByteWriter, DecodeError};
use sha2::{Digest, Sha256};

/// Bytes at the end that show whether the rest is as it was written.
const CHECK: usize = 8;

/// Changes when snapshots are written in another way.
const FORMAT: u8 = 2;

/// Why a document can't be restored from a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SnapshotError {
    #[error("a damaged snapshot")]
    Damaged,
    #[error("a snapshot of another kind")]
    AnotherKind,
    #[error("an asker without a name")]
    NoAsker,
    #[error("clocks out of order")]
    ClocksOutOfOrder,
    #[error(transparent)]
    Malformed(#[from] DecodeError),
}

impl Document {
    pub(crate) fn to_snapshot(&self) -> Vec<u8> {
        let mut writer = ByteWriter::default();
        writer.byte(FORMAT);
        writer.unsigned(self.author.number());
        writer.unsigned(self.end);
        for (clock, entry) in &self.entries {
            writer.unsigned(*clock);
            writer.byte(u8::from(entry.standing == Standing::Final));
            writer.text(entry.asker.as_str());
            writer.bytes(&entry.written);
        }
        let mut bytes = writer.into_vec();
        let check = check(&bytes);
        bytes.extend_from_slice(&check);
        bytes
    }

    /// The document of this author that was written down; one of another author is as good as none.
    pub(crate) fn from_snapshot(bytes: &[u8], author: Author) -> Result<Self, SnapshotError> {
        let sound = bytes.split_last_chunk::<CHECK>().filter(|(written, found)| check(written) == **found);
        let (written, _) = sound.ok_or(SnapshotError::Damaged)?;
        let mut reader = ByteReader::new(written);
        if reader.byte()? != FORMAT || reader.unsigned()? != author.number() {
            return Err(SnapshotError::AnotherKind);
        }
        let mut document = Self::new(author);
        document.end = reader.unsigned()?;
        while !reader.is_empty() {
            let clock = reader.unsigned()?;
            let standing = if reader.byte()? == 0 { Standing::Pending } else { Standing::Final };
            let asker = Name::parse(reader.text()?).map_err(|_| SnapshotError::NoAsker)?;
            let written = reader.bytes()?.into();
            if clock >= document.end || document.entries.last_key_value().is_some_and(|(last, _)| *last >= clock) {
                return Err(SnapshotError::ClocksOutOfOrder);
            }
            document.insert(clock, Entry { standing, asker, written });
        }
        Ok(document)
    }
}

fn check(written: &[u8]) -> [u8; CHECK] {
    let hash = Sha256::digest(written);
    std::array::from_fn(|index| hash[index])
}
