//! The files of a hub: its lock, its socket, what it says of itself, and the credentials of this machine.

use super::permissions;
use crate::error::CliError;
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Bytes that the path of a socket may have, on the system that takes the fewest.
const SOCKET_PATH: usize = 100;

/// How long those who look who has the lock may keep it from somebody who wants it.
const GLANCES: Duration = Duration::from_millis(300);

/// The file in which a running hub says where it is.
const ANNOUNCEMENT: &str = "hub.json";

/// Bytes of the small files here.
const SMALL: u64 = 64 << 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DataDir {
    pub(crate) folder: PathBuf,
}

/// The right to be the hub of a data directory, for as long as it is held. The system takes it back from whoever dies.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    path: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holder {
    Nobody,
    /// A process, with its number once it has written that down.
    Process(Option<u32>),
}

/// A hub that says of itself that it listens.
#[derive(Debug)]
pub(crate) struct Announced<'l> {
    data_dir: DataDir,
    lock: &'l Lock,
}

impl Drop for Announced<'_> {
    fn drop(&mut self) {
        // Where the folder was removed and made again, what is there is another hub's.
        if !self.lock.is_still_there() {
            return;
        }
        // What can't be removed points nowhere.
        let _ = std::fs::remove_file(self.data_dir.folder.join(ANNOUNCEMENT));
        if let Ok(socket) = self.data_dir.socket() {
            let _ = std::fs::remove_file(socket);
        }
    }
}

/// What a running hub says of itself, in `hub.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Info {
    pub(crate) pid: u32,
    pub(crate) version: String,
    pub(crate) api: u32,
    #[serde(serialize_with = "lossy")]
    pub(crate) socket: PathBuf,
    /// Where browsers find it.
    pub(crate) url: Option<String>,
    pub(crate) started_at: String,
    /// How many connections it can have, if the system allows it so few open files that this matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) few_connections: Option<usize>,
}

/// A path that is not text is written as nearly as can be: browsers and programs still reach the hub.
fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// A credential of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LocalCredential {
    /// For commands that ask.
    Asker,
    /// For the person at this machine.
    Person,
}

impl LocalCredential {
    fn file(self) -> &'static str {
        match self {
            Self::Asker => "asker.token",
            Self::Person => "person.token",
        }
    }
}

/// The folder for askback's data: `ASKBACK_DATA`, or the platform's own place for such things.
///
/// Two platforms, two lines: a crate would know ten more, and not our variable.
pub(crate) fn data_folder() -> Result<PathBuf, CliError> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || variable("HOME").filter(|home| home.is_absolute());
    let found = variable("ASKBACK_DATA").or_else(|| {
        if cfg!(target_os = "macos") {
            return home().map(|home| home.join("Library/Application Support/askback"));
        }
        let data = variable("XDG_DATA_HOME").filter(|folder| folder.is_absolute());
        data.or_else(|| home().map(|home| home.join(".local/share"))).map(|data| data.join("askback"))
    });
    found.ok_or_else(|| CliError::wrong("there is no place to keep data: set ASKBACK_DATA or HOME to a folder"))
}

