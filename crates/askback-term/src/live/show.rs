//! What a conversation shows while nobody is asked: text that grows, a spinner, and lines that stay. Pure: pieces and
//! moments go in, lines for the scrollback and a frame come out.

use super::outbox::Outbox;
use super::pace::Pace;
use super::spinner::Spinner;
use super::text::LiveText;
use crate::line::{Frame, Line, Role};
use crate::page::Page;
use crate::safe::safe;
use crate::wrap::{Break, wrap, wrap_after};
use askback_core::show::{Layout, Purpose};
use std::time::Duration;

/// Bytes of text that are not left to wait.
const MUCH: usize = 256 * 1024;

#[derive(Debug, Default)]
pub(crate) struct Show {
    text: LiveText,
    outbox: Outbox,
    spinner: Option<Spinner>,
    /// When the spinner looks different from how it was painted.
    turn: Option<Duration>,
    pace: Pace,
}

impl Show {
    pub(crate) fn text(&mut self, delta: &str) {
        self.text.push(delta);
        self.pace.arrived();
    }

    pub(crate) fn finish_text(&mut self, page: &Page) {
        self.text.finish(page, &mut |line| self.outbox.push(line));
        self.pace.arrived();
    }

    /// Whole lines; what was received before them goes before them.
    pub(crate) fn print(&mut self, role: Role, text: &str, page: &Page) {
        self.print_after(role, "", text, page);
    }

    /// Whole lines beside a sign.
    pub(crate) fn print_after(&mut self, role: Role, sign: &str, text: &str, page: &Page) {
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        let spans = safe(text, Layout::Block, Purpose::Prose, role, page.alphabet);
        let lines = match sign {
            "" => wrap(&spans, page.width(), Break::Words),
            sign => wrap_after(Line::of(sign, role), &spans, page.width(), Break::Words),
        };
        self.print_lines(lines, page);
    }

    pub(crate) fn print_lines(&mut self, lines: Vec<Line>, page: &Page) {
        self.take_in(page);
        self.text.print(lines, &mut |line| self.outbox.push(line));
        self.pace.arrived();
    }

    /// A line that is not to be broken; the text before it is.
    pub(crate) fn print_whole(&mut self, role: Role, text: &str, page: &Page) {
        self.finish_text(page);
        let spans = safe(text, Layout::Line, Purpose::Prose, role, page.alphabet);
        self.outbox.push_whole(Line { spans });
        self.pace.arrived();
    }

    pub(crate) fn start_spinner(&mut self, label: &str, now: Duration) {
        self.spinner = Some(Spinner::new(label, now));
        self.pace.arrived();
    }

    pub(crate) fn stop_spinner(&mut self) {
        self.spinner = None;
        self.turn = None;
        self.pace.arrived();
    }

    /// Something else was on the screen: all is to be painted anew.
    pub(crate) fn touch(&mut self) {
        self.pace.arrived();
    }

    /// Looks at the text that was received: what can't be painted now must not pile up unseen.
    pub(crate) fn take_in(&mut self, page: &Page) {
        self.text.take_in(page, &mut |line| self.outbox.push(line));
    }

    /// The same if more text waits than should.
    pub(crate) fn take_in_much(&mut self, page: &Page) {
        if self.has_much() {
            self.take_in(page);
        }
    }

    fn has_much(&self) -> bool {
        self.text.raw.len() > MUCH
    }

    pub(crate) fn is_due(&self, now: Duration) -> bool {
        self.pace.is_due(now) || self.turn.is_some_and(|turn| turn <= now) || self.has_much()
    }

    /// When to paint next, if nothing happens; a moment that has passed is now.
    pub(crate) fn next_change(&self) -> Option<Duration> {
        [self.pace.next(), self.turn].into_iter().flatten().min()
    }

