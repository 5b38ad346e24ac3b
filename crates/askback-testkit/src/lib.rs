//! Tests that every store passes, and values to test with. Nothing here is shipped.
#![allow(clippy::panic, clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

pub mod sample;
pub mod store;
