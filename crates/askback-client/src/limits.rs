//! Every limit of the client.

use std::time::Duration;

/// How long a connection may take to be made.
pub const CONNECT: Duration = Duration::from_secs(10);

/// How long a response may take: a wait takes a minute at most.
pub(crate) const RESPONSE: Duration = Duration::from_secs(90);

/// Bytes of a response: a page has 4 MiB of requests at most, and each may be as large as one may be.
pub(crate) const RESPONSE_BYTES: usize = 64 << 20;

/// Bytes of one event.
pub(crate) const EVENT_BYTES: usize = 64 << 20;

/// A hub that sends nothing for this long, not even a keep-alive, has lost the connection.
pub(crate) const SILENCE: Duration = Duration::from_secs(40);

/// The pause before a call that failed is made again.
pub const RETRY: Duration = Duration::from_millis(250);

/// The shortest time between two long polls: a hub that does not wait must not be called without a pause.
pub(crate) const SHORTEST_POLL: Duration = Duration::from_secs(1);

/// How long a race waits for a hub to acknowledge, once the person has decided.
pub const RACE_PATIENCE: Duration = Duration::from_secs(5);

/// The wait between two tries of a race to reach the hub.
pub const RACE_RETRY: Duration = Duration::from_millis(100);

/// The wait before a race asks a hub again that has no place for it.
pub const RACE_PAUSE: Duration = Duration::from_secs(1);
