//! The terminal while it is ours, whatever is shown on it: its window, its keys, who is in front, and what is painted.

use crate::caps::Caps;
use crate::error::TermError;
use crate::input::{Input, Key};
use crate::line::{Frame, Line};
use crate::page::{Page, Spacing};
use crate::painter::{CLEAR_BELOW, Painter};
use crate::tty::keys::Decoder;
use crate::tty::{ENTER, READS, Return, Taking, Tty, Typed, until};
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::Instant;

/// How long the window must keep its size before the frame is painted anew: a terminal reflows while it is dragged, and
/// what is painted in between stays behind.
const QUIET: Duration = Duration::from_millis(400);

pub(crate) struct Stage {
    tty: Tty,
    caps: Caps,
    pub(crate) page: Page,
    painter: Painter,
    decoder: Decoder,
    /// When the window last changed, until the frame is painted for it.
    resized: Option<Instant>,
    /// When to give up waiting for the rest of what has begun to be typed.
    torn: Option<Instant>,
    window: Signal,
}

pub(crate) enum Event {
    Inputs(Vec<Input>),
    WindowChanged,
    WindowQuiet,
    PerhapsBack,
}

impl Stage {
    /// The terminal, not yet taken.
    pub(crate) fn open(caps: Caps) -> Result<Self, TermError> {
        let tty = Tty::open()?;
        Ok(Self {
            page: page(&tty, caps),
            tty,
            caps,
            painter: Painter::new(caps),
            decoder: Decoder::default(),
            resized: None,
            torn: None,
            window: signal(SignalKind::window_change())?,
        })
    }

    /// Whether the terminal is ours, as far as is known.
    pub(crate) fn is_here(&self) -> bool {
        self.tty.is_here
    }

    /// Whether the window has changed and may change further.
    pub(crate) fn is_resizing(&self) -> bool {
        self.resized.is_some()
    }

    /// Looks whether the window has changed before its signal has come.
    pub(crate) fn notice_window(&mut self) {
        if self.is_here() && self.resized.is_none() && page(&self.tty, self.caps) != self.page {
            self.resized = Some(Instant::now());
        }
    }

    /// Takes the terminal and paints, in one write. The frame begins at the start of a row: where another program has left
    /// the cursor in the middle of one, spaces as wide as the window take it to the next, and elsewhere they change nothing.
    pub(crate) fn begin(&mut self, frame: &Frame, typed: Typed) -> Result<(), TermError> {
        self.tty.enter(Taking::Keys, typed)?;
        let spaces = " ".repeat(self.page.columns);
        let frame = self.painter.paint(frame);
        self.tty.write(&format!("{ENTER}{spaces}\r{CLEAR_BELOW}{frame}"))
    }

    /// The next thing that happens. Dropped in the middle, nothing is lost.
    pub(crate) async fn next(&mut self) -> Result<Event, TermError> {
        // What needs painting is waited for where there can be painting.
        let quiet = self.resized.filter(|_| self.is_here()).map(|resized| resized + QUIET);
        tokio::select! {
            biased;
            _ = self.window.recv() => {
                self.resized = Some(Instant::now());
                Ok(Event::WindowChanged)
            }
            typed = self.tty.next() => match typed? {
                Some(bytes) => {
                    let inputs = self.decoder.feed(bytes);
                    self.torn = self.decoder.patience().map(|patience| Instant::now() + patience);
                    Ok(Event::Inputs(inputs))
                }
                None => Ok(Event::PerhapsBack),
            },
            () = until(self.torn) => {
                self.torn = None;
                Ok(Event::Inputs(self.decoder.give_up_waiting()))
            }
            () = until(quiet) => Ok(Event::WindowQuiet),
        }
    }

    /// What to write before anything is painted, or `None` where nothing may be (S6). It is empty unless the window has
    /// changed, and then the page is another.
    pub(crate) fn opening(&mut self) -> Option<String> {
        if !self.tty.may_write() {
            return None;
        }
        if self.resized.take().is_none() {
            return Some(String::new());
        }
        self.page = page(&self.tty, self.caps);
        Some(self.painter.resized(self.page.columns))
    }

