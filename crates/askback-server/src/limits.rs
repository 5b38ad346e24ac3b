//! Every limit of the server (S3). A caller that exceeds one gets an error that names it, and nothing is lost.

use crate::pool::{Quota, Unit};
use std::time::Duration;

/// Maximum bytes of a body other than a request: answers, reasons, tokens.
pub(crate) const BODY_BYTES: usize = 4 << 20;

/// Open TCP connections; fewer, in proportion, if the system allows fewer open files. One belongs to the last token that it has shown.
pub(crate) const CONNECTIONS: Quota = Quota {
    resource: "connections",
    unit: Unit::Items,
    of_token: 12_500,
    of_askers: 20_000,
    total: 25_000,
    advice: "close some, or wait for fewer requests at once",
};

/// Connections over the Unix socket, which are reserved for commands on this machine: all agents of a user share one token.
pub(crate) const LOCAL_CONNECTIONS: Quota = Quota {
    resource: "connections of this machine",
    unit: Unit::Items,
    of_token: 4_000,
    of_askers: 4_000,
    total: 5_000,
    advice: "close some, or wait for fewer requests at once",
};

/// Of the connections of each listener, one in so many may have shown no token yet.
pub(crate) const UNHELD_PART: usize = 10;

/// The least number of them.
pub(crate) const UNHELD_LEAST: usize = 4;

/// How long such a connection stays open without a call, at the least, before it makes place for the next one.
pub(crate) const UNHELD_GRACE: Duration = Duration::from_secs(1);

/// Connections over TCP below which the hub says that the system allows it too few open files.
pub(crate) const FEW_CONNECTIONS: usize = 256;

/// Open files reserved for the database, the log and webhooks.
pub(crate) const OTHER_FILES: usize = 64;

/// Maximum bytes of an HTTP head.
pub(crate) const HEAD_BYTES: usize = 32 << 10;

/// Timeout for an HTTP head, and for an idle connection between two calls.
pub(crate) const HEAD_TIMEOUT: Duration = Duration::from_secs(75);

/// Timeout for a body.
pub(crate) const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// Bytes of bodies of calls and of messages in rooms, from the arrival of their first byte until they are parsed. A share holds four of the
/// largest messages to `/mcp`.
pub(crate) const IN_FLIGHT: Quota = Quota {
    resource: "bytes in flight",
    unit: Unit::Bytes,
    of_token: 64 << 20,
    of_askers: 128 << 20,
    total: 192 << 20,
    advice: "send fewer large bodies at once, or try again later",
};

/// The first bytes of each body and message, which are outside of that budget: the number of connections bounds them.
pub(crate) const FREE_BYTES: usize = 4 << 10;

/// Bytes of responses of more than [`FREE_BYTES`], from when they are encoded until the connection has taken them. A share holds eight of the
/// largest requests.
pub(crate) const RESPONSES: Quota = Quota {
    resource: "bytes of responses that were not yet received",
    unit: Unit::Bytes,
    of_token: 64 << 20,
    of_askers: 96 << 20,
    total: 128 << 20,
    advice: "read the responses that are under way first",
};

/// Bytes of requests that calls of MCP tools and scripts hold while they wait, beyond the first [`FREE_BYTES`] of each.
pub(crate) const WAITING_REQUESTS: Quota = Quota {
    resource: "bytes of requests that calls wait with",
    unit: Unit::Bytes,
    of_token: 64 << 20,
    of_askers: 128 << 20,
    total: 160 << 20,
    advice: "wait for fewer large requests at once",
};

/// How long a client may read nothing of what is sent to it. A system reports progress only when a third of its buffer, of up to 4 MiB, is
/// free again, so that this is the time of a client that reads 8 KiB a second.
pub(crate) const STALL_TIMEOUT: Duration = Duration::from_secs(180);

/// The least memory of a body that has more.
pub(crate) const LEAST_MAPPED: usize = 16 << 10;

/// Bytes of a body that are read and dropped after the call was refused: as many as any call may send.
pub(crate) const DRAIN_BYTES: usize = 16 << 20;

/// Timeout for that.
pub(crate) const DRAIN_TIMEOUT: Duration = Duration::from_secs(3);

