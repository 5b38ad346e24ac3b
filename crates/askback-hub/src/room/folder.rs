//! The room of a folder (L8).

use askback_core::Room;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// The room of an asker that works in a folder (L8): the folder's name, and a few letters of its path's hash, so that two projects called
/// `app` don't meet. However one got there, a folder has one room.
pub fn folder_room(folder: &Path) -> Room {
    let whole = folder.canonicalize().or_else(|_| std::path::absolute(folder));
    let folder: PathBuf = whole.as_deref().unwrap_or(folder).components().collect();
    let hash = Sha256::digest(folder.as_os_str().as_encoded_bytes());
    let mark = hash.iter().take(4).map(|byte| format!("{byte:02x}")).collect::<String>();
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let shown: String = name.chars().filter(|c| !c.is_control()).take(100).collect();
    let shown = shown.trim().trim_start_matches('@');
    let name = format!("{}-{mark}", if shown.is_empty() { "root" } else { shown });
    Room::parse(&name).expect("at most 109 characters on one line, the mark's letters among them")
}

#[cfg(test)]
mod tests {
    use super::folder_room;
    use askback_core::Room;
    use std::path::Path;

    // L8
    #[test]
    fn two_folders_of_one_name_are_two_rooms() {
        let [one, other] = ["/a/app", "/b/app"].map(|path| folder_room(Path::new(path)));
        assert!(one.as_str().starts_with("app-") && other.as_str().starts_with("app-"), "{one} {other}");
        assert_ne!(one, other);
        assert_eq!(one, folder_room(Path::new("/a/app")), "and each is always the same");
    }

    // L8
    #[test]
    fn any_folder_has_a_room() {
        for path in ["/", "", "..", "/tmp/\u{1b}[31m", "/tmp/ \u{200b} ", &"/x".repeat(3_000), &"y".repeat(3_000)] {
            let room = folder_room(Path::new(path));
            assert_eq!(Room::parse(room.as_str()).as_ref(), Ok(&room), "{path:?}");
        }
    }
}
