//! How a script ended, and what it left.

use crate::console::Transcript;
use serde_json::Value;

/// How a script ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// It returned this, or nothing.
    Returned(Option<Value>),
    /// An error that it did not catch, in words: its name, its message, and where it happened.
    Threw(String),
    /// It used more than it may.
    Limit(String),
    /// Somebody ended it.
    Stopped(String),
}

/// A script that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// How it ended.
    pub ended: Ended,
    /// What it wrote.
    pub console: Transcript,
}

/// A script at this moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// What it has written so far.
    pub console: Transcript,
    /// Calls of the host that it waits for.
    pub calls_open: usize,
}
