//! A terminal held for a whole conversation: text that streams in, a spinner, lines that stay, prompts and messages, one
//! after the other, without a moment in which keys would echo.

use crate::caps::Caps;
use crate::error::TermError;
use crate::input::{Input, Key};
use crate::line::{Frame, Role};
use crate::prompt::Look;
use crate::remote::connect;
use crate::session::{Ended, Session};
use crate::stage::{Event, Return, Stage, until};
use crate::tty::Typed;
use askback_core::Request;
use line_reader::{Reader, Reading};
use show::Show;
use std::time::Duration;
use tokio::time::Instant;

mod line_reader;
mod outbox;
mod pace;
mod show;
mod spinner;
mod text;

/// What the person wants while nobody asks them anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Attention {
    /// They pressed Ctrl+C: what is going on should stop.
    Interrupted,
}

/// What a person made of the invitation to type a message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Entered {
    /// A message, not blank, perhaps of many lines.
    Line(String),
    /// They have no more to say: Ctrl+D, or Ctrl+C twice.
    Closed,
}

/// What a printed line is about, which gives it its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Tone {
    /// Nothing in particular.
    #[default]
    Plain,
    /// Something to know.
    Info,
    /// Something has worked.
    Success,
    /// Something to look out for.
    Warning,
    /// Something has failed.
    Error,
    /// Something by the way.
    Muted,
}

impl From<Tone> for Role {
    fn from(tone: Tone) -> Self {
        match tone {
            Tone::Plain => Self::Plain,
            Tone::Info => Self::Info,
            Tone::Success => Self::Success,
            Tone::Warning => Self::Warning,
            Tone::Error => Self::Error,
            Tone::Muted => Self::Muted,
        }
    }
}

/// The terminal, held for a whole conversation. Dropped, it is as it was, and all text that was received is on it.
///
/// What can't be waited for never fails: the first failure of the terminal is told by the next [`Live::attend`],
/// [`Live::ask`] or [`Live::read_line`]. While another program is in front nothing is painted and up to 1 MiB is kept.
///
/// ```no_run
/// # async fn next_piece() -> Option<String> { None }
/// # async fn example() -> Result<(), askback_term::TermError> {
/// use askback_term::{Caps, Entered, Live};
///
/// let mut live = Live::open(Caps::from_environment())?;
/// while let Entered::Line(message) = live.read_line(&[]).await? {
///     live.start_spinner("Thinking");
///     loop {
///         tokio::select! {
///             _ = live.attend() => break,
///             piece = next_piece() => match piece {
///                 Some(piece) => {
///                     live.stop_spinner();
///                     live.text(&piece);
///                 }
///                 None => break,
///             },
///         }
///     }
///     live.finish_text();
/// }
/// # Ok(())
/// # }
/// ```
pub struct Live {
    stage: Stage,
    started: Instant,
    show: Show,
    /// What was typed and read together with the end of a message.
    ahead: Vec<Input>,
    failed: Option<TermError>,
}

impl Live {
    /// Takes the terminal, if a person can be asked there.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with I/O and time enabled, as `#[tokio::main]` makes one.
    pub fn open(caps: Caps) -> Result<Self, TermError> {
        let mut stage = Stage::open(caps)?;
        stage.begin(&Frame::default(), Typed::Kept)?;
        Ok(Self { stage, started: Instant::now(), show: Show::default(), ahead: Vec::new(), failed: None })
    }

    /// Appends text as it streams in; it is painted at most every 16 ms. What could act on the terminal is shown as a mark.
    pub fn text(&mut self, delta: &str) {
        self.show.text(delta);
        self.paint_if_due();
    }

    /// The text so far is whole and goes to the scrollback; the next one begins on a new line.
    pub fn finish_text(&mut self) {
        self.show.finish_text(&self.stage.page());
        self.paint_if_still();
    }

