//! Whom a script reaches: the only way out of the box.

use crate::console::Level;
use serde_json::Value;
use std::pin::Pin;

/// The wait for an answer: the JSON that the script gets, or the message of the error that it catches. Dropping it takes
/// the question away.
pub type Answering = Pin<Box<dyn Future<Output = Result<Value, String>> + Send>>;

/// Whoever answers `requestUserInput`.
pub trait Host: Send + Sync {
    /// Asks, with the object that the script has called it with. Polled on the runtime that the engine was given.
    fn request_user_input(&self, argument: Value) -> Answering;
}

/// Reports of a running script, beside what it asks. Called on the thread that runs the script.
pub(crate) trait Observer: Send + Sync {
    /// The script wrote a line that its transcript keeps.
    fn wrote(&self, level: Level, text: &str);

    /// The script waits, for an answer or for its turn: it holds so much memory, and so many lines were dropped.
    fn rests(&self, held_bytes: usize, dropped_lines: usize);

    /// The script was given up, and does not let go of a thread, whose priority is to be lowered: so many are lost now.
    fn lost_thread(&self, thread: u32, lost_threads: usize);
}
