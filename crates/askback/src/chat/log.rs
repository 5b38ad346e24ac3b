//! The log: what should be known but must not touch the screen.

use crate::log::begin_anew;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Mutex;

/// Bytes that one conversation may add to it; what an agent writes to its standard error has no end of its own.
const ADDED: usize = 5 << 20;

/// Writes to `chat.log` from now on. Where that can't be done there is no log, and everything else goes on.
pub(super) fn start(folder: &Path) {
    let path = folder.join("chat.log");
    begin_anew(&path);
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    let opened = made.and_then(|()| OpenOptions::new().create(true).append(true).mode(0o600).open(path));
    if let Ok(file) = opened {
        let log = Log { file, room: ADDED };
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(Mutex::new(log));
        // In one process there is one log; a second one would be a mistake, and no reason to stop.
        let _ = subscriber.try_init();
    }
}

/// A file that takes so much and no more.
struct Log {
    file: File,
    room: usize,
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room > 0 {
            self.file.write_all(bytes)?;
            self.room = self.room.saturating_sub(bytes.len());
            if self.room == 0 {
                self.file.write_all(b"this conversation has logged enough; the rest is left out\n")?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // S3
    #[test]
    fn one_conversation_logs_so_much_and_no_more() {
        let path = std::env::temp_dir().join(format!("askback-log-{}", std::process::id()));
        let mut log = Log { file: File::create(&path).unwrap(), room: 10 };
        for _ in 0..100 {
            log.write_all(b"12345678\n").unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        assert_eq!(kept, "12345678\n12345678\nthis conversation has logged enough; the rest is left out\n");
    }
}
