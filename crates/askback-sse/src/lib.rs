//! A reader of server-sent events, as the HTML standard defines them: bytes in, events out.
//!
//! It does no I/O and holds at most one incomplete event, whose size has a limit. Public crates for this wrap a stream of
//! their own or have no limit.

use std::collections::VecDeque;
use thiserror::Error;

/// The byte order mark, which a stream may start with.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The last id of the stream so far; empty before the first.
    pub id: String,
    /// The type of the event; empty where the event has none.
    pub name: String,
    /// The data lines, joined by line feeds.
    pub data: String,
}

/// An event has more bytes than the limit of its reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an event has more than {limit_bytes} bytes")]
pub struct EventTooLarge {
    /// The limit of the reader.
    pub limit_bytes: usize,
}

/// Reads a stream in pieces of any size.
#[derive(Debug)]
pub struct EventReader {
    limit_bytes: usize,
    is_too_large: bool,
    events: VecDeque<Event>,
    line: Vec<u8>,
    has_line: bool,
    /// The last line ended with a carriage return: a line feed that follows belongs to it.
    is_after_return: bool,
    id: String,
    name: String,
    data: Option<String>,
}

impl EventReader {
    /// A reader for one stream, each of whose events has at most this many bytes.
    pub fn new(limit_bytes: usize) -> Self {
        Self {
            limit_bytes,
            is_too_large: false,
            events: VecDeque::new(),
            line: Vec::new(),
            has_line: false,
            is_after_return: false,
            id: String::new(),
            name: String::new(),
            data: None,
        }
    }

