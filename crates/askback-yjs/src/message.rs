//! The messages of y-websocket, and the verdict, which is an addition of askback.

use crate::awareness;
use crate::byte_reader::ByteReader;
use crate::byte_writer::ByteWriter;
use crate::error::DecodeError;
use askback_core::Json;

const SYNC: u64 = 0;
const AWARENESS: u64 = 1;
const AWARENESS_QUERY: u64 = 3;
/// Far from the numbers that y-websocket may use one day.
const VERDICT: u64 = 100;

const STEP_1: u64 = 0;
const STEP_2: u64 = 1;
const UPDATE: u64 = 2;

/// A message from the other side, with its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProtocolMessage<'a> {
    /// The state vector of the sender's replica, which asks for the items that it lacks.
    StateVector(&'a [u8]),
    /// An update of the document, the reply to a state vector included.
    Update(&'a [u8]),
    /// An awareness update.
    Awareness(&'a [u8]),
    /// A request for all awareness states.
    AwarenessQuery,
    /// A message of a type that is not used here.
    Other,
}

/// Reads a message. Its payload is not checked.
pub fn read(message: &[u8]) -> Result<ProtocolMessage<'_>, DecodeError> {
    let mut reader = ByteReader::new(message);
    let received = match reader.unsigned()? {
        SYNC => match reader.unsigned()? {
            STEP_1 => ProtocolMessage::StateVector(reader.bytes()?),
            STEP_2 | UPDATE => ProtocolMessage::Update(reader.bytes()?),
            _ => return Ok(ProtocolMessage::Other),
        },
        AWARENESS => ProtocolMessage::Awareness(reader.bytes()?),
        AWARENESS_QUERY => ProtocolMessage::AwarenessQuery,
        _ => return Ok(ProtocolMessage::Other),
    };
    reader.end()?;
    Ok(received)
}

/// Writes the first step of a synchronization: the sender's state vector.
pub fn step1(state_vector: &[u8]) -> Vec<u8> {
    written(&[SYNC, STEP_1], state_vector)
}

/// Writes the second step: the update that the other side lacks.
pub fn step2(update: &[u8]) -> Vec<u8> {
    written(&[SYNC, STEP_2], update)
}

/// Writes an update of the document.
pub fn update(update: &[u8]) -> Vec<u8> {
    written(&[SYNC, UPDATE], update)
}

/// Writes an awareness message.
pub fn awareness(update: &[u8]) -> Vec<u8> {
    written(&[AWARENESS], update)
}

/// Writes an awareness message without entries, which shows that the connection is alive.
pub fn empty_awareness() -> Vec<u8> {
    awareness(&awareness::write(&[]))
}

/// Writes the verdict on a proposal.
pub fn verdict(verdict: &Json) -> Vec<u8> {
    written(&[VERDICT], verdict.to_string().as_bytes())
}

fn written(kind: &[u64], payload: &[u8]) -> Vec<u8> {
    let mut writer = ByteWriter::default();
    kind.iter().for_each(|number| writer.unsigned(*number));
    writer.bytes(payload);
    writer.into_vec()
}

#[cfg(test)]
mod tests {
    use super::{ProtocolMessage, read};
    use askback_core::Object;

    #[test]
    fn each_type_of_message_is_recognised() {
        assert_eq!(read(&[0, 0, 1, 0]), Ok(ProtocolMessage::StateVector(&[0])));
        assert_eq!(read(&[0, 1, 2, 0, 0]), Ok(ProtocolMessage::Update(&[0, 0])));
        assert_eq!(read(&[0, 2, 2, 0, 0]), Ok(ProtocolMessage::Update(&[0, 0])));
        assert_eq!(read(&[1, 1, 0]), Ok(ProtocolMessage::Awareness(&[0])));
        assert_eq!(read(&[3]), Ok(ProtocolMessage::AwarenessQuery));
        for other in [&[2, 0][..], &[0, 3], &[4], &[100, 2, 123, 125], &[0xff, 0xff, 0x7f, 1, 2, 3]] {
            assert_eq!(read(other), Ok(ProtocolMessage::Other), "{other:?}");
        }
        for wrong in [&[][..], &[0], &[0, 0], &[0, 0, 2, 0], &[0, 2, 1, 0, 0], &[1, 0, 0], &[3, 0], &[0x80]] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn each_message_has_the_bytes_of_y_websocket() {
        assert_eq!(super::step1(&[7]), [0, 0, 1, 7]);
        assert_eq!(super::step2(&[7]), [0, 1, 1, 7]);
        assert_eq!(super::update(&[7]), [0, 2, 1, 7]);
        assert_eq!(super::awareness(&[7]), [1, 1, 7]);
        let verdict = super::verdict(&Object::new().put("success", true).into());
        assert_eq!(verdict, [&[100, 16][..], br#"{"success":true}"#].concat());
    }
}
