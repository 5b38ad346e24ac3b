//! The cycles again on a slower disk, as most disks are: every sync takes two milliseconds more.

use crate::{Done, cycles, in_own_process};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const SOURCE: &str = "benches/hub/slow_sync.c";
const DELAY_US: &str = "2000";

pub(crate) fn measure(folder: &Path) -> Done<Vec<Value>> {
    let library = folder.join("slow_sync.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(SOURCE);
    let built =
        Command::new("cc").args(["-O2", "-shared", "-fPIC", "-o"]).args([&library, &source]).arg("-ldl").status();
    if !built.as_ref().is_ok_and(std::process::ExitStatus::success) {
        eprintln!("a slower disk needs a C compiler, and is left out: {built:?}");
        return Ok(Vec::new());
    }
    let variables = [("LD_PRELOAD", library.as_path()), ("ASKBACK_BENCH_SYNC_DELAY_US", Path::new(DELAY_US))];
    let mut results = in_own_process(cycles::NAME, &variables)?;
    for result in &mut results {
        let name = result["name"].as_str().unwrap_or_default().to_owned();
        // The cycles are shown once.
        result["headline"] = (result["headline"] == true && name.starts_with(cycles::WRITES_OF)).into();
        result["name"] = format!("with 2 ms more for every sync: {name}").into();
    }
    Ok(results)
}
