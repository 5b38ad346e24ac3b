//! What can be looked for, and the pages it comes in.

use crate::error::HubError;
use crate::limits::PAGE_ITEMS;
use crate::room::Room;
use askback_core::{Name, Refusal, RequestId, Rule, Status, show};
use jiff::Timestamp;
use std::fmt;

/// Which requests, the newest first. By default all of them, a page at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Those that have come so far.
    pub status: Option<Status>,
    /// Those of one room.
    pub room: Option<Room>,
    /// Those of one asker.
    pub asker: Option<Name>,
    /// Those whose asker has not been seen waiting since then (L9).
    pub unwaited_since: Option<Timestamp>,
    /// Where the page before this one ended.
    pub after: Option<Cursor>,
    /// How many; [`crate::limits::PAGE_ITEMS`] at most.
    pub limit: usize,
}

/// Which changes, the oldest first. By default all of them, a page at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditQuery {
    /// Those of one room.
    pub room: Option<Room>,
    /// Those that somebody made: an asker, an answerer, the hub.
    pub by: Option<Name>,
    /// Those that made a request this.
    pub status: Option<Status>,
    /// Those of one request.
    pub id: Option<RequestId>,
    /// Those at this time or later.
    pub from: Option<Timestamp>,
    /// Those before this time.
    pub until: Option<Timestamp>,
    /// Where the page before this one ended.
    pub after: Option<Cursor>,
    /// How many; [`crate::limits::PAGE_ITEMS`] at most.
    pub limit: usize,
}

impl Default for Query {
    fn default() -> Self {
        Self { status: None, room: None, asker: None, unwaited_since: None, after: None, limit: PAGE_ITEMS }
    }
}

impl Default for AuditQuery {
    fn default() -> Self {
        let (from, until, after) = (None, None, None);
        Self { room: None, by: None, status: None, id: None, from, until, after, limit: PAGE_ITEMS }
    }
}

/// A place between two items. What is in it is nobody's business but the hub's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor(pub(crate) u64);

impl Cursor {
    /// The place in the audit log after the event of this number.
    pub fn after_event(number: u64) -> Self {
        Self(number)
    }

    /// The number of the item before it.
    pub fn number(self) -> u64 {
        self.0
    }

    /// Reads a cursor that a page gave.
    pub fn parse(text: &str) -> Result<Self, HubError> {
        let digits = text.strip_prefix('c').filter(|digits| !digits.is_empty() && digits.len() <= 16);
        let written = |number: &u64| format!("c{number:x}") == text;
        digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()).filter(written).map(Self).ok_or_else(|| {
            HubError::Refused {
                what: "the cursor",
                refusal: Refusal {
                    rule: Rule::Word,
                    message: format!("{} is not one", show::quote(text)),
                    expected: "the cursor that the page before this one gave, or none for the first page".to_owned(),
                },
            }
        })
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "c{:x}", self.0)
    }
}

/// Some items, and where the next page begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    /// For the next page; none when this one is the last.
    pub next: Option<Cursor>,
}

/// How many requests are pending.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts {
    /// In all.
    pub pending: u64,
    /// Room by room, those with the most first; [`crate::limits::ROOMS_COUNTED`] rooms at most.
    pub rooms: Vec<(Room, u64)>,
}

/// A pending request by what tells whether somebody waits for it (L9), without what is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unattended {
    /// Its id.
    pub id: RequestId,
    /// Who asks.
    pub asker: Name,
    /// When its asker was last seen waiting.
    pub waited_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::Cursor;

    #[test]
    fn a_cursor_is_read_as_it_was_written_and_nothing_else_is_one() {
        for number in [0, 1, 0xabc, u64::MAX] {
            assert_eq!(Cursor::parse(&Cursor(number).to_string()).unwrap(), Cursor(number));
        }
        for text in ["", "c", "1", "c01", "c-1", "c+1", "cABC", "c10000000000000000", "cé", "c 1"] {
            let error = Cursor::parse(text).unwrap_err().to_string();
            assert!(error.starts_with("the cursor: ") && error.contains("or none for the first page"), "{error}");
        }
    }
}
