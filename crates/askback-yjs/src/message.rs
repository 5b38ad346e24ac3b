//! The messages of a room's socket: those of y-websocket, and the verdict, which is ours.

use super::awareness;
use super::reading::{Malformed, Reader};
use super::writing::Writer;
use askback_core::Json;
use bytes::Bytes;

const SYNC: u64 = 0;
const AWARENESS: u64 = 1;
const AWARENESS_QUERY: u64 = 3;
/// Far from what y-websocket may come to use.
const VERDICT: u64 = 100;

const STEP_1: u64 = 0;
const STEP_2: u64 = 1;
const UPDATE: u64 = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Received<'a> {
    /// What its replica has, to be told what is missing.
    StateVector(&'a [u8]),
    /// What it wrote, be it just now or before it came.
    Update(&'a [u8]),
    Awareness(&'a [u8]),
    AwarenessQuery,
    /// Something that we have no use for, or that only newer clients say.
    Other,
}

pub(crate) fn read(message: &[u8]) -> Result<Received<'_>, Malformed> {
    let mut reader = Reader::new(message);
    let received = match reader.unsigned()? {
        SYNC => match reader.unsigned()? {
            STEP_1 => Received::StateVector(reader.bytes()?),
            STEP_2 | UPDATE => Received::Update(reader.bytes()?),
            _ => return Ok(Received::Other),
        },
        AWARENESS => Received::Awareness(reader.bytes()?),
        AWARENESS_QUERY => Received::AwarenessQuery,
        _ => return Ok(Received::Other),
    };
    reader.end()?;
    Ok(received)
}

/// Says what we have, and so asks for the rest.
pub(crate) fn step1(state_vector: &[u8]) -> Bytes {
    written(&[SYNC, STEP_1], state_vector)
}

/// Answers the client's first step with what it has not.
pub(crate) fn step2(update: &[u8]) -> Bytes {
    written(&[SYNC, STEP_2], update)
}

/// Tells what is new.
pub(crate) fn update(update: &[u8]) -> Bytes {
    written(&[SYNC, UPDATE], update)
}

/// Tells who is present.
pub(crate) fn awareness(update: &[u8]) -> Bytes {
    written(&[AWARENESS], update)
}

/// The message that says that nobody is looking, and so that the connection is there.
pub fn nobody_is_looking() -> Bytes {
    awareness(&awareness::write(&[]))
}

/// The message that tells a client what became of its proposal.
pub fn verdict(verdict: &Json) -> Bytes {
    written(&[VERDICT], verdict.to_string().as_bytes())
}

fn written(kind: &[u64], payload: &[u8]) -> Bytes {
    let mut writer = Writer::default();
    kind.iter().for_each(|number| writer.unsigned(*number));
    writer.bytes(payload);
    writer.into_vec().into()
}

#[cfg(test)]
mod tests {
    use super::{Received, read};
    use askback_core::Object;

    #[test]
    fn each_message_is_told_from_the_others() {
        assert_eq!(read(&[0, 0, 1, 0]), Ok(Received::StateVector(&[0])));
        assert_eq!(read(&[0, 1, 2, 0, 0]), Ok(Received::Update(&[0, 0])));
        assert_eq!(read(&[0, 2, 2, 0, 0]), Ok(Received::Update(&[0, 0])));
        assert_eq!(read(&[1, 1, 0]), Ok(Received::Awareness(&[0])));
        assert_eq!(read(&[3]), Ok(Received::AwarenessQuery));
        for other in [&[2, 0][..], &[0, 3], &[4], &[100, 2, 123, 125], &[0xff, 0xff, 0x7f, 1, 2, 3]] {
            assert_eq!(read(other), Ok(Received::Other), "{other:?}");
        }
        for wrong in [&[][..], &[0], &[0, 0], &[0, 0, 2, 0], &[0, 2, 1, 0, 0], &[1, 0, 0], &[3, 0], &[0x80]] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn each_message_is_written_as_clients_read_it() {
        assert_eq!(super::step1(&[7]), [0, 0, 1, 7][..]);
        assert_eq!(super::step2(&[7]), [0, 1, 1, 7][..]);
        assert_eq!(super::update(&[7]), [0, 2, 1, 7][..]);
        assert_eq!(super::awareness(&[7]), [1, 1, 7][..]);
        let verdict = super::verdict(&Object::new().put("success", true).into());
        assert_eq!(verdict, [&[100, 16][..], br#"{"success":true}"#].concat());
    }
}
