//! Text on standard output and standard error.

use crate::error::CliError;
use crate::exit::Exit;
use askback_core::Outcome;
use askback_core::show::{Layout, Purpose, show};
use std::io::{self, IsTerminal, Write};

/// Prints a text on standard output. A reader that has read enough of it need not read the rest.
pub(crate) fn print(text: &str) -> Result<Exit, CliError> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(Exit::Done),
    }
}

/// Text of another party for standard output: unchanged for a program, and unable to act for a terminal.
pub(crate) fn for_output(text: String, purpose: Purpose) -> String {
    if io::stdout().is_terminal() { show(&text, Layout::Block, purpose) } else { text }
}

/// Prints a message beside the answer, on standard error. It may repeat what others say.
pub(crate) fn say(text: &str) {
    let text = show(text, Layout::Block, Purpose::Exact);
    // Where standard error is closed as well, the exit status has to do.
    let _ = writeln!(io::stderr(), "askback: {text}");
}

/// Prints the reason of an error on standard error, and returns the exit status.
pub(crate) fn report(error: &CliError) -> Exit {
    match error {
        CliError::Ended(_) => {}
        CliError::Api(error) => say(&line(&error.to_string())),
        CliError::Wrong(_) | CliError::Io(_) | CliError::Hub(_) | CliError::Nobody(_) => say(&error.to_string()),
    }
    error.exit()
}

/// Text from elsewhere on one line.
pub(crate) fn line(text: &str) -> String {
    show(text, Layout::Line, Purpose::Exact)
}

/// Who ended a request, and where.
pub(crate) fn ended_by(outcome: &Outcome) -> String {
    format!("{} by {} ({})", outcome.status().name(), outcome.by(), outcome.surface().name())
}
