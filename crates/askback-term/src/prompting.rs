//! The way in: a request, how to show it, and what comes of it.

use crate::caps::{Caps, Manner};
use crate::error::TermError;
use crate::plain::{Console, PlainSession};
use crate::remote::{Orders, Remote, connect};
use crate::session::Session;
use crate::stage::Stage;
use askback_core::{PromptEnd, PromptStyle, Request, Resolution};

/// How to show a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// What questions look like.
    pub look: PromptStyle,
    /// What the terminal can show.
    pub caps: Caps,
}

impl Default for Settings {
    /// The look of questions, on the terminal that the environment describes.
    fn default() -> Self {
        Self { look: PromptStyle::default(), caps: Caps::from_environment() }
    }
}

/// A request about to be shown, which can be reached while it is.
///
/// ```no_run
/// # async fn answered_elsewhere() {}
/// # async fn race(request: &askback_core::Request) -> Result<(), askback_term::TermError> {
/// use askback_term::{PromptEnd, Prompt, Settings};
///
/// let prompt = Prompt::new(request, Settings::default());
/// let remote = prompt.remote();
/// let elsewhere = async {
///     answered_elsewhere().await;
///     remote.withdraw("answered by reviewer on the page");
///     std::future::pending().await
/// };
/// let ended: PromptEnd = tokio::select! {
///     ended = prompt.ask() => ended?,
///     never = elsewhere => never,
/// };
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Prompt<'r> {
    request: &'r Request,
    settings: Settings,
    remote: Remote,
    orders: Orders,
}

impl<'r> Prompt<'r> {
    /// Nothing is shown yet.
    pub fn new(request: &'r Request, settings: Settings) -> Self {
        let (remote, orders) = connect();
        Self { request, settings, remote, orders }
    }

    /// The end through which others can print above the prompt or take it away.
    pub fn remote(&self) -> Remote {
        self.remote.clone()
    }

    /// Asks, and waits for as long as it takes. Dropped in the middle, the prompt disappears and the terminal is as it was:
    /// race it with the signals your program ends by.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with I/O and time enabled, as `#[tokio::main]` makes one.
    pub async fn ask(mut self) -> Result<PromptEnd, TermError> {
        if self.settings.caps.manner == Manner::Plain {
            let mut console = Console::open(self.settings.caps)?;
            let ended = PlainSession::new(&mut console, self.request, self.settings.look).run(&mut self.orders).await?;
            console.leave()?;
            return Ok(ended);
        }
        let mut stage = Stage::open(self.settings.caps)?;
        let ended = Session::new(&mut stage, self.request, self.settings.look).run(&mut self.orders).await?;
        stage.leave()?;
        Ok(ended)
    }
}

/// Asks the person at the terminal.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use askback_core::{Limits, Request, Resolution};
///
/// let request = Request::parse(br#"{"type": "text", "message": "Commit message?"}"#, &Limits::DEFAULT)?;
/// let resolution = askback_term::ask(&request, askback_term::Settings::default()).await?;
/// if let Resolution::Answered { answers, .. } = resolution {
///     answers.iter().for_each(|answer| println!("{}", answer.written()));
/// }
/// # Ok(())
/// # }
/// ```
pub async fn ask(request: &Request, settings: Settings) -> Result<Resolution, TermError> {
    match Prompt::new(request, settings).ask().await? {
        PromptEnd::Decided(resolution) => Ok(resolution),
        // Nobody holds a remote, so it was not withdrawn.
        PromptEnd::Interrupted | PromptEnd::Withdrawn => Ok(Resolution::cancelled(None)),
    }
}
