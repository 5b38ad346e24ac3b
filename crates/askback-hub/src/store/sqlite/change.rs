//! A write beside requests and their log: it makes no event, and knows its own statements.

use super::writer::Reply;
use crate::error::StoreError;
use rusqlite::Connection;

/// A change on its way to the disk.
pub(super) trait Change: Send {
    /// Makes it, inside a transaction that is not its own. If that fails as a whole, it is made again in another.
    fn make(&mut self, connection: &Connection) -> rusqlite::Result<()>;

    /// It is durable: says what came of it.
    fn acknowledge(self: Box<Self>);

    /// It was not made: says why.
    fn fail(self: Box<Self>, error: StoreError);
}

struct Statements<T, F> {
    statements: F,
    made: Option<T>,
    reply: Reply<T>,
}

/// The change that these statements make, which tells whoever waits for it.
pub(super) fn change<T: Send + 'static>(
    statements: impl FnMut(&Connection) -> rusqlite::Result<T> + Send + 'static,
    reply: Reply<T>,
) -> Box<dyn Change> {
    Box::new(Statements { statements, made: None, reply })
}

impl<T: Send, F: FnMut(&Connection) -> rusqlite::Result<T> + Send> Change for Statements<T, F> {
    fn make(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        self.made = Some((self.statements)(connection)?);
        Ok(())
    }

    fn acknowledge(self: Box<Self>) {
        let nothing = || StoreError::Failed("a change was acknowledged that was not made".to_owned());
        // Whoever does not wait any more is told nothing.
        drop(self.reply.send(self.made.ok_or_else(nothing)));
    }

    fn fail(self: Box<Self>, error: StoreError) {
        drop(self.reply.send(Err(error)));
    }
}
