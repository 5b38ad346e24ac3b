//! `cargo xtask tidy`: the walls and habits that neither the compiler nor clippy knows.

use crate::production::production;
use crate::project::texts;
use crate::{Done, lines};

mod cycles;
mod extending;
mod kinds;
mod links;
mod map;
mod page;
mod paths;
mod raw_json;
mod sources;
mod test_code;
mod walls;

/// Something that is not tidy, said so that one knows what to do.
type Complaint = String;

/// Runs every check, and reports all that they find.
pub(crate) fn run() -> Done {
    let tree = texts()?;
    let files = production(&tree);
    let complaints: Vec<Complaint> = [
        sources::check(&tree),
        walls::check(&tree),
        map::check(&tree),
        page::check(&tree),
        links::check(&tree),
        paths::check(&tree, &files),
        cycles::check(&files),
        raw_json::check(&files),
        kinds::check(&files),
        extending::check(&tree),
        test_code::check(&tree, &files),
        lines::check(&files),
    ]
    .concat();
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

/// A tree for tests.
#[cfg(test)]
pub(crate) fn tree(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}
