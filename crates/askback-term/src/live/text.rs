//! Text that comes in pieces: whole lines go out to the scrollback, and only the last rows of the unfinished one are live.

use crate::line::{Line, Role, Span};
use crate::page::Page;
use crate::safe::{Tower, safe_part};
use crate::wrap::{Break, wrap};

/// Rows of the unfinished line on the screen; of a longer one all but the last row go out, so that however long a line
/// gets, laying it out takes no longer.
const ROWS: usize = 3;
/// Bytes looked at before rows are let go.
const PIECE: usize = 64 * 1024;
/// Lines of others that wait for the end of the unfinished one; past that it gives way.
const HELD: usize = 256;
/// Spaces remembered behind the last letter; more than any window is wide.
const SPACES: usize = 1_024;

#[derive(Debug, Default)]
pub(crate) struct LiveText {
    /// What was received and not looked at yet.
    pub(super) raw: String,
    /// What is live of the unfinished line, without the spaces at its end: nobody sees them until something follows.
    line: Line,
    spaces: String,
    tower: Tower,
    /// Whether the unfinished line has rows in the scrollback, so that nothing else may go there.
    has_left: bool,
    /// What is to go out when the unfinished line is whole.
    held: Vec<Line>,
}

impl LiveText {
    pub(crate) fn push(&mut self, delta: &str) {
        self.raw.push_str(delta);
    }

    /// Looks at what was received. What will not change any more goes out; the rest fits into the rows there are.
    pub(crate) fn take_in(&mut self, page: &Page, out: &mut impl FnMut(Line)) {
        let raw = std::mem::take(&mut self.raw);
        // What a carriage return is shows what comes next.
        let known = raw.strip_suffix('\r').unwrap_or(&raw);
        let mut rest = known;
        while !rest.is_empty() {
            let (piece, more) = rest.split_at(piece_length(rest));
            self.take_piece(piece, page, out);
            rest = more;
        }
        self.let_go(page, out);
        self.raw = raw[known.len()..].to_owned();
    }

    /// The text is whole: all of it goes out.
    pub(crate) fn finish(&mut self, page: &Page, out: &mut impl FnMut(Line)) {
        self.take_in(page, out);
        let rest = std::mem::take(&mut self.raw);
        self.add(&rest, page);
        if !self.line.spans.is_empty() {
            self.end_line(out);
        }
        self.spaces.clear();
        self.tower = Tower::default();
    }

    /// Lets lines of others go out, but not between the rows of one line.
    pub(crate) fn print(&mut self, lines: Vec<Line>, out: &mut impl FnMut(Line)) {
        self.held.extend(lines);
        if !self.has_left || self.held.len() > HELD {
            self.held.drain(..).for_each(out);
        }
    }

    pub(crate) fn view(&self, page: &Page) -> Vec<Line> {
        if self.line.spans.is_empty() {
            return Vec::new();
        }
        wrap(&self.line.spans, page.width(), Break::Words)
    }

    /// Takes in at most one line, or a part of one.
    fn take_piece(&mut self, piece: &str, page: &Page, out: &mut impl FnMut(Line)) {
        match piece.strip_suffix('\n') {
            Some(text) => {
                self.add(text.strip_suffix('\r').unwrap_or(text), page);
                self.end_line(out);
            }
            None => {
                self.add(piece, page);
                self.let_go(page, out);
            }
        }
    }

    fn add(&mut self, text: &str, page: &Page) {
        for Span { text, style } in safe_part(text, Role::Plain, page.alphabet, &mut self.tower) {
            let kept = text.trim_end_matches([' ', '\t']).len();
            if kept > 0 {
                self.line.push(std::mem::take(&mut self.spaces), Role::Plain);
                self.line.push(&text[..kept], style);
            }
            self.spaces.push_str(&text[kept..]);
            self.spaces.truncate(SPACES);
        }
    }

    fn end_line(&mut self, out: &mut impl FnMut(Line)) {
        out(std::mem::take(&mut self.line));
        self.spaces.clear();
        self.tower = Tower::default();
        self.has_left = false;
        self.held.drain(..).for_each(out);
    }

