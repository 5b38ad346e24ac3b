//! A program and everything it starts, ended together.

use rustix::process::{Pid, Signal, kill_process_group, setsid};
use std::io;
use tokio::process::{Child, Command};

/// The processes of a child that leads a group of its own. Dropping it ends them.
#[derive(Debug)]
pub(crate) struct ProcessGroup(Option<Pid>);

impl ProcessGroup {
    /// Starts a program that leads a session, and so a group, of its own. It has no terminal: a program that wants a
    /// password there fails at once, instead of waiting unseen.
    #[expect(unsafe_code, reason = "the standard library can't do this yet")]
    pub(crate) fn spawn(program: &mut Command) -> io::Result<(Child, Self)> {
        // SAFETY: what runs between fork and exec is one system call, setsid, which is async-signal-safe, takes no lock and
        // allocates nothing; the error that may come of it is a plain number.
        unsafe { program.pre_exec(|| setsid().map(|_| ()).map_err(Into::into)) };
        let leader = program.spawn()?;
        let group = leader.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        Ok((leader, Self(group)))
    }

    /// Lets them live on.
    pub(crate) fn release(mut self) {
        self.0 = None;
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // They may have ended by themselves.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
