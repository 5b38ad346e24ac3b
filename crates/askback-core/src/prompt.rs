//! Prompts on surfaces: their style, and how they end.

use crate::outcome::Resolution;

/// The style of a prompt on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PromptStyle {
    /// Questions of a tool or a command (Q3).
    #[default]
    Question,
    /// Input requests of a stream: numbered choices, and a way to reject (T8, T9).
    Stream,
}

/// The end of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub enum PromptEnd {
    /// The person decided, or the time ran out on the surface's own clock.
    Decided(Resolution),
    /// The person pressed Ctrl+C: the request is cancelled, and the program that asks should stop too.
    Interrupted,
    /// The prompt was withdrawn, because the request ended elsewhere.
    Withdrawn,
}
