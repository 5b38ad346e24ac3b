//! Stories told in JavaScript: each is a file of tests that `node` runs as it would be run by hand, against the real hub.

use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any story takes that does not hang.
const PATIENCE: Duration = Duration::from_secs(180);

const LOOK: Duration = Duration::from_millis(50);

/// Stories run beside each other, except those that measure how long something takes.
static MACHINE: RwLock<()> = RwLock::new(());

/// Where stories are, and what they need to be told.
pub(crate) struct Shelf {
    /// The package, from the root of the project.
    pub(crate) package: &'static str,
    /// The folder of the stories in it.
    pub(crate) folder: &'static str,
    /// Files that must be there first, and what makes them.
    pub(crate) needs: &'static [(&'static str, &'static str)],
}

impl Shelf {
    /// Runs a story, perhaps beside others.
    pub(crate) fn story(&self, name: &str) {
        let _shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
        self.run(name);
    }

    /// Runs a story while no other runs.
    pub(crate) fn story_alone(&self, name: &str) {
        let _alone = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
        self.run(name);
    }

    /// Runs a story to its end, which must be a good one.
    fn run(&self, name: &str) {
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for (file, how) in self.needs {
            assert!(project.join(file).exists(), "{file} is not there yet: run `{how}`");
        }
        let mut command = Command::new("node");
        command.arg("--test").arg(format!("{}/{name}.test.mjs", self.folder));
        command.current_dir(project.join(self.package)).process_group(0);
        command.env("ASKBACK_BIN", env!("CARGO_BIN_EXE_askback"));
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("there is node");
        // Both are read while it runs: it must not wait for a reader.
        let said = [reading(child.stdout.take().unwrap()), reading(child.stderr.take().unwrap())];
        let ended_well = ends_well(&mut child);
        let said = said.map(|reader| reader.join().unwrap());
        assert!(ended_well, "{}", said.concat());
    }
}

fn ends_well(child: &mut Child) -> bool {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.success();
        }
        if Instant::now() > until {
            // With all that it has started: node runs each file in a process of its own, and that runs a hub.
            kill_process_group(Pid::from_child(child), Signal::KILL).unwrap();
            child.wait().unwrap();
            return false;
        }
        thread::sleep(LOOK);
    }
}

fn reading(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut said = Vec::new();
        // What was said before it broke off is worth reading, too.
        let _: io::Result<usize> = from.read_to_end(&mut said);
        String::from_utf8_lossy(&said).into_owned()
    })
}
