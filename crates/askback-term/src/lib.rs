//! Questions in a terminal, impossible to answer by accident.
//!
//! [`ask`] puts a [`Request`](askback_core::Request) to the person at the terminal and gives back how it ended; the
//! functions beside it ask single questions with typed answers. Prompts draw on standard error (or the controlling
//! terminal), so standard output and standard input can be pipes. Where there is no terminal, or another program is in
//! front, there is a [`TermError`] and never an answer.
//!
//! ```no_run
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let database = askback_term::choice("Which database?", ["PostgreSQL", "SQLite"]).await?;
//! if askback_term::confirm(&format!("Create a new {database} database?")).await? {
//!     println!("creating it");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The examples run: `cargo run -p askback-term --example questions`, `live`, `stream` or
//! `inbox`.
//!
//! What is promised about prompts:
//!
//! - What was typed before a prompt appeared never answers it, and a paste never does. An approval and a confirm are
//!   typed and confirmed with Enter, with nothing chosen at first.
//! - Text of an agent can't move the cursor, change colours or hide: what would is shown as a mark.
//! - The terminal is as it was when a prompt ends, panics or is dropped. Signals are the program's own: race the prompt
//!   with those it ends by, and dropping it restores the terminal.
//! - In plain mode ([`Manner::Plain`]), for screen readers and simple terminals, the same questions are told in lines and answered
//!   by lines. There a paste can't be told from typing, and what was said stays on the screen.
//! - The terminal is never asked anything, so nothing waits for a reply that may not come.

mod browser;
mod caps;
mod editor;
mod error;
mod form;
mod input;
mod line;
mod live;
mod page;
mod painter;
mod plain;
mod prompt;
mod prompting;
mod reading;
mod remote;
mod safe;
mod search;
mod session;
mod simple;
mod stage;
mod summary;
mod theme;
mod tty;
mod width;
mod wrap;

pub use askback_core::{PromptEnd, PromptStyle};
pub use browser::{Browsed, Browser, BrowserAction, BrowserItem};
pub use caps::{Caps, Manner, Resizing};
pub use error::TermError;
pub use live::{Entered, Live, Tone, Window};
pub use prompting::{Prompt, Settings, ask};
pub use remote::{Reach, Remote};
pub use simple::{
    NoAnswer, approve, blocking, choice, choices, confirm, date, dropdown, email, multiline, number, rating, text,
};
pub use theme::{Alphabet, Background, Colours};
pub use tty::is_person_here;
