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
    /// Tokens that are valid.
    pub of_tokens: TokenLimits,
    /// Events that wait to be delivered to one hook; past it the oldest make place, so that nothing here waits for anyone there.
    pub outbox: usize,
    /// How long an asker counts as there after its last call, wait or stream (L9): agents do other work between two calls.
    pub attended_for: SignedDuration,
}

impl HubLimits {
    /// What a hub has unless told otherwise.
    pub const DEFAULT: Self = Self {
        pending: 2_000_000,
        pending_of_asker: 10_000,
        waiters: 1_000_000,
        of_tokens: TokenLimits::DEFAULT,
        outbox: 100_000,
        attended_for: SignedDuration::from_secs(60),
    };
}

/// How many tokens may be valid at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenLimits {
    /// All of them: of programs, sessions, and links that nobody has redeemed.
    pub tokens: usize,
    /// Sessions and links, so that tokens of programs can always be issued.
    pub logins: usize,
    /// Links that descend from one program's token and were not redeemed.
    pub login_links_of_token: usize,
    /// Sessions that descend from one program's token. Past it the oldest ends.
    pub sessions_of_token: usize,
}

impl TokenLimits {
    /// The limits of a hub unless it is told otherwise.
    pub const DEFAULT: Self =
        Self { tokens: 10_000, logins: 8_000, login_links_of_token: 100, sessions_of_token: 1_000 };
}

/// Requests or events on one page.
pub const PAGE_ITEMS: usize = 200;

/// Bytes of requests and outcomes on one page; it has at least one item, however large.
pub const PAGE_BYTES: usize = 4 << 20;

/// Requests that nobody waits for that are named at once, the newest first.
pub const UNATTENDED: usize = 1_000;

/// Pending requests among which they are looked for, the newest.
pub const UNATTENDED_AMONG: usize = 10_000;

/// Pending requests that are counted for whoever shows some of them; that there are more than a list holds is known long before.
pub const PENDING_COUNTED: usize = 10_000;

/// Rooms that are counted one by one.
pub const ROOMS_COUNTED: usize = 1_000;

/// The pauses before a write is repeated whose result is not known.
pub const WRITE_RETRIES: [Duration; 3] =
    [Duration::from_millis(10), Duration::from_millis(50), Duration::from_millis(250)];

/// Batches of events that may wait for the hub to look at them; beyond that it reads them from the store.
pub const HINTS_WAITING: usize = 256;

/// Events kept in memory for those who follow them; who is further behind reads from the store.
pub const RECENT_EVENTS: usize = 4_096;

/// Bytes of requests and outcomes in them.
pub const RECENT_EVENT_BYTES: usize = 64 << 20;

/// Events that one follower reads at once.
pub const FOLLOWED_EVENTS: usize = 64;

/// Bytes of the events in memory that one follower reads at once, beyond the first event: it may hold them for as long as its client reads
/// nothing.
pub const FOLLOWED_BYTES: usize = 256 << 10;

/// Events by which a follower may be behind the log; one that is further behind replays old events.
pub const REPLAYED_EVENTS: u64 = 512;

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

/// How long other nodes count the askers and people of a node as present after it last renewed its lease.
pub const PRESENCE_LEASE: SignedDuration = SignedDuration::from_secs(20);

/// How often a node renews its lease while askers or people are present on it.
pub const PRESENCE_HEARTBEAT: Duration = Duration::from_secs(5);

/// How long a node gathers changes of its presence before it reports them.
pub const PRESENCE_FLUSH: Duration = Duration::from_millis(500);

/// Hooks to which events are delivered.
pub const HOOKS: usize = 64;

/// How long a node may deliver to a hook without renewing its lease: another node takes over that much later if it dies.
pub const HOOK_LEASE: SignedDuration = SignedDuration::from_secs(20);

/// A node renews the lease of a hook when less than this is left of it.
pub const HOOK_LEASE_RENEWAL: Duration = Duration::from_secs(15);

/// The longest delivery to a hook: none begins when less than this is left of the lease.
pub const HOOK_DELIVERY: Duration = Duration::from_secs(10);

/// Events that are put into the outbox in one go, for each hook: writing them keeps requests waiting.
pub const OUTBOX_REFILL: usize = 256;

/// The longest a connection sleeps towards the end of its token, for the same reason.
pub const TOKEN_CHECK: Duration = Duration::from_secs(60);

/// How often expired tokens are deleted.
pub const TOKEN_SWEEP: Duration = Duration::from_secs(60);

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

/// Pending requests that a room's document shows, the newest of them; all of them are on HTTP.
pub const PENDING_ENTRIES: usize = 500;

/// Of these, those of one asker when there is no place for all: its oldest give way first, so that it does not hide others'.
pub const PENDING_ENTRIES_OF_ASKER: usize = PENDING_ENTRIES / 2;

/// Bytes of pending requests.
pub const PENDING_BYTES: usize = 8 << 20;

/// Of these, those of one asker when there is no place for all.
pub const PENDING_BYTES_OF_ASKER: usize = PENDING_BYTES / 2;

/// Requests that have ended in a room's document.
pub const FINAL_ENTRIES: usize = 200;

/// Bytes of them.
pub const FINAL_BYTES: usize = 2 << 20;

/// Bytes of one request in a room's document; what makes it larger is left out there.
pub const ENTRY_BYTES: usize = 256 << 10;

/// Bytes of requests after which a room's document is told in another message: a client that hears nothing for 30 seconds comes back
/// and asks anew, and a connection keeps a buffer as large as the largest message it was told.
pub const PART_BYTES: usize = 8 << 10;

/// Changes of a room's document that are kept for those who are almost up to date.
pub const CHANGES_KEPT: usize = 1_024;

/// Rooms that somebody may be in at the same time.
pub const OPEN_ROOMS: usize = 1_000;

/// Of these, rooms that one program's token has opened, with the sessions that descend from it.
pub const OPEN_ROOMS_OF_TOKEN: usize = 200;

/// How long a room that nobody is in stays in memory.
pub const EMPTY_ROOM_STAYS: Duration = Duration::from_secs(60);

/// How long rooms wait before the log is read again that could not be read.
pub const ROOMS_RETRY: Duration = Duration::from_secs(1);

/// How often it is looked for such rooms.
pub const ROOM_SWEEP: Duration = Duration::from_secs(30);

/// Events after which a room's document is written down, so that it need not be made from the whole log.
pub const SNAPSHOT_EVENTS: usize = 1_000;

/// Events of other rooms after which a room's document is written down, though nothing has happened in it.
pub const QUIET_EVENTS: u64 = 20_000;

/// People who are seen looking, in one room.
pub const PRESENT: usize = 64;

/// Of these, connections of one program's token and of its sessions, which have one name.
pub const PRESENT_OF_TOKEN: usize = 8;

/// The highest clock that who is looking may have: clients count up from 0, and none would be heard again after the highest there is.
pub const PRESENCE_CLOCK: u64 = 1 << 31;

/// Those who left a room that are remembered for those who have not heard it yet.
pub const GONE_KEPT: usize = 256;

/// The shortest time between two updates of the document to one client: the first comes at once, and what happens right after it
/// comes together, so that a thousand clients cost the same however much happens.
pub const NEWS_PAUSE: Duration = Duration::from_millis(50);

/// The shortest time between two messages about who is looking, to one client.
pub const PRESENCE_PAUSE: Duration = Duration::from_millis(500);

/// How often a client in a room hears something: after 30 seconds it would take the connection for dead, and after as many
/// without word of somebody, them for gone.
pub const ROOM_KEEP_ALIVE: Duration = Duration::from_secs(10);
