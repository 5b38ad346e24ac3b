//! A program and everything it starts, ended together.

use rustix::process::{Pid, Signal, kill_process_group, setsid};
use tokio::process::{Child, Command};

/// Starting a program without a terminal: one that wants a password there fails at once, instead of waiting unseen.
pub(crate) trait SessionLeader {
    /// The program leads a session, and so a group, of its own.
    fn in_a_session_of_its_own(&mut self) -> &mut Self;
}

impl SessionLeader for Command {
    #[expect(unsafe_code, reason = "the standard library can't do this yet")]
    fn in_a_session_of_its_own(&mut self) -> &mut Self {
        // SAFETY: what runs between fork and exec is one system call, setsid, which is async-signal-safe, takes no lock and
        // allocates nothing; the error that may come of it is a plain number.
        unsafe { self.pre_exec(|| setsid().map(|_| ()).map_err(Into::into)) }
    }
}

/// The processes of a child that leads a group of its own. Dropping it ends them.
#[derive(Debug)]
pub(crate) struct ProcessGroup(Option<Pid>);

impl ProcessGroup {
    pub(crate) fn of(leader: &Child) -> Self {
        Self(leader.id().and_then(|id| Pid::from_raw(id.cast_signed())))
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
