//! Lists the built files of the page, so that the program has them in it, whatever they are called this time.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Where they are, from the folder of this crate.
const PAGE: &str = "assets/page";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={PAGE}");
    let mut paths = Vec::new();
    list(Path::new(PAGE), "", &mut paths)?;
    // In an order that is the same on every machine.
    paths.sort();
    if !paths.iter().any(|path| path == "index.html") {
        return Err(format!("{PAGE} has no index.html: build the page, or take it from the repository").into());
    }
    let mut source = String::from("&[\n");
    for path in paths {
        let content = format!("include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{PAGE}/{path}\"))");
        writeln!(source, "    (\"{path}\", {content}),")?;
    }
    source.push_str("]\n");
    let to = PathBuf::from(std::env::var("OUT_DIR")?).join("page.rs");
    Ok(fs::write(to, source)?)
}

/// Adds the paths of all files below a folder, as an address has them.
fn list(folder: &Path, before: &str, paths: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_plain = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
        // What would have to be escaped in an address, a route or a source is not worth it.
        let name = name.to_str().filter(is_plain).ok_or_else(|| {
            format!("{}: the name of a file of the page has letters, digits, `.`, `_` and `-`", entry.path().display())
        })?;
        // What a system leaves lying about is no part of the page.
        if name.starts_with('.') {
            continue;
        }
        let path = format!("{before}{name}");
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{path}/"), paths)?;
        } else {
            paths.push(path);
        }
    }
    Ok(())
}
