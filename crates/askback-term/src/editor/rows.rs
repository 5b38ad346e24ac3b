//! A text in rows, each cell of which knows the place it stands for: where the cursor is, and what is above and below it.

use crate::line::{Line, Role, Style};
use crate::safe::safe;
use crate::theme::Alphabet;
use crate::width::clusters;
use crate::wrap::cells_of;
use askback_core::show::{Layout, Purpose};

struct Cell {
    text: String,
    style: Style,
    width: usize,
    /// The byte of the text at which the character begins that this is, or is a part of.
    at: usize,
}

struct Row {
    cells: Vec<Cell>,
    start: usize,
    end: usize,
}

/// A text laid out in so many columns, broken after spaces where there are any.
pub(super) struct Rows(Vec<Row>);

impl Rows {
    pub(super) fn new(text: &str, columns: usize, alphabet: Alphabet) -> Self {
        let mut rows = Vec::new();
        let mut start = 0;
        for line in text.split('\n') {
            lay_out(line, start, columns, alphabet, &mut rows);
            start += line.len() + 1;
        }
        Self(rows)
    }

    /// The row and column of a place.
    pub(super) fn place(&self, at: usize) -> (usize, usize) {
        let row = self.0.iter().rposition(|row| row.start <= at).unwrap_or(0);
        let column = self.0[row].cells.iter().take_while(|cell| cell.at < at).map(|cell| cell.width).sum();
        (row, column)
    }

    /// The place in a row that stands under a column, if there is such a row.
    pub(super) fn under(&self, row: usize, column: usize) -> Option<usize> {
        let here = self.0.get(row)?;
        let mut used = 0;
        let under = here.cells.iter().find(|cell| {
            used += cell.width;
            used > column
        });
        // Where a row is broken, behind its last character is the start of the next row.
        let is_broken = self.0.get(row + 1).is_some_and(|next| next.start == here.end);
        let last = here.cells.last().filter(|_| is_broken);
        Some(under.or(last).map_or(here.end, |cell| cell.at))
    }

    pub(super) fn into_lines(self) -> Vec<Line> {
        let line = |row: Row| {
            let mut line = Line::blank();
            row.cells.into_iter().for_each(|cell| line.push(cell.text, cell.style));
            line
        };
        self.0.into_iter().map(line).collect()
    }
}

/// The rows of one line, which begins at a byte of the text. One column is kept for the cursor behind the last character.
fn lay_out(line: &str, start: usize, all: usize, alphabet: Alphabet, rows: &mut Vec<Row>) {
    let columns = all.saturating_sub(1).max(1);
    let mut row = Row { cells: Vec::new(), start, end: start };
    let (mut at, mut used) = (start, 0);
    for cluster in clusters(line) {
        for cell in cells(cluster, at, (used, columns), alphabet) {
            // A space may stand there, too: the word after it begins the next row.
            let hangs = cell.text == " " && used == columns && used < all;
            // What is taken along to the next row may fill it, too.
            while used + cell.width > columns && used > 0 && !hangs {
                let rest = unbroken(&mut row.cells);
                let next = rest.first().map_or(cell.at, |first| first.at);
                used = rest.iter().map(|cell| cell.width).sum();
                row.end = next;
                rows.push(std::mem::replace(&mut row, Row { cells: rest, start: next, end: next }));
            }
            used += cell.width;
            row.cells.push(cell);
        }
        at += cluster.len();
    }
    row.end = at;
    rows.push(row);
    // Behind a space in the last column there is no room for the cursor.
    if used > columns {
        rows.push(Row { cells: Vec::new(), start: at, end: at });
    }
}

/// Takes the word off the end of a row that is too long for it, if there is another before.
fn unbroken(row: &mut Vec<Cell>) -> Vec<Cell> {
    let space = row.iter().rposition(|cell| cell.text == " ");
    space.map_or_else(Vec::new, |space| row.split_off(space + 1))
}

fn cells(cluster: &str, at: usize, (column, columns): (usize, usize), alphabet: Alphabet) -> Vec<Cell> {
    let style = Style::from(Role::Text);
    if let [b' '..=b'~'] = cluster.as_bytes() {
        return vec![Cell { text: cluster.to_owned(), style, width: 1, at }];
    }
    let spans = safe(cluster, Layout::Block, Purpose::Prose, style, alphabet);
    let mut shown = Vec::new();
    for span in &spans {
        clusters(&span.text).for_each(|part| cells_of(part, span.style, (column, columns), &mut shown));
    }
    shown
        .into_iter()
        .map(|cell| Cell { text: cell.text.to_owned(), style: cell.style, width: cell.width, at })
        .collect()
}
