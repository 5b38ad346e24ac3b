//! `cargo xtask tidy`: the walls and habits that neither the compiler nor clippy knows.

use crate::Done;
use crate::project::{files, read};

mod links;
mod map;
mod page;
mod sources;
mod walls;

/// Something that is not tidy, said so that one knows what to do.
type Complaint = String;

/// Runs every check, and reports all that they find.
pub(crate) fn run() -> Done {
    let mut tree = Vec::new();
    for path in files()? {
        // Pictures and the like have no text to look at.
        let text = read(&path).unwrap_or_default();
        tree.push((path, text));
    }
    let complaints: Vec<Complaint> =
        [sources::check(&tree), walls::check(&tree), map::check(&tree), page::check(&tree), links::check(&tree)]
            .concat();
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

/// A tree for tests.
#[cfg(test)]
fn tree(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}
