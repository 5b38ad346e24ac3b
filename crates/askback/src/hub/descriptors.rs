//! The descriptors that this process was started with.

use std::os::fd::BorrowedFd;

/// Sees to it that no program started from here inherits a descriptor but the three that are meant for it. Whoever started this
/// process may wait for the end of a pipe that it gave us, and a child would keep it open.
#[expect(unsafe_code, reason = "marks descriptors that are not ours")]
pub(crate) fn close_on_exec() {
    let listed = if cfg!(target_os = "linux") { "/proc/self/fd" } else { "/dev/fd" };
    let Ok(entries) = std::fs::read_dir(listed) else { return };
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok());
    for number in numbers.filter(|number| *number > 2) {
        // SAFETY: the number is used for this one call, which neither reads nor writes nor closes anything. Should it have
        // been closed meanwhile, the call fails; should it be another file by then, it is one of this program's, all of which
        // are marked so already.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        let _ = rustix::io::fcntl_setfd(descriptor, rustix::io::FdFlags::CLOEXEC);
    }
}
