//! What frames a question (Q3): a bar along it and a rule that closes it, in the colour of what has just happened.

use super::Form;
use crate::line::{Line, Role};
use crate::page::{Page, Spacing};
use crate::prompt::Body;
use askback_core::PromptStyle;
use std::time::Duration;

/// Columns of the bar and the space after it.
const BAR: usize = 2;
/// A narrower window has no columns to spare.
const NARROW: usize = 24;
/// Columns of the rule. It fits where the frame does: one that wraps when the window gets narrower would push the first row
/// of the frame into the history of a terminal.
const RULE: usize = 20;
/// How long the frame has the colour of an error (Q8).
const FLASH: Duration = Duration::from_millis(400);

/// The frame of a question, as it is to be painted now.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    role: Role,
    bar: &'static str,
}

impl Edge {
    /// Puts the bar before each row.
    pub(super) fn along(self, body: &mut Body) {
        self.along_lines(&mut body.lines);
        body.cursor = body.cursor.map(|(row, column)| (row, column + BAR));
    }

    pub(super) fn along_lines(self, lines: &mut [Line]) {
        for line in lines {
            let rest = std::mem::take(line);
            let gap = if rest.spans.is_empty() { "" } else { " " };
            *line = Line::of(format!("{}{gap}", self.bar), self.role).then(rest);
        }
    }

    /// The rule below the last row.
    pub(super) fn rule(self, page: &Page) -> Line {
        let signs = page.signs();
        Line::of(format!("{}{}", signs.close, signs.rule.repeat(RULE - 1)), self.role)
    }
}

impl Form<'_> {
    /// The frame of the question, unless it stands in a stream of text or in a narrow window.
    pub(super) fn edge(&self, now: Duration) -> Option<Edge> {
        self.is_framed().then(|| Edge { role: self.edge_role(now), bar: self.page.signs().bar })
    }

    /// The colour of the frame and of the header's edges.
    pub(super) fn edge_role(&self, now: Duration) -> Role {
        match self.flash_until {
            _ if self.is_taken => Role::Success,
            Some(end) if now < end => Role::Error,
            _ => Role::Primary,
        }
    }

    pub(super) fn is_framed(&self) -> bool {
        self.look == PromptStyle::Question && self.page.columns >= NARROW && self.page.spacing != Spacing::Endless
    }

    /// The page inside the frame.
    pub(super) fn inside(&self, page: &Page) -> Page {
        let bar = if self.is_framed() { BAR } else { 0 };
        Page { columns: page.columns - bar, ..*page }
    }

    /// A rule was broken: the frame has the colour of an error for a moment.
    pub(super) fn flash_for_error(&mut self, now: Duration) {
        let is_error = self.note.as_ref().is_some_and(|note| note.role == Role::Error);
        self.flash_until = is_error.then_some(now + FLASH);
    }

    /// When something on the screen changes by itself next.
    pub(crate) fn next_change(&self, now: Duration) -> Option<Duration> {
        let flash = self.flash_until.filter(|end| *end > now);
        [self.clock.next_change(now), flash].into_iter().flatten().min()
    }
}
