//! Where requests and options come from: files and standard input, never more of them than can be used.

use crate::console::line;
use crate::error::CliError;
use askback_core::Limits;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether somebody has it already.
static STANDARD_INPUT_READ: AtomicBool = AtomicBool::new(false);

/// A file's name for messages, and its bytes: at most one more than a request may have.
pub(crate) fn read(path: &Path) -> Result<(String, Vec<u8>), CliError> {
    let name = match path.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => line(&path.to_string_lossy()),
    };
    let enough = Limits::DEFAULT.request_bytes as u64 + 1;
    let mut bytes = Vec::new();
    let read = if path.as_os_str() == "-" {
        if STANDARD_INPUT_READ.swap(true, Ordering::Relaxed) {
            return Err(CliError::wrong("standard input can be read only once: give a file for one of the two"));
        }
        io::stdin().lock().take(enough).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(enough).read_to_end(&mut bytes))
    };
    read.map_err(|error| CliError::Wrong(format!("can't read {name}: {error}")))?;
    Ok((name, bytes))
}

/// The options on standard input with the numbers of their lines; a line with nothing on it is none.
pub(crate) fn option_lines() -> Result<Vec<(usize, String)>, CliError> {
    if io::stdin().is_terminal() {
        return Err(CliError::wrong("there are no options: give them as arguments, or one a line on standard input"));
    }
    let (name, bytes) = read(Path::new("-"))?;
    let most = Limits::DEFAULT.request_bytes;
    if bytes.len() > most {
        return Err(CliError::Wrong(format!("{name} has more than {most} bytes: give fewer options, or shorter ones")));
    }
    let text = utf8(&name, &bytes)?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let lines: Vec<(usize, String)> = lines.map(|(number, line)| (number, line.to_owned())).collect();
    if lines.is_empty() {
        return Err(CliError::Wrong(format!("{name} has no options: give them one a line")));
    }
    Ok(lines)
}

/// The text of bytes that should be text, or where they are not.
pub(crate) fn utf8<'b>(name: &str, bytes: &'b [u8]) -> Result<&'b str, CliError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        CliError::Wrong(format!("{name} is not text: line {line} has bytes that are no UTF-8; give UTF-8 text"))
    })
}
