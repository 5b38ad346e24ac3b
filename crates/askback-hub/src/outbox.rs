//! What is on its way to whoever is not here: an event for a hook, tried until it has arrived.

use crate::record::Event;
use askback_core::Name;
use jiff::Timestamp;

/// An event that is to be delivered to a hook.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    /// Its number, to settle it by; no other ever has it.
    pub number: u64,
    /// Where it goes.
    pub hook: Name,
    /// What happened.
    pub event: Event,
    /// How often it was tried in vain.
    pub attempts: u32,
    /// The fence of the hook's lease when it was read.
    pub(crate) fence: u64,
}

/// What came of a try to deliver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// It has arrived.
    Done,
    /// It has not, and is to be tried again.
    Retry {
        /// When.
        at: Timestamp,
    },
    /// It has not, and won't be tried again.
    GivenUp,
}
