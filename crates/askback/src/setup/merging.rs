//! Merging our entries into the JSON configuration of an agent.

use super::json_text::JsonText;
use super::plan::{Change, Merged};
use askback_core::show::{quote, show_json};
use askback_core::{Json, Path};

/// A configuration that is being changed, and the changes so far.
pub(super) struct ConfigEdit {
    text: JsonText,
    changes: Vec<Change>,
}

/// Reads a configuration and merges into it.
pub(super) fn merged(text: &str, merge: impl FnOnce(&mut ConfigEdit) -> Result<(), String>) -> Result<Merged, String> {
    let mut edit = ConfigEdit { text: JsonText::read(text)?, changes: Vec::new() };
    merge(&mut edit)?;
    Ok(Merged { text: edit.text.into_text(), changes: edit.changes })
}

/// Merges askback's entry into `mcpServers`, where Claude Code and Qwen Code look for servers. `addresses` are the fields by
/// which the agent knows a server that it reaches over HTTP instead of starting it.
pub(super) fn merged_server(text: &str, addresses: &[&str], entry: &Json) -> Result<Merged, String> {
    let path = Path::root().field("mcpServers").field("askback");
    merged(text, |edit| edit.server(&path, addresses, entry))
}

impl ConfigEdit {
    /// The list at a path; empty if there is none.
    pub(super) fn list(&self, path: &Path) -> Result<&[Json], String> {
        Ok(self.text.get(path)?.and_then(Json::as_array).unwrap_or_default())
    }

    pub(super) fn push(&mut self, path: &Path, value: &Json, place: String) -> Result<(), String> {
        self.text.push(path, value)?;
        self.changes.push(Change { place, instead_of: None });
        Ok(())
    }

    /// Sets these fields of an object; its others stay.
    pub(super) fn fields(&mut self, path: &Path, fields: &Json) -> Result<(), String> {
        let Json::Object(fields) = fields else { return Ok(()) };
        for (name, value) in fields {
            let path = path.field(name);
            match self.text.get(&path)? {
                Some(found) if found == value => {}
                found => {
                    let was = found.map(|found| show_json(&found.to_string()));
                    self.set(&path, value, was)?;
                }
            }
        }
        Ok(())
    }

    /// A server that the agent starts: fields that a person has added to an existing entry, such as variables, stay.
    fn server(&mut self, path: &Path, addresses: &[&str], entry: &Json) -> Result<(), String> {
        match self.text.get(path)? {
            Some(Json::Object(fields)) if fields.iter().all(|(name, _)| !addresses.contains(&name.as_str())) => {
                self.fields(path, entry)
            }
            // A server at an address is another kind of entry. Only its address is reported: its headers may be secret.
            found => {
                let address = addresses.iter().find_map(|name| found?.get(name)?.as_str()).map(quote);
                let was = found.map(|_| {
                    address.map_or_else(|| "something else".to_owned(), |address| format!("the one at {address}"))
                });
                self.set(path, entry, was)
            }
        }
    }

    fn set(&mut self, path: &Path, value: &Json, instead_of: Option<String>) -> Result<(), String> {
        self.text.set(path, value)?;
        self.changes.push(Change { place: path.to_string(), instead_of });
        Ok(())
    }
}
