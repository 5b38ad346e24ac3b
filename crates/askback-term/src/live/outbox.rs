//! Lines on their way to the scrollback, kept while another program is in front; there is an end to what is kept.

use crate::line::{Line, Role};
use crate::page::Page;
use crate::wrap::{Break, wrap};
use std::collections::VecDeque;

/// Bytes kept at most (S3); of more, the newest.
const MOST: usize = 1 << 20;

#[derive(Debug, Default)]
pub(crate) struct Outbox {
    /// Each with how it is broken where it is too long for the page; one that is not is left to the terminal to wrap.
    lines: VecDeque<(Line, Option<Break>)>,
    bytes: usize,
    /// Bytes that had to make room for newer ones.
    lost: usize,
}

impl Outbox {
    pub(crate) fn push(&mut self, line: Line) {
        self.keep(line, Some(Break::Words));
    }

    /// The same for one that is not to be broken.
    pub(crate) fn push_whole(&mut self, line: Line) {
        self.keep(line, None);
    }

    fn keep(&mut self, line: Line, breaks: Option<Break>) {
        self.bytes += size(&line);
        self.lines.push_back((line, breaks));
        while self.bytes > MOST {
            let Some((oldest, _)) = self.lines.pop_front() else {
                return;
            };
            self.bytes -= size(&oldest);
            self.lost += size(&oldest);
        }
    }

    /// Everything, laid out for a page.
    pub(crate) fn take(&mut self, page: &Page) -> Vec<Line> {
        let lost = std::mem::take(&mut self.lost);
        self.bytes = 0;
        let said = (lost > 0).then(|| Line::of(format!("{lost} bytes were not shown"), Role::Warning));
        let lines = said.map(|line| (line, Some(Break::Words))).into_iter().chain(self.lines.drain(..));
        let rows = lines.flat_map(|(line, breaks)| match breaks {
            Some(breaks) => wrap(&line.spans, page.width(), breaks),
            None => vec![line],
        });
        rows.collect()
    }
}

/// What a line takes, its end included.
fn size(line: &Line) -> usize {
    line.spans.iter().map(|span| span.text.len()).sum::<usize>() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Spacing;
    use crate::theme::Alphabet;

    const PAGE: Page = Page { columns: 80, rows: 24, alphabet: Alphabet::Unicode, spacing: Spacing::Roomy };

    // S3
    #[test]
    fn the_newest_is_kept_and_the_rest_is_counted() {
        let mut outbox = Outbox::default();
        let lines = 3 * MOST / 64;
        (0..lines).for_each(|number| outbox.push(Line::of(format!("{number:063}"), Role::Plain)));
        let rows = outbox.take(&PAGE);
        assert_eq!(rows[0].text(), format!("{} bytes were not shown", 2 * MOST));
        assert_eq!(rows[1].text(), format!("{:063}", lines - MOST / 64));
        assert_eq!(rows.last().map(Line::text), Some(format!("{:063}", lines - 1)));
        assert_eq!(rows.len(), 1 + MOST / 64);
        assert_eq!(outbox.take(&PAGE), []);
    }
}