    /// Takes the next bytes of the stream. After an event over the limit, nothing more is read.
    pub fn feed(&mut self, mut bytes: &[u8]) {
        while let Some((first, rest)) = bytes.split_first()
            && !self.is_too_large
        {
            if std::mem::take(&mut self.is_after_return) && *first == b'\n' {
                bytes = rest;
                continue;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let (part, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
            self.is_too_large = self.incomplete_bytes() + part.len() > self.limit_bytes;
            if self.is_too_large {
                return;
            }
            self.line.extend_from_slice(part);
            bytes = rest;
            if let Some((terminator, rest)) = rest.split_first() {
                self.is_after_return = *terminator == b'\r';
                self.end_line();
                bytes = rest;
            }
        }
    }

    /// The next complete event, or `None` until more bytes complete one. Fails after the last event before one over the limit.
    pub fn next_event(&mut self) -> Result<Option<Event>, EventTooLarge> {
        match self.events.pop_front() {
            None if self.is_too_large => Err(EventTooLarge { limit_bytes: self.limit_bytes }),
            event => Ok(event),
        }
    }

    fn incomplete_bytes(&self) -> usize {
        self.line.len() + self.name.len() + self.data.as_ref().map_or(0, String::len)
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let is_first = !std::mem::replace(&mut self.has_line, true);
        let line = line.strip_prefix(BYTE_ORDER_MARK).filter(|_| is_first).unwrap_or(&line);
        let line = String::from_utf8_lossy(line);
        if line.is_empty() {
            let name = std::mem::take(&mut self.name);
            self.events.extend(self.data.take().map(|data| Event { id: self.id.clone(), name, data }));
            return;
        }
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            "event" => value.clone_into(&mut self.name),
            "id" if !value.contains('\0') => value.clone_into(&mut self.id),
            // A comment has an empty name. Reconnecting, which `retry` is for, is the caller's.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, EventReader, EventTooLarge};
    use proptest::prelude::*;

    fn event(id: &str, name: &str, data: &str) -> Event {
        Event { id: id.to_owned(), name: name.to_owned(), data: data.to_owned() }
    }

    /// The events of a stream that arrives in these pieces, and whether an event was over the limit.
    fn read<'b>(limit_bytes: usize, pieces: impl IntoIterator<Item = &'b [u8]>) -> (Vec<Event>, bool) {
        let mut reader = EventReader::new(limit_bytes);
        let mut events = Vec::new();
        for piece in pieces {
            reader.feed(piece);
            while let Ok(Some(event)) = reader.next_event() {
                events.push(event);
            }
        }
        (events, reader.next_event().is_err())
    }

    fn events(text: &str) -> Vec<Event> {
        let (events, is_too_large) = read(1_000, [text.as_bytes()]);
        assert!(!is_too_large, "{text:?}");
        events
    }

    // L3, T1
    #[test]
    fn fields_become_an_event_at_the_blank_line() {
        let read = events("id: 7\nevent: request.answered\ndata: {\"x\": \"é\"}\n\n");
        assert_eq!(read, [event("7", "request.answered", "{\"x\": \"é\"}")]);
        assert_eq!(events("data: cut off"), []);
        assert_eq!(events("data: cut off\n"), []);
        assert_eq!(events(""), []);
    }

    // L3, T1
    #[test]
    fn line_ends_with_line_feed_carriage_return_or_both() {
        for end in ["\n", "\r", "\r\n"] {
            let text = ["event: a", "data: 1", "", "data: 2", "", ""].join(end);
            assert_eq!(events(&text), [event("", "a", "1"), event("", "", "2")], "{end:?}");
        }
        assert_eq!(events("data: 1\n\r\ndata: 2\r\n\n"), [event("", "", "1"), event("", "", "2")]);
    }

    // L3, T1
    #[test]
    fn comments_unknown_fields_and_events_without_data_are_skipped() {
        for text in
            [": still here\n\n", "retry: 1000\n\n", "id: 1\nevent: a\n\n", "ignored: 1\n\n", "Data: 1\n\n", "\n\n"]
        {
            assert_eq!(events(text), [], "{text:?}");
        }
        assert_eq!(
            events("event: a\n\ndata: 1\n\n"),
            [event("", "", "1")],
            "the name of an event without data is dropped"
        );
    }

    // L3, T1
    #[test]
    fn value_loses_one_leading_space_and_data_lines_are_joined() {
        let cases = [
            ("data:1\n\n", "1"),
            ("data:  1 \n\n", " 1 "),
            ("data: a: b\n\n", "a: b"),
            ("data: 1\n: comment\ndata:2\n\n", "1\n2"),
            ("data\n\n", ""),
            ("data:\ndata:\n\n", "\n"),
        ];
        for (text, data) in cases {
            assert_eq!(events(text), [event("", "", data)], "{text:?}");
        }
    }

    // L3, T1
    #[test]
    fn id_stays_until_the_next_one_and_may_not_contain_a_null_character() {
        let read = events("id: 1\ndata: a\n\ndata: b\n\nid: 2\0\ndata: c\n\nid\ndata: d\n\n");
        assert_eq!(read, [event("1", "", "a"), event("1", "", "b"), event("1", "", "c"), event("", "", "d")]);
    }

    // L3, T1
    #[test]
    fn byte_order_mark_is_skipped_at_the_start_alone() {
        assert_eq!(events("\u{feff}data: 1\n\n"), [event("", "", "1")]);
        assert_eq!(events("\u{feff}\ndata: 1\n\n"), [event("", "", "1")]);
        assert_eq!(events("\n\u{feff}data: 1\n\n"), []);
        assert_eq!(events("data: \u{feff}1\n\n"), [event("", "", "\u{feff}1")]);
    }

    // L3, T1
    #[test]
    fn invalid_utf_8_is_replaced() {
        let (events, _) = read(100, [&b"data: \xff\xc3\n\n"[..]]);
        assert_eq!(events, [event("", "", "\u{fffd}\u{fffd}")]);
    }

    // S3
    #[test]
    fn event_at_the_limit_passes_and_one_over_it_ends_the_stream() {
        let data = "x".repeat(14);
        let stream = |data: &str| format!("data: 1\n\ndata: {data}\n\ndata: 2\n\n");
        let (events, is_too_large) = read(20, [stream(&data).as_bytes()]);
        assert_eq!((events.len(), is_too_large), (3, false));
        let (events, is_too_large) = read(19, [stream(&data).as_bytes()]);
        assert_eq!((events, is_too_large), (vec![event("", "", "1")], true));
        let mut reader = EventReader::new(19);
        reader.feed(stream(&data).as_bytes());
        assert_eq!(reader.next_event(), Ok(Some(event("", "", "1"))));
        assert_eq!(reader.next_event(), Err(EventTooLarge { limit_bytes: 19 }));
    }

    // S3
    #[test]
    fn line_or_event_without_end_is_over_the_limit() {
        for piece in ["x", ": comment", "data: x\n", "event: long"] {
            let mut reader = EventReader::new(1_000);
            assert!((0..=1_000).any(|_| {
                reader.feed(piece.as_bytes());
                reader.next_event().is_err()
            }));
        }
    }

    const STREAM: &str = "\u{feff}event: a\ndata: {\"x\": \"é\"}\n\n: ping\r\n\r\nid: 5\rdata:one\rdata: two\r\rdata: 3\r\n\r\n\
                          ignored: 1\n\ndata\n\nevent: b\ndata: cut";

    // L3, T1
    #[test]
    fn stream_cut_at_any_byte_has_the_same_events() {
        let expected =
            [event("", "a", "{\"x\": \"é\"}"), event("5", "", "one\ntwo"), event("5", "", "3"), event("5", "", "")];
        for cut in 0..=STREAM.len() {
            let (head, tail) = STREAM.as_bytes().split_at(cut);
            assert_eq!(read(100, [head, tail]), (expected.to_vec(), false), "cut at {cut}");
        }
        assert_eq!(read(100, STREAM.as_bytes().chunks(1)), (expected.to_vec(), false));
    }

    fn any_stream() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just("\n"),
            Just("\r"),
            Just("\r\n"),
            Just("data:"),
            Just("data: x"),
            Just("event: e"),
            Just("id: 1"),
            Just(": c"),
            Just("\u{feff}"),
            Just(" "),
            Just("\0"),
            Just("é"),
        ];
        let piece =
            prop_oneof![9 => piece.prop_map(|text| text.as_bytes().to_vec()), 1 => any::<u8>().prop_map(|b| vec![b])];
        prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        // L3, S3, T1
        #[test]
        fn pieces_of_any_size_change_neither_events_nor_the_limit(
            stream in any_stream(),
            limit_bytes in 1usize..60,
            sizes in prop::collection::vec(1usize..9, 1..20),
        ) {
            let mut rest = stream.as_slice();
            let mut sizes = sizes.into_iter().cycle();
            let pieces = std::iter::from_fn(|| {
                let (piece, later) = rest.split_at(sizes.next()?.min(rest.len()));
                rest = later;
                (!piece.is_empty()).then_some(piece)
            });
            prop_assert_eq!(read(limit_bytes, pieces), read(limit_bytes, [stream.as_slice()]));
        }
    }
}
