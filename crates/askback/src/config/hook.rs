//! One `[[webhook]]` of the configuration.

use super::reading::{Found, Reading, Section, any_of};
use crate::error::CliError;
use askback_api::EventName;
use askback_client::transport::Address;
use askback_core::{Name, Room, Status, show};
use askback_server::webhook::{Hook, Key, Template};
use std::fs::File;
use std::io::Read;
use std::path::Path;

const KNOWN: [&str; 7] = ["name", "url", "template", "secret", "secret_file", "events", "room"];

const SECRET_BYTES: u64 = 4 << 10;

/// Letters of a webhook's name, which is part of a header.
const HOOK_NAME: usize = 64;

/// Reads one webhook. Its name is returned even if the rest is wrong: no other webhook may have it.
pub(super) fn read(
    section: &Section<'_>,
    folder: &Path,
    taken: &[Name],
    reading: &mut Reading<'_>,
) -> (Option<Name>, Option<Hook>) {
    let mut section = section.clone();
    let name = read_name(&section, taken, reading);
    if let Some(name) = &name {
        section.place.name = format!("webhook {}", show::quote(name.as_str()));
    }
    section.only(&KNOWN, reading);
    let target = read_target(&section, reading);
    let secret = read_secret(&section, folder, reading);
    let events = read_events(&section, reading);
    let room = section.text("room", reading).and_then(|found| {
        let room = Room::parse(found.text);
        room.map_err(|refusal| reading.refuse(&found.place, &refusal.message, &refusal.expected)).ok()
    });
    let hook = name.clone().zip(target).map(|(name, (address, template))| {
        let events = events.unwrap_or_else(|| template.usual_events().to_vec());
        Hook { name, address, template, secret, events, room }
    });
    (name, hook)
}

fn read_name(section: &Section<'_>, taken: &[Name], reading: &mut Reading<'_>) -> Option<Name> {
    let expected = format!("a name of its own of up to {HOOK_NAME} letters, digits, _ or -, such as \"phone\"");
    section.need("name", &expected, reading);
    let found = section.text("name", reading)?;
    let is_plain = found.text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let name = Name::parse(found.text).ok().filter(|_| is_plain && found.text.len() <= HOOK_NAME);
    let refusal = match &name {
        Some(name) if taken.contains(name) => "another webhook has this name",
        Some(_) => return name,
        None => "this is no name for a webhook",
    };
    reading.refuse(&found.place, refusal, &expected);
    None
}

/// Where it goes, and in which form, which belong together.
fn read_target(section: &Section<'_>, reading: &mut Reading<'_>) -> Option<(Address, Template)> {
    const EXPECTED: &str = "an address such as \"https://example.com/hook\", without a name or a password";
    section.need("url", EXPECTED, reading);
    let template = section.text("template", reading);
    let is_wrong = section.has("template") && template.is_none();
    let named = template.as_ref().map_or("json", |found| found.text);
    if !Template::NAMES.contains(&named) {
        let at = template.map_or_else(|| section.at("template"), |found: Found<'_>| found.place);
        reading.refuse(&at, "there is no such template", &any_of(&Template::NAMES));
        return None;
    }
    let found = section.text("url", reading)?;
    let Some(address) = Address::parse(found.text) else {
        reading.refuse(&found.place, "this is no address", EXPECTED);
        return None;
    };
    match Template::of(named, address) {
        Ok(made) => (!is_wrong).then_some(made),
        Err(expected) => {
            reading.refuse(&found.place, format!("this is no address for the template {named}"), expected);
            None
        }
    }
}

fn read_events(section: &Section<'_>, reading: &mut Reading<'_>) -> Option<Vec<Status>> {
    let names = EventName::ALL.map(|(_, name, _)| name);
    let found = section.texts("events", reading)?;
    if found.is_empty() {
        reading.refuse(&section.at("events"), "nothing would ever be sent", &any_of(&names));
    }
    let mut events = Vec::new();
    for found in found.into_iter().flatten() {
        match EventName::ALL.iter().find(|(_, name, _)| *name == found.text) {
            Some((_, _, status)) => events.push(*status),
            None => reading.refuse(&found.place, "there is no such event", &any_of(&names)),
        }
    }
    Some(events)
}

fn read_secret(section: &Section<'_>, folder: &Path, reading: &mut Reading<'_>) -> Option<Key> {
    const EXPECTED: &str =
        "a text that nobody can guess, or whsec_ and base64, such as `openssl rand -base64 32` makes it";
    let (given, file) = (section.text("secret", reading), section.text("secret_file", reading));
    let (text, at) = match (given, file) {
        (None, None) => return None,
        (Some(_), Some(file)) => {
            reading.refuse(&file.place, "there is a secret already", "either secret or secret_file");
            return None;
        }
        (Some(given), None) => (given.text.to_owned(), given.place),
        (None, Some(file)) => match read_file(&folder.join(file.text)) {
            Ok(text) => (text, file.place),
            Err(error) => {
                let message = format!("{} can't be read: {error}", show::quote(file.text));
                reading.refuse(&file.place, message, &format!("a file of text of up to {SECRET_BYTES} bytes"));
                return None;
            }
        },
    };
    let key = Key::parse(text.trim());
    if key.is_none() {
        reading.refuse(&at, "this is no secret to sign with", EXPECTED);
    }
    key
}

fn read_file(path: &Path) -> Result<String, CliError> {
    let mut text = String::new();
    File::open(path)?.take(SECRET_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > SECRET_BYTES {
        return Err(CliError::wrong("it is too large"));
    }
    Ok(text)
}
