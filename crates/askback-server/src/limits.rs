//! Every limit of the server (S3), in one place. Past one, a caller gets an error that names it, and nothing is lost.

use jiff::SignedDuration;
use std::time::Duration;

/// Bytes of a body that is no request: answers, reasons, tokens.
pub(crate) const BODY_BYTES: usize = 4 << 20;

/// Connections over TCP at once; fewer where the system allows fewer open files.
pub(crate) const CONNECTIONS: usize = 25_000;

/// Connections of this machine's own commands, which no others can take.
pub(crate) const LOCAL_CONNECTIONS: usize = 5_000;

/// Open files that are for other things than connections: the database, the log, webhooks.
pub(crate) const OTHER_FILES: usize = 64;

/// Bytes of a request's head.
pub(crate) const HEAD_BYTES: usize = 32 << 10;

/// How long a head may take to arrive, and how long a connection may say nothing between two calls.
pub(crate) const HEAD_PATIENCE: Duration = Duration::from_secs(75);

/// How long a body may take to arrive.
pub(crate) const BODY_PATIENCE: Duration = Duration::from_secs(30);

/// How long an asker that waits in one call after the other may take between them and still count as waiting (L9).
pub(crate) const BETWEEN_WAITS: SignedDuration = SignedDuration::from_secs(10);
/// How often a stream of events says that it is still there: proxies close what is silent.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Events kept as they go over the wire, for all who follow.
pub(crate) const ENCODED_EVENTS: usize = 32;

/// Bytes that one of them may have.
pub(crate) const ENCODED_BYTES: usize = 64 << 10;

/// How long the server waits for calls under way when it stops.
pub(crate) const STOP_PATIENCE: Duration = Duration::from_secs(5);

/// The same for a program's own hub: whoever ends the program waits for it.
pub(crate) const PRIVATE_PATIENCE: Duration = Duration::from_millis(500);

/// How long those who look at a program's own hub are given to hear what happened last. It reaches them in a few milliseconds.
pub(crate) const FAREWELL: Duration = Duration::from_millis(250);

/// Outcomes of which it is known who said last that they were delivered; more are forgotten together.
pub(crate) const CLAIMS_KEPT: usize = 10_000;

/// Scripts that run, wait, or whose end nobody has heard yet.
pub(crate) const SCRIPTS_KEPT: usize = 1_000;

/// Characters that are kept of what a script asks, to tell its questions apart.
pub(crate) const SCRIPT_MESSAGE: usize = 200;

/// Bytes of what is kept of scripts that have ended.
pub(crate) const SCRIPTS_KEPT_BYTES: usize = 64 << 20;

/// How long the end of a script is kept.
pub(crate) const SCRIPT_KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a login link works.
pub(crate) const LOGIN_LINK: Duration = Duration::from_secs(10 * 60);

/// How long a browser stays logged in.
pub(crate) const SESSION: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Requests that one token may make in a burst, and how many more each second.
pub(crate) const ASKS: Rate = Rate { burst: 2_000, each_second: 500 };

/// Failures to say who one is from one address.
pub(crate) const FAILURES: Rate = Rate { burst: 1_000, each_second: 50 };

/// Bytes of one message of a client in a room.
pub(crate) const MESSAGE_BYTES: usize = 1 << 20;

/// Bytes that are read at once from a connection in a room.
pub(crate) const SOCKET_READ: usize = 4 << 10;

/// How long a message may take from its first byte to its last.
pub(crate) const MESSAGE_PATIENCE: Duration = Duration::from_secs(20);

/// Frames that one message may come in.
pub(crate) const MESSAGE_PIECES: usize = 1_024;

/// Bytes of messages that have begun and are not whole, over all connections.
pub(crate) const UNFINISHED_BYTES: usize = 64 << 20;

/// Messages and proposals of one connection in a room; past it, it is heard more slowly.
pub(crate) const MESSAGES: Rate = Rate { burst: 1_000, each_second: 200 };

/// Bytes of a message that count as one more.
pub(crate) const MESSAGE_UNIT: usize = 4 << 10;

/// Messages of a client that are kept while its room is being read.
pub(crate) const SAID_WHILE_ENTERING: usize = 16;

/// How long a client may take to read one message.
pub(crate) const SEND_PATIENCE: Duration = Duration::from_secs(30);

/// How long a client may say nothing before it is asked whether it is there.
pub(crate) const PEER_PING: Duration = Duration::from_secs(30);

/// How long it may say nothing at all.
pub(crate) const PEER_PATIENCE: Duration = Duration::from_secs(90);

/// How long a client is given to hear why it is cut off.
pub(crate) const CLOSE_PATIENCE: Duration = Duration::from_secs(2);

/// Tokens and addresses whose rate is remembered.
pub(crate) const RATES_KEPT: usize = 10_000;

/// How often something may be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rate {
    pub(crate) burst: u32,
    pub(crate) each_second: u32,
}

/// How long a webhook may take, from the connection to the end of the answer.
pub(crate) const HOOK_PATIENCE: Duration = Duration::from_secs(10);

/// Bytes that are read of a receiver's answer, of which only the beginning is ever told.
pub(crate) const HOOK_REPLY_BYTES: usize = 16 << 10;

/// Events that go to one webhook before it is looked again what is due.
pub(crate) const HOOK_ROUND: usize = 8;

/// How long what happens is gathered before it is sent: under load many events make one round.
pub(crate) const HOOK_GATHER: Duration = Duration::from_millis(10);

/// How long the first repetition waits; each waits twice as long as the one before it.
pub(crate) const HOOK_FIRST_RETRY: Duration = Duration::from_secs(1);

/// The longest that a repetition waits.
pub(crate) const HOOK_LAST_RETRY: Duration = Duration::from_secs(60 * 60);

/// The longest that a receiver may ask to be left alone.
pub(crate) const HOOK_RETRY_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// The longest that a webhook that fails keeps its other events waiting.
pub(crate) const HOOK_REST: Duration = Duration::from_secs(60);

/// How old an event is when it is given up, if it was tried often enough.
pub(crate) const HOOK_GIVE_UP: Duration = Duration::from_secs(24 * 60 * 60);

/// How often an event is tried at least: a hub that was off for days has nothing but old ones.
pub(crate) const HOOK_TRIES: u32 = 10;

/// How often it is looked what is due, whatever is known of it.
pub(crate) const HOOK_LOOK: Duration = Duration::from_secs(60);

/// The same while a webhook is slow or rests, and what is due for it hides what will be for others.
pub(crate) const HOOK_LOOK_BUSY: Duration = Duration::from_secs(5);

/// Characters of a question in a message to people.
pub(crate) const HOOK_QUESTION: usize = 500;

/// Characters of a title, a name or a room there.
pub(crate) const HOOK_LINE: usize = 100;

/// How long the command for a request may take.
pub(crate) const COMMAND_PATIENCE: Duration = Duration::from_secs(30);

/// Commands at once; who comes then waits its turn.
pub(crate) const COMMANDS: usize = 4;

/// Bytes of what a command says that are logged; the rest is read and dropped.
pub(crate) const COMMAND_OUTPUT: usize = 2_000;

/// Characters of a request's title in the environment of a command.
pub(crate) const COMMAND_TITLE: usize = 200;

/// How long webhooks and commands under way may take when the server stops.
pub(crate) const ERRANDS_PATIENCE: Duration = Duration::from_secs(2);
