//! `askback setup codex`: the server, and how long a call may take.

use super::file::Reach;
use super::home;
use super::limits::{TOOL_SECONDS, TOOL_WAIT};
use super::plan::{Change, Merged, Part, Plan};
use super::program::Program;
use crate::error::CliError;
use askback_core::show::quote;
use std::path::{Path, PathBuf};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// Codex hands few of its variables on. These say where the hub is; who has set them means it there, too.
const VARIABLES: [&str; 4] = ["ASKBACK_DATA", "ASKBACK_HUB", "ASKBACK_TOKEN", "XDG_DATA_HOME"];

const SERVERS: &str = "mcp_servers";
const NAME: &str = "askback";

pub(super) fn plan(program: &Program) -> Result<Plan, CliError> {
    let merge = |text: &str| merged(text, program);
    let part = Part::plan(&folder()?.join("config.toml"), Reach::Private, "Codex's configuration", merge)?;
    let next = vec!["Start Codex anew; `askback inbox` or `askback open` shows what it asks.".to_owned()];
    Ok(Plan { command: "askback setup codex".to_owned(), parts: vec![part], next })
}

/// The folder in which Codex keeps its own.
fn folder() -> Result<PathBuf, CliError> {
    // An empty variable is none to Codex.
    match std::env::var_os("CODEX_HOME").filter(|folder| !folder.is_empty()) {
        Some(folder) => Ok(std::path::absolute(Path::new(&folder))?),
        None => Ok(home()?.join(".codex")),
    }
}

fn merged(text: &str, program: &Program) -> Result<Merged, String> {
    let mut document: DocumentMut = text.parse().map_err(|error| format!("this is no TOML: {error}"))?;
    let mut changes = Vec::new();
    let args = ["mcp", "--wait", TOOL_WAIT];
    let fields: [(&str, Value); 3] = [
        ("command", program.as_str().into()),
        ("args", args.into_iter().collect::<Array>().into()),
        ("tool_timeout_sec", i64::from(TOOL_SECONDS).into()),
    ];
    let entry = entry(&mut document, &mut changes)?;
    let told = changes.len();
    for (name, value) in fields {
        put(entry, name, value, &mut changes);
    }
    variables(entry, &mut changes)?;
    if told > 0 {
        // Its fields come with it.
        changes.truncate(told);
    }
    let text = document.to_string();
    check(&text, program)?;
    Ok(Merged { text, changes })
}

/// The table of the server, made if it is missing. One for a server at an address is emptied.
fn entry<'d>(document: &'d mut DocumentMut, changes: &mut Vec<Change>) -> Result<&'d mut dyn TableLike, String> {
    let place = format!("{SERVERS}.{NAME}");
    let servers = document.entry(SERVERS).or_insert_with(|| {
        let mut servers = Table::new();
        servers.set_implicit(true);
        Item::Table(servers)
    });
    let is_inline = servers.is_inline_table();
    let refused = |place: &str| format!("{place} is no table: `[{SERVERS}.{NAME}]` would pass");
    let servers = servers.as_table_like_mut().ok_or_else(|| refused(SERVERS))?;
    if !servers.contains_key(NAME) {
        let table = if is_inline { Item::Value(InlineTable::new().into()) } else { Item::Table(Table::new()) };
        servers.insert(NAME, table);
        changes.push(Change { place: place.clone(), instead_of: None });
    }
    let entry = servers.get_mut(NAME).and_then(Item::as_table_like_mut).ok_or_else(|| refused(&place))?;
    if let Some(url) = entry.get("url") {
        // What goes with the address may be secret.
        let was = url.as_str().map_or_else(|| "something else".to_owned(), |url| format!("the one at {}", quote(url)));
        entry.clear();
        changes.push(Change { place, instead_of: Some(was) });
    }
    Ok(entry)
}

/// Has a field have a value; what is said beside it stays.
fn put(entry: &mut dyn TableLike, name: &str, value: Value, changes: &mut Vec<Change>) {
    let place = format!("{SERVERS}.{NAME}.{name}");
    let Some(found) = entry.get_mut(name) else {
        entry.insert(name, Item::Value(value));
        changes.push(Change { place, instead_of: None });
        return;
    };
    if plain(found) == plain(&Item::Value(value.clone())) {
        return;
    }
    let was = plain(found);
    match found.as_value_mut() {
        Some(found) => {
            let decor = found.decor().clone();
            *found = value;
            *found.decor_mut() = decor;
        }
        None => *found = Item::Value(value),
    }
    changes.push(Change { place, instead_of: Some(was) });
}

/// Has Codex hand on the variables that say where the hub is, beside those that it hands on already.
fn variables(entry: &mut dyn TableLike, changes: &mut Vec<Change>) -> Result<(), String> {
    const FIELD: &str = "env_vars";
    let place = format!("{SERVERS}.{NAME}.{FIELD}");
    let Some(found) = entry.get_mut(FIELD) else {
        put(entry, FIELD, VARIABLES.into_iter().collect::<Array>().into(), changes);
        return Ok(());
    };
    let was = plain(found);
    let list = found.as_array_mut().ok_or_else(|| format!("{place} is no list: `[…]` would pass"))?;
    let is_there = |list: &Array, name: &str| {
        // Newer ones may also say where the variable comes from.
        let named =
            |item: &Value| item.as_inline_table().and_then(|item| item.get("name")?.as_str().map(str::to_owned));
        list.iter().any(|item| item.as_str() == Some(name) || named(item).as_deref() == Some(name))
    };
    let missing: Vec<&str> = VARIABLES.into_iter().filter(|name| !is_there(list, name)).collect();
    if !missing.is_empty() {
        list.extend(missing);
        changes.push(Change { place, instead_of: Some(was) });
    }
    Ok(())
}

/// A value without what stands around it and how it is spread over lines.
fn plain(item: &Item) -> String {
    match item.as_value() {
        Some(Value::Array(array)) => {
            let items: Vec<String> = array.iter().map(|item| plain(&Item::Value(item.clone()))).collect();
            format!("[{}]", items.join(", "))
        }
        Some(Value::String(text)) => Value::from(text.value().as_str()).to_string(),
        Some(Value::Float(seconds)) if seconds.value().fract() == 0.0 => format!("{:.0}", seconds.value()),
        Some(value) => value.to_string().trim().to_owned(),
        None => item.to_string().trim().to_owned(),
    }
}

/// That what was made reads as what was meant: tables can be written in more ways than anybody tries.
fn check(text: &str, program: &Program) -> Result<(), String> {
    let read: Option<toml::Table> = text.parse().ok();
    let entry = read.as_ref().and_then(|read| read.get(SERVERS)?.get(NAME));
    let command = entry.and_then(|entry| entry.get("command")?.as_str());
    if command == Some(program.as_str()) {
        return Ok(());
    }
    Err("what is there can't be merged: put what is shown without --write there by hand".to_owned())
}