    /// Shows that something is going on, below everything else, with how many seconds it takes: `⠋ Thinking… 3s`. Dots at
    /// the end of the label are ours to add. A prompt and the reading of a message stop it.
    pub fn start_spinner(&mut self, label: &str) {
        let now = self.now();
        self.show.start_spinner(label, now);
        self.paint_if_still();
    }

    /// Takes the spinner away.
    pub fn stop_spinner(&mut self) {
        self.show.stop_spinner();
        self.paint_if_still();
    }

    /// Prints whole lines that stay, above what is live and below what was received before. Where a long line of text has
    /// begun to go to the scrollback, they follow its end.
    pub fn print(&mut self, tone: Tone, text: &str) {
        self.show.print(tone.into(), text, &self.stage.page());
        self.paint_if_still();
    }

    /// Keeps everything fresh until the person presses Ctrl+C; other keys are discarded. It may be dropped and called again
    /// at any time: race it with whatever brings the text.
    pub async fn attend(&mut self) -> Result<Attention, TermError> {
        loop {
            let ahead = std::mem::take(&mut self.ahead);
            if self.discard(&ahead)? {
                return Ok(Attention::Interrupted);
            }
            self.paint_if_due();
            self.check()?;
            // What needs painting is waited for where there can be painting.
            let can_paint = self.stage.is_here() && !self.stage.is_resizing();
            let next = self.show.next_change().filter(|_| can_paint).map(|at| self.started + at);
            let event = tokio::select! {
                biased;
                event = self.stage.next() => event?,
                () = until(next) => continue,
            };
            match event {
                Event::Inputs(inputs) if self.discard(&inputs)? => return Ok(Attention::Interrupted),
                Event::Inputs(_) | Event::WindowChanged => {}
                Event::WindowQuiet => self.paint(),
                Event::PerhapsBack => {
                    let found = self.stage.come_back()?;
                    self.come_back(found)?;
                }
            }
        }
    }

    /// Asks on this terminal. The text so far is finished, the spinner is stopped, and what was typed before is discarded;
    /// a Ctrl+C that was is heard, however: then the prompt does not appear at all. Dropped in the middle, the prompt
    /// disappears.
    pub async fn ask(&mut self, request: &Request, look: Look) -> Result<Ended, TermError> {
        self.clear_stage().await?;
        let ahead = std::mem::take(&mut self.ahead);
        let was_interrupted = ahead.contains(&Input::Key(Key::Interrupt));
        if self.stage.discard_typed()? || was_interrupted {
            return Ok(Ended::Interrupted);
        }
        self.show.touch();
        // Nobody else can reach this prompt.
        let (_, mut orders) = connect();
        let mut session = Session::new(&mut self.stage, request, look);
        let ended = session.run(&mut orders).await;
        let unshown = session.take_unshown();
        drop(session);
        if !unshown.is_empty() {
            self.show.print_lines(unshown, &self.stage.page());
        }
        ended
    }

    /// Reads a message: Enter sends it, Alt+Enter begins another line, ↑ and ↓ bring back `history`, which has the oldest
    /// first. The text so far is finished and the spinner is stopped. What was typed before counts, unless it was typed
    /// while [`Live::attend`] was waiting. Dropped in the middle, what was typed is gone.
    pub async fn read_line(&mut self, history: &[String]) -> Result<Entered, TermError> {
        self.clear_stage().await?;
        self.show.touch();
        let mut reader = Reader::new(history);
        let shown = Shown(&mut self.stage);
        let stage = &mut *shown.0;
        let mut inputs = std::mem::take(&mut self.ahead).into_iter();
        loop {
            while let Some(input) = inputs.next() {
                match reader.update(&input) {
                    Reading::Open => {}
                    Reading::Suspend => {
                        let found = stage.suspend()?;
                        take_again(stage, found)?;
                    }
                    Reading::Closed => {
                        stage.finish(&[])?;
                        return Ok(Entered::Closed);
                    }
                    Reading::Entered(text) => {
                        self.ahead = inputs.collect();
                        let lines = line_reader::entered(&text, &stage.page());
                        if !stage.finish(&lines)? {
                            self.show.print_lines(lines, &stage.page());
                        }
                        return Ok(Entered::Line(text));
                    }
                }
            }
            if let Some(opening) = stage.opening() {
                let frame = reader.view(&stage.page());
                stage.paint(&opening, &[], &frame)?;
            }
            loop {
                match stage.next().await? {
                    Event::Inputs(typed) => inputs = typed.into_iter(),
                    // Nothing is painted until the window keeps its size.
                    Event::WindowChanged => continue,
                    Event::WindowQuiet => {}
                    Event::PerhapsBack => {
                        let found = stage.come_back()?;
                        take_again(stage, found)?;
                    }
                }
                break;
            }
        }
    }

