//! What time it is. The hub owns the clock of every deadline, and tests own the hub's.

use jiff::Timestamp;
use std::time::SystemTime;
use uuid::Uuid;

/// Tells the time of day.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// The clock of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// A UUID of version 7 with the time of this machine. An earlier time than 1970 has none: the clock is wrong then, and the id says
/// 1970.
pub(crate) fn new_uuid() -> Uuid {
    match SystemTime::now() < SystemTime::UNIX_EPOCH {
        true => Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, 0, 0)),
        false => Uuid::now_v7(),
    }
}

/// The moment as a store keeps it: what is remembered and what is read back are then the same.
pub(crate) fn whole_microseconds(moment: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(moment.as_microsecond()).unwrap_or(moment)
}
