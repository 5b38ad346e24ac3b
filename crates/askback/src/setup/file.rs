//! A configuration file of another program: read whole, and replaced whole or not at all.

use super::limits::{BACKUPS, FILE_BYTES, LINKS};
use crate::console::line;
use crate::error::CliError;
use crate::source::utf8;
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Component, Path, PathBuf};

/// Whose a file is: who may read a new one, and where links may lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reach {
    /// The user's own, which nobody else may read. A link may lead anywhere: managers of dotfiles make such links.
    Private,
    /// A file of the project in this directory. A link must not lead out of it: a repository may come from anybody.
    Project(PathBuf),
}

pub(super) struct ConfigFile {
    /// Where the program looks for it.
    path: PathBuf,
    /// Where it is: links stay links.
    target: PathBuf,
    before: Option<Before>,
    reach: Reach,
    /// Whether a link of the project leads out of it.
    is_outside: bool,
}

struct Before {
    bytes: Vec<u8>,
    metadata: Metadata,
}

/// What some editors put before a text, and no reader of ours takes.
const MARK: &str = "\u{feff}";

impl ConfigFile {
    pub(super) fn read(path: &Path, reach: Reach) -> Result<Self, CliError> {
        let explain = |error: CliError| about(path, "can't be read", &error);
        let target = behind_links(path).map_err(explain)?;
        let is_outside = match &reach {
            Reach::Private => false,
            Reach::Project(folder) => !is_inside(&target, folder).map_err(|error| explain(error.into()))?,
        };
        let before = if is_outside { None } else { read(&target).map_err(explain)? };
        Ok(Self { path: path.to_owned(), target, before, reach, is_outside })
    }

    /// Its path, for messages.
    pub(super) fn name(&self) -> String {
        name(&self.path)
    }

    pub(super) fn is_new(&self) -> bool {
        self.before.is_none()
    }

    /// What it says; nothing, if it is not there.
    pub(super) fn text(&self) -> Result<&str, CliError> {
        if self.is_outside {
            return Err(CliError::Wrong(format!(
                "a link of this project leads from {} out of it, to {}: remove the link, or put the configuration into \
                 your own with `--scope user`",
                self.name(),
                name(&self.target)
            )));
        }
        let Some(before) = &self.before else { return Ok("") };
        let text = utf8(&self.name(), &before.bytes)?;
        Ok(text.strip_prefix(MARK).unwrap_or(text))
    }

    /// Has it say something else, unless it has changed since it was read. Gives the backup of what it said.
    pub(super) fn write(&self, text: &str) -> Result<Option<PathBuf>, CliError> {
        let explain = |error: CliError| about(&self.path, "can't be written, and is as it was", &error);
        if let Some(folder) = self.target.parent() {
            std::fs::create_dir_all(folder).map_err(|error| explain(error.into()))?;
        }
        let draft = self.draft(text).map_err(|error| explain(error.into()))?;
        let backup = self.back_up().map_err(explain)?;
        let replaced = self.check_unchanged().and_then(|()| Ok(std::fs::rename(&draft.0, &self.target)?));
        if let Err(error) = replaced {
            // A backup of what is still there would only be in the way.
            let _ = backup.iter().try_for_each(std::fs::remove_file);
            return Err(explain(error));
        }
        // It is written; that its name is as durable as its bytes is more than some systems can do for a folder.
        let _ = self.target.parent().map(|folder| File::open(folder).and_then(|folder| folder.sync_all()));
        Ok(backup)
    }

    /// The new text, on disk beside the old one and with its permissions.
    fn draft(&self, text: &str) -> io::Result<Draft> {
        let path = self.beside(".", &format!(".askback-{}", std::process::id()));
        let mode = if self.reach == Reach::Private { 0o600 } else { 0o666 };
        let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(&path)?;
        let draft = Draft(path);
        if let Some(Before { bytes, metadata }) = &self.before {
            // Renaming needs no right to write the file itself: whoever has taken it away means it.
            OpenOptions::new().write(true).open(&self.target)?;
            keep_owner(&file, metadata)?;
            if bytes.starts_with(MARK.as_bytes()) {
                file.write_all(MARK.as_bytes())?;
            }
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        Ok(draft)
    }

    /// A copy of what was read, under a name that nothing has yet.
    fn back_up(&self) -> Result<Option<PathBuf>, CliError> {
        let Some(Before { bytes, metadata }) = &self.before else { return Ok(None) };
        for number in 1..=BACKUPS {
            let suffix = if number == 1 { String::new() } else { format!("-{number}") };
            let path = self.beside("", &format!(".askback-backup{suffix}"));
            let mut file = match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                file => file?,
            };
            let written =
                keep_owner(&file, metadata).and_then(|()| file.write_all(bytes)).and_then(|()| file.sync_all());
            // Half a backup looks like a whole one.
            written.inspect_err(|_| drop(std::fs::remove_file(&path)))?;
            return Ok(Some(path));
        }
        Err(CliError::Wrong(format!("there are {BACKUPS} backups of it already: remove some")))
    }

