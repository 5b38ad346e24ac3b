//! The room a view has, and what it is made of.

use crate::theme::{Alphabet, PLAIN, Signs};

/// Wider than this, prose is hard to read.
const MEASURE: usize = 72;

/// The size of the terminal and what it can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) alphabet: Alphabet,
    pub(crate) spacing: Spacing,
}

/// Whether there is room for blank lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spacing {
    Roomy,
    Tight,
    /// Nothing is painted: lines of any length follow each other, and the terminal wraps them.
    Endless,
}

impl Page {
    /// The page of plain mode.
    pub(crate) fn endless(alphabet: Alphabet) -> Self {
        Self { columns: usize::MAX, rows: usize::MAX, alphabet, spacing: Spacing::Endless }
    }

    /// The columns that a line of prose may take.
    pub(crate) fn width(&self) -> usize {
        match self.spacing {
            Spacing::Endless => usize::MAX,
            Spacing::Roomy | Spacing::Tight => self.full_width().min(MEASURE),
        }
    }

    /// The columns that a line of code, a diff or a command may take: all but the last, because a terminal that has filled
    /// its last column is about to wrap.
    pub(crate) fn full_width(&self) -> usize {
        match self.spacing {
            Spacing::Endless => usize::MAX,
            Spacing::Roomy | Spacing::Tight => self.columns.saturating_sub(1).max(1),
        }
    }

    /// The rows a frame may take. One stays free, so that painting never scrolls the frame's own start away.
    pub(crate) fn height(&self) -> usize {
        self.rows.saturating_sub(1).max(1)
    }

    pub(crate) fn signs(&self) -> &'static Signs {
        if self.spacing == Spacing::Endless { &PLAIN } else { self.alphabet.signs() }
    }

    pub(crate) fn is_roomy(&self) -> bool {
        self.spacing == Spacing::Roomy
    }
}
