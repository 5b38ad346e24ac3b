//! Frames become bytes: only what changed, by relative moves, so that the terminal is never asked anything.
//!
//! Between two paintings the cursor rests where the person types, or on the frame's first cell. There it stays with the
//! frame when the window changes: whatever the terminal does with the rows below, what is above is not ours.

use crate::caps::{Caps, Resizing};
use crate::line::{Frame, Light, Line, Role};
use crate::theme::Sequences;

const BEGIN: &str = "\x1b[?2026h";
const END: &str = "\x1b[?2026l";
const HIDE_CURSOR: &str = "\x1b[?25l";
const SHOW_CURSOR: &str = "\x1b[?25h";
/// Clears the row of the cursor, which is at its start, and all below. Not in one go: tmux takes that, at the top of the window,
/// for clearing the screen, and keeps in its history what was there.
pub(crate) const CLEAR_BELOW: &str = "\x1b[K\x1b[C\x1b[J\r";
const CLEAR_ROW: &str = "\x1b[2K";

/// Bytes of the sequences around a stretch of text, at most as a rule: every key makes all rows anew.
const SEQUENCES: usize = 32;

/// A row as it stands on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Painted {
    pub(crate) bytes: String,
    width: usize,
}

/// What is on the screen, and how to change it.
#[derive(Debug)]
pub(crate) struct Painter {
    caps: Caps,
    sequences: Sequences,
    painted: Vec<Painted>,
    /// The row and column of the frame at which the cursor rests.
    at: (usize, usize),
}

impl Painter {
    pub(crate) fn new(caps: Caps) -> Self {
        Self { caps, sequences: Sequences::new(caps.colours, caps.background), painted: Vec::new(), at: (0, 0) }
    }

    /// What to write to make the screen show a frame.
    pub(crate) fn paint(&mut self, frame: &Frame) -> String {
        let rows: Vec<Painted> = frame.lines.iter().map(|line| self.row(line, frame.light)).collect();
        let mut out = format!("{BEGIN}{HIDE_CURSOR}");
        let (mut here, known) = (self.at.0, self.painted.len());
        for (index, row) in rows.iter().enumerate() {
            if self.painted.get(index) == Some(row) {
                continue;
            }
            if index < known {
                move_rows(&mut out, here, index);
                out.push_str(CLEAR_ROW);
            } else if index > 0 {
                // Beyond the last row there may be the edge of the screen, which only a line feed can push on.
                move_rows(&mut out, here, index - 1);
                out.push_str("\r\n");
            }
            out.push_str(&row.bytes);
            here = index;
        }
        if rows.len() < known {
            move_rows(&mut out, here, rows.len());
            out.push_str(CLEAR_BELOW);
            here = rows.len();
        }
        self.at = frame.cursor.unwrap_or((0, 0));
        move_rows(&mut out, here, self.at.0);
        if let Some((row, column)) = frame.cursor
            && let Some(line) = frame.lines.get(row)
        {
            // Terminals disagree about widths; written anew up to the cursor, the row ends where this one thinks.
            out.push_str(&self.row(&line.clone().cut(column, ""), frame.light).bytes);
            out.push_str(SHOW_CURSOR);
        }
        self.painted = rows;
        out.push_str(END);
        out
    }

    /// The window has other columns now: what to write before painting anew, which starts from nothing.
    pub(crate) fn resized(&mut self, columns: usize) -> String {
        self.at.0 = self.rows_above(columns);
        self.erase()
    }

    /// How many rows of the screen are between the frame's first and the cursor, in a window of so many columns.
    fn rows_above(&self, columns: usize) -> usize {
        let (row, column) = self.at;
        if self.caps.resizing == Resizing::Cuts || columns == 0 {
            return row;
        }
        let rows = self.painted.iter().take(row).map(|painted| painted.width.div_ceil(columns).max(1));
        rows.sum::<usize>() + column.saturating_sub(1) / columns
    }

    /// Takes the frame off the screen; the cursor is where it began.
    pub(crate) fn erase(&mut self) -> String {
        let mut out = String::new();
        move_rows(&mut out, self.at.0, 0);
        out.push_str(CLEAR_BELOW);
        self.forget();
        out
    }

    /// Replaces the frame by lines that stay, and gives the cursor back.
    pub(crate) fn finish(&mut self, lines: &[Line]) -> String {
        format!("{BEGIN}{}{}{SHOW_CURSOR}{END}", self.erase(), self.rows(lines))
    }

    /// Lets lines go to the scrollback above the frame, which the next painting puts below them in the same moment.
    pub(crate) fn lines_above(&mut self, lines: &[Line]) -> String {
        format!("{BEGIN}{HIDE_CURSOR}{}{}", self.erase(), self.rows(lines))
    }

    fn rows(&self, lines: &[Line]) -> String {
        lines.iter().map(|line| self.row(line, Light::Full).bytes + "\r\n").collect()
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.painted.is_empty()
    }

    /// Somebody else may have painted: the next frame begins where the cursor is.
    pub(crate) fn forget(&mut self) {
        self.painted.clear();
        self.at = (0, 0);
    }

    pub(crate) fn row(&self, line: &Line, light: Light) -> Painted {
        let length = line.spans.iter().map(|span| span.text.len() + SEQUENCES).sum();
        let mut bytes = String::with_capacity(length);
        for span in &line.spans {
            let style = self.sequences.of(span.style);
            let dim = if light == Light::Dimmed && span.style.role != Role::Warning { "\x1b[2m" } else { "" };
            bytes.push_str(style);
            bytes.push_str(dim);
            bytes.push_str(&span.text);
            if !style.is_empty() || !dim.is_empty() {
                bytes.push_str("\x1b[0m");
            }
        }
        Painted { bytes, width: line.width() }
    }
}

/// From one row of the frame to the start of another.
fn move_rows(out: &mut String, from: usize, to: usize) {
    out.push('\r');
    match from.abs_diff(to) {
        0 => {}
        rows if from > to => out.push_str(&format!("\x1b[{rows}A")),
        rows => out.push_str(&format!("\x1b[{rows}B")),
    }
}
