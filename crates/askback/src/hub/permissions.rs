//! Who else can write to the data directory. Another user who can replace `hub.json` or a credential there is sent the tokens of
//! everybody who reads them, so that such a directory is refused.

use super::groups::is_private;
use crate::error::CliError;
use crate::shell::quoted;
use rustix::fs::getxattr_query;
use rustix::io::Errno;
use std::cell::OnceCell;
use std::ffi::OsString;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// Links that are followed on the way to a directory, as many as Linux follows.
const LINKS: usize = 40;

/// The owner that a user namespace shows of files whose owner it has no number for.
const OVERFLOW_USER: u32 = 65_534;

/// Set on a directory in which only the owner of an entry, its own owner and root rename and remove it.
const STICKY: u32 = 0o1000;

/// Write permission of the group.
const GROUP_WRITES: u32 = 0o020;

/// Write permission of all others.
const OTHERS_WRITE: u32 = 0o002;

/// The owner, the group and the mode of a file or a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rights {
    owner: u32,
    group: u32,
    mode: u32,
}

impl From<&Metadata> for Rights {
    fn from(found: &Metadata) -> Self {
        Self { owner: found.uid(), group: found.gid(), mode: found.mode() }
    }
}

/// The attribute in which Linux keeps the access control list of a file or a directory.
const ACCESS_LIST: &str = "system.posix_acl_access";

/// The users who may write: the one of this process, and root. Tables of the system are read only where the answer depends on them.
#[derive(Debug)]
struct Trusted {
    user: u32,
    group: u32,
    /// Whether an owner without a number in this user namespace counts as root. A sandbox shows root so.
    is_overflow_root: OnceCell<bool>,
    /// Whether no other user is in the group.
    is_group_private: OnceCell<bool>,
}

/// Why others can replace what is in a directory, or in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weakness {
    Owner(u32),
    Writable,
}

/// A directory on the way to another one, and its entry through which the way goes on.
#[derive(Debug)]
struct Passage {
    directory: PathBuf,
    rights: Rights,
    entry: Option<(PathBuf, Rights)>,
}

impl Trusted {
    fn here() -> Self {
        let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
        Self { user, group, is_overflow_root: OnceCell::new(), is_group_private: OnceCell::new() }
    }

    fn has(&self, owner: u32) -> bool {
        owner == self.user || owner == 0 || (owner == OVERFLOW_USER && self.is_overflow_root())
    }

    fn is_overflow_root(&self) -> bool {
        *self.is_overflow_root.get_or_init(|| !is_overflow_user_mapped())
    }

    fn is_private(&self, group: u32) -> bool {
        group == self.group && *self.is_group_private.get_or_init(|| is_private(group, self.user))
    }

    /// Whether the rights of the group of a file or a directory are the user's alone.
    fn is_trusted_group(&self, path: &Path, group: u32) -> bool {
        self.is_private(group) && !has_access_list(path)
    }

    /// The weakness of a file, or of a directory as a whole.
    fn weakness(&self, path: &Path, rights: Rights) -> Option<Weakness> {
        if !self.has(rights.owner) {
            return Some(Weakness::Owner(rights.owner));
        }
        let by_group = rights.mode & GROUP_WRITES != 0 && !self.is_trusted_group(path, rights.group);
        (by_group || rights.mode & OTHERS_WRITE != 0).then_some(Weakness::Writable)
    }

    /// The weakness of a directory on the way, and the path that has it. A sticky directory, such as `/tmp`, protects an entry
    /// that belongs to a trusted user.
    fn weakness_on_the_way<'p>(
        &self,
        Passage { directory, rights, entry }: &'p Passage,
    ) -> Option<(&'p Path, Weakness)> {
        match (self.weakness(directory, *rights)?, entry) {
            (Weakness::Writable, Some((entry, found))) if rights.mode & STICKY != 0 => {
                (!self.has(found.owner)).then_some((entry, Weakness::Owner(found.owner)))
            }
            (weakness, _) => Some((directory, weakness)),
        }
    }
}

/// Whether the owner that a user namespace shows of unknown owners is a user of this one.
fn is_overflow_user_mapped() -> bool {
    // Each line has the first number inside, the first one outside, and how many there are.
    let map = std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let mut ranges = map.lines().filter_map(|line| {
        let mut numbers = line.split_whitespace().map(str::parse::<u64>);
        Some((numbers.next()?.ok()?, numbers.nth(1)?.ok()?))
    });
    map.is_empty() || ranges.any(|(first, count)| (first..first.saturating_add(count)).contains(&OVERFLOW_USER.into()))
}

