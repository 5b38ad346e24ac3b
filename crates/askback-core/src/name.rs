//! Names: of whoever asks or answers, and of rooms.

use crate::fields::{Shape, check_text};
use crate::limits::NAME_LENGTH;
use crate::problem::Refusal;
use std::fmt;
use std::sync::Arc;

/// One line of plain text that names somebody or something. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Arc<str>);

impl Name {
    /// A name as it was given: not blank, on one line, at most [`NAME_LENGTH`] characters.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        check_text(text, Shape::Line, &(1..=NAME_LENGTH))?;
        Ok(Self(text.into()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
