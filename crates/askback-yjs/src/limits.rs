//! Every limit of the codec (S3), in one place.

/// Levels of lists and objects in a value.
pub const VALUE_DEPTH: usize = 32;

/// Values in one proposal: its fields, and all that is in them.
pub const PROPOSAL_VALUES: usize = 10_000;

/// Levels of lists and objects in one proposal.
pub const PROPOSAL_DEPTH: usize = 8;

/// Map items of one connection whose keys are cached, so that an overwritten key is known.
pub const CACHED_KEYS: usize = 1_000;

/// Bytes of the cached keys of one connection. A key of several items counts once for each.
pub const CACHED_KEY_BYTES: usize = 64 << 10;

/// Clients in a state vector: a replica gets a new one each time that a page was opened and written in.
pub const STATE_VECTOR_CLIENTS: u64 = 100_000;

/// Awareness states that are read of one message.
pub const AWARENESS_ENTRIES: usize = 64;

/// Bytes of one awareness state, as JSON.
pub const AWARENESS_BYTES: usize = 1_024;
