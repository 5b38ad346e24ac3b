//! `cargo xtask page`: the page's files, built into the server's crate, so that a build of the binary needs no Node.js.

use crate::Done;
use crate::project::{command, root, run};
use std::collections::BTreeMap;
use std::path::Path;

/// The page's sources, and where what is built of them is committed.
const SOURCES: &str = "web";
const BUILT: &str = "crates/askback-server/assets/page";
/// Where it is built again to be compared.
const AGAIN: &str = "target/page";

/// Builds the page.
pub(crate) fn write() -> Done {
    build(BUILT)
}

/// Fails if the page has mistakes, or if what is committed is not what would be built.
pub(crate) fn check() -> Done {
    run("npm", &["--prefix", SOURCES, "run", "--silent", "check"])?;
    build(AGAIN)?;
    let (committed, again) = (contents(BUILT)?, contents(AGAIN)?);
    let mut paths: Vec<&String> = committed.keys().chain(again.keys()).collect();
    paths.sort();
    paths.dedup();
    let stale: Vec<&str> =
        paths.into_iter().filter(|path| committed.get(*path) != again.get(*path)).map(String::as_str).collect();
    if stale.is_empty() {
        return Ok(());
    }
    Err(format!("stale in {BUILT}: {}; run `cargo xtask page` and commit what it writes", stale.join(", ")))
}

fn build(folder: &str) -> Done {
    let status = command("npm", &["--prefix", SOURCES, "run", "--silent", "build", "--", "--logLevel", "warn"])
        .env("ASKBACK_PAGE", root().join(folder))
        .status()
        .map_err(|error| format!("can't run npm: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("the page could not be built: {status}")) }
}

/// Every file below a folder, by its path from there.
fn contents(folder: &str) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let mut files = BTreeMap::new();
    let top = root().join(folder);
    let mut folders = vec![top.clone()];
    while let Some(folder) = folders.pop() {
        let failed = |error: std::io::Error| format!("{}: {error}; run `cargo xtask page`", folder.display());
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(from(&top, &path), std::fs::read(&path).map_err(failed)?);
            }
        }
    }
    Ok(files)
}

fn from(top: &Path, path: &Path) -> String {
    path.strip_prefix(top).unwrap_or(path).to_string_lossy().into_owned()
}
