//! Awareness: the small state that each present client publishes about itself.

use crate::byte_reader::ByteReader;
use crate::byte_writer::ByteWriter;
use crate::error::DecodeError;
use crate::limits::{AWARENESS_BYTES, AWARENESS_ENTRIES};
use askback_core::{Json, Limits};

/// The state of one client.
#[derive(Debug, Clone, PartialEq)]
pub struct AwarenessEntry {
    /// The client's id.
    pub client: u64,
    /// The version of the state; a higher one replaces a lower one.
    pub clock: u64,
    /// An object; none if the client has left.
    pub state: Option<Json>,
}

/// Reads the first [`AWARENESS_ENTRIES`] of an awareness update. An entry whose state is not an object, or too large, is left out.
pub fn read(update: &[u8]) -> Result<Vec<AwarenessEntry>, DecodeError> {
    // An id, a clock, and a text's length.
    const ENTRY_BYTES: usize = 3;
    let mut reader = ByteReader::new(update);
    let mut entries = Vec::new();
    for _ in 0..reader.count(ENTRY_BYTES)? {
        let client = reader.unsigned()?;
        let clock = reader.unsigned()?;
        let text = reader.text()?;
        if entries.len() < AWARENESS_ENTRIES
            && let Some(state) = parse_state(text)
        {
            entries.push(AwarenessEntry { client, clock, state });
        }
    }
    reader.end()?;
    Ok(entries)
}

/// Writes an awareness update.
pub fn write(entries: &[AwarenessEntry]) -> Vec<u8> {
    let mut writer = ByteWriter::default();
    writer.unsigned(entries.len() as u64);
    for entry in entries {
        writer.unsigned(entry.client);
        writer.unsigned(entry.clock);
        match &entry.state {
            Some(state) => writer.text(&state.to_string()),
            None => writer.text(GONE),
        }
    }
    writer.into_vec()
}

/// The state of a client that has left.
const GONE: &str = "null";

/// Parses the text of a state: an object, or none if the client has left. No result if it is neither, or too large.
fn parse_state(text: &str) -> Option<Option<Json>> {
    if text == GONE {
        return Some(None);
    }
    let limits = Limits { request_bytes: AWARENESS_BYTES, ..Limits::DEFAULT };
    match Json::parse(text.as_bytes(), &limits) {
        Ok(object @ Json::Object(_)) => Some(Some(object)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{AWARENESS_BYTES, AWARENESS_ENTRIES, AwarenessEntry, read, write};
    use crate::byte_writer::ByteWriter;
    use askback_core::{Json, Object};

    fn written(states: &[&str]) -> Vec<u8> {
        let mut writer = ByteWriter::default();
        writer.unsigned(states.len() as u64);
        for (client, state) in (1..).zip(states) {
            writer.unsigned(client);
            writer.unsigned(1);
            writer.text(state);
        }
        writer.into_vec()
    }

    fn clients(states: &[&str]) -> Vec<u64> {
        read(&written(states)).unwrap().iter().map(|entry| entry.client).collect()
    }

    // S3
    #[test]
    fn entry_whose_state_is_no_small_object_is_left_out() {
        let sized = |bytes: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - 8));
        let (most, more) = (sized(AWARENESS_BYTES), sized(AWARENESS_BYTES + 1));
        let nested = format!("{}{}", "{\"a\":".repeat(200), "[".repeat(20));
        assert_eq!(
            clients(&["{}", "null", "[]", "1", "\"a\"", "", "undefined", "{", &most, &more, &nested]),
            [1, 2, 9]
        );
    }

    // S3
    #[test]
    fn entries_beyond_the_limit_are_checked_and_dropped() {
        let crowd = vec!["{}"; AWARENESS_ENTRIES + 10];
        assert_eq!(clients(&crowd).len(), AWARENESS_ENTRIES);
        let mut update = written(&crowd);
        update.pop();
        assert!(read(&update).is_err());
        assert!(read(&[written(&crowd), vec![0]].concat()).is_err());
        assert!(read(&[255, 255, 255, 255, 255, 255, 255, 15]).is_err());
    }

    #[test]
    fn written_entries_are_read_back() {
        let state: Json = Object::new().put("name", "é").put("at", 1.5).into();
        let both = [
            AwarenessEntry { client: 1, clock: 2, state: Some(state) },
            AwarenessEntry { client: 3, clock: 4, state: None },
        ];
        assert_eq!(read(&write(&both)).unwrap(), both);
        assert_eq!(write(&[]), [0]);
    }
}