impl DataDir {
    /// The data directory in a folder, which is made if need be, readable by its user alone.
    pub(crate) fn make(folder: &Path) -> Result<Self, CliError> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(|error| {
            io::Error::new(error.kind(), format!("can't make the folder {} for the hub: {error}", folder.display()))
        })?;
        let data_dir = Self::at(folder);
        data_dir.check()?;
        Ok(data_dir)
    }

    pub(crate) fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Whether a hub has announced itself here, running or not.
    pub(crate) fn has_announcement(&self) -> bool {
        self.folder.join(ANNOUNCEMENT).symlink_metadata().is_ok()
    }

    /// Refuses the directory if another user can replace what clients and the hub read in it.
    pub(crate) fn check(&self) -> Result<(), CliError> {
        permissions::check_directory(&self.folder)?;
        let files = [ANNOUNCEMENT, LocalCredential::Asker.file(), LocalCredential::Person.file()];
        files.iter().try_for_each(|name| permissions::check_file(&self.folder.join(name)))?;
        // It names a command that the hub runs.
        permissions::check_file_or_link(&self.config())
    }

    /// The same for the directory of a hub's socket, which may be another one.
    pub(crate) fn check_socket(&self, info: &Info) -> Result<(), CliError> {
        match info.socket.parent() {
            Some(folder) if folder != self.folder => permissions::check_directory(folder),
            _ => Ok(()),
        }
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.folder.join("askback.db")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.folder.join("hub.log")
    }

    /// The error with which the last hub in the background ended, if its log ends with one.
    pub(crate) fn last_failure(&self) -> Option<String> {
        let mut file = File::open(self.log()).ok()?;
        let length = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(SMALL))).ok()?;
        let mut bytes = Vec::new();
        file.take(SMALL).read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        Some(text.trim_end().lines().last()?.strip_prefix("askback: ")?.to_owned())
    }

    /// Where sessions of MCP clients are kept.
    pub(crate) fn sessions(&self) -> PathBuf {
        self.folder.join("mcp-sessions")
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.folder.join("config.toml")
    }

    /// Where the socket is: here, or, where that path would be too long for one, in a folder of its own among the temporary
    /// ones.
    pub(crate) fn socket(&self) -> Result<PathBuf, CliError> {
        let usual = std::path::absolute(self.folder.join("hub.sock"))?;
        if usual.as_os_str().len() <= SOCKET_PATH {
            return Ok(usual);
        }
        let mark = Sha256::digest(usual.as_os_str().as_encoded_bytes());
        let mark: String = mark.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let user = rustix::process::getuid().as_raw();
        let folder = std::env::temp_dir().join(format!("askback-{user}-{mark}"));
        match DirBuilder::new().mode(0o700).create(&folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error.into()),
            _ => {}
        }
        // Others may write there, too: it must be ours, and ours alone.
        let found = std::fs::symlink_metadata(&folder)?;
        if !found.is_dir() || found.uid() != user || found.mode() & 0o077 != 0 {
            let folder = folder.display();
            return Err(CliError::Wrong(format!(
                "{folder} belongs to somebody else: set ASKBACK_DATA to a folder with a short path"
            )));
        }
        Ok(folder.join("hub.sock"))
    }

    /// The right to be the hub here; none if another has it.
    pub(crate) fn lock(&self) -> io::Result<Option<Lock>> {
        let path = self.folder.join("hub.lock");
        let mut file = open(&path, OpenOptions::new().read(true).write(true).create(true).truncate(false))?;
        // A process that only looks has it for a moment.
        if !lock_until(&file, Instant::now() + GLANCES, Duration::from_millis(1))? {
            return Ok(None);
        }
        overwrite(&mut file, &std::process::id().to_string())?;
        Ok(Some(Lock { file, path }))
    }

    /// Who is the hub here.
    pub(crate) fn holder(&self) -> io::Result<Holder> {
        let path = self.folder.join("hub.lock");
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Holder::Nobody),
            Err(error) => return Err(error),
        };
        match file.try_lock_shared() {
            // Whoever wants it finds it free again at once.
            Ok(()) => Ok(Holder::Nobody),
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                file.read_to_string(&mut text)?;
                Ok(Holder::Process(text.trim().parse().ok()))
            }
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// The right to start a hub here, waited for until then: so that of fifty commands one does. None if it took too long.
    pub(crate) fn start_lock(&self, until: Instant) -> io::Result<Option<File>> {
        let file = open(&self.folder.join("start.lock"), OpenOptions::new().write(true).create(true).truncate(false))?;
        Ok(lock_until(&file, until, Duration::from_millis(2))?.then_some(file))
    }

    /// Says that a hub listens, until what comes back is dropped.
    pub(crate) fn announce<'l>(&self, info: &Info, lock: &'l Lock) -> io::Result<Announced<'l>> {
        self.write(ANNOUNCEMENT, &serde_json::to_string_pretty(info)?)?;
        Ok(Announced { data_dir: self.clone(), lock })
    }

    /// What the hub here says of itself; it may be gone.
    pub(crate) fn info(&self) -> Option<Info> {
        serde_json::from_str(&self.read(ANNOUNCEMENT).ok()??).ok()
    }

    /// The port that a hub had here last; 0 if there was none.
    pub(crate) fn port(&self) -> u16 {
        self.read("hub.port").ok().flatten().and_then(|text| text.parse().ok()).unwrap_or(0)
    }

    /// The origin that browsers knew the last hub here by.
    pub(crate) fn origin(&self) -> Option<String> {
        self.read("hub.origin").ok().flatten()
    }

    pub(crate) fn keep_origin(&self, origin: &str) -> io::Result<()> {
        self.write("hub.origin", origin)
    }

    pub(crate) fn keep_port(&self, port: u16) {
        // Without it the next hub has another one, which is no reason to stop.
        let _ = self.write("hub.port", &port.to_string());
    }

    pub(crate) fn token(&self, credential: LocalCredential) -> io::Result<Option<String>> {
        Ok(self.read(credential.file())?.filter(|text| !text.is_empty()))
    }

    pub(crate) fn keep_token(&self, credential: LocalCredential, secret: &str) -> io::Result<()> {
        self.write(credential.file(), secret)
    }

    /// The text of a small file, if it is there and is text.
    fn read(&self, name: &str) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        match File::open(self.folder.join(name)) {
            Ok(file) => file.take(SMALL).read_to_end(&mut bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(String::from_utf8(bytes).ok().map(|text| text.trim().to_owned()))
    }

    /// Writes a small file as a whole or not at all, for this user alone. Where a disk or a quota is full, a file that is there is
    /// overwritten in its place, so that a hub that was killed can start again.
    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let path = self.folder.join(name);
        let draft = self.folder.join(format!(".{name}.{}", std::process::id()));
        let replaced = write_draft(&draft, text).and_then(|()| std::fs::rename(&draft, &path));
        let Err(error) = replaced else { return Ok(()) };
        let _ = std::fs::remove_file(&draft);
        if !matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
            return Err(error);
        }
        let full = |_| io::Error::new(error.kind(), format!("can't write {}: {error}", path.display()));
        let mut file = OpenOptions::new().read(true).write(true).open(&path).map_err(full)?;
        overwrite(&mut file, text).map_err(full)?;
        file.sync_all()
    }
}

