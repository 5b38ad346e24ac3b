//! What is to be changed in which files. All of it is known before anything is written.

use super::file::{ConfigFile, Reach, name};
use crate::console::{for_output, line, print};
use crate::error::CliError;
use crate::exit::Exit;
use askback_core::show::{Layout, Purpose, show};
use std::fmt::{self, Display, Formatter};
use std::io::{self, Write};
use std::path::Path;

/// Everything that setting up an agent changes.
pub(super) struct Plan {
    /// The command that makes it so, without `--write`.
    pub(super) command: String,
    pub(super) parts: Vec<Part>,
    /// What else there is to know and to do, a line each.
    pub(super) next: Vec<String>,
}

pub(super) struct Part {
    file: ConfigFile,
    /// What the file is to the agent.
    what: &'static str,
    /// What is to be in it, as it would be alone.
    alone: String,
    merged: Result<Merged, String>,
}

/// A configuration with what is ours in it.
pub(super) struct Merged {
    pub(super) text: String,
    pub(super) changes: Vec<Change>,
}

/// What is other than it was.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) place: String,
    /// What was there, if anything.
    pub(super) instead_of: Option<String>,
}

impl Display for Change {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.instead_of {
            None => write!(f, "  + {}", self.place),
            Some(was) => write!(f, "  ~ {}, instead of {was}", self.place),
        }
    }
}

impl Part {
    pub(super) fn plan(
        path: &Path,
        reach: Reach,
        what: &'static str,
        merge: impl Fn(&str) -> Result<Merged, String>,
    ) -> Result<Self, CliError> {
        let file = ConfigFile::read(path, reach)?;
        let refused = |why: String| format!("{}: {why}", file.name());
        let merged = match file.text() {
            Ok(text) => merge(text).map_err(refused),
            Err(error) => Err(error.to_string()),
        };
        let alone = merge("").map_err(CliError::Wrong)?.text;
        Ok(Self { file, what, alone, merged })
    }
}

impl Plan {
    /// The configuration on standard output, and all that is said about it on standard error.
    pub(super) fn show(&self) -> Result<Exit, CliError> {
        let mut exit = Exit::Done;
        let mut is_there = true;
        for part in &self.parts {
            note(&format!("{} ({}):", part.file.name(), part.what));
            print(&for_output(part.alone.trim_end().to_owned(), Purpose::Exact))?;
            match &part.merged {
                Ok(Merged { changes, .. }) if changes.is_empty() => note("  It is there already."),
                Ok(Merged { changes, .. }) => {
                    is_there = false;
                    changes.iter().for_each(|change| note(&change.to_string()));
                }
                Err(why) => {
                    (exit, is_there) = (Exit::Wrong, false);
                    note(&format!("It can't be merged. {why}"));
                }
            }
        }
        if exit != Exit::Done {
            note("Nothing was written.");
            return Ok(exit);
        }
        if is_there {
            note("There is nothing to be changed.");
        } else {
            note(&format!("Nothing was written. `{} --write` merges it, and keeps a backup.", self.command));
        }
        self.next.iter().for_each(|line| note(line));
        Ok(exit)
    }

    /// All of it or, where one file can't be merged, nothing.
    pub(super) fn write(&self) -> Result<Exit, CliError> {
        let merged: Result<Vec<_>, _> = self.parts.iter().map(|part| Ok((&part.file, part.merged.as_ref()?))).collect();
        let merged = merged.map_err(|why: &String| CliError::Wrong(format!("nothing was written. {why}")))?;
        for (file, Merged { text, changes }) in merged {
            let path = file.name();
            if changes.is_empty() {
                print(&format!("{path} has it already: nothing to be changed"))?;
                continue;
            }
            let backup = file.write(text)?;
            let kept = backup.map_or_else(String::new, |backup| format!("; what it was is in {}", name(&backup)));
            let verb = if file.is_new() { "is new" } else { "is changed" };
            print(&format!("{path} {verb}{kept}"))?;
            for change in changes {
                print(&line(&change.to_string()))?;
            }
        }
        for line in &self.next {
            print(line)?;
        }
        Ok(Exit::Done)
    }
}

/// Says something beside the configuration.
fn note(text: &str) {
    // If nobody listens there, the configuration has to do.
    let _ = writeln!(io::stderr(), "{}", show(text, Layout::Block, Purpose::Exact));
}
