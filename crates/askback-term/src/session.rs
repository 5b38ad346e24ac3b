//! One prompt from its first painting to its last line: keys, the clock, the window and the outside world in one loop.

use crate::caps::{Caps, Cursor};
use crate::error::TermError;
use crate::form::{Form, Verdict};
use crate::input::Input;
use crate::line::{Line, Role};
use crate::page::{Page, Spacing};
use crate::painter::{CLEAR_BELOW, Painter};
use crate::prompt::Look;
use crate::remote::{Hearing, Order, Orders};
use crate::safe::safe;
use crate::summary;
use crate::theme::Alphabet;
use crate::tty::keys::Decoder;
use crate::tty::{ENTER, Tty};
use askback_core::show::{Layout, Purpose};
use askback_core::{Request, Resolution};
use std::future::pending;
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{Instant, sleep, sleep_until};

/// How long the window must keep its size before the frame is painted anew: a terminal reflows while it is dragged, and
/// what is painted in between stays behind.
const QUIET: Duration = Duration::from_millis(400);
/// How long the answer stands in the colour of success (Q8).
const TAKEN: Duration = Duration::from_millis(90);
/// How often a prompt in the background looks whether it is in front again: a shell does not always tell.
const LOOK: Duration = Duration::from_millis(250);
/// Bytes read at once.
const READ: usize = 4096;
/// Bytes printed above the prompt before it is painted again.
const PRINTED: usize = 64 * 1024;

/// How a prompt ended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Ended {
    /// The person decided, or time ran out.
    Resolved(Resolution),
    /// It was taken away through its [`crate::Remote`].
    Withdrawn,
}

pub(crate) struct Session<'r> {
    request: &'r Request,
    tty: Tty,
    caps: Caps,
    page: Page,
    form: Form<'r>,
    painter: Painter,
    decoder: Decoder,
    started: Instant,
    /// When the window last changed, until the frame is painted for it.
    resized: Option<Instant>,
    /// When to give up waiting for the rest of what has begun to be typed.
    torn: Option<Instant>,
    presence: Presence,
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

/// What can happen next.
enum Event {
    Bytes(usize),
    NothingFollowed,
    WindowChanged,
    WindowQuiet,
    PerhapsBack,
    ClockTicked,
    Ordered(Order),
}

impl<'r> Session<'r> {
    pub(crate) fn open(request: &'r Request, look: Look, caps: Caps) -> Result<Self, TermError> {
        if caps.cursor == Cursor::Fixed {
            return Err(TermError::Dumb);
        }
        let tty = Tty::open()?;
        let page = page(&tty, caps);
        Ok(Self {
            request,
            tty,
            caps,
            page,
            form: Form::new(request, look, page),
            painter: Painter::new(caps),
            decoder: Decoder::default(),
            started: Instant::now(),
            resized: None,
            torn: None,
            presence: Presence::Here,
        })
    }

    pub(crate) async fn run(&mut self, orders: &mut Orders) -> Result<Ended, TermError> {
        let mut window = signal(SignalKind::window_change())?;
        // SIGCONT: the shell has called us back.
        let mut continued = signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?;
        self.begin()?;
        let mut buffer = [0; READ];
        loop {
            let event = self.next(&mut buffer, &mut window, &mut continued, orders).await?;
            let verdict = match event {
                Event::Bytes(count) => {
                    let inputs = self.decoder.feed(&buffer[..count]);
                    self.torn = self.decoder.patience().map(|patience| Instant::now() + patience);
                    self.take_inputs(&inputs)?
                }
                Event::NothingFollowed => {
                    let inputs = self.decoder.give_up_waiting();
                    self.torn = None;
                    self.take_inputs(&inputs)?
                }
                Event::WindowChanged => {
                    self.resized = Some(Instant::now());
                    continue;
                }
                Event::WindowQuiet | Event::ClockTicked => Verdict::Open,
                Event::PerhapsBack => {
                    self.come_back()?;
                    Verdict::Open
                }
                Event::Ordered(Order::Withdraw(notice)) => {
                    // What was printed before is printed before it.
                    if let Some(text) = orders.next_print() {
                        self.print_above(&text, orders)?;
                    }
                    let lines = summary::withdrawn(self.request, &notice, &self.page);
                    self.finish(&lines)?;
                    return Ok(Ended::Withdrawn);
                }
                Event::Ordered(Order::Print(text)) => {
                    self.print_above(&text, orders)?;
                    Verdict::Open
                }
            };
            let verdict = match verdict {
                Verdict::Open if self.form.clock().has_expired(self.now()) => {
                    Verdict::Resolved(Resolution::from_silence(self.request))
                }
                verdict => verdict,
            };
            match verdict {
                Verdict::Open => self.paint()?,
                Verdict::Suspend => self.suspend()?,
                Verdict::Resolved(resolution) => {
                    self.end(&resolution).await?;
                    return Ok(Ended::Resolved(resolution));
                }
            }
        }
    }