    fn check_unchanged(&self) -> Result<(), CliError> {
        let now = read(&self.target)?;
        if now.map(|now| now.bytes).as_ref() == self.before.as_ref().map(|before| &before.bytes) {
            return Ok(());
        }
        Err(CliError::wrong("somebody else has changed it in this moment; try again"))
    }

    fn beside(&self, before: &str, after: &str) -> PathBuf {
        let mut name = std::ffi::OsString::from(before);
        name.push(self.target.file_name().unwrap_or_default());
        name.push(after);
        self.target.with_file_name(name)
    }
}

/// A file that goes with its owner, unless it was given its name.
struct Draft(PathBuf);

impl Drop for Draft {
    fn drop(&mut self) {
        // After the renaming there is none.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The content of a file, if it is there.
fn read(path: &Path) -> Result<Option<Before>, CliError> {
    // Opening something else than a file may wait for ever.
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(CliError::wrong("it is no file"));
    }
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let metadata = file.metadata()?;
    let mut bytes = Vec::new();
    file.take(FILE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > FILE_BYTES {
        return Err(CliError::Wrong(format!("it has more than {FILE_BYTES} bytes")));
    }
    Ok(Some(Before { bytes, metadata }))
}

/// The same owner and the same rights as another file.
fn keep_owner(file: &File, like: &Metadata) -> io::Result<()> {
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
        fchown(file, Some(like.uid()), Some(like.gid()))?;
    }
    file.set_permissions(Permissions::from_mode(like.mode() & 0o7777))
}

/// Whether a file, be it there or not, is below a directory once all links are followed.
fn is_inside(path: &Path, folder: &Path) -> io::Result<bool> {
    let folder = folder.canonicalize()?;
    // What is not there yet is made below the nearest directory that is.
    let there = path.ancestors().find_map(|above| Some((above.canonicalize().ok()?, path.strip_prefix(above).ok()?)));
    // A `..` behind a directory that is made first would lead up again.
    let goes_up = |rest: &Path| rest.components().any(|part| !matches!(part, Component::Normal(_)));
    Ok(there.is_some_and(|(there, rest)| there.starts_with(folder) && !goes_up(rest)))
}

/// The file that a path stands for, be it there or not.
fn behind_links(path: &Path) -> Result<PathBuf, CliError> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        if !path.symlink_metadata().is_ok_and(|found| found.is_symlink()) {
            return Ok(path);
        }
        let next = path.read_link()?;
        path = path.parent().unwrap_or(Path::new("/")).join(next);
    }
    Err(CliError::Wrong(format!("more than {LINKS} links lead from it to another")))
}

pub(super) fn name(path: &Path) -> String {
    line(&path.to_string_lossy())
}

fn about(path: &Path, what: &str, error: &CliError) -> CliError {
    CliError::Wrong(format!("{} {what}: {error}", name(path)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn listed(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    // L2
    #[test]
    fn a_file_that_changes_meanwhile_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.json");
        for (before, meanwhile) in [(Some("old"), Some("new")), (None, Some("new")), (Some("old"), None)] {
            let _ = before.map_or_else(|| fs::remove_file(&path), |before| fs::write(&path, before));
            let file = ConfigFile::read(&path, Reach::Private).unwrap();
            meanwhile.map_or_else(|| fs::remove_file(&path), |meanwhile| fs::write(&path, meanwhile)).unwrap();
            let said = file.write("ours").unwrap_err().to_string();
            assert!(said.contains("as it was"), "{said}");
            assert_eq!(fs::read_to_string(&path).ok().as_deref(), meanwhile);
            assert!(listed(folder.path()).len() <= 1, "{:?}", listed(folder.path()));
        }
    }

    // L2
    #[test]
    fn backups_are_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.json");
        fs::write(&path, "0").unwrap();
        for round in 1..=3 {
            let file = ConfigFile::read(&path, Reach::Private).unwrap();
            let backup = file.write(&round.to_string()).unwrap().unwrap();
            assert_eq!(fs::read_to_string(backup).unwrap(), (round - 1).to_string());
        }
        let names = ["", ".askback-backup", ".askback-backup-2", ".askback-backup-3"];
        assert_eq!(listed(folder.path()), names.map(|suffix| format!("config.json{suffix}")));
    }

    // S3
    #[test]
    fn what_is_no_file_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let said = |path: &Path| ConfigFile::read(path, Reach::Private).err().unwrap().to_string();
        assert!(said(folder.path()).contains("it is no file"));
        let round = folder.path().join("round");
        std::os::unix::fs::symlink("round", &round).unwrap();
        assert!(said(&round).contains("links"), "{}", said(&round));
    }
}
