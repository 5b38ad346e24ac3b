//! A terminal held for a whole conversation: text that streams in, a spinner, lines that stay, prompts and messages, one
//! after the other, without a moment in which keys would echo.

use crate::browser::{Browsed, Browser};
use crate::caps::{Caps, Manner};
use crate::error::TermError;
use crate::line::Role;
use crate::plain::Conversation;
use crate::remote::Reach;
use askback_core::{PromptEnd, PromptStyle, Request};
use painted::Painted;
use show::Show;

mod line_reader;
mod outbox;
mod pace;
mod painted;
mod show;
mod spinner;
mod text;

pub(crate) use outbox::Outbox;

/// What a person made of the invitation to type a message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Entered {
    /// A message, not blank, perhaps of many lines.
    Line(String),
    /// They have no more to say: Ctrl+D, or Ctrl+C twice.
    Closed,
}

/// The size of a terminal's window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Window {
    /// Characters in a row.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
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
/// [`Live::ask`], [`Live::browse`] or [`Live::read_line`]. While another program is in front nothing is painted and up to 1 MiB is kept.
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
pub struct Live(Held);

enum Held {
    Painted(Box<Painted>),
    Plain(Box<Conversation>),
}

impl Live {
    /// Takes the terminal, if a person can be asked there.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with I/O and time enabled, as `#[tokio::main]` makes one.
    pub fn open(caps: Caps) -> Result<Self, TermError> {
        Ok(Self(match caps.manner {
            Manner::Painted => Held::Painted(Box::new(Painted::open(caps)?)),
            Manner::Plain => Held::Plain(Box::new(Conversation::open(caps)?)),
        }))
    }

    /// Appends text as it streams in; it is painted at most every 16 ms. What could act on the terminal is shown as a mark.
    pub fn text(&mut self, delta: &str) {
        match &mut self.0 {
            Held::Painted(painted) => painted.text(delta),
            Held::Plain(plain) => plain.text(delta),
        }
    }

    /// The text so far is whole and goes to the scrollback; the next one begins on a new line.
    pub fn finish_text(&mut self) {
        match &mut self.0 {
            Held::Painted(painted) => painted.change(Show::finish_text),
            Held::Plain(plain) => plain.finish_text(),
        }
    }

    /// Shows that something is going on, below everything else, with how many seconds it takes: `⠋ Thinking… 3s`. Dots at
    /// the end of the label are ours to add. A prompt and the reading of a message stop it. In plain mode nothing
    /// is shown.
    pub fn start_spinner(&mut self, label: &str) {
        match &mut self.0 {
            Held::Painted(painted) => painted.start_spinner(label),
            // Nothing moves there.
            Held::Plain(_) => {}
        }
    }

    /// Takes the spinner away.
    pub fn stop_spinner(&mut self) {
        match &mut self.0 {
            Held::Painted(painted) => painted.change(|show, _| show.stop_spinner()),
            Held::Plain(_) => {}
        }
    }

    /// Prints whole lines that stay, above what is live and below what was received before. Where a long line of text has
    /// begun to go to the scrollback, they follow its end.
    pub fn print(&mut self, tone: Tone, text: &str) {
        match &mut self.0 {
            Held::Painted(painted) => painted.change(|show, page| show.print(tone.into(), text, page)),
            Held::Plain(plain) => plain.print(text),
        }
    }

    /// The same after a sign: the rows of the text, also those of one that is too long for the window, are aligned beside it.
    pub fn print_after(&mut self, tone: Tone, sign: &str, text: &str) {
        match &mut self.0 {
            Held::Painted(painted) => painted.change(|show, page| show.print_after(tone.into(), sign, text, page)),
            Held::Plain(plain) => plain.print_after(sign, text),
        }
    }

    /// Prints a line that is only good as a whole, such as a link: one that is too long for the window is left to the terminal to wrap,
    /// which still takes it for one when it is opened or copied. The text so far is finished.
    pub fn print_whole(&mut self, tone: Tone, text: &str) {
        match &mut self.0 {
            Held::Painted(painted) => painted.change(|show, page| show.print_whole(tone.into(), text, page)),
            // Nothing is broken there.
            Held::Plain(plain) => plain.print(text),
        }
    }

