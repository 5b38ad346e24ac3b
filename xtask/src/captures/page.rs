//! Pictures of the page. Browsers draw letters a little differently on every machine, so that pictures are not compared: what is
//! kept beside them says which page and which script they were taken of.

use super::FOLDER;
use crate::Done;
use crate::project::{capture, command, files, read, root, run};

const SCRIPT: &str = "web/captures/take.mjs";
const BUILT: &str = "crates/askback-server/assets/page/";
const TAKEN_OF: &str = "docs/captures/page.txt";

/// Takes every picture of the page.
pub(super) fn write() -> Done {
    run("cargo", &["build", "--quiet", "--package", "askback"])?;
    let status = command("node", &[SCRIPT, &root().join(FOLDER).to_string_lossy()])
        .env("ASKBACK_BIN", root().join("target/debug/askback"))
        .status()
        .map_err(|error| format!("can't run node: {error}"))?;
    if !status.success() {
        return Err(format!("{SCRIPT}: {status}"));
    }
    let sources = sources()?;
    std::fs::write(root().join(TAKEN_OF), sources).map_err(|error| format!("can't write {TAKEN_OF}: {error}"))?;
    println!("{FOLDER}/page-*.png");
    Ok(())
}

/// Fails if the page or the script has changed since.
pub(super) fn check() -> Done {
    if read(TAKEN_OF).as_ref() == Ok(&sources()?) {
        return Ok(());
    }
    Err("the pictures of the page are of another page: run `cargo xtask captures`, look at them, and commit them"
        .to_owned())
}

/// What the pictures are of: each file with the name that git has for its contents.
fn sources() -> Result<String, String> {
    let paths: Vec<String> = files()?.into_iter().filter(|path| path.starts_with(BUILT) || path == SCRIPT).collect();
    let arguments: Vec<&str> = ["hash-object", "--"].into_iter().chain(paths.iter().map(String::as_str)).collect();
    let names = capture("git", &arguments)?;
    Ok(names.lines().zip(&paths).map(|(name, path)| format!("{name} {path}\n")).collect())
}