    /// Lets all rows but the last go out if they are too many. What follows can only change the last one.
    fn let_go(&mut self, page: &Page, out: &mut impl FnMut(Line)) {
        let mut rows = self.view(page);
        // One row is kept for the spinner.
        if rows.len() <= ROWS.min(page.height().saturating_sub(1)).max(1) {
            return;
        }
        self.line = rows.pop().unwrap_or_default();
        self.has_left = true;
        rows.into_iter().for_each(out);
    }
}

/// How much to take in at once: up to the end of a line, and of a long one a part.
fn piece_length(text: &str) -> usize {
    if let Some(end) = text.bytes().take(PIECE).position(|byte| byte == b'\n') {
        return end + 1;
    }
    let length = (0..=PIECE.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    // A carriage return stays with what it may belong to.
    match text[length..].chars().next() {
        Some(next) if text[..length].ends_with('\r') => length + next.len_utf8(),
        _ => length,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Spacing;
    use crate::safe::safe;
    use crate::theme::Alphabet;
    use askback_core::show::{Layout, Purpose};
    use proptest::prelude::*;

    fn page(columns: usize, rows: usize) -> Page {
        Page { columns, rows, alphabet: Alphabet::Unicode, spacing: Spacing::Roomy }
    }

    /// What goes out of a text received in these deltas, looked at after each.
    fn rows(deltas: &[&str], columns: usize) -> Vec<String> {
        let (mut text, mut out) = (LiveText::default(), Vec::new());
        let page = page(columns, 24);
        for delta in deltas {
            text.push(delta);
            text.take_in(&page, &mut |line| out.push(line));
        }
        text.finish(&page, &mut |line| out.push(line));
        assert_eq!(text.view(&page), []);
        out.iter().flat_map(|line| wrap(&line.spans, page.width(), Break::Words)).map(|row| row.text()).collect()
    }

    // T3
    #[test]
    fn blank_lines_stay_and_the_last_line_end_is_no_line() {
        assert_eq!(rows(&["a\n"], 80), ["a"]);
        assert_eq!(rows(&["a\n\nb"], 80), ["a", "", "b"]);
        assert_eq!(rows(&["a", "\n", "\n", "\r", "\nb\r", "\n"], 80), ["a", "", "", "b"]);
        assert_eq!(rows(&["\na\n\n"], 80), ["", "a", ""]);
        assert_eq!(rows(&["", "  ", "\t"], 80), [""; 0]);
        assert_eq!(rows(&["a\r"], 80), ["a<U+000D>"]);
    }

    // Q3
    #[test]
    fn words_come_together_however_they_were_cut() {
        assert_eq!(rows(&["one tw", "o ", "three", " four"], 9), ["one two", "three", "four"]);
        assert_eq!(rows(&["one two", " ", "three"], 8), ["one two", "three"], "the space is where the row ends");
        assert_eq!(
            rows(&["one two three four five six seven ", "eight"], 8).concat(),
            "onetwothreefourfivesixseveneight".replace("onetwo", "one two")
        );
        assert_eq!(rows(&["  indented", " \n    more"], 80), ["  indented", "    more"]);
    }

    // S2
    #[test]
    fn what_is_cut_is_marked_as_the_whole_would_be() {
        assert_eq!(rows(&["\u{1b}", "[2J", "\u{202e}x"], 80), ["<U+001B>[2J<U+202E>x"]);
        let tower: Vec<String> = format!("a{}", "\u{301}".repeat(10)).chars().map(String::from).collect();
        let tower: Vec<&str> = tower.iter().map(String::as_str).collect();
        assert_eq!(rows(&tower, 80), [format!("a{}<U+0301><U+0301>", "\u{301}".repeat(8))]);
    }

    // S3
    #[test]
    fn a_line_without_end_takes_no_more_room() {
        let (mut text, mut out) = (LiveText::default(), 0);
        let page = page(80, 24);
        for _ in 0..1_000 {
            text.push(&"word ".repeat(100));
            text.take_in(&page, &mut |line| out += line.text().len());
            assert!(text.view(&page).len() <= ROWS && text.raw.is_empty());
        }
        assert!(out > 450_000);
        text.push(&" ".repeat(1 << 20));
        text.take_in(&page, &mut |_| ());
        assert!(text.spaces.len() <= SPACES);
    }

    // T3
    #[test]
    fn what_others_print_does_not_tear_a_line() {
        let (mut text, mut out) = (LiveText::default(), Vec::new());
        let page = page(20, 24);
        let notice = |text: &str| vec![Line::of(text, Role::Warning)];
        text.push("short");
        text.take_in(&page, &mut |line| out.push(line.text()));
        text.print(notice("above"), &mut |line| out.push(line.text()));
        text.push(&" and longer".repeat(10));
        text.take_in(&page, &mut |line| out.push(line.text()));
        text.print(notice("below"), &mut |line| out.push(line.text()));
        assert!(out.len() > 2 && !out.contains(&"below".to_owned()));
        text.push(" end\nnext");
        text.take_in(&page, &mut |line| out.push(line.text()));
        assert_eq!((out[0].as_str(), out[1].starts_with("short")), ("above", true));
        assert_eq!(out.last().map(String::as_str), Some("below"));
        assert!(out[out.len() - 2].ends_with("end"));
    }

    fn piece() -> impl Strategy<Value = String> {
        prop_oneof![
            4 => "[a-z]{1,12}",
            4 => Just(" ".to_owned()),
            1 => "[ \t]{1,6}",
            2 => Just("\n".to_owned()),
            1 => Just("\r\n".to_owned()),
            1 => Just("\r".to_owned()),
            2 => "[日本語]{1,8}",
            1 => Just("e\u{301}".to_owned()),
            1 => Just("👩\u{200d}💻".to_owned()),
            1 => Just(format!("x{}", "\u{302}".repeat(12))),
            1 => "\u{1b}\\[[0-9]{1,3}[mJH]",
            1 => Just("\u{202e}\u{9b}\0".to_owned()),
            1 => "[a-z]{80,200}",
        ]
    }

    proptest! {
        // T3, S2, Q3
        #[test]
        fn nothing_is_lost_or_shown_twice_and_no_row_is_too_wide(
            pieces in proptest::collection::vec(piece(), 0..80),
            cuts in proptest::collection::vec((1usize..20, any::<bool>(), 12usize..90, 1usize..30), 1..40),
        ) {
            let whole: String = pieces.concat();
            let chars: Vec<char> = whole.chars().collect();
            let (mut text, mut out) = (LiveText::default(), Vec::<Line>::new());
            let fits = |out: &mut Vec<Line>, line: Line| out.push(line);
            let mut at = 0;
            let mut cuts = cuts.iter().cycle();
            let seen = |text: &str| text.chars().filter(|c| !matches!(c, ' ' | '\t' | '\n')).collect::<String>();
            let shown = |lines: &[Line]| seen(&lines.iter().map(Line::text).collect::<String>());
            let safe_text = |raw: &str| -> String {
                safe(raw, Layout::Block, Purpose::Prose, Role::Plain, Alphabet::Unicode).into_iter().map(|span| span.text).collect()
            };
            while at < chars.len() {
                let Some((length, paints, columns, rows)) = cuts.next() else { break };
                let end = (at + length).min(chars.len());
                text.push(&chars[at..end].iter().collect::<String>());
                at = end;
                if *paints {
                    let page = page(*columns, *rows);
                    text.take_in(&page, &mut |line| fits(&mut out, line));
                    let view = text.view(&page);
                    prop_assert!(view.len() <= ROWS);
                    prop_assert!(view.iter().all(|row| row.width() <= page.width()));
                    let received: String = chars[..at].iter().collect();
                    let known = received.strip_suffix('\r').unwrap_or(&received);
                    prop_assert_eq!(shown(&out) + &shown(&view), seen(&safe_text(known)));
                }
            }
            text.finish(&page(40, 24), &mut |line| fits(&mut out, line));
            prop_assert_eq!(shown(&out), seen(&safe_text(&whole)));
        }

        // T3
        #[test]
        fn where_the_deltas_are_cut_changes_no_row(
            pieces in proptest::collection::vec(piece(), 0..40), length in 1usize..30, columns in 12usize..90,
        ) {
            let whole: String = pieces.concat().replace('\t', " ");
            let chars: Vec<char> = whole.chars().collect();
            let deltas: Vec<String> = chars.chunks(length).map(|chunk| chunk.iter().collect()).collect();
            let deltas: Vec<&str> = deltas.iter().map(String::as_str).collect();
            prop_assert_eq!(rows(&deltas, columns), rows(&[&whole], columns));
        }
    }
}
