//! The terminal while it is ours, whatever is shown on it: its window, its keys, who is in front, and what is painted.

use crate::caps::Caps;
use crate::error::TermError;
use crate::input::{Input, Key};
use crate::line::{Frame, Line};
use crate::page::{Page, Spacing};
use crate::painter::{CLEAR_BELOW, Painter};
use crate::tty::keys::Decoder;
use crate::tty::{ENTER, Taking, Tty, Typed};
use std::future::pending;
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{Instant, sleep_until};

/// How long the window must keep its size before the frame is painted anew: a terminal reflows while it is dragged, and
/// what is painted in between stays behind.
const QUIET: Duration = Duration::from_millis(400);
/// How often a prompt in the background looks whether it is in front again: a shell does not always tell.
pub(crate) const LOOK: Duration = Duration::from_millis(250);
/// Bytes read at once.
const READ: usize = 4096;
/// Reads of what was typed before; whoever types more than that is not a person, and the terminal discards the rest.
const READS: usize = 256;

pub(crate) struct Stage {
    tty: Tty,
    caps: Caps,
    page: Page,
    painter: Painter,
    decoder: Decoder,
    buffer: Vec<u8>,
    /// When the window last changed, until the frame is painted for it.
    resized: Option<Instant>,
    /// When to give up waiting for the rest of what has begun to be typed.
    torn: Option<Instant>,
    /// When to look next whether we are in front again.
    look: Option<Instant>,
    presence: Presence,
    window: Signal,
    /// SIGCONT: the shell has called us back.
    continued: Signal,
}

/// Whether the terminal is ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Presence {
    Here,
    /// The shell has it, until it calls us back.
    Away,
    /// We are done with it.
    Over,
}

/// What can happen on a terminal.
pub(crate) enum Event {
    Inputs(Vec<Input>),
    WindowChanged,
    WindowQuiet,
    PerhapsBack,
}

/// How the terminal is found when the shell may have called us back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Return {
    /// It is still another program's.
    Away,
    /// Nobody was there: the frame is where it was, and is to be painted anew.
    Unchanged,
    /// Others may have used it: there is no frame, and [`Stage::begin`] takes the terminal.
    Back,
}

impl Stage {
    /// The terminal, not yet taken.
    pub(crate) fn open(caps: Caps) -> Result<Self, TermError> {
        let tty = Tty::open()?;
        let page = page(&tty, caps);
        Ok(Self {
            tty,
            caps,
            page,
            painter: Painter::new(caps),
            decoder: Decoder::default(),
            buffer: vec![0; READ],
            resized: None,
            torn: None,
            look: None,
            presence: Presence::Here,
            window: signal(SignalKind::window_change())?,
            continued: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
        })
    }

    pub(crate) fn page(&self) -> Page {
        self.page
    }

    /// Whether the terminal is ours, as far as is known.
    pub(crate) fn is_here(&self) -> bool {
        self.presence == Presence::Here
    }

    /// Whether the window has changed and may change further.
    pub(crate) fn is_resizing(&self) -> bool {
        self.resized.is_some()
    }

    /// Looks whether the window has changed before its signal has come.
    pub(crate) fn notice_window(&mut self) {
        if self.resized.is_none() && page(&self.tty, self.caps) != self.page {
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
        let is_here = self.is_here();
        // What needs painting is waited for where there can be painting.
        let quiet = self.resized.filter(|_| is_here).map(|resized| resized + QUIET);
        let look = (!is_here).then(|| *self.look.get_or_insert_with(|| Instant::now() + LOOK));
        tokio::select! {
            biased;
            // In the background, keys are for others.
            count = self.tty.read(&mut self.buffer), if is_here => {
                let inputs = self.decoder.feed(&self.buffer[..count?]);
                self.torn = self.decoder.patience().map(|patience| Instant::now() + patience);
                Ok(Event::Inputs(inputs))
            }
            _ = self.window.recv() => {
                self.resized = Some(Instant::now());
                Ok(Event::WindowChanged)
            }
            _ = self.continued.recv() => Ok(Event::PerhapsBack),
            () = until(self.torn) => {
                self.torn = None;
                Ok(Event::Inputs(self.decoder.give_up_waiting()))
            }
            () = until(quiet) => Ok(Event::WindowQuiet),
            () = until(look) => {
                self.look = None;
                Ok(Event::PerhapsBack)
            }
        }
    }

    /// What to write before anything is painted, or nothing where nothing may be: never over another program (S6), for
    /// whoever is in front has the screen. It is empty unless the window has changed, and then the page is another.
    pub(crate) fn opening(&mut self) -> Option<String> {
        if !self.is_here() {
            return None;
        }
        if !self.tty.is_in_front() {
            self.presence = Presence::Away;
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
        let out = self.painter.print_above(printed);
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
        if self.painter.is_blank() || !self.is_here() || !self.tty.is_in_front() {
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
            let Some(count) = self.tty.read_now(&mut self.buffer)? else {
                break;
            };
            interrupted |= self.decoder.feed(&self.buffer[..count]).contains(&Input::Key(Key::Interrupt));
        }
        self.decoder.forget_typed();
        self.torn = self.decoder.patience().map(|patience| Instant::now() + patience);
        Ok(interrupted)
    }

    /// Gives the terminal to the shell, and looks how it is when we are called back.
    pub(crate) fn suspend(&mut self) -> Result<Return, TermError> {
        let erase = self.painter.erase();
        self.tty.write(&erase)?;
        self.presence = Presence::Away;
        self.tty.suspend()?;
        self.come_back()
    }

    /// Whether the terminal is ours to take again; others may have used it meanwhile.
    pub(crate) fn come_back(&mut self) -> Result<Return, TermError> {
        if !self.tty.is_in_front() {
            self.presence = Presence::Away;
            return Ok(Return::Away);
        }
        if self.is_here() && self.tty.is_ours() {
            self.resized = Some(Instant::now());
            return Ok(Return::Unchanged);
        }
        self.presence = Presence::Here;
        self.decoder = Decoder::default();
        self.torn = None;
        self.look = None;
        self.painter.forget();
        self.page = page(&self.tty, self.caps);
        self.resized = None;
        Ok(Return::Back)
    }

    /// Gives the terminal back as it was, for good.
    pub(crate) fn leave(&mut self) -> Result<(), TermError> {
        self.presence = Presence::Over;
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

pub(crate) async fn until(instant: Option<Instant>) {
    match instant {
        Some(instant) => sleep_until(instant).await,
        None => pending().await,
    }
}
