//! Walks through a Yjs update (version 1): structs by client, then what was deleted. Whatever it holds is checked, and
//! only what stands before a struct's content is kept.

use super::any::VALUE_BYTES;
use super::reading::{LARGEST, Malformed, Reader};
use std::ops::Range;

/// What a struct is, or what its content is.
pub(super) mod kind {
    pub(in crate::room) const GONE: u8 = 0;
    pub(in crate::room) const DELETED: u8 = 1;
    pub(in crate::room) const JSON: u8 = 2;
    pub(in crate::room) const BINARY: u8 = 3;
    pub(in crate::room) const TEXT: u8 = 4;
    pub(in crate::room) const EMBED: u8 = 5;
    pub(in crate::room) const FORMAT: u8 = 6;
    pub(in crate::room) const TYPE: u8 = 7;
    pub(in crate::room) const ANY: u8 = 8;
    pub(in crate::room) const DOCUMENT: u8 = 9;
    pub(in crate::room) const SKIP: u8 = 10;
}

const KIND_BITS: u8 = 0x1f;
/// Says that the item was put after another one.
pub(super) const HAS_ORIGIN: u8 = 0x80;
const HAS_RIGHT_ORIGIN: u8 = 0x40;
const HAS_KEY: u8 = 0x20;
/// Says that an item's parent is a root, by its name.
pub(super) const IN_ROOT: u64 = 1;

/// Who wrote something, and after how much else of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id {
    pub(super) client: u64,
    pub(super) clock: u64,
}

impl Id {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { client: reader.unsigned()?, clock: reader.unsigned()? })
    }
}

/// What stands before a struct's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header<'a> {
    /// One of [`kind`]; perhaps none.
    pub(super) kind: u8,
    /// The root it is directly in, if that is said: an item with a neighbour is where that one is.
    pub(super) root: Option<&'a str>,
    /// The key it is set to there, if that is said.
    pub(super) key: Option<&'a str>,
    /// What it was put after, if that alone says where it is: it has that one's parent and key.
    pub(super) origin: Option<Id>,
}

/// A struct, but for its content.
#[derive(Debug, Clone, Copy)]
pub(super) struct Struct<'a> {
    pub(super) id: Id,
    /// How many clocks it takes.
    pub(super) length: u64,
    /// Where it stands: how many bytes are left before it.
    pub(super) left: usize,
    pub(super) header: Header<'a>,
}

impl<'a> Header<'a> {
    pub(super) fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        let info = reader.byte()?;
        let mut header = Self { kind: info & KIND_BITS, root: None, key: None, origin: None };
        if matches!(header.kind, kind::GONE | kind::SKIP) {
            return Ok(header);
        }
        if info & HAS_ORIGIN != 0 {
            header.origin = Some(Id::read(reader)?);
        }
        if info & HAS_RIGHT_ORIGIN != 0 {
            Id::read(reader)?;
            header.origin = None;
        }
        if info & (HAS_ORIGIN | HAS_RIGHT_ORIGIN) == 0 {
            match reader.unsigned()? {
                IN_ROOT => header.root = Some(reader.text()?),
                _ => _ = Id::read(reader)?,
            }
            if info & HAS_KEY != 0 {
                header.key = Some(reader.text()?);
            }
        }
        Ok(header)
    }
}

pub(super) fn structs<'a>(reader: &mut Reader<'a>, mut found: impl FnMut(&Struct<'a>)) -> Result<(), Malformed> {
    // How many structs, the client, and the clock.
    const CLIENT_BYTES: usize = 3;
    // What it is, and its length or the like.
    const STRUCT_BYTES: usize = 2;
    for _ in 0..reader.count(CLIENT_BYTES)? {
        let structs = reader.count(STRUCT_BYTES)?;
        let client = reader.unsigned()?;
        let mut clock = reader.unsigned()?;
        for _ in 0..structs {
            let left = reader.left();
            let header = Header::read(reader)?;
            let length = skip_content(header.kind, reader)?;
            found(&Struct { id: Id { client, clock }, length, left, header });
            clock = later(clock, length)?;
        }
    }
    Ok(())
}

/// Walks through what was deleted: clients, and clocks of theirs.
pub(super) fn deletions(reader: &mut Reader<'_>, mut found: impl FnMut(u64, Range<u64>)) -> Result<(), Malformed> {
    // The client and how many ranges.
    const CLIENT_BYTES: usize = 2;
    // A clock and a length.
    const RANGE_BYTES: usize = 2;
    for _ in 0..reader.count(CLIENT_BYTES)? {
        let client = reader.unsigned()?;
        for _ in 0..reader.count(RANGE_BYTES)? {
            let start = reader.unsigned()?;
            let length = reader.unsigned()?;
            found(client, start..later(start, length)?);
        }
    }
    Ok(())
}

/// Passes over a struct's content, and says how many clocks it takes.
fn skip_content(kind: u8, reader: &mut Reader<'_>) -> Result<u64, Malformed> {
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
        _ => return Err(Malformed("a struct is of no known kind")),
    }
    Ok(1)
}

/// Passes over what a shared type says of itself: elements and hooks of XML have a name.
fn skip_type(reader: &mut Reader<'_>) -> Result<(), Malformed> {
    match reader.unsigned()? {
        0 | 1 | 2 | 4 | 6 => Ok(()),
        3 | 5 => reader.text().map(|_| ()),
        _ => Err(Malformed("a shared type is of no known kind")),
    }
}

/// Yjs counts texts as JavaScript does. Each character begins with one byte that continues none, and those of four
/// bytes count twice.
fn utf16_length(text: &str) -> u64 {
    text.bytes().map(|byte| u64::from(byte & 0xc0 != 0x80) + u64::from(byte >= 0xf0)).sum()
}

fn later(clock: u64, length: u64) -> Result<u64, Malformed> {
    clock.checked_add(length).filter(|sum| *sum <= LARGEST).ok_or(Malformed("a clock is larger than 2^53 - 1"))
}

#[cfg(test)]
mod tests {
    use super::{deletions, later, structs, utf16_length};
    use crate::room::reading::{LARGEST, Reader};

    #[test]
    fn texts_have_the_length_that_javascript_gives_them() {
        for text in ["", "a", "é", "€", "😀", "a😀é€\u{10ffff}\u{ffff}\u{feff}"] {
            assert_eq!(utf16_length(text), text.encode_utf16().count() as u64, "{text:?}");
        }
    }

    #[test]
    fn clocks_do_not_run_over() {
        assert_eq!(later(LARGEST - 1, 1), Ok(LARGEST));
        assert!(later(LARGEST, 1).is_err());
        assert!(later(u64::MAX, u64::MAX).is_err());
        let largest = [255, 255, 255, 255, 255, 255, 255, 15];
        // One client with two structs: a skip to the largest clock, and one more.
        let skips = [&[1, 2, 5, 0, super::kind::SKIP][..], &largest, &[super::kind::SKIP, 1]].concat();
        assert!(structs(&mut Reader::new(&skips), |_| ()).is_err());
        let deleted = [&[1, 5, 1][..], &largest, &[1]].concat();
        assert!(deletions(&mut Reader::new(&deleted), |_, _| ()).is_err());
    }

    #[test]
    fn what_yjs_does_not_know_is_refused() {
        let one = |of: &[u8]| structs(&mut Reader::new(&[&[1, 1, 5, 0], of].concat()), |_| ());
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
