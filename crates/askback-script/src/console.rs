//! What a script writes to its console: kept up to a limit, and counted beyond it.

use crate::limits::{CONSOLE_BYTES, CONSOLE_LINES, LINE_BYTES};
use serde::{Deserialize, Serialize};

/// How a line was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Level {
    /// `console.debug`
    Debug,
    /// `console.log`
    Log,
    /// `console.info`
    Info,
    /// `console.warn`
    Warn,
    /// `console.error`
    Error,
}

impl Level {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Debug, Self::Log, Self::Info, Self::Warn, Self::Error];

    /// The function of `console` that writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Log => "log",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

/// What one call wrote; it may hold line breaks, and whatever else the script has put there (S2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsoleLine {
    /// How it was written.
    pub level: Level,
    /// What was written.
    pub text: String,
}

/// Everything that was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The first lines, up to a limit.
    pub lines: Vec<ConsoleLine>,
    /// How many came after them.
    pub dropped: usize,
    bytes: usize,
}

impl Transcript {
    /// Adds a line, or counts it as dropped. Returns the line if it is kept.
    pub(crate) fn push(&mut self, level: Level, text: &str) -> Option<&str> {
        let text = shortened(text, LINE_BYTES);
        // Once a line is missing no later one is kept, so that what there is has no holes.
        if self.dropped > 0 || self.lines.len() >= CONSOLE_LINES || self.bytes + text.len() > CONSOLE_BYTES {
            // A worker may have said any number.
            self.dropped = self.dropped.saturating_add(1);
            return None;
        }
        self.bytes += text.len();
        self.lines.push(ConsoleLine { level, text });
        self.lines.last().map(|line| line.text.as_str())
    }
}

/// The beginning of a text, marked if something is missing.
pub(crate) fn shortened(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    let end = (0..=bytes).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    format!("{}… ({} bytes more)", &text[..end], text.len() - end)
}

#[cfg(test)]
mod tests {
    use super::{Level, Transcript, shortened};
    use crate::limits::{CONSOLE_BYTES, CONSOLE_LINES};

    // S3
    #[test]
    fn what_is_too_much_is_counted() {
        let mut console = Transcript::default();
        for number in 0..CONSOLE_LINES + 3 {
            console.push(Level::Log, &number.to_string());
        }
        assert_eq!((console.lines.len(), console.dropped), (CONSOLE_LINES, 3));

        let mut console = Transcript::default();
        for _ in 0..100 {
            console.push(Level::Log, &"x".repeat(10_000));
        }
        let bytes: usize = console.lines.iter().map(|line| line.text.len()).sum();
        assert!(bytes <= CONSOLE_BYTES && console.lines.len() + console.dropped == 100);
        assert_eq!(shortened("äöü", 3), "ä… (4 bytes more)");
    }
}
