//! `cargo xtask gen`: files made from the code and from measurements, committed so that nobody needs us to read them.

use crate::Done;
use crate::project::{capture, read, root};
use askback_core::Limits;
use askback_core::schema::SCHEMAS;

mod confusables;
mod errors;
mod figures;
mod kinds;

/// A generated file and what belongs in it.
type Generated = (String, String);

/// Pages that show everything of a measurement.
const MEASURED: [(&str, &str); 3] = [("docs/hub.md", "server"), ("docs/rooms.md", "rooms"), ("docs/page.md", "page")];

/// Writes every generated file.
pub(crate) fn write() -> Done {
    for (path, text) in all()? {
        let target = root().join(&path);
        if let Some(folder) = target.parent() {
            std::fs::create_dir_all(folder).map_err(|error| format!("{path}: {error}"))?;
        }
        std::fs::write(target, text).map_err(|error| format!("can't write {path}: {error}"))?;
        println!("{path}");
    }
    Ok(())
}

/// Fails if a committed file is not what would be generated.
pub(crate) fn check() -> Done {
    let stale: Vec<String> =
        all()?.into_iter().filter(|(path, text)| read(path).as_ref() != Ok(text)).map(|(path, _)| path).collect();
    if stale.is_empty() {
        return Ok(());
    }
    Err(format!("stale: {}; run `cargo xtask gen` and commit what it writes", stale.join(", ")))
}

fn all() -> Result<Vec<Generated>, String> {
    let mut files: Vec<Generated> = SCHEMAS
        .iter()
        .map(|schema| {
            let mut json = (schema.build)(&Limits::DEFAULT);
            // Sorted, so that moving lines in the source leaves the file as it is.
            json.sort_all_objects();
            (format!("schemas/{}.schema.json", schema.name), format!("{json:#}\n"))
        })
        .collect();
    let mut api = askback_api::schema::file();
    api.sort_all_objects();
    files.push(("schemas/api.schema.json".to_owned(), format!("{api:#}\n")));
    files.push(("crates/askback-core/src/fold/confusables.txt".to_owned(), confusables::table()));
    files.push(("docs/kinds.md".to_owned(), kinds::page()?));
    files.push(("docs/errors.md".to_owned(), errors::page()));
    files.push(("docs/openapi.json".to_owned(), openapi()?));
    files.push(("README.md".to_owned(), figures::fill(&read("README.md")?)?));
    for (page, measurement) in MEASURED {
        files.push((page.to_owned(), figures::fill_all(&read(page)?, measurement)?));
    }
    Ok(files)
}

/// What the binary says of its API: the routes and what they answer are known there and nowhere else. The tests need the same
/// build of it.
fn openapi() -> Result<String, String> {
    capture("cargo", &["run", "--quiet", "--package", "askback", "--", "serve", "--openapi"])
}
