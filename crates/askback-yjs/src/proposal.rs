//! Proposals: what a client has set under keys of its replica's map `answers`, read out of its updates.
//!
//! An update is first walked through as a whole, so that a client hears at once when it can't be read; of what stands in
//! the map in the end only the places are kept. Then the proposals are read one at a time. A key that is set again is a
//! proposal again, and one that is set twice in an update is one, of the last value.

use super::any::{self, Budget, Unfit};
use super::keys::Keys;
use super::reading::{Malformed, Reader};
use super::standing::{self, Standing};
use super::update::kind;
use crate::limits::{PROPOSAL_DEPTH, PROPOSAL_VALUES};
use askback_core::Json;

/// What somebody wants to become of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The key it is set to, whatever that is.
    pub key: String,
    /// An object, or why there is none.
    pub body: Result<Json, NotAProposal>,
}

/// Why something under a key is no proposal, in words that say what would be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAProposal {
    /// It is something else.
    #[error("this is {0}; a proposal is one plain object, such as {{\"requestId\": \"…\", \"response\": \"…\"}}")]
    NotAnObject(&'static str),
    /// Something in it can't be written as JSON.
    #[error("JSON has no {0}; a proposal has texts, numbers, true, false, null, lists and objects")]
    NotJson(&'static str),
    /// It is larger than any answer.
    #[error("this is too large; a proposal has at most {PROPOSAL_VALUES} values on {PROPOSAL_DEPTH} levels")]
    TooLarge,
}

/// The proposals of an update, in the order in which each client wrote them.
#[derive(Debug, Default)]
pub struct Proposals<'a> {
    update: &'a [u8],
    standing: std::vec::IntoIter<Standing>,
}

/// Reads an update of a connection that has these keys.
pub(crate) fn proposals<'a>(update: &'a [u8], keys: &mut Keys) -> Result<Proposals<'a>, Malformed> {
    Ok(Proposals { update, standing: standing::standing(update, keys)?.into_iter() })
}

impl Iterator for Proposals<'_> {
    type Item = Proposal;

    fn next(&mut self) -> Option<Proposal> {
        // All of it has been read before, so nothing is passed over.
        self.standing.find_map(|standing| read(self.update, &standing))
    }
}

fn read(update: &[u8], standing: &Standing) -> Option<Proposal> {
    let (header, mut content) = standing::header(update, standing.left)?;
    let key = standing.key.text(update)?.to_owned();
    Some(Proposal { key, body: body(header.kind, &mut content).ok()? })
}

fn body(content: u8, reader: &mut Reader<'_>) -> Result<Result<Json, NotAProposal>, Malformed> {
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
    Ok(Err(NotAProposal::NotAnObject(found)))
}

fn object(reader: &mut Reader<'_>) -> Result<Result<Json, NotAProposal>, Malformed> {
    match reader.any(&mut Budget::new(PROPOSAL_VALUES, PROPOSAL_DEPTH)) {
        Ok(object) => Ok(Ok(object)),
        Err(Unfit::Malformed(malformed)) => Err(malformed),
        Err(Unfit::NotJson(what)) => Ok(Err(NotAProposal::NotJson(what))),
        Err(Unfit::OverBudget) => Ok(Err(NotAProposal::TooLarge)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Keys, NotAProposal, proposals};
    use crate::room::update::kind;

    /// What one item in the map is read as.
    fn read(kind: u8, content: &[u8]) -> String {
        let update = [&[1, 1, 5, 0, kind | 0x20, 1, 7][..], b"answers", &[1, b'k'], content, &[0]].concat();
        let mut found = proposals(&update, &mut Keys::default()).unwrap();
        let proposal = found.next().unwrap();
        assert!(proposal.key == "k" && found.next().is_none());
        proposal.body.map_or_else(|refused| refused.to_string(), |body| body.to_string())
    }

    #[test]
    fn whoever_proposes_something_else_hears_what_would_be_one() {
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
            NotAProposal::TooLarge.to_string(),
            "this is too large; a proposal has at most 10000 values on 8 levels"
        );
    }
}
