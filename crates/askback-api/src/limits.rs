//! The limits of the wire, shared by server and clients.

use std::ops::RangeInclusive;

/// The largest integer that every JSON parser reads exactly: the numbers of events and tokens stay below it.
pub const LARGEST_EXACT_INTEGER: u64 = (1 << 53) - 1;

/// The longest wait of one call, in seconds.
pub const WAIT_SECONDS: u64 = 60;

/// The allowed number of seconds without a waiting asker in a call that dismisses requests.
pub const DISMISS_SECONDS: RangeInclusive<f64> = 1.0..=1e9;

/// Maximum number of items on one page of a list.
pub const PAGE_ITEMS: usize = 200;

/// Number of items on a page if the caller sets no limit.
pub const PAGE_ITEMS_DEFAULT: usize = 50;

/// Maximum length of a path on the page, in a login link or as the address of a request.
pub const PAGE_PATH_LENGTH: usize = 200;

/// Maximum size of a script in bytes.
pub const SCRIPT_BYTES: usize = 256 << 10;
