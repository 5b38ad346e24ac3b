//! Every limit on what a script may use (S3), in one place.

use std::time::Duration;

/// Bytes of a script's code.
pub const CODE_BYTES: usize = 256 * 1024;

/// Bytes of stack that a script's calls may take.
pub const STACK_BYTES: usize = 256 * 1024;

/// Bytes of a worker's own stack: a script's, and room for what the engine does beside it.
pub const THREAD_STACK_BYTES: usize = 2 << 20;

/// Bytes that a script may use beyond its limit for saying that it has reached it.
pub const LAST_WORDS_BYTES: usize = 512 * 1024;

/// Blocks of memory that a script may have beyond every limit for the error that interrupts it.
pub const GRACE_BLOCKS: usize = 16;

/// Bytes of such a block.
pub const GRACE_BLOCK_BYTES: usize = 16 * 1024;

/// Bytes that the allocators add to a block: the size that precedes it, twice.
pub const BLOCK_OVERHEAD_BYTES: usize = 16;

/// Bytes of the largest block that an engine gets, also while nothing else bounds it: the allocator adds to a size without a check.
pub const LARGEST_BLOCK_BYTES: usize = 1 << 30;

/// Elements of an array that is sorted, turned round or moved by one call, in which a script can't be interrupted.
pub const ARRAY_ELEMENTS: usize = 1 << 20;

/// CPU time after which a script that could go on lets others go first.
pub const SLICE: Duration = Duration::from_millis(20);

/// How often somebody looks whether a worker is late.
pub const WATCH: Duration = Duration::from_millis(50);

/// Calls of the host that a script may wait for at once.
pub const CALLS_OPEN: usize = 100;

/// Calls of the host in one script.
pub const CALLS: u32 = 1_000;

/// Bytes of what a script asks, as JSON.
pub const ARGUMENT_BYTES: usize = 1 << 20;

/// Bytes of everything that a script has asked and waits for, as JSON.
pub const ARGUMENTS_OPEN_BYTES: usize = 4 << 20;

/// Bytes of what a script returns, as JSON.
pub const RESULT_BYTES: usize = 1 << 20;

/// Lines kept of what a script writes to its console.
pub const CONSOLE_LINES: usize = 500;

/// Bytes kept of what a script writes to its console.
pub const CONSOLE_BYTES: usize = 64 * 1024;

/// Bytes of one line on the console.
pub const LINE_BYTES: usize = 8 * 1024;

/// Bytes of an error's message.
pub const MESSAGE_BYTES: usize = 2 * 1024;

/// Calls of an error's stack that are shown.
pub const FRAMES: usize = 5;

/// Rejections that nobody has handled yet and that are remembered.
pub const UNHANDLED: usize = 100;

/// Bytes of a message of a worker: twice what a script may ask at once or return, since the text of a value is escaped.
pub const FRAME_BYTES: usize = 4 << 20;

/// Bytes of data of a worker: twice what all scripts may hold while they wait, for those that run, and for what the engine needs.
/// It bounds an engine that was broken into; scripts reach their own limits first.
pub const DATA_BYTES: usize = 512 << 20;

/// Bytes of messages that wait to be read by a worker. Past it, the worker is ended.
pub const QUEUED_BYTES: usize = 64 << 20;

/// Bytes of messages that wait to be read by a worker, past which it gets no other script: the rest is for the answers to those that
/// it has.
pub const QUEUED_BYTES_OF_NEW: usize = 16 << 20;

/// Time in which a worker must read a message.
pub const READS_WITHIN: Duration = Duration::from_secs(30);

/// Time in which a worker that closed its output must have ended.
pub const ENDS_WITHIN: Duration = Duration::from_secs(1);

/// Time until the scripts of a worker end that was ended by a signal which a service manager or a terminal sends to all
/// processes of a service: the hub is about to stop, too, and leaves what they have asked.
pub const STOPS_WITHIN: Duration = Duration::from_secs(2);

/// What differs from hub to hub.
#[derive(Debug, Clone)]
pub struct WorkerLimits {
    /// Processes.
    pub processes: usize,
    /// Scripts that may be alive at once, most of them waiting for a person.
    pub scripts: usize,
    /// Bytes that all scripts may hold together while they wait, with what they ask; the one that goes over it is ended.
    pub waiting_bytes: usize,
    /// The same for the scripts of one owner.
    pub owner_bytes: usize,
    /// Time without scripts after which a process is ended; at most twice as long.
    pub idle: Duration,
}

impl Default for WorkerLimits {
    fn default() -> Self {
        Self {
            processes: 4,
            scripts: 1_000,
            waiting_bytes: 256 << 20,
            owner_bytes: 128 << 20,
            idle: Duration::from_secs(30),
        }
    }
}

/// What differs from engine to engine.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Scripts that may be alive at once, most of them waiting for a person.
    pub scripts: usize,
    /// Threads that run scripts.
    pub workers: usize,
    /// Threads beyond these that may take the place of those that are late.
    pub spare_workers: usize,
    /// Bytes of memory of one script.
    pub memory_bytes: usize,
    /// Bytes that all scripts may hold together while they wait; the one that goes over it is ended.
    pub waiting_bytes: usize,
    /// CPU time of a script, from first to last. Waiting costs nothing.
    pub cpu: Duration,
    /// CPU time of a script without a pause, in which a worker is not free for others.
    pub cpu_at_once: Duration,
    /// Time after which another worker takes the place of one that has not come back from a script.
    pub late: Duration,
    /// Time after which a script that a worker has not come back from is given up.
    pub stuck: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            scripts: 1_000,
            workers: 4,
            spare_workers: 8,
            memory_bytes: 32 << 20,
            waiting_bytes: 256 << 20,
            cpu: Duration::from_secs(2),
            cpu_at_once: Duration::from_millis(500),
            late: Duration::from_secs(1),
            stuck: Duration::from_secs(10),
        }
    }
}

impl Limits {
    /// The limits of the engine in one worker process; those on all scripts are the hub's.
    pub(crate) fn of_worker() -> Self {
        Self { workers: 1, spare_workers: 2, ..Self::default() }
    }

    /// Threads that run scripts, with those that take the place of late ones.
    pub(crate) fn most_workers(&self) -> usize {
        self.workers.max(1) + self.spare_workers
    }
}
