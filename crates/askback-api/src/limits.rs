//! The limits of the wire, which both ends of a call know.

use std::ops::RangeInclusive;

/// The largest number that JSON carries exactly: the numbers of events and tokens stay below it.
pub const LARGEST_EXACT_INTEGER: u64 = (1 << 53) - 1;

/// The longest wait of one call, in seconds.
pub const WAIT_SECONDS: u64 = 60;

/// The number of seconds for which no asker has waited for a request that is dismissed.
pub const DISMISS_SECONDS: RangeInclusive<f64> = 1.0..=1e9;

/// Items on one page of a list.
pub const PAGE_ITEMS: usize = 200;

/// Items on a page whose length the caller does not name.
pub const PAGE_ITEMS_DEFAULT: usize = 50;

/// Characters of a path on the page, in a login link or as the address of a request.
pub const PAGE_PATH_LENGTH: usize = 200;

/// Bytes of a script.
pub const SCRIPT_BYTES: usize = 256 << 10;
