//! What a person does at the keyboard, before anything is made of it.

/// One press, or one paste: a paste is text and never a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    Key(Key),
    Paste(String),
    /// A whole line, typed and confirmed where keys don't come one by one (plain mode).
    Line(String),
}

/// A key that means something somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Char(char),
    Enter,
    AltEnter,
    /// Ctrl+S: submits a text of many lines where the terminal keeps Alt+Enter for itself.
    Submit,
    Tab,
    BackTab,
    Escape,
    Up,
    Down,
    Left,
    Right,
    WordLeft,
    WordRight,
    Home,
    End,
    PageUp,
    PageDown,
    Backspace,
    Delete,
    /// Backwards to the start of the word.
    KillWord,
    /// Backwards to the start of the line.
    KillToStart,
    /// Forwards to the end of the line.
    KillToEnd,
    /// Ctrl+C, Ctrl+\: wherever one is, the request is taken away, and so is what asked it.
    Interrupt,
    /// Ctrl+D: there is no more to say. A request is taken away by it, too.
    Close,
    /// Ctrl+Z.
    Suspend,
    /// Ctrl+O: answer with a question of one's own (L7).
    AskBack,
}

/// Whether a text has one line or may have more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lines {
    One,
    Many,
}
