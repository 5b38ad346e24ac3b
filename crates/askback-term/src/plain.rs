//! Plain mode: what is asked is told in lines and answered by lines, with no control sequence and nothing painted over. For
//! screen readers, for terminals that can't move their cursor, and for programs that answer.

use crate::caps::Caps;
use crate::error::TermError;
use crate::line::Line;
use crate::page::Page;
use crate::stage::{LOOK, Return, until};
use crate::tty::{Echo, Taking, Tty, Typed};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::Instant;

mod conversation;
mod entry;
mod session;

pub(crate) use conversation::Conversation;
pub(crate) use entry::Entry;
pub(crate) use session::PlainSession;

/// Before the line that is to be typed: a program that answers waits for it.
const INVITATION: &str = "> ";
/// Bytes read at once: more than a terminal takes in a line.
const READ: usize = 1 << 16;
/// Readings of what was typed before; whoever types more than that is not a person.
const READS: usize = 256;

/// The terminal while lines are told on it and typed.
pub(crate) struct Console {
    tty: Tty,
    page: Page,
    buffer: Vec<u8>,
    is_here: bool,
    /// Whether what is typed is seen, and moves the cursor.
    echo: Echo,
    /// When to look next whether we are in front again.
    look: Option<Instant>,
    /// Whether the cursor is at the start of a row.
    is_line_over: bool,
    /// SIGCONT: the shell has called us back.
    continued: Signal,
}

/// What can happen on it.
pub(crate) enum Event {
    Entered(Entry),
    PerhapsBack,
}

impl Console {
    /// The terminal, not yet taken.
    pub(crate) fn open(caps: Caps) -> Result<Self, TermError> {
        Ok(Self {
            tty: Tty::open()?,
            page: Page::endless(caps.alphabet),
            buffer: vec![0; READ],
            is_here: true,
            echo: Echo::Seen,
            look: None,
            is_line_over: true,
            continued: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
        })
    }

    pub(crate) fn page(&self) -> Page {
        self.page
    }

    /// Takes lines from now on.
    pub(crate) fn enter(&mut self, echo: Echo, typed: Typed) -> Result<(), TermError> {
        self.tty.enter(Taking::Lines(echo), typed)?;
        self.echo = echo;
        Ok(())
    }

    /// Whether the terminal is ours to write on: never over another program (S6).
    pub(crate) fn is_here(&mut self) -> bool {
        self.is_here = self.is_here && self.tty.is_in_front();
        self.is_here
    }

    /// The next thing that happens. Dropped in the middle, nothing is lost.
    pub(crate) async fn next(&mut self) -> Result<Event, TermError> {
        let look = (!self.is_here).then(|| *self.look.get_or_insert_with(|| Instant::now() + LOOK));
        tokio::select! {
            biased;
            // In the background, lines are for others.
            count = self.tty.read(&mut self.buffer), if self.is_here => {
                let typed = Entry::of(&self.buffer[..count?]);
                // Where it is seen, the terminal has shown a line with its end, and what ends it otherwise without one.
                if self.echo == Echo::Seen {
                    self.is_line_over = matches!(typed, Entry::Line(_) | Entry::Refused(_));
                }
                Ok(Event::Entered(typed))
            }
            _ = self.continued.recv() => Ok(Event::PerhapsBack),
            () = until(look) => {
                self.look = None;
                Ok(Event::PerhapsBack)
            }
        }
    }

    /// Whole lines, on rows of their own.
    pub(crate) fn say(&mut self, lines: &[Line]) -> Result<(), TermError> {
        self.say_and_begin(lines, "")
    }

    /// The same with the beginning of the next row, at once: whoever reads the lines and answers must find it there.
    pub(crate) fn say_and_begin(&mut self, lines: &[Line], beginning: &str) -> Result<(), TermError> {
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

    /// Whether the cursor is at the start of a row.
    pub(crate) fn is_line_over(&self) -> bool {
        self.is_line_over
    }

    /// Ends the row that was begun.
    pub(crate) fn end_line(&mut self) -> Result<(), TermError> {
        if !self.is_line_over {
            self.tty.write("\n")?;
            self.is_line_over = true;
        }
        Ok(())
    }

    /// Text on a row that goes on.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), TermError> {
        if let Some(last) = text.bytes().last() {
            self.is_line_over = last == b'\n';
            self.tty.write(text)?;
        }
        Ok(())
    }

    /// Forgets what was typed until now and not taken; whether Ctrl+C was among it.
    pub(crate) fn discard_typed(&mut self) -> Result<bool, TermError> {
        for _ in 0..READS {
            match self.tty.read_now(&mut self.buffer)? {
                Some(count) if Entry::of(&self.buffer[..count]) == Entry::Interrupt => return Ok(true),
                Some(_) => {}
                None => break,
            }
        }
        Ok(false)
    }

    /// Gives the terminal to the shell, and looks how it is when we are called back.
    pub(crate) fn suspend(&mut self) -> Result<Return, TermError> {
        self.end_line()?;
        self.is_here = false;
        self.tty.suspend()?;
        self.come_back()
    }

    /// Whether the terminal is ours to take again; others may have used it meanwhile.
    pub(crate) fn come_back(&mut self) -> Result<Return, TermError> {
        if !self.tty.is_in_front() {
            self.is_here = false;
            return Ok(Return::Away);
        }
        if self.is_here && self.tty.is_ours() {
            return Ok(Return::Unchanged);
        }
        self.is_here = true;
        self.look = None;
        self.is_line_over = true;
        Ok(Return::Back)
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
