//! The priority of a thread whose script was given up: below all others, so that it is in nobody's way.

#[cfg(target_os = "linux")]
use rustix::process::{Pid, setpriority_process};

/// Below all others.
#[cfg(target_os = "linux")]
const LOWEST: i32 = 19;

/// The number of this thread. Only on Linux a thread has a priority of its own.
#[cfg(target_os = "linux")]
pub(crate) fn this_thread() -> u32 {
    rustix::thread::gettid().as_raw_nonzero().get().unsigned_abs()
}

/// The number of this thread.
#[cfg(not(target_os = "linux"))]
pub(crate) fn this_thread() -> u32 {
    0
}

/// Lowers the priority of a thread of this process for good.
pub(crate) fn lower(thread: u32) {
    lower_thread_of(std::process::id(), thread);
}

/// Lowers the priority of a thread of a process for good; a thread that is not one of that process stays as it is.
#[cfg(target_os = "linux")]
pub(crate) fn lower_thread_of(process: u32, thread: u32) {
    let is_its = std::fs::exists(format!("/proc/{process}/task/{thread}")).unwrap_or(false);
    if is_its && let Some(thread) = Pid::from_raw(thread.cast_signed()) {
        // Without it the thread is in the way, and no more than that.
        let _ = setpriority_process(Some(thread), LOWEST);
    }
}

/// Leaves it as it is.
#[cfg(not(target_os = "linux"))]
pub(crate) fn lower_thread_of(_process: u32, _thread: u32) {}
