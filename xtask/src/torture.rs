//! `cargo xtask torture`: campaigns that take longer than `cargo xtask test` may.
//!
//! Mutants: a property that no mistake can break tests nothing, so for every one of them a mistake is made in a copy of the
//! code, and the property must fail.

mod mutants;

use crate::Done;
use crate::project::{self, root};
use mutants::{MUTANTS, Mutant};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes every mistake once, or only those that this test must notice.
pub(crate) fn run(only: Option<&str>) -> Done {
    let copy = root().join("target/mutants");
    let mut survived = Vec::new();
    let chosen: Vec<&Mutant> = MUTANTS.iter().filter(|mutant| only.is_none_or(|only| mutant.test == only)).collect();
    if chosen.is_empty() {
        return Err(format!("no mutant belongs to the test {}", only.unwrap_or_default()));
    }
    for mutant in chosen {
        refresh(&copy)?;
        make(&copy, mutant)?;
        let noticed = notices(&copy, mutant)?;
        println!("{}: {} ({}…)", if noticed { "noticed" } else { "SURVIVED" }, mutant.what, mutant.test);
        if !noticed {
            survived.push(mutant.what);
        }
    }
    if survived.is_empty() { Ok(()) } else { Err(format!("no test notices: {}", survived.join("; "))) }
}

/// Makes the copy like the original. What is the same already keeps its time, so that little is built again.
fn refresh(copy: &Path) -> Done {
    let files = project::files()?;
    if copy.exists() {
        let kept: Vec<PathBuf> = files.iter().map(|file| copy.join(file)).collect();
        remove_others(copy, &kept).map_err(|error| format!("can't tidy {}: {error}", copy.display()))?;
    }
    for file in files {
        let (from, to) = (root().join(&file), copy.join(&file));
        let failed = |error: std::io::Error| format!("can't copy {file}: {error}");
        let text = std::fs::read(&from).map_err(failed)?;
        if std::fs::read(&to).is_ok_and(|there| there == text) {
            continue;
        }
        let folder = to.parent().unwrap_or(copy);
        std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&to, text)).map_err(failed)?;
    }
    Ok(())
}

/// What was deleted or has another name now is not to be tested.
fn remove_others(folder: &Path, kept: &[PathBuf]) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(&path, kept)?;
        } else if !kept.contains(&path) && path.file_name().is_none_or(|name| name != "Cargo.lock") {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn make(copy: &Path, mutant: &Mutant) -> Done {
    let path = copy.join(mutant.file);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", mutant.file))?;
    std::fs::write(&path, placed(&text, mutant)?).map_err(|error| format!("{}: {error}", mutant.file))
}

/// The text with the mistake in it.
fn placed(text: &str, mutant: &Mutant) -> Result<String, String> {
    if text.matches(mutant.right).count() != 1 {
        return Err(format!("{} has not exactly one place for the mutant \"{}\"", mutant.file, mutant.what));
    }
    Ok(text.replace(mutant.right, mutant.wrong))
}

/// Whether the tests fail, which they must for the right reason: the mutant compiles, and tests ran.
fn notices(copy: &Path, mutant: &Mutant) -> Result<bool, String> {
    let cargo = |arguments: &[&str]| {
        Command::new("cargo")
            .args(arguments)
            .current_dir(copy)
            .env("CARGO_TARGET_DIR", copy.with_file_name("mutants-target"))
            .output()
            .map_err(|error| format!("can't run cargo: {error}"))
    };
    let built = cargo(&["test", "--quiet", "--package", mutant.package, "--no-run"])?;
    if !built.status.success() {
        let said = String::from_utf8_lossy(&built.stderr);
        return Err(format!("the mutant \"{}\" does not compile:\n{said}", mutant.what));
    }
    let tested = cargo(&["test", "--package", mutant.package, mutant.test])?;
    let said = String::from_utf8_lossy(&tested.stdout);
    if !said.lines().any(|line| line.starts_with("test ") && line.contains(mutant.test)) {
        return Err(format!("there is no test {}", mutant.test));
    }
    Ok(!tested.status.success())
}

#[cfg(test)]
mod tests {
    use super::{MUTANTS, placed};
    use crate::project::read;

    #[test]
    fn every_mutant_has_its_place() {
        let lost = MUTANTS.iter().filter_map(|mutant| read(mutant.file).and_then(|text| placed(&text, mutant)).err());
        assert_eq!(lost.collect::<Vec<_>>(), [""; 0]);
    }
}
