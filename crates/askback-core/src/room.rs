//! Rooms by name.

use crate::name::Name;
use crate::problem::Refusal;
use crate::rule::Rule;
use crate::show;
use std::fmt;

/// Where requests live and people watch: a project or a session.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Room(Name);

impl Room {
    /// A room by the name that an asker gave it. Names that begin with `@` are askback's own.
    pub fn parse(name: &str) -> Result<Self, Refusal> {
        Rule::Word.unless(!name.starts_with('@'), || {
            (format!("{} is a name of askback's own", show::quote(name)), "a name that does not begin with @")
        })?;
        Name::parse(name).map(Self)
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
