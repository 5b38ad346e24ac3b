//! Every limit of the MCP server (S3), in one place.

use std::time::Duration;

/// The interval of progress reports. The first comes at once: over HTTP the headers come with the first message, and some clients give
/// up after a minute without a byte.
pub(crate) const PROGRESS_EVERY: Duration = Duration::from_secs(10);

/// Bytes of one message: a request of the largest size and its envelope. A longer message is dropped with an error.
pub const MESSAGE_BYTES: usize = 16 << 20;

/// Bytes of responses that a client has not read. Past it, the server does not read from the client.
pub(crate) const UNSENT_BYTES: usize = 16 << 20;

/// Concurrent calls of one client on standard input. Each has a connection to the hub, which accepts 5,000.
pub(crate) const CALLS_AT_ONCE: usize = 2_000;

/// How long a client that has closed its connection may take to read the last messages.
pub(crate) const CLOSE_PATIENCE: Duration = Duration::from_secs(2);

/// The default number of requests in a list.
pub(crate) const LISTED: usize = 20;

/// The largest number of requests in a list.
pub(crate) const LISTED_MOST: usize = 100;

/// The longest wait of one call.
pub const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// The shortest time in which a person declines a dialog: an earlier response is the client's own.
pub(crate) const DIALOG_READ: Duration = Duration::from_secs(1);

/// Dismissed dialogs that are remembered; past it, all are forgotten together.
pub(crate) const DIALOGS_REMEMBERED: usize = 10_000;

/// Answers of one session that are returned once more to a client that gives up silently. Past it, the oldest is not.
pub(crate) const UNHEARD_ANSWERS: usize = 16;

/// Bytes of such an answer and its request. The answer to a larger request is not returned again.
pub(crate) const UNHEARD_BYTES: usize = 64 << 10;

/// How long an answer is returned once more.
pub(crate) const REPEATED_WITHIN: Duration = Duration::from_secs(60 * 60);

/// How often a dialog is shown if its input is invalid.
pub(crate) const DIALOG_TRIES: u32 = 3;

/// Sessions of clients of the older protocol that are persisted. Past it, the oldest of the token that has the most are removed.
pub const SESSIONS_KEPT: usize = 1_000;

/// Of these, sessions of one token. Past it, its own oldest are removed.
pub const SESSIONS_KEPT_OF_TOKEN: usize = 200;

/// Bytes of the message that begins a session, which is persisted with the session.
pub const BEGINNING_BYTES: usize = 64 << 10;

/// Sessions in memory. Past it, the session that was idle for the longest time is removed, of the token that has the most, and restored
/// when it is used again.
pub const SESSIONS_IN_MEMORY: usize = 500;

/// Of these, sessions of one token.
pub const SESSIONS_IN_MEMORY_OF_TOKEN: usize = 100;

/// New sessions after which the number of persisted ones is checked.
pub const SESSIONS_LOOKED_AFTER: u64 = 64;

/// How long a session may be idle before it is removed from memory. Longer than any call, since a session whose call waits is idle, too.
pub const SESSION_SILENCE: Duration = LONGEST_WAIT.saturating_add(Duration::from_secs(60 * 60));

/// The interval in which the use of a session is persisted.
pub const SESSION_NOTED: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a session that is not used is persisted.
pub const SESSION_AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