/// Whether a file or a directory has an access control list. The bits of the group are then the most that the list gives to any
/// user and group in it, and not what the group may do.
fn has_access_list(path: &Path) -> bool {
    !matches!(getxattr_query(path, ACCESS_LIST), Err(Errno::NODATA | Errno::OPNOTSUPP))
}

/// Refuses a directory in which others can replace files, or a file that they can replace, by their rights to it or to a directory
/// on the way to it.
pub(super) fn check_directory(directory: &Path) -> Result<(), CliError> {
    let trusted = Trusted::here();
    let passages = passages(directory)
        .map_err(|error| CliError::Wrong(format!("{} can't be looked at: {error}", directory.display())))?;
    for passage in passages {
        if let Some((path, weakness)) = trusted.weakness_on_the_way(&passage) {
            let leads =
                if path == directory { String::new() } else { format!(", which leads to {}", directory.display()) };
            return Err(refusal(path, &leads, weakness, trusted.user));
        }
    }
    Ok(())
}

/// Refuses a file of the hub that others can write. One that is not there is not refused.
pub(super) fn check_file(path: &Path) -> Result<(), CliError> {
    let found = match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    if !found.is_file() {
        let path = quoted(&path.to_string_lossy());
        return Err(CliError::Wrong(format!("{path} is not a regular file, as the hub writes it: run `rm -r {path}`")));
    }
    let trusted = Trusted::here();
    match trusted.weakness(path, Rights::from(&found)) {
        Some(weakness) => Err(refusal(path, "", weakness, trusted.user)),
        None => Ok(()),
    }
}

/// The same for a file that the user may keep elsewhere, with a link to it: then the way through the link must be closed to others.
pub(super) fn check_file_or_link(path: &Path) -> Result<(), CliError> {
    match path.symlink_metadata() {
        Ok(found) if found.is_symlink() && path.exists() => check_directory(path),
        // A link that leads nowhere is read as no file.
        Ok(found) if found.is_symlink() => Ok(()),
        _ => check_file(path),
    }
}

fn refusal(path: &Path, leads: &str, weakness: Weakness, user: u32) -> CliError {
    let (shown, word) = (path.display(), quoted(&path.to_string_lossy()));
    let (who, advice) = match weakness {
        // Taking a user's directory away would lock the user out: root has come there by the user's HOME.
        Weakness::Owner(owner) if user == 0 => {
            (format!("{shown}{leads} belongs to user {owner}, who"), "run askback as that user".to_owned())
        }
        Weakness::Owner(owner) => {
            (format!("{shown}{leads} belongs to user {owner}, who"), format!("run `chown {user} {word}` as root"))
        }
        Weakness::Writable => {
            (format!("other users can write to {shown}{leads}, and so"), format!("run `chmod go-w {word}`"))
        }
    };
    CliError::Wrong(format!(
        "{who} could replace the hub's files and get your token: {advice}, or set ASKBACK_DATA to a directory that only \
         you can write"
    ))
}

/// Every directory that is passed on the way to a directory, through every link, and that directory itself at the end.
fn passages(directory: &Path) -> io::Result<Vec<Passage>> {
    let mut here = PathBuf::from("/");
    let mut ahead = reversed(&std::path::absolute(directory)?);
    let (mut passages, mut links) = (Vec::new(), 0);
    while let Some(part) = ahead.pop() {
        match Path::new(&part).components().next() {
            Some(Component::RootDir) => here = PathBuf::from("/"),
            Some(Component::ParentDir) => {
                here.pop();
            }
            Some(Component::Normal(name)) => {
                let next = here.join(name);
                let found = next.symlink_metadata()?;
                passages.push(passage(&here, Some((next.clone(), Rights::from(&found))))?);
                if !found.is_symlink() {
                    here = next;
                    continue;
                }
                links += 1;
                if links > LINKS {
                    return Err(io::Error::other(format!("more than {LINKS} links lead from it to another")));
                }
                ahead.extend(reversed(&next.read_link()?));
            }
            _ => {}
        }
    }
    passages.push(passage(&here, None)?);
    Ok(passages)
}

fn passage(directory: &Path, entry: Option<(PathBuf, Rights)>) -> io::Result<Passage> {
    Ok(Passage { directory: directory.to_owned(), rights: Rights::from(&directory.symlink_metadata()?), entry })
}