    /// How large the window is. In plain mode, where nothing is laid out, it is not known.
    pub fn window(&self) -> Option<Window> {
        match &self.0 {
            Held::Painted(painted) => Some(painted.window()),
            Held::Plain(_) => None,
        }
    }

    /// Keeps everything fresh until the person presses Ctrl+C; other keys are discarded. It may be dropped and called again
    /// at any time: race it with whatever brings the text.
    pub async fn attend(&mut self) -> Result<(), TermError> {
        match &mut self.0 {
            Held::Painted(painted) => painted.attend().await,
            Held::Plain(plain) => plain.attend().await,
        }
    }

    /// Asks on this terminal. The text so far is finished, the spinner is stopped, and what was typed before is discarded;
    /// a Ctrl+C that was is heard, however: then the prompt does not appear at all. Dropped in the middle, the prompt
    /// disappears.
    pub async fn ask(&mut self, request: &Request, look: PromptStyle) -> Result<PromptEnd, TermError> {
        // Nobody else can reach this prompt.
        self.ask_reachably(request, look, Reach::new()).await
    }

    /// The same where others can reach the prompt through the [`crate::Remote`] of `reach`. A prompt that is taken away leaves the line
    /// that says why, and [`PromptEnd::Withdrawn`] comes back; one that was taken away before it appeared leaves that line alone.
    ///
    /// ```no_run
    /// # async fn answered_elsewhere() {}
    /// # async fn example(live: &mut askback_term::Live, request: &askback_core::Request) -> Result<(), askback_term::TermError> {
    /// use askback_term::{PromptEnd, PromptStyle, Reach};
    ///
    /// let reach = Reach::new();
    /// let remote = reach.remote();
    /// let elsewhere = async {
    ///     answered_elsewhere().await;
    ///     remote.withdraw("answered by reviewer (page)");
    ///     std::future::pending().await
    /// };
    /// let ended: PromptEnd = tokio::select! {
    ///     ended = live.ask_reachably(request, PromptStyle::Question, reach) => ended?,
    ///     never = elsewhere => never,
    /// };
    /// # Ok(())
    /// # }
    /// ```
    pub async fn ask_reachably(
        &mut self,
        request: &Request,
        look: PromptStyle,
        reach: Reach,
    ) -> Result<PromptEnd, TermError> {
        let mut orders = reach.orders;
        match &mut self.0 {
            Held::Painted(painted) => painted.ask(request, look, &mut orders).await,
            Held::Plain(plain) => plain.ask(request, look, &mut orders).await,
        }
    }

    /// Shows a list until the person opens something, acts on it or closes the list. It may be dropped and called again at any time:
    /// race it with whatever changes the list, and change the [`Browser`] between two calls. The list stays on the screen
    /// meanwhile, and what is printed goes above it; prompts, messages, text and a spinner take it away, and so does closing it.
    ///
    /// What was typed before the list appeared does nothing, except that a Ctrl+C closes it. What comes into the focus without
    /// the person's doing can't be opened or acted on for a quarter of a second.
    ///
    /// In plain mode the list is told by number when it appears, when something was done, and when the person asks: a number means what
    /// was told under it, whatever has changed since. What should be known at once is to be printed.
    pub async fn browse(&mut self, browser: &mut Browser) -> Result<Browsed, TermError> {
        match &mut self.0 {
            Held::Painted(painted) => painted.browse(browser).await,
            Held::Plain(plain) => plain.browse(browser).await,
        }
    }

    /// Reads a message: Enter sends it, Alt+Enter begins another line, ↑ and ↓ bring back `history`, which has the oldest
    /// first. The text so far is finished and the spinner is stopped. What was typed before counts, unless it was typed
    /// while [`Live::attend`] was waiting. Dropped in the middle, what was typed is gone.
    pub async fn read_line(&mut self, history: &[String]) -> Result<Entered, TermError> {
        match &mut self.0 {
            Held::Painted(painted) => painted.read_line(history).await,
            Held::Plain(plain) => plain.read_line().await,
        }
    }
}
