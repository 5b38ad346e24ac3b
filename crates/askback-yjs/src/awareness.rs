//! Awareness: who is present in a room, each with a small state of their own.

use super::reading::{Malformed, Reader};
use super::writing::Writer;
use crate::limits::{AWARENESS_BYTES, AWARENESS_ENTRIES};
use askback_core::{Json, Limits};

/// What somebody's client says of itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) client: u64,
    /// How often it has said something.
    pub(crate) clock: u64,
    /// An object; none when it has left.
    pub(crate) state: Option<Json>,
}

/// The first entries of an update. One whose state is no object, or too large, is left out.
pub(crate) fn entries(update: &[u8]) -> Result<Vec<Entry>, Malformed> {
    // An id, a clock, and a text's length.
    const ENTRY_BYTES: usize = 3;
    let mut reader = Reader::new(update);
    let mut entries = Vec::new();
    for _ in 0..reader.count(ENTRY_BYTES)? {
        let client = reader.unsigned()?;
        let clock = reader.unsigned()?;
        let text = reader.text()?;
        if entries.len() < AWARENESS_ENTRIES
            && let Some(state) = state(text)
        {
            entries.push(Entry { client, clock, state });
        }
    }
    reader.end()?;
    Ok(entries)
}

pub(crate) fn write(entries: &[Entry]) -> Vec<u8> {
    let mut writer = Writer::default();
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

/// What a state's text says, if it may: an object, or that the client has left.
fn state(text: &str) -> Option<Option<Json>> {
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
    use super::{AWARENESS_BYTES, AWARENESS_ENTRIES, Entry, entries, write};
    use crate::room::writing::Writer;
    use askback_core::{Json, Object};

    fn written(states: &[&str]) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.unsigned(states.len() as u64);
        for (client, state) in (1..).zip(states) {
            writer.unsigned(client);
            writer.unsigned(1);
            writer.text(state);
        }
        writer.into_vec()
    }

    fn clients(states: &[&str]) -> Vec<u64> {
        entries(&written(states)).unwrap().iter().map(|entry| entry.client).collect()
    }

    // S3
    #[test]
    fn a_state_is_a_small_object_or_none() {
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
    fn all_are_checked_though_not_all_are_taken() {
        let crowd = vec!["{}"; AWARENESS_ENTRIES + 10];
        assert_eq!(clients(&crowd).len(), AWARENESS_ENTRIES);
        let mut update = written(&crowd);
        update.pop();
        assert!(entries(&update).is_err());
        assert!(entries(&[written(&crowd), vec![0]].concat()).is_err());
        assert!(entries(&[255, 255, 255, 255, 255, 255, 255, 15]).is_err());
    }

    #[test]
    fn what_is_written_can_be_read() {
        let state: Json = Object::new().put("name", "é").put("at", 1.5).into();
        let both = [Entry { client: 1, clock: 2, state: Some(state) }, Entry { client: 3, clock: 4, state: None }];
        assert_eq!(entries(&write(&both)).unwrap(), both);
        assert_eq!(write(&[]), [0]);
    }
}
