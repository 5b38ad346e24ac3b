//! Broken promises: what the checker finds.

use std::fmt;

/// How what was promised is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breach {
    /// It was acknowledged, and it is not there.
    Lost,
    /// It is there twice.
    Doubled,
    /// It is there, and it is not what was acknowledged.
    Wrong,
}

/// A broken promise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// How it is broken.
    pub breach: Breach,
    /// What it is about.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let breach = match self.breach {
            Breach::Lost => "lost",
            Breach::Doubled => "doubled",
            Breach::Wrong => "wrong",
        };
        write!(f, "{breach}: {}", self.what)
    }
}

impl Violation {
    pub(crate) fn lost(what: String) -> Self {
        Self { breach: Breach::Lost, what }
    }

    pub(crate) fn doubled(what: String) -> Self {
        Self { breach: Breach::Doubled, what }
    }

    pub(crate) fn wrong(what: String) -> Self {
        Self { breach: Breach::Wrong, what }
    }
}
