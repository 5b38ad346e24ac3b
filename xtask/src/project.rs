//! The project's tree: where it is, what it holds, and commands run in it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder that holds the workspace.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// The file's text.
pub(crate) fn read(path: &str) -> Result<String, String> {
    std::fs::read_to_string(root().join(path)).map_err(|error| format!("can't read {path}: {error}"))
}

/// Every file that git tracks or would track, by its path from the root, sorted.
pub(crate) fn files() -> Result<Vec<String>, String> {
    let listed = capture("git", &["ls-files", "--cached", "--others", "--exclude-standard"])?;
    let mut files: Vec<String> = listed.lines().filter(|path| root().join(path).is_file()).map(str::to_owned).collect();
    files.sort();
    Ok(files)
}

/// Every such file with its text, which is empty for pictures and other binary files.
pub(crate) fn texts() -> Result<Vec<(String, String)>, String> {
    let with_text = |path: String| {
        let text = read(&path).unwrap_or_default();
        (path, text)
    };
    Ok(files()?.into_iter().map(with_text).collect())
}

/// The Rust sources among them.
pub(crate) fn sources() -> Result<Vec<String>, String> {
    Ok(files()?.into_iter().filter(|path| path.ends_with(".rs")).collect())
}

/// Where a Node.js is put if the system's own is too old; the programs of this project find it first.
pub(crate) const NODE_FOLDER: &str = "target/node";

/// A command in the project's folder.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let own = root().join(NODE_FOLDER).join("bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([own].into_iter().chain(std::env::split_paths(&path))).unwrap_or(path);
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root()).env("PATH", path);
    command
}

/// Runs a command to its end, showing what it prints.
pub(crate) fn run(program: &str, arguments: &[&str]) -> Result<(), String> {
    let status = command(program, arguments).status().map_err(|error| format!("can't run {program}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{program} {}` failed: {status}", arguments.join(" "))) }
}

/// Runs a command to its end, and gives what it printed.
pub(crate) fn capture(program: &str, arguments: &[&str]) -> Result<String, String> {
    let output = command(program, arguments).output().map_err(|error| format!("can't run {program}: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`{program} {}` failed: {}\n{said}", arguments.join(" "), output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
