//! What the tests need from the system, installed where we may and named exactly where we may not.

use crate::Done;
use crate::project::{NODE_FOLDER, capture, read, root, run};

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
    // An example of an agent is written in it, and so is what holds the server against its description.
    Need { program: "python3", package: "python3" },
    // The README asks with it.
    Need { program: "curl", package: "curl" },
    // Yjs and its clients are written for it.
    Need { program: "node", package: "nodejs" },
    Need { program: "npm", package: "npm" },
    // The page is answered from in it.
    Need { program: "chromium", package: "chromium" },
    // Another example answers where a person would.
    Need { program: "expect", package: "expect" },
    // A terminal that races two browsers for a request.
    Need { program: "script", package: "bsdutils" },
    // Starts a session without a controlling terminal.
    Need { program: "setsid", package: "util-linux" },
    // A full disk and a read-only one, small and in memory, for the hub.
    Need { program: "unshare", package: "util-linux" },
    Need { program: "mount", package: "mount" },
    // SQLite, and the shim that stops a write half-way, are C.
    Need { program: "cc", package: "gcc" },
];

/// Where the system keeps what text is drawn with.
const FONTS: &str = "/usr/share/fonts/truetype";

/// Something written in Python, in an environment of its own.
struct Environment {
    /// Its packages, pinned with all that they need.
    requirements: &'static str,
    /// Where it is installed, for this project alone.
    folder: &'static str,
}

const ENVIRONMENTS: [Environment; 3] = [
    // Holds the server against its description.
    Environment { requirements: "tests/schemathesis/requirements.txt", folder: "target/schemathesis" },
    // The official clients for MCP, of which two can't live in one environment.
    Environment { requirements: "tests/mcp/python/v1.txt", folder: "target/mcp-python-v1" },
    Environment { requirements: "tests/mcp/python/v2.txt", folder: "target/mcp-python-v2" },
];

/// The oldest Node.js that the page can be built with, and the one that is installed where the system's is older.
const OLDEST_NODE: (u32, u32) = (20, 19);
const NODE: &str = "20.20.2";
/// The one that runs MCP's conformance suite and Qwen Code, which need 22, and where it is. Nothing else is run by it.
const CONFORMANCE_NODE: &str = "24.21.0";
const CONFORMANCE_NODE_FOLDER: &str = "target/node-conformance";
/// Qwen Code, an MCP client with a model. Its package contains everything it needs; the dependencies that it declares are optional,
/// and some of them are missing from registries, so that `npm ci` could not install it.
const QWEN: &str = "@qwen-code/qwen-code@0.24.4";
const QWEN_FOLDER: &str = "target/qwen";
/// What is installed by npm, pinned with all it needs: the client with the real Yjs clients that the rooms are tried with, the
/// page with what drives a browser, and the programs that models ask through.
const PACKAGES: [&str; 3] = ["clients/typescript", "web", "tests/mcp"];

/// Makes sure that everything is there.
pub(crate) fn install() -> Done {
    programs()?;
    ENVIRONMENTS.iter().try_for_each(environment)?;
    if !is_node_new_enough() {
        newer_node()?;
    }
    conformance_node()?;
    qwen()?;
    PACKAGES.into_iter().try_for_each(package)
}

fn package(folder: &str) -> Done {
    let wanted = read(&format!("{folder}/package-lock.json"))?;
    let installed = format!("{folder}/node_modules/.installed");
    if read(&installed).as_ref() == Ok(&wanted) {
        return Ok(());
    }
    run("npm", &["--prefix", folder, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]).map_err(|error| {
        format!("{error}; the tests of rooms, of the page and of MCP need it: a way to npm's packages")
    })?;
    remember(&installed, &wanted)
}

fn is_node_new_enough() -> bool {
    let version = capture("node", &["--version"]).unwrap_or_default();
    let mut numbers = version.trim().trim_start_matches('v').split('.').map_while(|number| number.parse::<u32>().ok());
    numbers.next().zip(numbers.next()).is_some_and(|version| version >= OLDEST_NODE)
}

/// Installs the Node.js that the programs of this project find first.
fn newer_node() -> Done {
    let (major, minor) = OLDEST_NODE;
    let by_hand = format!("the tests need Node.js {major}.{minor} or newer: please install it");
    install_node(NODE_FOLDER, NODE).map_err(|error| format!("{error}; {by_hand}"))?;
    if is_node_new_enough() { Ok(()) } else { Err(by_hand) }
}

fn conformance_node() -> Done {
    let installed = format!("{CONFORMANCE_NODE_FOLDER}/installed.txt");
    if read(&installed).is_ok_and(|version| version == CONFORMANCE_NODE) {
        return Ok(());
    }
    install_node(CONFORMANCE_NODE_FOLDER, CONFORMANCE_NODE)?;
    remember(&installed, CONFORMANCE_NODE)
}

fn qwen() -> Done {
    let installed = format!("{QWEN_FOLDER}/installed.txt");
    if read(&installed).is_ok_and(|package| package == QWEN) {
        return Ok(());
    }
    let options = ["--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", QWEN];
    run("npm", &[&["--prefix", QWEN_FOLDER, "install"], options.as_slice()].concat())?;
    remember(&installed, QWEN)
}

/// Installs a Node.js for this project alone: npm has it as a package for each kind of machine.
fn install_node(folder: &str, version: &str) -> Done {
    let machine = if std::env::consts::ARCH == "aarch64" { "arm64" } else { "x64" };
    let name = format!("node-linux-{machine}");
    let package = format!("{name}@{version}");
    run("npm", &["--prefix", folder, "install", "--ignore-scripts", "--no-audit", "--no-fund", &package])?;
    let bin = root().join(folder).join("bin");
    let _ = std::fs::remove_file(&bin);
    let linked = std::os::unix::fs::symlink(format!("node_modules/{name}/bin"), &bin);
    linked.map_err(|error| format!("can't link {}: {error}", bin.display()))
}

fn environment(environment: &Environment) -> Done {
    let Environment { requirements, folder } = environment;
    let wanted = read(requirements)?;
    let installed = format!("{folder}/installed.txt");
    if read(&installed).as_ref() == Ok(&wanted) {
        return Ok(());
    }
    let by_hand = "the server's tests need it: on Debian, `apt-get install python3-venv`, and a way to PyPI";
    let with_advice = |error: String| format!("{error}; {by_hand}");
    let pip = root().join(folder).join("bin/pip").to_string_lossy().into_owned();
    run("python3", &["-m", "venv", "--clear", folder]).map_err(with_advice)?;
    run(&pip, &["install", "--quiet", "--requirement", requirements]).map_err(with_advice)?;
    remember(&installed, &wanted)
}

/// Keeps what was installed. Written last, so that what was installed half is installed again.
fn remember(installed: &str, what: &str) -> Done {
    std::fs::write(root().join(installed), what).map_err(|error| format!("can't write {installed}: {error}"))
}

fn programs() -> Done {
    let missing = NEEDS.iter().filter(|need| !is_installed(need.program));
    let mut packages: Vec<&str> = missing.map(|need| need.package).collect();
    // Debian has Python without it, and a program of that name would not tell.
    if capture("python3", &["-c", "import ensurepip, venv"]).is_err() {
        packages.push("python3-venv");
    }
    // A browser without any letters draws none, and says nothing.
    if std::fs::read_dir(FONTS).map_or(true, |mut fonts| fonts.next().is_none()) {
        packages.push("fonts-dejavu-core");
    }
    if packages.is_empty() {
        return Ok(());
    }
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
