//! Proposals: the values that a client has set in its replica's map `answers`, read from its updates.
//!
//! An update is first checked as a whole, and only the positions of the map's values are kept. Then the proposals are read
//! one at a time. A key that is set again is another proposal, and a key that is set twice in one update is one proposal, of the
//! last value.

use crate::any::{self, ValueBudget, ValueError};
use crate::byte_reader::ByteReader;
use crate::error::DecodeError;
use crate::key_cache::KeyCache;
use crate::limits::{PROPOSAL_DEPTH, PROPOSAL_VALUES};
use crate::map_values::{self, MapValue};
use crate::update::kind;
use askback_core::Json;

/// A proposed answer or decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// Its key in the map: any text.
    pub key: String,
    /// An object, or the reason why there is none.
    pub body: Result<Json, ProposalError>,
}

/// Why the value of a key is not a proposal. The message says what would be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProposalError {
    /// The value is not an object.
    #[error("this is {0}; a proposal is one plain object, such as {{\"requestId\": \"…\", \"response\": \"…\"}}")]
    NotAnObject(&'static str),
    /// A part of it can't be expressed in JSON.
    #[error("JSON has no {0}; a proposal has texts, numbers, true, false, null, lists and objects")]
    NotJson(&'static str),
    /// It has more values or levels than the limits.
    #[error("this is too large; a proposal has at most {PROPOSAL_VALUES} values on {PROPOSAL_DEPTH} levels")]
    TooLarge,
}

/// The proposals of an update, in the order in which each client wrote them.
#[derive(Debug, Default)]
pub struct Proposals<'a> {
    update: &'a [u8],
    values: std::vec::IntoIter<MapValue>,
}

impl<'a> Proposals<'a> {
    /// Reads an update of the connection that has these keys. The keys change only if the update can be read.
    pub fn read(update: &'a [u8], keys: &mut KeyCache) -> Result<Self, DecodeError> {
        Ok(Self { update, values: map_values::map_values(update, keys)?.into_iter() })
    }
}

impl Iterator for Proposals<'_> {
    type Item = Proposal;

    fn next(&mut self) -> Option<Proposal> {
        // The whole update was checked before, so no value is left out.
        self.values.find_map(|value| read(self.update, &value))
    }
}

fn read(update: &[u8], value: &MapValue) -> Option<Proposal> {
    let (header, mut content) = map_values::header(update, value.remaining)?;
    let key = value.key.text(update)?.to_owned();
    Some(Proposal { key, body: body(header.kind, &mut content).ok()? })
}

fn body(content: u8, reader: &mut ByteReader<'_>) -> Result<Result<Json, ProposalError>, DecodeError> {
    let found = match content {
        kind::ANY if reader.unsigned()? != 1 => "several values",
        kind::ANY => match reader.clone().byte()? {
            any::OBJECT => return object(reader),
            any::ARRAY => "a list",
            any::TEXT => "a text",
            any::BYTES => "bytes",
            _ => "a single value",
        },
        kind::TYPE => "a shared type",
        kind::DOCUMENT => "a document",
        kind::BINARY => "bytes",
        kind::JSON => "JSON of an old kind",
        _ => "a piece of text",
    };
    Ok(Err(ProposalError::NotAnObject(found)))
}

fn object(reader: &mut ByteReader<'_>) -> Result<Result<Json, ProposalError>, DecodeError> {
    match reader.any(&mut ValueBudget::new(PROPOSAL_VALUES, PROPOSAL_DEPTH)) {
        Ok(object) => Ok(Ok(object)),
        Err(ValueError::Malformed(malformed)) => Err(malformed),
        Err(ValueError::NotJson(what)) => Ok(Err(ProposalError::NotJson(what))),
        Err(ValueError::OverBudget) => Ok(Err(ProposalError::TooLarge)),
    }
}

#[cfg(test)]
mod tests {
    use super::{KeyCache, ProposalError, Proposals};
    use crate::update::kind;

    /// The proposal, or the error, that one item in the map is read as.
    fn read(kind: u8, content: &[u8]) -> String {
        let update = [&[1, 1, 5, 0, kind | 0x20, 1, 7][..], b"answers", &[1, b'k'], content, &[0]].concat();
        let mut found = Proposals::read(&update, &mut KeyCache::default()).unwrap();
        let proposal = found.next().unwrap();
        assert!(proposal.key == "k" && found.next().is_none());
        proposal.body.map_or_else(|refused| refused.to_string(), |body| body.to_string())
    }

    #[test]
    fn value_that_is_no_object_is_refused_with_what_would_be_one() {
        assert_eq!(read(kind::ANY, &[1, 118, 1, 1, b'a', 127]), r#"{"a":null}"#);
        let expected = r#"; a proposal is one plain object, such as {"requestId": "…", "response": "…"}"#;
        for (kind, content, found) in [
            (kind::ANY, &[0][..], "several values"),
            (kind::ANY, &[2, 118, 0, 118, 0], "several values"),
            (kind::ANY, &[1, 117, 0], "a list"),
            (kind::ANY, &[1, 119, 0], "a text"),
            (kind::ANY, &[1, 116, 0], "bytes"),
            (kind::ANY, &[1, 125, 0], "a single value"),
            (kind::TYPE, &[1], "a shared type"),
            (kind::DOCUMENT, &[0, 118, 0], "a document"),
            (kind::BINARY, &[0], "bytes"),
            (kind::JSON, &[1, 2, b'{', b'}'], "JSON of an old kind"),
            (kind::TEXT, &[1, b'a'], "a piece of text"),
            (kind::EMBED, &[2, b'{', b'}'], "a piece of text"),
            (kind::FORMAT, &[1, b'b', 1, b'1'], "a piece of text"),
        ] {
            assert_eq!(read(kind, content), format!("this is {found}{expected}"));
        }
        let bigint = [&[1, 118, 1, 1, b'n', 122][..], &[0; 8]].concat();
        assert!(read(kind::ANY, &bigint).starts_with("JSON has no bigint; "));
        assert_eq!(
            ProposalError::TooLarge.to_string(),
            "this is too large; a proposal has at most 10000 values on 8 levels"
        );
    }
}