    /// The lines that go to the scrollback now, and what is shown below them.
    pub(crate) fn paint(&mut self, page: &Page, now: Duration) -> (Vec<Line>, Frame) {
        self.take_in(page);
        self.pace.painted(now);
        self.turn = self.spinner.as_ref().map(|spinner| spinner.next(now));
        let mut lines = self.text.view(page);
        // A spinner is not worth a row of text.
        if let Some(spinner) = self.spinner.as_ref().filter(|_| lines.len() < page.height()) {
            lines.push(spinner.view(page, now));
        }
        (self.outbox.take(page), Frame { lines, ..Frame::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Spacing;
    use crate::theme::Alphabet;

    const PAGE: Page = Page { columns: 80, rows: 24, alphabet: Alphabet::Unicode, spacing: Spacing::Roomy };

    fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn texts(lines: &[Line]) -> Vec<String> {
        lines.iter().map(Line::text).collect()
    }

    // T3
    #[test]
    fn whole_lines_go_out_and_the_rest_is_live_above_the_spinner() {
        let mut show = Show::default();
        show.start_spinner("Thinking", at(0));
        show.text("one\ntw");
        let (out, frame) = show.paint(&PAGE, at(0));
        assert_eq!(texts(&out), ["one"]);
        assert_eq!(texts(&frame.lines), ["tw", "⠋ Thinking…  ctrl+c cancels"]);
        show.stop_spinner();
        show.print(Role::Info, "a note\non two lines\n", &PAGE);
        show.text("o\n");
        show.print(Role::Info, "another", &PAGE);
        let (out, frame) = show.paint(&PAGE, at(20));
        assert_eq!(texts(&out), ["a note", "on two lines", "two", "another"]);
        assert_eq!((frame.lines.len(), frame.cursor), (0, None));
    }

    // Q3
    #[test]
    fn a_link_is_one_line_however_narrow_the_window_is() {
        let mut show = Show::default();
        let link = format!("http://127.0.0.1:4770/{}", "x".repeat(100));
        show.text("before");
        show.print_whole(Role::Info, &link, &PAGE);
        show.print(Role::Info, &link, &PAGE);
        let (out, frame) = show.paint(&PAGE, at(0));
        assert_eq!(texts(&out)[..2], ["before".to_owned(), link]);
        assert_eq!((out.len(), frame.lines.len()), (4, 0), "any other line is broken");
        show.print_whole(Role::Info, "one\x1b[2J\ntwo", &PAGE);
        assert_eq!(texts(&show.paint(&PAGE, at(20)).0), ["one<U+001B>[2J<U+000A>two"]);
    }

    // Q8
    #[test]
    fn it_is_painted_when_there_is_something_new() {
        let mut show = Show::default();
        assert_eq!((show.is_due(at(5)), show.next_change()), (false, None));
        show.text("a");
        assert!(show.is_due(at(5)));
        show.paint(&PAGE, at(5));
        show.text("b");
        assert_eq!((show.is_due(at(20)), show.next_change()), (false, Some(at(21))));
        show.text(&"x".repeat(MUCH));
        assert!(show.is_due(at(20)), "so much does not wait");
        show.start_spinner("Thinking", at(20));
        show.paint(&PAGE, at(21));
        assert_eq!((show.is_due(at(119)), show.next_change()), (false, Some(at(120))));
    }

    // S3
    #[test]
    fn what_nobody_can_see_does_not_pile_up() {
        let mut show = Show::default();
        for _ in 0..64 {
            show.text(&"a line of text that nobody sees just now\n".repeat(2_000));
            show.take_in_much(&PAGE);
        }
        show.text("the end");
        let (out, frame) = show.paint(&PAGE, at(0));
        assert!(out[0].text().ends_with("bytes were not shown"), "{}", out[0].text());
        assert!(out.len() < 40_000);
        assert_eq!(texts(&frame.lines), ["the end"]);
    }

    // Q3
    #[test]
    fn what_is_printed_after_a_sign_keeps_its_indent() {
        let mut show = Show::default();
        show.print_after(Role::Plain, "• ", "one two three\nfour", &Page { columns: 11, ..PAGE });
        let (out, _) = show.paint(&PAGE, at(0));
        assert_eq!(texts(&out), ["• one two", "  three", "  four"]);
    }

    // Q3
    #[test]
    fn a_low_window_shows_the_text() {
        let mut show = Show::default();
        show.start_spinner("Thinking", at(0));
        show.text("text");
        let (_, frame) = show.paint(&Page { rows: 2, ..PAGE }, at(0));
        assert_eq!(texts(&frame.lines), ["text"]);
    }
}
