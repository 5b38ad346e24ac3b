//! What is printed of an outcome, and the exit status it has.

use crate::console::{for_output, print};
use crate::error::CliError;
use crate::exit::Exit;
use askback_core::show::{Purpose, show_json};
use askback_core::{Answers, Outcome, Reason, Request, Resolution};
use std::io::{self, IsTerminal, Write};

/// Prints the answers, or with `json` the outcome, on standard output: nothing else goes there.
pub(crate) fn outcome(request: &Request, outcome: &Outcome, json: bool) -> Result<Exit, CliError> {
    let resolution = outcome.resolution();
    match resolution {
        _ if json => print(&show_json(&outcome.to_json(request).to_string()))?,
        Resolution::Answered { answers, .. }
        | Resolution::Rejected { answers, .. }
        | Resolution::Expired { default: Some(answers), .. } => print_answers(answers)?,
        Resolution::Declined { reason: Some(reason), .. } => say_reason(reason)?,
        Resolution::Declined { .. } | Resolution::Cancelled { .. } | Resolution::Expired { .. } => Exit::Done,
    };
    Ok(exit(resolution))
}

fn exit(resolution: &Resolution) -> Exit {
    match resolution {
        // A single no ends like a command that says no, for `askback confirm … && …`.
        Resolution::Answered { answers, .. } if answers.is_single_no() => Exit::Refused,
        Resolution::Expired { default: Some(answers), .. } if answers.is_single_no() => Exit::Refused,
        Resolution::Answered { .. } | Resolution::Expired { default: Some(_), .. } => Exit::Done,
        Resolution::Rejected { .. } | Resolution::Declined { .. } => Exit::Refused,
        Resolution::Cancelled { .. } => Exit::Cancelled,
        Resolution::Expired { default: None, .. } => Exit::Expired,
    }
}

/// One line for each answer, as it is for a program, and so that it can't act for a terminal.
pub(crate) fn print_answers(answers: &Answers) -> Result<Exit, CliError> {
    let shown = answers.iter().map(|answer| for_output(answer.written(), Purpose::Prose));
    print(&shown.collect::<Vec<_>>().join("\n"))
}

/// A reason is on the screen already, if standard error is one.
fn say_reason(reason: &Reason) -> io::Result<Exit> {
    let mut out = io::stderr().lock();
    let said = if out.is_terminal() { Ok(()) } else { writeln!(out, "askback: declined: {}", reason.as_str()) };
    match said {
        // The reader of our output has seen enough; the answer stands.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(Exit::Done),
    }
}