    async fn next(
        &mut self,
        buffer: &mut [u8],
        window: &mut Signal,
        continued: &mut Signal,
        orders: &mut Orders,
    ) -> Result<Event, TermError> {
        let now = self.now();
        let quiet = self.resized.map(|resized| resized + QUIET);
        // While the window moves nothing is painted, so nothing that only needs painting is waited for.
        let tick = self.form.clock().next_change(now).filter(|_| self.resized.is_none()).map(|at| self.started + at);
        let is_here = self.presence == Presence::Here;
        let hearing = if is_here && self.resized.is_none() { Hearing::Everything } else { Hearing::Withdrawals };
        tokio::select! {
            biased;
            // In the background, keys are for others.
            count = self.tty.read(buffer), if is_here => Ok(Event::Bytes(count?)),
            _ = window.recv() => Ok(Event::WindowChanged),
            _ = continued.recv() => Ok(Event::PerhapsBack),
            () = until(self.torn) => Ok(Event::NothingFollowed),
            () = until(tick) => Ok(Event::ClockTicked),
            order = orders.next(hearing) => Ok(Event::Ordered(order)),
            () = until(quiet) => Ok(Event::WindowQuiet),
            () = sleep(LOOK), if !is_here => Ok(Event::PerhapsBack),
        }
    }

    fn take_inputs(&mut self, inputs: &[Input]) -> Result<Verdict, TermError> {
        for input in inputs {
            let before = self.form.place();
            match self.form.update(input, self.now()) {
                // What was typed before a question appeared was not meant for it.
                Verdict::Open if self.form.place() != before => break,
                Verdict::Open => {}
                Verdict::Suspend => self.suspend()?,
                verdict => return Ok(verdict),
            }
        }
        Ok(Verdict::Open)
    }

    /// Takes the terminal and paints, in one write. The frame begins at the start of a row: where another program has left
    /// the cursor in the middle of one, spaces as wide as the window take it to the next, and elsewhere they change nothing.
    fn begin(&mut self) -> Result<(), TermError> {
        self.tty.enter()?;
        let spaces = " ".repeat(self.page.columns);
        let frame = self.painter.paint(&self.form.view(self.now()));
        self.tty.write(&format!("{ENTER}{spaces}\r{CLEAR_BELOW}{frame}"))?;
        self.form.appear(self.now());
        Ok(())
    }

    fn paint(&mut self) -> Result<(), TermError> {
        // Never over another program (S6): whoever is in front has the screen.
        if self.presence != Presence::Here || !self.tty.is_in_front() {
            return Ok(());
        }
        let mut out = String::new();
        if self.resized.take().is_some() {
            self.page = page(&self.tty, self.caps);
            self.form.fit(self.page);
            out.push_str(&self.painter.resized(self.page.columns));
        }
        out.push_str(&self.painter.paint(&self.form.view(self.now())));
        self.tty.write(&out)
    }

    /// Prints what has arrived, as much as is there, and paints once.
    fn print_above(&mut self, text: &str, orders: &mut Orders) -> Result<(), TermError> {
        let mut printed = safe_lines(text, self.caps.alphabet);
        while printed.len() < PRINTED {
            let Some(more) = orders.next_print() else {
                break;
            };
            printed.push_str(&safe_lines(&more, self.caps.alphabet));
        }
        if !self.tty.is_in_front() {
            return Ok(());
        }
        let out = self.painter.print_above(&printed);
        self.tty.write(&out)
    }

    fn suspend(&mut self) -> Result<(), TermError> {
        let erase = self.painter.erase();
        self.tty.write(&erase)?;
        self.presence = Presence::Away;
        self.tty.suspend()?;
        self.come_back()
    }

    /// Takes the terminal again, if it is ours to take; others may have used it meanwhile.
    fn come_back(&mut self) -> Result<(), TermError> {
        if !self.tty.is_in_front() {
            self.presence = Presence::Away;
            return Ok(());
        }
        if self.presence == Presence::Here && self.tty.is_ours() {
            // Nobody was there: our frame is where it was, and is painted anew.
            self.resized = Some(Instant::now());
            return self.paint();
        }
        self.presence = Presence::Here;
        self.decoder = Decoder::default();
        self.torn = None;
        self.painter.forget();
        self.page = page(&self.tty, self.caps);
        self.form.fit(self.page);
        self.resized = None;
        self.begin()
    }

    async fn end(&mut self, resolution: &Resolution) -> Result<(), TermError> {
        if resolution.answers().is_some() && !self.form.clock().has_expired(self.now()) {
            self.form.take();
            self.paint()?;
            sleep(TAKEN).await;
        }
        let lines = summary::of(self.request, resolution, &self.page);
        self.finish(&lines)
    }

    fn finish(&mut self, lines: &[Line]) -> Result<(), TermError> {
        self.presence = Presence::Over;
        if self.tty.is_in_front() {
            let mut out = String::new();
            if self.resized.take().is_some() {
                self.page = page(&self.tty, self.caps);
                out.push_str(&self.painter.resized(self.page.columns));
            }
            out.push_str(&self.painter.finish(lines));
            self.tty.write(&out)?;
        }
        self.tty.leave()
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }
}

impl Drop for Session<'_> {
    /// Dropped in the middle, the prompt leaves nothing behind.
    fn drop(&mut self) {
        if self.presence != Presence::Here || !self.tty.is_in_front() {
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
}

fn page(tty: &Tty, caps: Caps) -> Page {
    let (columns, rows) = tty.size();
    Page { columns, rows, alphabet: caps.alphabet, spacing: Spacing::Roomy }
}

/// Whole lines that can't act on the terminal.
fn safe_lines(text: &str, alphabet: Alphabet) -> String {
    let spans = safe(text, Layout::Block, Purpose::Prose, Role::Plain, alphabet);
    let mut shown: String = spans.into_iter().map(|span| span.text).collect();
    if !shown.ends_with('\n') {
        shown.push('\n');
    }
    shown.replace('\n', "\r\n")
}

async fn until(instant: Option<Instant>) {
    match instant {
        Some(instant) => sleep_until(instant).await,
        None => pending().await,
    }
}
