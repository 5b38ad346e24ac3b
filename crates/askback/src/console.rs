//! Text on standard output and standard error.

use crate::exit::Exit;
use askback_core::Outcome;
use askback_core::show::{Layout, Purpose, show};
use std::io::{self, Write};

/// Prints a text on standard output. A reader that has read enough of it need not read the rest.
pub(crate) fn print(text: &str) -> io::Result<Exit> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(Exit::Done),
    }
}

/// Prints a message beside the answer, on standard error. It may repeat what others say.
pub(crate) fn say(text: &str) {
    let text = show(text, Layout::Block, Purpose::Exact);
    let _ = writeln!(io::stderr(), "askback: {text}");
}

/// Who ended a request, and where.
pub(crate) fn ended_by(outcome: &Outcome) -> String {
    format!("{} by {} ({})", outcome.status().name(), outcome.by(), outcome.surface().name())
}
