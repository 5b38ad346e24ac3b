//! A program and everything it starts, ended together.

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Child;

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
