//! A sign that something is going on, and for how long.

use crate::line::{Line, Role};
use crate::page::Page;
use crate::safe::safe;
use askback_core::show::{Layout, Purpose};
use std::time::Duration;

/// From one picture to the next.
const STEP: Duration = Duration::from_millis(100);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spinner {
    label: String,
    since: Duration,
}

impl Spinner {
    /// The label is what is going on; its dots are ours to add, in the letters the terminal has.
    pub(crate) fn new(label: &str, now: Duration) -> Self {
        Self { label: label.trim_end_matches(['…', '.', ' ']).to_owned(), since: now }
    }

    pub(crate) fn view(&self, page: &Page, now: Duration) -> Line {
        let signs = page.signs();
        let sign = signs.spinner[self.picture(now) as usize % signs.spinner.len()];
        let label = safe(&self.label, Layout::Line, Purpose::Prose, Role::Text, page.alphabet);
        let seconds = match now.saturating_sub(self.since).as_secs() {
            0 => String::new(),
            seconds => format!(" {seconds}s"),
        };
        let line = Line::of(format!("{sign} "), Role::Primary).then(Line { spans: label }).with(signs.more, Role::Text);
        line.with(format!("{seconds}  ctrl+c cancels"), Role::Muted).cut(page.width(), signs.more)
    }

    /// When it looks different from how it looks now.
    pub(crate) fn next(&self, now: Duration) -> Duration {
        self.since + STEP * (self.picture(now) + 1)
    }

    fn picture(&self, now: Duration) -> u32 {
        u32::try_from(now.saturating_sub(self.since).as_millis() / STEP.as_millis()).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Spacing;
    use crate::theme::Alphabet;

    const PAGE: Page = Page { columns: 80, rows: 24, alphabet: Alphabet::Unicode, spacing: Spacing::Roomy };

    // Q8
    #[test]
    fn it_turns_and_counts_the_seconds() {
        let at = Duration::from_millis;
        let spinner = Spinner::new("Thinking…", at(50));
        assert_eq!(spinner.view(&PAGE, at(50)).text(), "⠋ Thinking…  ctrl+c cancels");
        assert_eq!(spinner.next(at(50)), at(150));
        assert_eq!(spinner.view(&PAGE, at(150)).text(), "⠙ Thinking…  ctrl+c cancels");
        assert_eq!(spinner.view(&PAGE, at(1_049)).text(), "⠏ Thinking…  ctrl+c cancels");
        assert_eq!(spinner.view(&PAGE, at(3_050)).text(), "⠋ Thinking… 3s  ctrl+c cancels");
        let plain = Page { alphabet: Alphabet::Ascii, ..PAGE };
        assert_eq!(spinner.view(&plain, at(3_150)).text(), "\\ Thinking... 3s  ctrl+c cancels");
        let narrow = Page { columns: 12, ..PAGE };
        assert_eq!(spinner.view(&narrow, at(50)).text(), "⠋ Thinking…");
    }

    // S2
    #[test]
    fn its_label_is_safe() {
        let view = Spinner::new("a\u{1b}[2J\n", Duration::ZERO).view(&PAGE, Duration::ZERO);
        assert!(view.text().starts_with("⠋ a<U+001B>[2J<U+000A>…"), "{}", view.text());
    }
}
