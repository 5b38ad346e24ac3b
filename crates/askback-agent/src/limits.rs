//! Every limit on what an agent may do in a conversation (S3), in one place.

use std::time::Duration;

/// Bytes of text, tool calls and results that one turn may hold; an agent that sends more is stopped.
pub const TURN_BYTES: usize = 8 << 20;

/// Events that may wait between an agent and the one who shows them; then the agent waits.
pub const EVENTS_WAITING: usize = 64;

/// Events taken in a row before the person is heard, who may be pressing Ctrl+C.
pub const EVENTS_UNHEARD: usize = 64;

/// Calls of the model in one turn.
pub const STEPS: usize = 50;

/// Tokens that the model may write in one turn, over all its calls.
pub const OUTPUT_TOKENS: u64 = 200_000;

/// Tokens that the model may write in one call.
pub const CALL_TOKENS: u64 = 16_000;

/// Time that a turn may take, not counting the time a person takes to answer.
pub const TURN_TIME: Duration = Duration::from_secs(30 * 60);

/// Calls of tools in one message of the model.
pub const TOOL_CALLS: usize = 64;

/// Bytes of a tool's result that the model gets to read.
pub const TOOL_OUTPUT: usize = 64 * 1024;

/// Bytes of a file that can be read or written by a tool.
pub const FILE_BYTES: usize = 1 << 20;

/// Time to find the smallest difference between two files, in which nothing else happens.
pub const DIFF_TIME: Duration = Duration::from_millis(300);

/// Entries of a folder that are listed.
pub const FOLDER_ENTRIES: usize = 1_000;

/// Time that a command may run.
pub const COMMAND_TIME: Duration = Duration::from_secs(10 * 60);

/// Tries of one call of the model, the first among them.
pub const TRIES: u32 = 5;

/// The wait before the second try; each one after it waits twice as long.
pub const FIRST_BACK_OFF: Duration = Duration::from_millis(500);

/// The longest wait between two tries, whatever the server asks for.
pub const LONGEST_BACK_OFF: Duration = Duration::from_secs(60);

/// Time to reach the model's server.
pub const CONNECT_TIME: Duration = Duration::from_secs(10);

/// Silence of the model's server after which the call has failed.
pub const SILENCE: Duration = Duration::from_secs(120);

/// Bytes of one event of a server.
pub const SERVER_EVENT_BYTES: usize = 4 << 20;

/// Bytes of a server's error message that are shown.
pub const SERVER_ERROR_BYTES: usize = 2_000;

/// Bytes of one line of an external agent.
pub const AGENT_LINE_BYTES: usize = 8 << 20;

/// Lines of an external agent that are no events before they are only counted.
pub const GARBAGE_SHOWN: usize = 3;

/// Lines of an external agent that are no events before its turn is ended.
pub const GARBAGE_LINES: usize = 10_000;

/// Bytes kept of what an external agent last wrote to its standard error.
pub const AGENT_STDERR: usize = 2_000;

/// Time that an external agent has to stop when its turn was cancelled, before it is ended.
pub const AGENT_GRACE: Duration = Duration::from_secs(2);

/// Bytes of a script.
pub const SCRIPT_BYTES: usize = 1 << 20;

/// Bytes of a saved session that is resumed.
pub const SESSION_BYTES: u64 = 256 << 20;
