//! Paths of tools: always inside the folder the agent works in.

use std::io;
use std::path::{Component, Path, PathBuf};

/// The place that a path of the model names, if it is inside the folder, links followed. The file itself need not exist.
pub(super) fn inside(folder: &Path, path: &str) -> Result<PathBuf, String> {
    let refused = || format!("{path:?} is outside of the folder you work in; give a path inside of it");
    if path.is_empty() || path.contains('\0') {
        return Err("the path is empty or no path: give one relative to the folder you work in".to_owned());
    }
    let folder = folder.canonicalize().map_err(|error| format!("the folder you work in can't be found: {error}"))?;
    // Without following `..` by name: where a link leads decides.
    let whole = folder.join(path);
    let mut missing = Vec::new();
    let mut known = whole.as_path();
    let real = loop {
        match known.canonicalize() {
            Ok(real) => break real,
            Err(error) if error.kind() == io::ErrorKind::NotFound && !known.is_symlink() => {
                match (known.components().next_back(), known.parent()) {
                    (Some(Component::Normal(name)), Some(parent)) => {
                        missing.push(name.to_owned());
                        known = parent;
                    }
                    _ => return Err(refused()),
                }
            }
            Err(error) => return Err(format!("{path:?} can't be used: {error}")),
        }
    };
    if !real.starts_with(&folder) {
        return Err(refused());
    }
    Ok(missing.into_iter().rev().fold(real, |place, name| place.join(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    // S2
    #[test]
    fn no_path_leads_out_of_the_folder() {
        let root = std::env::temp_dir().join(format!("askback-place-{}", std::process::id()));
        let folder = root.join("work");
        std::fs::create_dir_all(folder.join("inner")).unwrap();
        std::fs::write(root.join("secret"), "x").unwrap();
        std::os::unix::fs::symlink(root.join("secret"), folder.join("link")).unwrap();
        std::os::unix::fs::symlink(root.join("nowhere"), folder.join("dangling")).unwrap();
        std::os::unix::fs::symlink(&root, folder.join("up")).unwrap();
        for path in [
            "../secret",
            "link",
            "dangling",
            "up/secret",
            "up/new",
            "inner/../../secret",
            "/etc/passwd",
            "",
            "a\0b",
            "new/../../x",
        ] {
            assert!(inside(&folder, path).is_err(), "{path:?}");
        }
        let folder = folder.canonicalize().unwrap();
        for path in [".", "inner", "inner/new.txt", "new/deep/file", "inner/../other"] {
            let place = inside(&folder, path).unwrap();
            assert!(place.starts_with(&folder), "{path:?} {place:?}");
        }
        std::fs::remove_dir_all(root).unwrap();
    }
}
