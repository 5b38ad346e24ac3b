//! What is printed of an outcome, and the exit status it has.

use crate::exit::Exit;
use askback_core::kind::confirm::Confirmation;
use askback_core::show::{Layout, Purpose, show, show_json};
use askback_core::{Answer, Answers, Ending, Outcome, Request};
use std::io::{self, IsTerminal, Write};

/// Prints the answers, or with `json` the outcome, on standard output: nothing else goes there.
pub(crate) fn outcome(request: &Request, outcome: &Outcome, json: bool) -> io::Result<Exit> {
    let ending = outcome.resolution().ending();
    let printed = if json {
        print(&show_json(&outcome.to_json(request).to_string()))
    } else {
        match ending {
            Ending::Answered(answers)
            | Ending::Declined { answers: Some(answers), .. }
            | Ending::Expired { default: Some(answers) } => print_answers(answers),
            Ending::Declined { reason: Some(reason), .. } => say(&format!("declined: {}", reason.as_str())),
            Ending::Declined { .. } | Ending::Cancelled { .. } | Ending::Expired { .. } => Ok(()),
        }
    };
    match printed {
        // Whoever read our output has seen enough; the answer stands.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(exit(ending)),
    }
}

fn exit(ending: Ending<'_>) -> Exit {
    match ending {
        Ending::Answered(answers) if says_no(answers) => Exit::Refused,
        Ending::Expired { default: Some(answers) } if says_no(answers) => Exit::Refused,
        Ending::Answered(_) | Ending::Expired { default: Some(_) } => Exit::Done,
        Ending::Declined { .. } => Exit::Refused,
        Ending::Cancelled { .. } => Exit::Cancelled,
        Ending::Expired { default: None } => Exit::Expired,
    }
}

/// A single confirm that says no ends like a command that says no, for `askback confirm … && …`.
fn says_no(answers: &Answers) -> bool {
    let mut answers = answers.iter();
    matches!((answers.next(), answers.next()), (Some(Answer::Confirm(Confirmation::No)), None))
}

/// One line for each answer, as it is for a program, and so that it can't act for a terminal.
fn print_answers(answers: &Answers) -> io::Result<()> {
    let is_terminal = io::stdout().is_terminal();
    let written = answers.iter().map(Answer::written);
    let shown = written.map(|text| if is_terminal { show(&text, Layout::Block, Purpose::Prose) } else { text });
    print(&shown.collect::<Vec<_>>().join("\n"))
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// A reason is on the screen already, if standard error is one.
fn say(text: &str) -> io::Result<()> {
    let mut out = io::stderr().lock();
    if out.is_terminal() { Ok(()) } else { writeln!(out, "askback: {text}") }
}
