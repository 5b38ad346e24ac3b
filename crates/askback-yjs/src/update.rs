//! Walks through a Yjs update (version 1): the structs of each client, then the deleted ranges. All of it is checked, and
//! nothing but the headers of structs is kept.

use crate::any::VALUE_BYTES;
use crate::byte_reader::{ByteReader, LARGEST};
use crate::error::DecodeError;
use std::ops::Range;

/// The kinds of structs and of their contents.
pub mod kind {
    /// Deleted clocks whose items were collected.
    pub const GONE: u8 = 0;
    /// A deleted item.
    pub const DELETED: u8 = 1;
    /// Values as JSON texts, of old versions.
    pub const JSON: u8 = 2;
    /// Bytes.
    pub const BINARY: u8 = 3;
    /// A piece of text.
    pub const TEXT: u8 = 4;
    /// An object in a text.
    pub const EMBED: u8 = 5;
    /// A format of a text.
    pub const FORMAT: u8 = 6;
    /// A nested shared type.
    pub const TYPE: u8 = 7;
    /// Values of lib0.
    pub const ANY: u8 = 8;
    /// A subdocument.
    pub const DOCUMENT: u8 = 9;
    /// Clocks that the update leaves out.
    pub const SKIP: u8 = 10;
}

const KIND_BITS: u8 = 0x1f;
/// Marks an item that was inserted after another one, its origin.
pub const HAS_ORIGIN: u8 = 0x80;
const HAS_RIGHT_ORIGIN: u8 = 0x40;
const HAS_KEY: u8 = 0x20;
/// Marks an item whose parent is a root, which is named.
pub const IN_ROOT: u64 = 1;

/// The id of an item: its client, and the client's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ItemId {
    pub(crate) client: u64,
    pub(crate) clock: u64,
}

impl ItemId {
    fn read(reader: &mut ByteReader<'_>) -> Result<Self, DecodeError> {
        Ok(Self { client: reader.unsigned()?, clock: reader.unsigned()? })
    }
}

/// The part of a struct before its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StructHeader<'a> {
    /// One of [`kind`], or unknown.
    pub(crate) kind: u8,
    /// The root that is the item's parent, if it is named: an item with a neighbour has the neighbour's parent.
    pub(crate) root: Option<&'a str>,
    /// The item's key in its parent, if it is named.
    pub(crate) key: Option<&'a str>,
    /// The item that it was inserted after, unless it has a right neighbour, too: it has that item's parent and key.
    pub(crate) origin: Option<ItemId>,
}

/// A struct without its content.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Struct<'a> {
    pub(crate) id: ItemId,
    /// The number of its clocks.
    pub(crate) length: u64,
    /// Its position: the bytes that remain where it starts.
    pub(crate) remaining: usize,
    pub(crate) header: StructHeader<'a>,
}

impl<'a> StructHeader<'a> {
    pub(crate) fn read(reader: &mut ByteReader<'a>) -> Result<Self, DecodeError> {
        let info = reader.byte()?;
        let mut header = Self { kind: info & KIND_BITS, root: None, key: None, origin: None };
        if matches!(header.kind, kind::GONE | kind::SKIP) {
            return Ok(header);
        }
        if info & HAS_ORIGIN != 0 {
            header.origin = Some(ItemId::read(reader)?);
        }
        if info & HAS_RIGHT_ORIGIN != 0 {
            ItemId::read(reader)?;
            header.origin = None;
        }
        if info & (HAS_ORIGIN | HAS_RIGHT_ORIGIN) == 0 {
            match reader.unsigned()? {
                IN_ROOT => header.root = Some(reader.text()?),
                _ => _ = ItemId::read(reader)?,
            }
            if info & HAS_KEY != 0 {
                header.key = Some(reader.text()?);
            }
        }
        Ok(header)
    }
}

/// Walks through the structs.
pub(crate) fn structs<'a>(reader: &mut ByteReader<'a>, mut found: impl FnMut(&Struct<'a>)) -> Result<(), DecodeError> {
    // The number of structs, the client, and the clock.
    const CLIENT_BYTES: usize = 3;
    // Its kind, and its length or the like.
    const STRUCT_BYTES: usize = 2;
    for _ in 0..reader.count(CLIENT_BYTES)? {
        let structs = reader.count(STRUCT_BYTES)?;
        let client = reader.unsigned()?;
        let mut clock = reader.unsigned()?;
        for _ in 0..structs {
            let remaining = reader.remaining();
            let header = StructHeader::read(reader)?;
            let length = skip_content(header.kind, reader)?;
            found(&Struct { id: ItemId { client, clock }, length, remaining, header });
            clock = advance(clock, length)?;
        }
    }
    Ok(())
}