/// Interval of keep-alive comments on an event stream: proxies close idle connections.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Event streams that read old events, and do not yet follow the new ones.
pub(crate) const REPLAYS: Quota = Quota {
    resource: "replays of old events",
    unit: Unit::Items,
    of_token: 50,
    of_askers: 200,
    total: 300,
    advice: "let one catch up, or resume after a later event",
};

/// The number of turns at the same time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TurnLimits {
    /// Of one asker.
    pub(crate) of_asker: usize,
    /// Of all askers.
    pub(crate) of_askers: usize,
    /// Of one person's token, with all sessions that descend from it.
    pub(crate) of_person: usize,
    /// Of all people, who never wait for askers.
    pub(crate) of_people: usize,
}

/// Replays that read and encode at the same time; the others wait their turn.
pub(crate) const REPLAY_TURNS: TurnLimits = TurnLimits { of_asker: 1, of_askers: 1, of_person: 1, of_people: 2 };

/// No bound: the readers of the database are one.
const READS_OF_PEOPLE: usize = 1 << 16;

/// Calls that read the store at the same time. Askers leave a reader of the database to people.
pub(crate) const READ_TURNS: TurnLimits =
    TurnLimits { of_asker: 2, of_askers: 3, of_person: READS_OF_PEOPLE, of_people: READS_OF_PEOPLE };

/// Bytes of encoded events after which a replay waits for its next turn.
pub(crate) const REPLAY_BYTES: usize = 256 << 10;

/// Encoded events kept for all event streams.
pub(crate) const ENCODED_EVENTS: usize = 32;

/// Bytes of encoded events that are kept; the newest one always is.
pub(crate) const ENCODED_BYTES: usize = 16 << 20;

/// How long the result of a check of the store is used, so that callers of `/readyz` can't make the hub write more often.
pub(crate) const READY_FOR: Duration = Duration::from_secs(1);

/// How long the number of webhooks that wait is used, so that callers of `/metrics` can't make the hub read more often.
pub(crate) const METRICS_FOR: Duration = Duration::from_secs(1);

/// Timeout for the check of the store.
pub(crate) const READY_TIMEOUT: Duration = Duration::from_secs(5);

/// Timeout for open calls when the server stops.
pub(crate) const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// The same for a private hub, whose program waits for it to end.
pub(crate) const PRIVATE_STOP_TIMEOUT: Duration = Duration::from_millis(500);

/// Time for clients of a private hub to receive its last events, which takes a few milliseconds.
pub(crate) const PRIVATE_DRAIN: Duration = Duration::from_millis(250);

/// Maximum number of delivery claims in memory; beyond it, all are dropped.
pub(crate) const CLAIMS_KEPT: usize = 10_000;

/// Maximum number of scripts that run, wait, or have ended without a delivery.
pub(crate) const SCRIPTS_KEPT: usize = 1_000;

/// Maximum number of scripts of one asker that run or wait.
pub(crate) const SCRIPTS_OF_ASKER: usize = SCRIPTS_KEPT / 2;

/// Characters kept of a message that a script asks, to tell its requests apart.
pub(crate) const SCRIPT_MESSAGE: usize = 200;

/// Maximum bytes kept of scripts that have ended.
pub(crate) const SCRIPTS_KEPT_BYTES: usize = 64 << 20;

/// Retention of a script that has ended.
pub(crate) const SCRIPT_KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// Lifetime of a login link.
pub(crate) const LOGIN_LINK: Duration = Duration::from_secs(10 * 60);

/// Lifetime of a browser's session.
pub(crate) const SESSION: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Requests and scripts of one token.
pub(crate) const ASKS: Rate = Rate { burst: 2_000, each_second: 500 };

/// Calls of one asker.
pub(crate) const ASKER_CALLS: Rate = Rate { burst: 10_000, each_second: 2_000 };

/// Calls of one answerer, admin or browser.
pub(crate) const PERSON_CALLS: Rate = Rate { burst: 20_000, each_second: 5_000 };

/// Calls of one asker that read a list or open an event stream. Each reads up to a page from the store.
pub(crate) const ASKER_LISTS: Rate = Rate { burst: 1_000, each_second: 100 };

/// The same of one answerer, admin or browser.
pub(crate) const PERSON_LISTS: Rate = Rate { burst: 2_000, each_second: 500 };

/// Failed authentications from one address.
pub(crate) const FAILURES: Rate = Rate { burst: 1_000, each_second: 50 };

/// Maximum bytes of one message of a client in a room.
pub(crate) const MESSAGE_BYTES: usize = 1 << 20;