    /// Paints after an [`Stage::opening`]: lines that go to the scrollback, and below them the frame.
    pub(crate) fn paint(&mut self, opening: &str, lines: &[Line], frame: &Frame) -> Result<(), TermError> {
        let mut out = opening.to_owned();
        if !lines.is_empty() {
            out.push_str(&self.painter.lines_above(lines));
        }
        out.push_str(&self.painter.paint(frame));
        self.tty.write(&out)
    }

    /// Whole lines that can't act on the terminal go to the scrollback; the frame is off the screen until it is painted.
    pub(crate) fn print_above(&mut self, printed: &str) -> Result<(), TermError> {
        if !self.tty.is_in_front() {
            return Ok(());
        }
        let mut out = self.painter.erase();
        out.push_str(printed);
        self.tty.write(&out)
    }

    /// Replaces the frame by lines that stay; whether they could be shown.
    pub(crate) fn finish(&mut self, lines: &[Line]) -> Result<bool, TermError> {
        let Some(mut out) = self.opening() else {
            return Ok(false);
        };
        out.push_str(&self.painter.finish(lines));
        self.tty.write(&out)?;
        Ok(true)
    }

    /// Takes the frame off the screen, if that may be done.
    pub(crate) fn erase(&mut self) {
        if self.painter.is_blank() || !self.tty.may_write() {
            return;
        }
        // After a panic its message is on the screen, where the frame was; only what is below it is ours to clear.
        if std::thread::panicking() {
            self.painter.forget();
        }
        let erase = self.painter.erase();
        // There is nobody left to tell.
        let _ = self.tty.write(&erase);
    }

    /// Forgets what was typed until now and not taken; whether Ctrl+C was among it.
    pub(crate) fn discard_typed(&mut self) -> Result<bool, TermError> {
        let mut interrupted = false;
        for _ in 0..READS {
            let Some(bytes) = self.tty.read_now()? else {
                break;
            };
            interrupted |= self.decoder.feed(bytes).contains(&Input::Key(Key::Interrupt));
        }
        self.decoder.forget_typed();
        self.torn = self.decoder.patience().map(|patience| Instant::now() + patience);
        Ok(interrupted)
    }

    /// Gives the terminal to the shell until it calls us back; [`Stage::come_back`] then finds how it is.
    pub(crate) fn suspend(&mut self) -> Result<(), TermError> {
        let erase = self.painter.erase();
        self.tty.write(&erase)?;
        self.tty.suspend()
    }

    /// Whether the terminal is ours to take again. Unchanged, the frame is where it was, and is to be painted anew; back,
    /// there is no frame, and [`Stage::begin`] takes the terminal.
    pub(crate) fn come_back(&mut self) -> Return {
        let found = self.tty.come_back();
        match found {
            Return::Away => {}
            Return::Unchanged => self.resized = Some(Instant::now()),
            Return::Back => {
                self.decoder = Decoder::default();
                self.torn = None;
                self.painter.forget();
                self.page = page(&self.tty, self.caps);
                self.resized = None;
            }
        }
        found
    }

    /// Takes the terminal again if it is ours, with nothing on it; what was typed meanwhile was meant for others.
    pub(crate) fn take_again(&mut self) -> Result<Return, TermError> {
        let found = self.come_back();
        if found == Return::Back {
            self.begin(&Frame::default(), Typed::Discarded)?;
        }
        Ok(found)
    }

    /// Gives the terminal back as it was, for good.
    pub(crate) fn leave(&mut self) -> Result<(), TermError> {
        self.tty.leave()
    }
}

impl Drop for Stage {
    /// Dropped in the middle, nothing is left behind; the terminal itself is given back by its owner.
    fn drop(&mut self) {
        self.erase();
    }
}

fn page(tty: &Tty, caps: Caps) -> Page {
    let (columns, rows) = tty.size();
    Page { columns, rows, alphabet: caps.alphabet, spacing: Spacing::Roomy }
}