fn write_draft(draft: &Path, text: &str) -> io::Result<()> {
    let mut file = open(draft, OpenOptions::new().write(true).create(true).truncate(true))?;
    writeln!(file, "{text}")?;
    file.sync_all()
}

/// Replaces the text of a file in its place, which needs no room on a disk that is full. What is left of a longer text becomes
/// spaces, which readers ignore.
fn overwrite(file: &mut File, text: &str) -> io::Result<()> {
    let length = usize::try_from(file.metadata()?.len().min(SMALL)).unwrap_or_default();
    file.rewind()?;
    file.write_all(format!("{text:<length$}").as_bytes())
}

/// Locks a file, waiting for it until then, and returns whether it is locked.
fn lock_until(file: &File, until: Instant, pause: Duration) -> io::Result<bool> {
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if Instant::now() < until => sleep(pause),
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let opened = options.mode(0o600).open(path);
    opened.map_err(|error| io::Error::new(error.kind(), format!("can't write {}: {error}", path.display())))
}

impl Lock {
    /// Whether the file is still the one in the folder. Where somebody removed the folder, nobody will find the hub again.
    pub(crate) fn is_still_there(&self) -> bool {
        let held = self.file.metadata().map(|found| (found.dev(), found.ino()));
        let there = std::fs::metadata(&self.path).map(|found| (found.dev(), found.ino()));
        matches!((held, there), (Ok(held), Ok(there)) if held == there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // S4
    #[test]
    fn what_a_hub_keeps_is_for_its_user_alone() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = DataDir::make(&folder.path().join("data")).unwrap();
        let _lock = data_dir.lock().unwrap().unwrap();
        data_dir.keep_token(LocalCredential::Person, "secret").unwrap();
        assert_eq!(data_dir.token(LocalCredential::Person).unwrap().as_deref(), Some("secret"));
        assert_eq!(data_dir.token(LocalCredential::Asker).unwrap(), None);
        let mode = |path: &Path| std::fs::metadata(path).unwrap().mode() & 0o777;
        assert_eq!(mode(&data_dir.folder), 0o700);
        for name in ["hub.lock", "person.token"] {
            assert_eq!(mode(&data_dir.folder.join(name)), 0o600, "{name}");
        }
    }

    // L2
    #[test]
    fn one_has_the_lock_and_others_know_who() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = DataDir::make(folder.path()).unwrap();
        assert_eq!(data_dir.holder().unwrap(), Holder::Nobody);
        let lock = data_dir.lock().unwrap().unwrap();
        assert!(data_dir.lock().unwrap().is_none());
        assert_eq!(data_dir.holder().unwrap(), Holder::Process(Some(std::process::id())));
        assert!(lock.is_still_there());
        std::fs::remove_file(folder.path().join("hub.lock")).unwrap();
        assert!(!lock.is_still_there());
    }

    // L2
    #[test]
    fn text_that_is_overwritten_in_its_place_reads_as_the_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = DataDir::at(folder.path());
        for (before, after) in
            [("http://127.0.0.1:12345", "http://127.0.0.1:1"), ("a", "http://127.0.0.1:1"), ("", "b")]
        {
            data_dir.keep_origin(before).unwrap();
            let path = folder.path().join("hub.origin");
            overwrite(&mut OpenOptions::new().write(true).open(path).unwrap(), after).unwrap();
            assert_eq!(data_dir.origin().as_deref(), Some(after));
        }
    }

    // S4
    #[test]
    fn a_socket_has_a_path_that_systems_take() {
        let folder = tempfile::tempdir().unwrap();
        let deep = DataDir::make(&folder.path().join("deep/".repeat(40))).unwrap();
        let socket = deep.socket().unwrap();
        assert!(socket.as_os_str().len() <= SOCKET_PATH, "{}", socket.display());
        assert_eq!(socket, deep.socket().unwrap(), "always the same");
        std::fs::remove_dir(socket.parent().unwrap()).unwrap();
    }
}
