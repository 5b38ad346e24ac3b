//! Stories in JavaScript: each is a file of tests that `node` runs against the real hub.

use crate::wait::poll;
use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{PoisonError, RwLock};
use std::thread;
use std::time::Duration;

/// Longer than any story takes that does not hang.
const PATIENCE: Duration = Duration::from_secs(180);

/// Stories run beside each other, except those that measure how long something takes.
static MACHINE: RwLock<()> = RwLock::new(());

/// A directory of stories.
#[derive(Debug)]
pub struct Stories {
    /// The path of the binary.
    pub program: &'static str,
    /// The package, from the root of the project.
    pub package: &'static str,
    /// The directory of the stories in it.
    pub folder: &'static str,
    /// Files that must exist, each with the command that creates it.
    pub needs: &'static [(&'static str, &'static str)],
}

impl Stories {
    /// Runs a story, perhaps in parallel with others.
    pub fn story(&self, name: &str) {
        let _shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
        self.run(name);
    }

    /// Runs a story while no other runs.
    pub fn story_alone(&self, name: &str) {
        let _alone = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
        self.run(name);
    }

    /// Runs a story, which must pass.
    fn run(&self, name: &str) {
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for (file, how) in self.needs {
            assert!(project.join(file).exists(), "{file} does not exist: run `{how}`");
        }
        let mut command = Command::new("node");
        command.arg("--test").arg(format!("{}/{name}.test.mjs", self.folder));
        command.current_dir(project.join(self.package)).process_group(0);
        command.env("ASKBACK_BIN", self.program);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("node is installed");
        // Both are read while it runs: it must not wait for a reader.
        let output = [read_in_thread(child.stdout.take().unwrap()), read_in_thread(child.stderr.take().unwrap())];
        let passed = passes(&mut child);
        let output = output.map(|reader| reader.join().unwrap());
        assert!(passed, "{}", output.concat());
    }
}

/// Whether the process succeeds in time.
fn passes(child: &mut Child) -> bool {
    if let Some(status) = poll(PATIENCE, || child.try_wait().unwrap()) {
        return status.success();
    }
    // With all that it has started: node runs each file in a process of its own, and that runs a hub.
    kill_process_group(Pid::from_child(child), Signal::KILL).unwrap();
    child.wait().unwrap();
    false
}

fn read_in_thread(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut output = Vec::new();
        // Output before a failure to read is worth reporting, too.
        let _: io::Result<usize> = from.read_to_end(&mut output);
        String::from_utf8_lossy(&output).into_owned()
    })
}
