//! A document as a store keeps it: what it shows, and how far it has come. It is made anew from the log if it can't be read.

use super::{Document, Entry, Standing};
use crate::room::author::Author;
use crate::room::reading::{Malformed, Reader};
use crate::room::writing::Writer;
use sha2::{Digest, Sha256};

/// Bytes at the end that show whether the rest is as it was written.
const CHECK: usize = 8;

/// Changes when snapshots are written in another way.
const FORMAT: u8 = 1;

impl Document {
    pub(crate) fn to_snapshot(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.byte(FORMAT);
        writer.unsigned(self.author.number());
        writer.unsigned(self.end);
        for (clock, entry) in &self.entries {
            writer.unsigned(*clock);
            writer.byte(u8::from(entry.standing == Standing::Final));
            writer.bytes(&entry.written);
        }
        let mut bytes = writer.into_vec();
        let check = check(&bytes);
        bytes.extend_from_slice(&check);
        bytes
    }

    /// The document of this author that was written down; one of another author is as good as none.
    pub(crate) fn from_snapshot(bytes: &[u8], author: Author) -> Result<Self, Malformed> {
        let sound = bytes.split_last_chunk::<CHECK>().filter(|(written, found)| check(written) == **found);
        let (written, _) = sound.ok_or(Malformed("a damaged snapshot"))?;
        let mut reader = Reader::new(written);
        if reader.byte()? != FORMAT || reader.unsigned()? != author.number() {
            return Err(Malformed("a snapshot of another kind"));
        }
        let mut document = Self::new(author);
        document.end = reader.unsigned()?;
        while !reader.is_empty() {
            let clock = reader.unsigned()?;
            let standing = if reader.byte()? == 0 { Standing::Pending } else { Standing::Final };
            let written = reader.bytes()?.into();
            if clock >= document.end || document.entries.last_key_value().is_some_and(|(last, _)| *last >= clock) {
                return Err(Malformed("clocks out of order"));
            }
            document.insert(clock, Entry { standing, written });
        }
        Ok(document)
    }
}

fn check(written: &[u8]) -> [u8; CHECK] {
    let hash = Sha256::digest(written);
    std::array::from_fn(|index| hash[index])
}
