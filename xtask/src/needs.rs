//! What the tests need from the system, installed where we may and named exactly where we may not.

use crate::Done;
use crate::project::{capture, run};

/// A program the tests call, and the Debian package that has it.
struct Need {
    program: &'static str,
    package: &'static str,
}

const NEEDS: &[Need] = &[
    Need { program: "git", package: "git" },
    // The README's blocks are run by it, and it loads our completions.
    Need { program: "bash", package: "bash" },
    // A terminal that reflows in its own way, under a shell with jobs.
    Need { program: "tmux", package: "tmux" },
    // An example of an agent is written in it.
    Need { program: "python3", package: "python3" },
    // Another example answers where a person would.
    Need { program: "expect", package: "expect" },
    // Starts a session without a controlling terminal.
    Need { program: "setsid", package: "util-linux" },
    // A full disk and a read-only one, small and in memory, for the hub.
    Need { program: "unshare", package: "util-linux" },
    Need { program: "mount", package: "mount" },
    // SQLite, and the shim that stops a write half-way, are C.
    Need { program: "cc", package: "gcc" },
];

/// Makes sure that everything is there.
pub(crate) fn install() -> Done {
    let missing: Vec<&Need> = NEEDS.iter().filter(|need| !is_installed(need.program)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages: Vec<&str> = missing.iter().map(|need| need.package).collect();
    let by_hand =
        format!("please install {}: on Debian, `apt-get install {}`", packages.join(", "), packages.join(" "));
    let is_root = capture("id", &["-u"]).is_ok_and(|id| id.trim() == "0");
    if !is_root || !is_installed("apt-get") {
        return Err(by_hand);
    }
    let install = [&["install", "--yes", "--no-install-recommends"], packages.as_slice()].concat();
    run("apt-get", &["update"]).and_then(|()| run("apt-get", &install)).map_err(|error| format!("{error}; {by_hand}"))
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