    /// Gives the terminal back, as dropping does.
    pub fn close(self) {}

    /// Lets go of keys that were not meant for anything; whether Ctrl+C was among them.
    fn discard(&mut self, inputs: &[Input]) -> Result<bool, TermError> {
        for input in inputs {
            match input {
                Input::Key(Key::Interrupt) => return Ok(true),
                Input::Key(Key::Suspend) => {
                    let found = self.stage.suspend()?;
                    self.come_back(found)?;
                }
                _ => {}
            }
        }
        Ok(false)
    }

    fn come_back(&mut self, found: Return) -> Result<(), TermError> {
        take_again(&mut self.stage, found)?;
        if found != Return::Away {
            self.paint();
        }
        Ok(())
    }

    /// Finishes what is live and waits until we are in front, so that something else can be shown.
    async fn clear_stage(&mut self) -> Result<(), TermError> {
        self.show.finish_text(&self.stage.page());
        self.show.stop_spinner();
        loop {
            self.paint();
            self.check()?;
            if self.stage.is_here() {
                return Ok(());
            }
            if matches!(self.stage.next().await?, Event::PerhapsBack) {
                let found = self.stage.come_back()?;
                take_again(&mut self.stage, found)?;
            }
        }
    }

    fn paint_if_due(&mut self) {
        if self.show.is_due(self.now()) {
            self.paint_if_still();
        }
    }

    /// Paints, but not while the window moves.
    fn paint_if_still(&mut self) {
        if self.stage.is_here() {
            self.stage.notice_window();
        }
        if self.stage.is_here() && !self.stage.is_resizing() {
            self.paint();
        } else if self.show.has_much() {
            self.show.take_in(&self.stage.page());
        }
    }

    fn paint(&mut self) {
        let opening = if self.failed.is_none() { self.stage.opening() } else { None };
        let Some(opening) = opening else {
            if self.show.has_much() {
                self.show.take_in(&self.stage.page());
            }
            return;
        };
        let now = self.now();
        let (lines, frame) = self.show.paint(&self.stage.page(), now);
        self.failed = self.stage.paint(&opening, &lines, &frame).err();
    }

    /// The failure that nobody has been told of.
    fn check(&mut self) -> Result<(), TermError> {
        self.failed.take().map_or(Ok(()), Err)
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }
}

impl Drop for Live {
    /// All text that was received stays, and nothing else.
    fn drop(&mut self) {
        // After a panic its message is on the screen, where the frame was.
        if !std::thread::panicking() {
            self.show.finish_text(&self.stage.page());
            self.show.stop_spinner();
            self.paint();
        }
    }
}

/// What a message is typed on, which disappears when nobody waits for the message any more.
struct Shown<'s>(&'s mut Stage);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        self.0.erase();
    }
}

/// Takes the terminal as it was found; what was typed meanwhile was meant for others.
fn take_again(stage: &mut Stage, found: Return) -> Result<(), TermError> {
    match found {
        Return::Away | Return::Unchanged => Ok(()),
        Return::Back => stage.begin(&Frame::default(), Typed::Discarded),
    }
}
