//! How much a thread counts among those that want to run.

#[cfg(target_os = "linux")]
use rustix::{process::setpriority_process, thread::gettid};

/// Below everybody else.
#[cfg(target_os = "linux")]
const LOWEST: i32 = 19;

/// The priority of one thread. Only on Linux a thread has one of its own.
#[derive(Debug, Clone)]
pub(crate) struct Priority {
    #[cfg(target_os = "linux")]
    thread: rustix::process::Pid,
}

impl Priority {
    pub(crate) fn of_this_thread() -> Self {
        Self {
            #[cfg(target_os = "linux")]
            thread: gettid(),
        }
    }

    /// Lowers it for good: nobody may raise it again.
    #[cfg(target_os = "linux")]
    pub(crate) fn lower(&self) {
        // Without it the thread is in the way, and no more than that.
        let _ = setpriority_process(Some(self.thread), LOWEST);
    }

    /// Leaves it as it is.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn lower(&self) {}
}
