//! The fuzz targets: one function for each reader of untrusted bytes, with the invariants that hold for every input.
//!
//! A target panics if the reader panics or an invariant is broken. The test run reads each committed corpus and a fixed number
//! of its mutations ([`Mutator`]); `cargo xtask torture fuzz` runs ten million inputs each, guided by coverage.

mod mutator;
mod targets;

pub use mutator::Mutator;
pub use targets::{TARGETS, Target};
