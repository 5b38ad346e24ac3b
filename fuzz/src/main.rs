//! The fuzz targets under libFuzzer. The environment variable `FUZZ_TARGET` names the target.

#![no_main]

use askback_fuzz::{TARGETS, Target};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    TARGETS.iter().find(|target| target.name == name).expect("FUZZ_TARGET names a target")
});

fuzz_target!(|input: &[u8]| {
    (TARGET.accepts)(input);
});
