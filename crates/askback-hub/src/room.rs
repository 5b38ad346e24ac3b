//! Rooms: their names, and what any Yjs client sees of them and says in them. Everything below is bytes in and messages out.

use askback_core::{Name, Refusal, Rule, show};
use sha2::{Digest, Sha256};
use std::fmt;
use std::path::{Path, PathBuf};

mod any;
mod author;
pub(crate) mod awareness;
pub(crate) mod document;
mod entry;
mod keys;
pub(crate) mod member;
pub(crate) mod message;
pub(crate) mod open;
pub(crate) mod presence;
pub(crate) mod proposal;
pub(crate) mod reading;
mod scope;
mod standing;
pub(crate) mod state_vector;
mod update;
#[cfg(test)]
mod wire_tests;
pub(crate) mod writing;

pub(crate) use author::Author;
pub use scope::Scope;

/// Where requests live and people watch: a project or a session.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Room(Name);

impl Room {
    /// A room by the name that an asker gave it. Names that begin with `@` are askback's own.
    pub fn parse(name: &str) -> Result<Self, Refusal> {
        if name.starts_with('@') {
            let message = format!("{} is a name of askback's own", show::quote(name));
            return Err(Refusal {
                rule: Rule::Word,
                message,
                expected: "a name that does not begin with @".to_owned(),
            });
        }
        Name::parse(name).map(Self)
    }

    /// The room of whoever works in a folder (L8): the folder's name, and a few letters of its path's hash, so that two
    /// projects called `app` don't meet. However one got there, a folder has one room.
    pub fn of_folder(folder: &Path) -> Self {
        let whole = folder.canonicalize().or_else(|_| std::path::absolute(folder));
        let folder: PathBuf = whole.as_deref().unwrap_or(folder).components().collect();
        let hash = Sha256::digest(folder.as_os_str().as_encoded_bytes());
        let mark = hash.iter().take(4).map(|byte| format!("{byte:02x}")).collect::<String>();
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let shown: String = name.chars().filter(|c| !c.is_control()).take(100).collect();
        let shown = shown.trim().trim_start_matches('@');
        let name = format!("{}-{mark}", if shown.is_empty() { "root" } else { shown });
        Self(Name::parse(&name).expect("at most 109 characters on one line, the mark's letters among them"))
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::Room;
    use std::path::Path;

    // L8
    #[test]
    fn two_folders_of_one_name_are_two_rooms() {
        let [one, other] = ["/a/app", "/b/app"].map(|path| Room::of_folder(Path::new(path)));
        assert!(one.as_str().starts_with("app-") && other.as_str().starts_with("app-"), "{one} {other}");
        assert_ne!(one, other);
        assert_eq!(one, Room::of_folder(Path::new("/a/app")), "and each is always the same");
    }

    // L8
    #[test]
    fn any_folder_has_a_room() {
        for path in ["/", "", "..", "/tmp/\u{1b}[31m", "/tmp/ \u{200b} ", &"/x".repeat(3_000), &"y".repeat(3_000)] {
            let room = Room::of_folder(Path::new(path));
            assert_eq!(Room::parse(room.as_str()).as_ref(), Ok(&room), "{path:?}");
        }
    }
}
