//! Every limit of the hub (S3), in one place. Past one, a caller gets an error that names it, and nothing is lost.

use jiff::SignedDuration;
use std::time::Duration;

/// How much a hub takes on. The defaults are far beyond what people answer, and far below what hurts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubLimits {
    /// Requests that are pending, over all rooms.
    pub pending: usize,
    /// Requests of one asker that are pending: an agent gone wild fills its own share.
    pub pending_of_asker: usize,
    /// Waits under way at once.
    pub waiters: usize,
    /// Tokens that are good: of programs, sessions, and links that nobody has redeemed.
    pub tokens: usize,
    /// Events that wait to be delivered to one hook; past it the oldest make place, so that nothing here waits for anyone there.
    pub outbox: usize,
}

impl HubLimits {
    /// What a hub has unless told otherwise.
    pub const DEFAULT: Self =
        Self { pending: 2_000_000, pending_of_asker: 10_000, waiters: 1_000_000, tokens: 10_000, outbox: 100_000 };
}

impl Default for HubLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Requests or events on one page.
pub const PAGE_ITEMS: usize = 200;

/// Bytes of requests and outcomes on one page; it has at least one item, however large.
pub const PAGE_BYTES: usize = 4 << 20;

/// Rooms that are counted one by one.
pub const ROOMS_COUNTED: usize = 1_000;

/// Writes waiting for the disk.
pub const WRITES_WAITING: usize = 65_536;

/// Bytes of requests and outcomes waiting for the disk.
pub const WRITE_BYTES_WAITING: usize = 512 << 20;

/// Writes that share one sync of the disk.
pub const WRITES_IN_BATCH: usize = 1_024;

/// Connections that read.
pub const READERS: usize = 4;

/// Reads waiting for one of them.
pub const READS_WAITING: usize = 65_536;

/// Pages of the database's log that are kept before they are moved into the database.
pub const LOG_PAGES: u32 = 4_000;

/// Batches of events that may wait for the hub to look at them; beyond that it reads them from the store.
pub const HINTS_WAITING: usize = 256;

/// Events kept in memory for those who follow them; who is further behind reads from the store.
pub const RECENT_EVENTS: usize = 4_096;

/// Bytes of requests and outcomes in them.
pub const RECENT_EVENT_BYTES: usize = 64 << 20;

/// Pending requests kept in memory, for whoever answers them.
pub const RECENT_REQUESTS: usize = 4_096;

/// Bytes that one of them may have.
pub const RECENT_REQUEST_BYTES: usize = 16 << 10;

/// Requests that expire in one go.
pub const EXPIRED_AT_ONCE: usize = 500;

/// The longest the hub sleeps while a deadline is set: a machine that was suspended wakes with another time of day.
pub const DEADLINE_CHECK: Duration = Duration::from_secs(1);

/// How often the hub looks into the log without having been told to.
pub const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// Hooks to which events are delivered.
pub const HOOKS: usize = 64;

/// Events that are put into the outbox in one go, for each hook: writing them keeps requests waiting.
pub const OUTBOX_REFILL: usize = 256;

/// The longest a connection sleeps towards the end of its token, for the same reason.
pub const TOKEN_CHECK: Duration = Duration::from_secs(60);

/// How often it is written down who has been waiting.
pub const WAITED_FLUSH: Duration = Duration::from_secs(10);

/// Waits that ended since, beyond which it is written down at once.
pub const WAITED_MARKS: usize = 10_000;

/// Waits that ended since, beyond which the store is too slow to remember them.
pub const WAITED_MARKS_MOST: usize = 200_000;

/// Askers whose streams of events are remembered, of those that have ended.
pub const LISTENERS_KEPT: usize = 10_000;

/// How long an outcome that was not delivered waits for an asker that asks the same again.
pub const UNDELIVERED_FOR: SignedDuration = SignedDuration::from_hours(24);

/// The longest nap of the thread that writes, while those it has just acknowledged are on their way back.
pub const GATHERING_NAP: Duration = Duration::from_micros(50);

/// Statements that a connection keeps prepared.
pub const STATEMENTS: usize = 64;

/// How long a race waits for a hub to acknowledge, once the person has decided.
pub const RACE_PATIENCE: Duration = Duration::from_secs(5);

/// The wait between two tries of a race to reach the hub.
pub const RACE_RETRY: Duration = Duration::from_millis(100);

/// The wait before a race asks a hub again that has no place for it.
pub const RACE_PAUSE: Duration = Duration::from_secs(1);
