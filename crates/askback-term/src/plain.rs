//! Plain mode: what is asked is told in lines and answered by lines, with no control sequence and nothing painted over. For
//! screen readers, for terminals that can't move their cursor, and for programs that answer.

use crate::caps::Caps;
use crate::error::TermError;
use crate::line::Line;
use crate::page::Page;
use crate::tty::{Echo, READS, Return, Taking, Tty, Typed};

mod conversation;
mod entry;
mod session;

pub(crate) use conversation::Conversation;
pub(crate) use entry::Entry;
pub(crate) use session::PlainSession;

/// Before the line that is to be typed: a program that answers waits for it.
const INVITATION: &str = "> ";

/// The terminal while lines are told on it and typed.
pub(crate) struct Console {
    tty: Tty,
    page: Page,
    /// Whether the cursor is at the start of a row.
    is_line_over: bool,
}

impl Console {
    /// The terminal, not yet taken.
    pub(crate) fn open(caps: Caps) -> Result<Self, TermError> {
        Ok(Self { tty: Tty::open()?, page: Page::endless(caps.alphabet), is_line_over: true })
    }

    /// Takes lines from now on.
    fn enter(&mut self, echo: Echo, typed: Typed) -> Result<(), TermError> {
        self.tty.enter(Taking::Lines(echo), typed)
    }

    /// Whether the terminal is ours to write on: never over another program (S6).
    fn is_here(&mut self) -> bool {
        self.tty.may_write()
    }

    /// What is typed next, or `None` when the terminal may be ours again. Dropped in the middle, nothing is lost.
    async fn next(&mut self) -> Result<Option<Entry>, TermError> {
        let Some(entry) = self.tty.next().await?.map(Entry::of) else {
            return Ok(None);
        };
        // Where it is seen, the terminal has shown a line with its end, and what ends it otherwise without one.
        if self.tty.taking == Taking::Lines(Echo::Seen) {
            self.is_line_over = matches!(entry, Entry::Line(_) | Entry::Refused(_));
        }
        Ok(Some(entry))
    }

    /// Whole lines, on rows of their own.
    fn say(&mut self, lines: &[Line]) -> Result<(), TermError> {
        self.say_and_begin(lines, "")
    }

    /// The same with the invitation to type, at once: a program that reads the lines and answers must find it there.
    fn invite(&mut self, lines: &[Line]) -> Result<(), TermError> {
        self.say_and_begin(lines, INVITATION)
    }

    fn say_and_begin(&mut self, lines: &[Line], beginning: &str) -> Result<(), TermError> {
        let mut text = String::new();
        for line in lines {
            line.spans.iter().for_each(|span| text.push_str(&span.text));
            text.push('\n');
        }
        text.push_str(beginning);
        if !self.is_line_over && !text.is_empty() {
            text.insert(0, '\n');
        }
        self.write(&text)
    }

    /// Ends the row that was begun.
    fn end_line(&mut self) -> Result<(), TermError> {
        if !self.is_line_over {
            self.tty.write("\n")?;
            self.is_line_over = true;
        }
        Ok(())
    }

    /// Text on a row that goes on.
    fn write(&mut self, text: &str) -> Result<(), TermError> {
        if let Some(last) = text.bytes().last() {
            self.is_line_over = last == b'\n';
            self.tty.write(text)?;
        }
        Ok(())
    }

    /// Forgets what was typed until now and not taken; whether Ctrl+C was among it.
    fn discard_typed(&mut self) -> Result<bool, TermError> {
        for _ in 0..READS {
            match self.tty.read_now()?.map(Entry::of) {
                Some(Entry::Interrupt) => return Ok(true),
                Some(_) => {}
                None => break,
            }
        }
        Ok(false)
    }

    /// Gives the terminal to the shell until it calls us back; [`Console::come_back`] then finds how it is.
    fn suspend(&mut self) -> Result<(), TermError> {
        self.end_line()?;
        self.tty.suspend()
    }

    /// Whether the terminal is ours to take again; others may have used it meanwhile.
    fn come_back(&mut self) -> Return {
        let found = self.tty.come_back();
        self.is_line_over |= found == Return::Back;
        found
    }

    /// Gives the terminal back as it was, for good.
    pub(crate) fn leave(&mut self) -> Result<(), TermError> {
        self.tty.leave()
    }
}

impl Drop for Console {
    /// Dropped in the middle, whoever comes next begins on a row of their own.
    fn drop(&mut self) {
        if self.is_here() {
            // There is nobody left to tell.
            let _ = self.end_line();
        }
    }
}
