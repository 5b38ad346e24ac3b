//! Every limit of the MCP server (S3), in one place.

use std::time::Duration;

/// How often a client that can hear it is told that the call is still waited for. The first time at once: over HTTP some
/// clients give up after a minute without a byte, and the headers come with the first message.
pub(crate) const PROGRESS_EVERY: Duration = Duration::from_secs(10);

/// Bytes of one message: a request may have as many as one may, and its wrapping. A longer one is dropped up to its end, and said so.
pub const MESSAGE_BYTES: usize = 16 << 20;

/// Bytes of a message over HTTP after which nobody reads on to its end.
pub const DROPPED_BYTES: usize = 4 * MESSAGE_BYTES;

/// Bytes of answers that a client has not read yet. Past it, it is not read either.
pub(crate) const UNSENT_BYTES: usize = 16 << 20;

/// Calls of one client on standard input that have no result yet. Each has a connection to the hub, of which it has 5,000 places.
pub(crate) const CALLS_AT_ONCE: usize = 2_000;

/// How long a client that has hung up is given to read the last words.
pub(crate) const CLOSE_PATIENCE: Duration = Duration::from_secs(2);

/// How many requests a list has, unless the model wants fewer or more.
pub(crate) const LISTED: usize = 20;

/// The most that it may want.
pub(crate) const LISTED_MOST: usize = 100;

/// The longest time that a model may name in one call.
pub const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a dialog has been there at least when a person says no to it: what comes sooner was the client's own.
pub(crate) const DIALOG_READ: Duration = Duration::from_secs(1);

/// Dialogs that were sent away and are known to be; more are forgotten together.
pub(crate) const DIALOGS_REMEMBERED: usize = 10_000;

/// How often a dialog is shown whose answers do not pass.
pub(crate) const DIALOG_TRIES: u32 = 3;

/// Sessions of clients of the older protocol that are kept over a restart.
pub const SESSIONS_KEPT: usize = 1_000;

/// Bytes of the message that begins a session: it is kept as long as the session is.
pub const BEGINNING_BYTES: usize = 64 << 10;

/// Those that have a place in memory. Where there are more, the one that was silent for the longest time gives its place up; it is restored when
/// it comes again.
pub const SESSIONS_IN_MEMORY: usize = 500;

/// How many may begin before it is looked whether too many are kept.
pub const SESSIONS_LOOKED_AFTER: u64 = 64;

/// How long such a session may be silent before its place in memory is given back; it is restored when it comes again. Longer than any call
/// takes, since one that waits without a word is silent, too.
pub const SESSION_SILENCE: Duration = LONGEST_WAIT.saturating_add(Duration::from_secs(60 * 60));

/// How often it is written down that one is still used.
pub const SESSION_NOTED: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a session that nobody came back to is kept.
pub const SESSION_AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
