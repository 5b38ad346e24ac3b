//! Whether anybody still hears what a hook decides.

use super::limits::LOOK;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io;
use std::os::fd::AsFd;
use tokio::time::sleep;

/// Completes when whoever has started the hook does not read its standard output any more: it was killed, which no signal
/// tells.
pub(super) async fn nobody_listens() {
    while !is_closed(io::stdout()) {
        sleep(LOOK).await;
    }
}

/// Whether the other end of a pipe is gone. Of files and terminals nothing is known, so they are there.
fn is_closed(end: impl AsFd) -> bool {
    // What goes wrong with a descriptor is told without being asked for.
    let mut ends = [PollFd::new(&end, PollFlags::empty())];
    let looked = poll(&mut ends, Some(&Timespec::default()));
    looked.is_ok() && ends[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    // L9
    #[test]
    fn a_pipe_is_closed_once_nobody_reads_it() {
        let (reader, writer) = io::pipe().unwrap();
        assert!(!is_closed(&writer));
        drop(reader);
        assert!(is_closed(&writer));
        // Some programs give theirs a socket instead.
        let (reader, writer) = UnixStream::pair().unwrap();
        assert!(!is_closed(&writer));
        drop(reader);
        assert!(is_closed(&writer));
        assert!(!is_closed(std::fs::File::open("/dev/null").unwrap()));
    }
}
