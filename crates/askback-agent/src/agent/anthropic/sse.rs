//! Server-sent events: bytes in, events out, however they are cut.
//!
//! Written here because what there is wraps a stream of its own; this is bounded, and has no I/O.

use crate::limits::SERVER_EVENT_BYTES;

/// Reads a body piece by piece.
#[derive(Debug, Default)]
pub(super) struct EventReader {
    line: Vec<u8>,
    data: String,
    /// A line feed that comes next belongs to the carriage return before it.
    after_return: bool,
}

/// An event that is larger than any should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong;

impl EventReader {
    /// The data of every event that these bytes complete.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<String>, TooLong> {
        let mut events = Vec::new();
        for byte in bytes {
            let is_second = std::mem::replace(&mut self.after_return, *byte == b'\r') && *byte == b'\n';
            match byte {
                _ if is_second => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                byte => self.line.push(*byte),
            }
            if self.line.len() + self.data.len() > SERVER_EVENT_BYTES {
                return Err(TooLong);
            }
        }
        Ok(events)
    }

    fn end_line(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            return (!data.is_empty()).then_some(data);
        }
        let line = String::from_utf8_lossy(&line);
        // The type stands in the data too; comments and other fields mean nothing here.
        if let Some(data) = line.strip_prefix("data:") {
            if !self.data.is_empty() {
                self.data.push('\n');
            }
            self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BODY: &str =
        "event: a\ndata: {\"x\": \"é\"}\n\n: ping\r\n\r\ndata:one\rdata: two\r\rdata: 3\r\n\r\nignored: 1\n\ndata: cut";

    // T1
    #[test]
    fn fields_comments_and_line_ends_are_told_apart() {
        let events = EventReader::default().feed(BODY.as_bytes()).unwrap();
        assert_eq!(events, ["{\"x\": \"é\"}", "one\ntwo", "3"]);
    }

    proptest! {
        // T1
        #[test]
        fn the_way_it_is_cut_changes_nothing(cuts in proptest::collection::vec(1usize..20, 1..40)) {
            let mut reader = EventReader::default();
            let (mut rest, mut events) = (BODY.as_bytes(), Vec::new());
            for cut in cuts.into_iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (now, later) = rest.split_at(cut.min(rest.len()));
                events.extend(reader.feed(now).unwrap());
                rest = later;
            }
            prop_assert_eq!(events, ["{\"x\": \"é\"}", "one\ntwo", "3"]);
        }
    }

    // S3
    #[test]
    fn an_event_without_end_is_refused() {
        let mut reader = EventReader::default();
        let piece = vec![b'x'; 1 << 20];
        assert!((0..8).any(|_| reader.feed(&piece).is_err()));
    }
}