/// Bytes read at once from a connection in a room.
pub(crate) const SOCKET_READ: usize = 4 << 10;

/// Timeout for a message, from its first byte to its last.
pub(crate) const MESSAGE_TIMEOUT: Duration = Duration::from_secs(20);

/// Maximum number of frames of one message.
pub(crate) const MESSAGE_FRAMES: usize = 1_024;

/// Pause before a proposal in a room is tried again whose token has used up its rate of calls.
pub(crate) const PROPOSAL_PAUSE: Duration = Duration::from_millis(100);

/// Messages and proposals of one connection in a room; beyond it, the connection is read more slowly.
pub(crate) const MESSAGES: Rate = Rate { burst: 1_000, each_second: 200 };

/// Bytes of a message that count as one more message.
pub(crate) const MESSAGE_UNIT: usize = 4 << 10;

/// Messages of a client that are queued while its room is loaded.
pub(crate) const QUEUED_WHILE_ENTERING: usize = 16;

/// Timeout for sending one message to a client.
pub(crate) const SEND_TIMEOUT: Duration = Duration::from_secs(30);

/// Idle time after which a client is pinged.
pub(crate) const PEER_PING: Duration = Duration::from_secs(30);

/// Idle time after which a client is disconnected.
pub(crate) const PEER_TIMEOUT: Duration = Duration::from_secs(90);

/// Timeout for a client to receive the close frame.
pub(crate) const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Maximum number of tokens and addresses with a rate in memory.
pub(crate) const RATES_KEPT: usize = 10_000;

/// A rate limit: a token bucket of `burst` units, refilled with `each_second` units a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rate {
    pub(crate) burst: u32,
    pub(crate) each_second: u32,
}

/// Timeout for a webhook, from the connection to the end of the response.
pub(crate) const HOOK_TIMEOUT: Duration = askback_hub::limits::HOOK_DELIVERY;

/// Bytes read of a receiver's response, of which only the beginning is logged.
pub(crate) const HOOK_REPLY_BYTES: usize = 16 << 10;

/// Events sent to one webhook before the outbox is polled again.
pub(crate) const HOOK_BATCH: usize = 8;

/// Time to collect events before they are sent: under load many events form one batch.
pub(crate) const HOOK_BATCH_DELAY: Duration = Duration::from_millis(10);

/// Delay before the first retry; each later delay is twice as long.
pub(crate) const HOOK_FIRST_RETRY: Duration = Duration::from_secs(1);

/// Maximum delay before a retry.
pub(crate) const HOOK_LAST_RETRY: Duration = Duration::from_secs(60 * 60);

/// Maximum of a receiver's `Retry-After`.
pub(crate) const HOOK_RETRY_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// Maximum pause of a failing webhook, during which its other events wait.
pub(crate) const HOOK_PAUSE: Duration = Duration::from_secs(60);

/// Age at which an event is given up, after at least `HOOK_TRIES` attempts.
pub(crate) const HOOK_GIVE_UP: Duration = Duration::from_secs(24 * 60 * 60);

/// Minimum number of attempts for an event: a hub that was off for days has nothing but old events.
pub(crate) const HOOK_TRIES: u32 = 10;

/// Maximum interval between two polls of the outbox.
pub(crate) const HOOK_POLL: Duration = Duration::from_secs(60);

/// The same while a webhook is busy or paused, and its due events hide later ones of other webhooks.
pub(crate) const HOOK_POLL_BUSY: Duration = Duration::from_secs(5);

/// Maximum characters of a question in a message to people.
pub(crate) const HOOK_QUESTION: usize = 500;

/// Maximum characters of a title, a name or a room in such a message.
pub(crate) const HOOK_LINE: usize = 100;

/// Timeout for the command of a request.
pub(crate) const COMMAND_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum number of concurrent commands; further requests wait.
pub(crate) const COMMANDS: usize = 4;

/// Bytes of a command's output that are logged; the rest is read and discarded.
pub(crate) const COMMAND_OUTPUT: usize = 2_000;

/// Maximum characters of a request's title in the environment of a command.
pub(crate) const COMMAND_TITLE: usize = 200;

/// Timeout for running webhooks and commands when the server stops.
pub(crate) const BACKGROUND_STOP_TIMEOUT: Duration = Duration::from_secs(2);
