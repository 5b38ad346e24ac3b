//! Every limit of the client.

use std::time::Duration;

/// How long connecting may take.
pub(crate) const CONNECT: Duration = Duration::from_secs(10);

/// How long a hub may take to begin a response, beyond the time for which the call itself asks it to wait.
pub const RESPONSE: Duration = Duration::from_secs(10);

/// How much longer than other calls a bulk dismissal may take to begin its response: it cancels each request durably, a page at a
/// time, and responds at its end. A hundred thousand take a few seconds, and a minute where each sync of the disk is slow.
pub(crate) const DISMISSAL: Duration = Duration::from_secs(120);

/// The longest pause within a response.
pub(crate) const RESPONSE_PAUSE: Duration = Duration::from_secs(10);

/// How long a whole response may take, from its first byte on.
pub(crate) const RESPONSE_WHOLE: Duration = Duration::from_secs(90);

/// Bytes of a body that arrive within a second, at least: a large body gets more time on its way.
pub(crate) const BODY_BYTES_PER_SECOND: usize = 64 << 10;

/// Bytes of a response: a page has at most 4 MiB of requests, each of any permitted size.
pub(crate) const RESPONSE_BYTES: usize = 64 << 20;

/// Bytes of one event.
pub(crate) const EVENT_BYTES: usize = 64 << 20;

/// The time without a byte, not even a keep-alive, after which a stream counts as lost.
pub(crate) const SILENCE: Duration = Duration::from_secs(40);

/// The pause before a retry of a call.
pub(crate) const RETRY: Duration = Duration::from_millis(250);

/// The time below which a long poll is followed by a pause: a hub that does not wait must not be called in a busy loop.
pub(crate) const SHORTEST_POLL: Duration = Duration::from_secs(1);

/// How long a race waits for the hub's acknowledgement after the person has decided.
pub const RACE_PATIENCE: Duration = Duration::from_secs(5);

/// The pause before a race tries again to reach the hub.
pub(crate) const RACE_RETRY: Duration = Duration::from_millis(100);

/// The pause before a race asks a hub again that is at a limit.
pub(crate) const RACE_PAUSE: Duration = Duration::from_secs(1);
