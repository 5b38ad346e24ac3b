//! Text laid out in rows that are never wider than they may be, and never lose a character.

use crate::line::{Line, Role, Span, Style};
use crate::width::{char_width, clusters, width};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Break {
    /// After a space if there is one, for reading.
    Words,
    /// Anywhere, for code, where every space counts.
    Anywhere,
}

/// Columns from one tab stop to the next.
const TAB: usize = 4;

/// One cluster on its way to a row.
pub(crate) struct Cell<'t> {
    pub(crate) text: &'t str,
    pub(crate) style: Style,
    pub(crate) width: usize,
}

/// Rows of at most `columns`, broken at line feeds and where they get too long.
pub(crate) fn wrap(spans: &[Span], columns: usize, breaks: Break) -> Vec<Line> {
    let columns = columns.max(1);
    if let Some(line) = fits_as_it_is(spans, columns) {
        return vec![line];
    }
    let mut lines = Vec::new();
    let mut cells: Vec<Cell<'_>> = Vec::new();
    let mut column = 0;
    for span in spans {
        for (index, part) in span.text.split('\n').enumerate() {
            if index > 0 {
                lay_out(&cells, columns, breaks, &mut lines);
                cells.clear();
                column = 0;
            }
            for cluster in clusters(part) {
                let first = cells.len();
                cells_of(cluster, span.style, (column, columns), &mut cells);
                column += cells[first..].iter().map(|cell| cell.width).sum::<usize>();
            }
        }
    }
    lay_out(&cells, columns, breaks, &mut lines);
    lines
}

/// Most text is a short stretch of ASCII, which needs no laying out; every key paints it again.
fn fits_as_it_is(spans: &[Span], columns: usize) -> Option<Line> {
    let is_plain = |span: &Span| span.text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let fits = spans.iter().map(|span| span.text.len()).sum::<usize>() <= columns;
    (fits && spans.iter().all(is_plain)).then(|| {
        let mut line = Line::blank();
        spans.iter().for_each(|span| line.push(span.text.as_str(), span.style));
        line
    })
}

/// The same with `first` before the first row and as many spaces before the others.
pub(crate) fn wrap_after(first: Line, spans: &[Span], columns: usize, breaks: Break) -> Vec<Line> {
    let indent = first.width();
    if indent >= columns {
        let mut lines = vec![first.cut(columns, "")];
        lines.extend(wrap(spans, columns, breaks));
        return lines;
    }
    let rows = wrap(spans, columns - indent, breaks);
    rows.into_iter()
        .enumerate()
        .map(|(index, row)| {
            let lead = if index == 0 { first.clone() } else { Line::of(" ".repeat(indent), Role::Plain) };
            lead.then(row)
        })
        .collect()
}

/// The cells of a cluster at a column of so many: spaces for a tab, and parts where it is wider than the row.
pub(crate) fn cells_of<'t>(
    cluster: &'t str,
    style: Style,
    (column, columns): (usize, usize),
    cells: &mut Vec<Cell<'t>>,
) {
    if cluster == "\t" {
        cells.extend((0..TAB - column % TAB).map(|_| Cell { text: " ", style, width: 1 }));
        return;
    }
    let cluster_width = width(cluster);
    if cluster_width <= columns {
        cells.push(Cell { text: cluster, style, width: cluster_width });
        return;
    }
    // Many emoji joined into one may be wider than the screen; then each stands alone, and what is wider still can
    // only be hinted at.
    for (at, c) in cluster.char_indices() {
        match char_width(c) {
            // What only shapes its neighbours has none any more.
            0 => {}
            fits if fits <= columns => {
                cells.push(Cell { text: &cluster[at..at + c.len_utf8()], style, width: fits });
            }
            _ => cells.push(Cell { text: "?", style: Role::Warning.into(), width: 1 }),
        }
    }
}

fn lay_out(cells: &[Cell<'_>], columns: usize, breaks: Break, lines: &mut Vec<Line>) {
    let mut start = 0;
    loop {
        let fits = fitting(cells, start, columns);
        let end = if fits == cells.len() || breaks == Break::Anywhere {
            fits
        } else {
            let space = (start..fits.min(cells.len() - 1) + 1).rev().find(|&at| cells[at].text == " ");
            space.map_or(fits, |at| at + 1).max(start + 1)
        };
        // The space at which a line of prose is broken is the line's end.
        let is_broken = breaks == Break::Words && (end < cells.len() || end > fits);
        let is_space = is_broken && end > start + 1 && cells[end - 1].text == " ";
        let mut line = Line::blank();
        cells[start..end - usize::from(is_space)].iter().for_each(|cell| line.push(cell.text, cell.style));
        lines.push(line);
        if end >= cells.len() {
            return;
        }
        start = end;
    }
}

/// The end of what fits in a row from `start`; at least one cell.
fn fitting(cells: &[Cell<'_>], start: usize, columns: usize) -> usize {
    let mut used = 0;
    let fits = |cell: &&Cell<'_>| {
        used += cell.width;
        used <= columns
    };
    let count = cells[start..].iter().take_while(fits).count();
    (start + count.max(1)).min(cells.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(text: &str, columns: usize, breaks: Break) -> Vec<String> {
        wrap(&[Span::new(text, Role::Plain)], columns, breaks).iter().map(Line::text).collect()
    }

    // Q3
    #[test]
    fn prose_is_broken_between_words_and_code_anywhere() {
        assert_eq!(rows("one two three", 7, Break::Words), ["one two", "three"]);
        assert_eq!(rows("one two three", 5, Break::Anywhere), ["one t", "wo th", "ree"]);
        assert_eq!(rows("abcdefgh\nx", 3, Break::Words), ["abc", "def", "gh", "x"]);
        assert_eq!(rows("日本語", 5, Break::Words), ["日本", "語"]);
        assert_eq!(rows("a\tb", 9, Break::Anywhere), ["a   b"]);
        assert_eq!(rows("日", 1, Break::Words), ["?"]);
        assert_eq!(rows("", 4, Break::Words), [""]);
        assert_eq!(rows("one ", 3, Break::Words), ["one"]);
    }

    proptest! {
        // Q3
        #[test]
        fn no_row_is_too_wide_and_nothing_is_lost(
            text in "([a-z日本語 é👩❤ \u{200d}\u{fe0f}\u{301}]|\\PC){0,60}", columns in 2usize..40, words in any::<bool>(),
        ) {
            let breaks = if words { Break::Words } else { Break::Anywhere };
            let lines = wrap(&[Span::new(text.as_str(), Role::Plain)], columns, breaks);
            for line in &lines {
                prop_assert!(line.width() <= columns, "{:?}", line.text());
            }
            let joined: String = lines.iter().map(Line::text).collect();
            let kept = |text: &str| text.chars().filter(|c| *c != ' ').collect::<String>();
            prop_assert_eq!(kept(&joined), kept(&text));
        }
    }
}