/// Walks through the deleted ranges: clients, and clocks of theirs.
pub(crate) fn deletions(
    reader: &mut ByteReader<'_>,
    mut found: impl FnMut(u64, Range<u64>),
) -> Result<(), DecodeError> {
    // The client and the number of ranges.
    const CLIENT_BYTES: usize = 2;
    // A clock and a length.
    const RANGE_BYTES: usize = 2;
    for _ in 0..reader.count(CLIENT_BYTES)? {
        let client = reader.unsigned()?;
        for _ in 0..reader.count(RANGE_BYTES)? {
            let start = reader.unsigned()?;
            let length = reader.unsigned()?;
            found(client, start..advance(start, length)?);
        }
    }
    Ok(())
}

/// Skips a struct's content, and returns the number of its clocks.
fn skip_content(kind: u8, reader: &mut ByteReader<'_>) -> Result<u64, DecodeError> {
    match kind {
        kind::GONE | kind::SKIP | kind::DELETED => return reader.unsigned(),
        kind::TEXT => return Ok(utf16_length(reader.text()?)),
        kind::JSON => {
            let count = reader.count(VALUE_BYTES)?;
            for _ in 0..count {
                reader.text()?;
            }
            return Ok(count);
        }
        kind::ANY => {
            let count = reader.count(VALUE_BYTES)?;
            for _ in 0..count {
                reader.skip_any()?;
            }
            return Ok(count);
        }
        kind::BINARY => _ = reader.bytes()?,
        kind::EMBED => _ = reader.text()?,
        kind::FORMAT => {
            reader.text()?;
            reader.text()?;
        }
        kind::TYPE => skip_type(reader)?,
        kind::DOCUMENT => {
            reader.text()?;
            reader.skip_any()?;
        }
        _ => return Err(DecodeError::UnknownStruct),
    }
    Ok(1)
}

/// Skips the description of a shared type: elements and hooks of XML have a name.
fn skip_type(reader: &mut ByteReader<'_>) -> Result<(), DecodeError> {
    match reader.unsigned()? {
        0 | 1 | 2 | 4 | 6 => Ok(()),
        3 | 5 => reader.text().map(|_| ()),
        _ => Err(DecodeError::UnknownSharedType),
    }
}

/// The length of a text in UTF-16, in which Yjs counts. Each character has one byte that is not a continuation byte, and
/// those of four bytes count twice.
fn utf16_length(text: &str) -> u64 {
    text.bytes().map(|byte| u64::from(byte & 0xc0 != 0x80) + u64::from(byte >= 0xf0)).sum()
}

fn advance(clock: u64, length: u64) -> Result<u64, DecodeError> {
    clock.checked_add(length).filter(|sum| *sum <= LARGEST).ok_or(DecodeError::ClockTooLarge)
}

#[cfg(test)]
mod tests {
    use super::{advance, deletions, structs, utf16_length};
    use crate::byte_reader::{ByteReader, LARGEST};

    #[test]
    fn length_of_a_text_is_that_of_utf_16() {
        for text in ["", "a", "é", "€", "😀", "a😀é€\u{10ffff}\u{ffff}\u{feff}"] {
            assert_eq!(utf16_length(text), text.encode_utf16().count() as u64, "{text:?}");
        }
    }

    #[test]
    fn clock_beyond_the_largest_safe_integer_is_refused() {
        assert_eq!(advance(LARGEST - 1, 1), Ok(LARGEST));
        assert!(advance(LARGEST, 1).is_err());
        assert!(advance(u64::MAX, u64::MAX).is_err());
        let largest = [255, 255, 255, 255, 255, 255, 255, 15];
        // One client with two structs: a skip to the largest clock, and one more.
        let skips = [&[1, 2, 5, 0, super::kind::SKIP][..], &largest, &[super::kind::SKIP, 1]].concat();
        assert!(structs(&mut ByteReader::new(&skips), |_| ()).is_err());
        let deleted = [&[1, 5, 1][..], &largest, &[1]].concat();
        assert!(deletions(&mut ByteReader::new(&deleted), |_, _| ()).is_err());
    }

    #[test]
    fn unknown_kinds_are_refused() {
        let one = |of: &[u8]| structs(&mut ByteReader::new(&[&[1, 1, 5, 0], of].concat()), |_| ());
        for kind in 11..=0x1f {
            assert!(one(&[kind, 1, 1, 97, 0, 0, 0]).is_err(), "{kind}");
        }
        for (shared, rest) in [(0, 0), (1, 0), (2, 0), (3, 2), (4, 0), (5, 2), (6, 0)] {
            let whole = [&[super::kind::TYPE, 1, 1, 97, shared][..], &[1, 97][..rest]].concat();
            assert!(one(&whole).is_ok(), "{shared}");
        }
        assert!(one(&[super::kind::TYPE, 1, 1, 97, 7, 1, 97]).is_err());
    }
}