/// The components of a path, the last one first.
fn reversed(path: &Path) -> Vec<OsString> {
    path.components().rev().map(|part| part.as_os_str().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{XattrFlags, setxattr};
    use std::fs::{Permissions, create_dir, set_permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    const ADA: u32 = 1_000;
    const EVE: u32 = 1_001;
    const STAFF: u32 = 50;

    fn trusted() -> Trusted {
        Trusted { user: ADA, group: ADA, is_overflow_root: false.into(), is_group_private: true.into() }
    }

    fn on_the_way(rights: (u32, u32), entry: Option<u32>) -> Option<Weakness> {
        let (owner, mode) = rights;
        let entry = entry.map(|owner| (PathBuf::from("/d/e"), Rights { owner, group: STAFF, mode: 0o755 }));
        let passage = Passage { directory: PathBuf::from("/d"), rights: Rights { owner, group: STAFF, mode }, entry };
        trusted().weakness_on_the_way(&passage).map(|(_, weakness)| weakness)
    }

    // S4
    #[test]
    fn directory_of_the_user_or_of_root_that_nobody_else_writes_passes() {
        for owner in [ADA, 0] {
            for mode in [0o700, 0o755, 0o40755] {
                assert_eq!(on_the_way((owner, mode), Some(ADA)), None, "{owner} {mode:o}");
                assert_eq!(on_the_way((owner, mode), None), None, "{owner} {mode:o}");
            }
        }
    }

    // S4
    #[test]
    fn directory_of_another_user_or_writable_by_group_or_others_is_refused() {
        assert_eq!(on_the_way((EVE, 0o700), Some(ADA)), Some(Weakness::Owner(EVE)));
        assert_eq!(on_the_way((OVERFLOW_USER, 0o755), Some(ADA)), Some(Weakness::Owner(OVERFLOW_USER)));
        for mode in [0o770, 0o720, 0o702, 0o777] {
            assert_eq!(on_the_way((ADA, mode), Some(ADA)), Some(Weakness::Writable), "{mode:o}");
        }
    }

    // S4
    #[test]
    fn directory_that_the_private_group_of_the_user_writes_passes() {
        let folder = tempfile::tempdir().unwrap();
        let weakness = |group, mode| trusted().weakness(folder.path(), Rights { owner: ADA, group, mode });
        assert_eq!((weakness(ADA, 0o775), weakness(STAFF, 0o755)), (None, None));
        assert_eq!([weakness(STAFF, 0o775), weakness(ADA, 0o777)], [Some(Weakness::Writable); 2]);
    }

    // S4
    #[test]
    fn directory_of_the_private_group_with_an_access_list_is_refused_if_its_mask_lets_users_write() {
        let folder = tempfile::tempdir().unwrap();
        let weakness = |mode| trusted().weakness(folder.path(), Rights { owner: ADA, group: ADA, mode });
        // acl(5): the owner, a named user, the group, the mask and others, each with its tag, its permissions and a number.
        let any = u32::MAX;
        let entries = [(0x01, 7, any), (0x02, 7, EVE), (0x04, 0, any), (0x10, 7, any), (0x20, 0, any)];
        let entry = |(tag, permissions, id): (u16, u16, u32)| {
            [&tag.to_le_bytes()[..], &permissions.to_le_bytes(), &id.to_le_bytes()].concat()
        };
        let list = [2_u32.to_le_bytes().to_vec(), entries.map(entry).concat()].concat();
        if let Err(error) = setxattr(folder.path(), ACCESS_LIST, &list, XattrFlags::empty()) {
            assert_eq!(error, Errno::OPNOTSUPP, "the file system of temporary files has access lists, or says so");
            return;
        }
        let mode = folder.path().metadata().unwrap().mode();
        assert_eq!(mode & 0o777, 0o770, "the mask looks like the group's rights");
        assert_eq!(weakness(mode), Some(Weakness::Writable));
        set_permissions(folder.path(), Permissions::from_mode(0o750)).unwrap();
        assert_eq!(weakness(folder.path().metadata().unwrap().mode()), None, "`chmod go-w` changes the mask");
    }

    // S4
    #[test]
    fn directory_that_only_its_owner_writes_is_checked_without_the_tables_of_groups_and_namespaces() {
        let trusted = Trusted { is_overflow_root: OnceCell::new(), is_group_private: OnceCell::new(), ..trusted() };
        assert_eq!(trusted.weakness(Path::new("/"), Rights { owner: ADA, group: ADA, mode: 0o755 }), None);
        assert_eq!(
            trusted.weakness(Path::new("/"), Rights { owner: EVE, group: STAFF, mode: 0o775 }),
            Some(Weakness::Owner(EVE))
        );
        assert!(trusted.is_group_private.get().is_none() && trusted.is_overflow_root.get().is_none());
    }

    // S4
    #[test]
    fn owner_of_a_home_that_root_uses_is_not_to_be_locked_out_of_it() {
        let told = |user| refusal(Path::new("/data/ada"), "", Weakness::Owner(ADA), user).to_string();
        assert!(told(EVE).contains("run `chown 1001 /data/ada` as root"), "{}", told(EVE));
        let by_root = told(0);
        assert!(!by_root.contains("chown"), "{by_root}");
        assert!(by_root.contains("run askback as that user, or set ASKBACK_DATA"), "{by_root}");
    }

    // S4
    #[test]
    fn sticky_directory_passes_only_as_a_parent_of_what_belongs_to_the_user() {
        assert_eq!(on_the_way((0, 0o1777), Some(ADA)), None);
        assert_eq!(on_the_way((0, 0o1777), Some(0)), None);
        assert_eq!(on_the_way((0, 0o1777), Some(EVE)), Some(Weakness::Owner(EVE)), "she can replace it");
        assert_eq!(
            on_the_way((0, 0o1777), None),
            Some(Weakness::Writable),
            "files that are not there yet are anybody's"
        );
        assert_eq!(on_the_way((EVE, 0o1777), Some(ADA)), Some(Weakness::Owner(EVE)), "its owner may do anything");
    }

    // S4
    #[test]
    fn root_without_a_number_in_a_sandbox_passes() {
        let sandboxed = Trusted { is_overflow_root: true.into(), ..trusted() };
        assert!(sandboxed.has(OVERFLOW_USER) && !sandboxed.has(EVE) && !trusted().has(OVERFLOW_USER));
    }

    // S4
    #[test]
    fn directory_with_a_link_in_a_shared_one_on_its_way_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["private", "private/data", "shared", "way"] {
            create_dir(at(name)).unwrap();
        }
        symlink("../private", at("shared/link")).unwrap();
        symlink(at("shared/link/data"), at("way/data")).unwrap();
        check_directory(&at("way/data")).unwrap();
        set_permissions(at("shared"), Permissions::from_mode(0o777)).unwrap();
        let said = check_directory(&at("way/data")).unwrap_err().to_string();
        let expected = format!("chmod go-w {}`", at("shared").display());
        assert!(said.contains(&expected) && said.contains("which leads to"), "{said}");
        check_directory(&at("private/data")).unwrap();
        symlink("round", at("round")).unwrap();
        assert!(check_directory(&at("round")).unwrap_err().to_string().contains("links"));
    }

    // S4
    #[test]
    fn file_that_others_can_write_is_refused_with_the_command() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hub's.json");
        check_file(&path).unwrap();
        std::fs::write(&path, "{}").unwrap();
        for (mode, passes) in [(0o600, true), (0o644, true), (0o622, false), (0o602, false)] {
            set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let checked = check_file(&path);
            assert_eq!(checked.is_ok(), passes, "{mode:o}");
            let told = checked.map_or_else(|error| error.to_string(), |()| String::new());
            assert!(passes || told.contains(r"run `chmod go-w '"), "{told}");
        }
        symlink("/etc/passwd", folder.path().join("link")).unwrap();
        assert!(check_file(&folder.path().join("link")).unwrap_err().to_string().contains("not a regular file"));
    }

    // S4
    #[test]
    fn link_to_a_file_passes_if_others_can_write_neither_the_file_nor_its_directory() {
        let folder = tempfile::tempdir().unwrap();
        let (dotfiles, link) = (folder.path().join("dotfiles"), folder.path().join("config.toml"));
        let file = dotfiles.join("askback.toml");
        check_file_or_link(&link).unwrap();
        create_dir(&dotfiles).unwrap();
        symlink(&file, &link).unwrap();
        check_file_or_link(&link).unwrap();
        std::fs::write(&file, "").unwrap();
        check_file_or_link(&link).unwrap();
        for (weak, usual) in [(&file, 0o600), (&dotfiles, 0o700)] {
            set_permissions(weak, Permissions::from_mode(0o777)).unwrap();
            let told = check_file_or_link(&link).unwrap_err().to_string();
            assert!(told.contains(&format!("`chmod go-w {}`", weak.display())), "{told}");
            set_permissions(weak, Permissions::from_mode(usual)).unwrap();
        }
    }
}
