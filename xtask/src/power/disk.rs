//! A disk in a file: it can be formatted, mounted, and lose its power.

use crate::Done;
use crate::project::capture;
use std::path::{Path, PathBuf};

const BYTES: u64 = 64 << 20;

/// The file system's own commits come later than any round lasts: in between, it writes only what a sync wants.
const OPTIONS: &str = "loop,commit=300";

pub(super) struct Disk {
    image: PathBuf,
    mounted_at: PathBuf,
}

impl Disk {
    /// An empty disk in this folder.
    pub(super) fn format(folder: &Path) -> Result<Self, String> {
        let disk = Self { image: folder.join("disk.img"), mounted_at: folder.join("disk") };
        let failed = |error: std::io::Error| format!("can't make a disk in {}: {error}", folder.display());
        std::fs::create_dir_all(&disk.mounted_at).map_err(failed)?;
        std::fs::File::create(&disk.image).and_then(|file| file.set_len(BYTES)).map_err(failed)?;
        capture("mkfs.ext4", &["-q", "-F", "-b", "4096", &disk.image.to_string_lossy()])?;
        Ok(disk)
    }

    /// Mounts it; what a power cut has left is put in order by the file system's journal.
    pub(super) fn mount(&self) -> Result<Mount, String> {
        let (image, at) = (self.image.to_string_lossy(), self.mounted_at.to_string_lossy());
        capture("mount", &["-t", "ext4", "-o", OPTIONS, &image, &at])
            .map_err(|error| format!("this can't be run here: it needs loop devices ({error})"))?;
        Ok(Mount(self.mounted_at.clone()))
    }

    /// What has reached the disk becomes the disk, and what is only in memory does not. To be called while it is
    /// mounted, since unmounting would write everything.
    pub(super) fn cut_power(&self) -> Done {
        let failed = |error: std::io::Error| format!("can't copy {}: {error}", self.image.display());
        let look = || std::fs::read(&self.image).map_err(failed);
        let mut there = look()?;
        // A power cut happens in one moment, and looking takes longer: nothing may have changed meanwhile.
        for _ in 0..100 {
            let again = look()?;
            if again == there {
                // The mounted file system keeps the file that it has, which has lost its name.
                let copy = self.image.with_extension("cut");
                return std::fs::write(&copy, there).and_then(|()| std::fs::rename(copy, &self.image)).map_err(failed);
            }
            there = again;
        }
        Err("the disk does not come to rest, though nobody writes to it".to_owned())
    }
}

/// A mounted disk, until it is dropped.
pub(super) struct Mount(PathBuf);

impl Mount {
    pub(super) fn database(&self) -> PathBuf {
        self.0.join("hub.db")
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let at = self.0.to_string_lossy();
        if let Err(error) = capture("umount", &[&at]) {
            println!("{error}; it is detached instead");
            let _ = capture("umount", &["--lazy", &at]);
        }
    }
}
