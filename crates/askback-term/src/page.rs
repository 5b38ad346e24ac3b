//! The room a view has, and what it is made of.

use crate::theme::{Alphabet, PLAIN, Signs};

/// Wider than this, lines are hard to read and easy to break by making the window narrower.
const WIDEST: usize = 72;

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

    /// The columns a line may take. The last one stays free: a terminal that has filled it is about to wrap.
    pub(crate) fn width(&self) -> usize {
        match self.spacing {
            Spacing::Endless => usize::MAX,
            Spacing::Roomy | Spacing::Tight => self.columns.saturating_sub(1).clamp(1, WIDEST),
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
