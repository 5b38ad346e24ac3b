//! The configuration: one TOML file in the data folder, read when a hub starts. docs/webhooks.md describes it.

use crate::duration::seconds;
use crate::error::CliError;
use askback_core::Name;
use askback_hub::limits::HOOKS;
use askback_server::webhook::Hook;
use askback_server::{CommandLine, PublicUrl};
use jiff::SignedDuration;
use reading::{Reading, Section};
use std::fs::File;
use std::io::{self, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use toml::de::DeTable;

mod hook;
mod reading;

const CONFIG_BYTES: u64 = 1 << 20;

/// What a hub was told to be.
#[derive(Debug, Default)]
pub(crate) struct Config {
    pub(crate) listen: Option<SocketAddr>,
    pub(crate) public_url: Option<PublicUrl>,
    /// How long an asker counts as there after its last call (L9).
    pub(crate) attended_for: Option<SignedDuration>,
    /// What is run for every new request.
    pub(crate) on_request: Option<CommandLine>,
    /// Each with a name of its own.
    pub(crate) hooks: Vec<Arc<Hook>>,
    /// MCP clients whose own dialog counts (S1), by what they call themselves.
    pub(crate) dialogs: Vec<String>,
}

impl Config {
    /// Reads the file, or says everything that is wrong with it. None at all is an empty one.
    pub(crate) fn read(path: &Path) -> Result<Self, CliError> {
        let about = |error: io::Error| CliError::Wrong(format!("can't read {}: {error}", path.display()));
        let mut bytes = Vec::new();
        match File::open(path) {
            Ok(file) => file.take(CONFIG_BYTES + 1).read_to_end(&mut bytes).map_err(about)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(about(error)),
        };
        if bytes.len() as u64 > CONFIG_BYTES {
            return Err(CliError::Wrong(format!(
                "{} has more than {CONFIG_BYTES} bytes: expected fewer",
                path.display()
            )));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let line = 1 + error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|b| **b == b'\n').count();
            CliError::Wrong(format!("{}, line {line}: this is no UTF-8, which TOML has to be", path.display()))
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::parse(&text, folder).map_err(|problems| {
            CliError::Wrong(format!("{} is not right\n  {}", path.display(), problems.join("\n  ")))
        })
    }

    /// Reads the text; the files it names are in the folder.
    fn parse(text: &str, folder: &Path) -> Result<Self, Vec<String>> {
        let mut reading = Reading::new(text);
        let (root, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            // What could be made out of the rest may not be what was meant.
            errors.iter().for_each(|error| reading.refuse_syntax(error));
            return Err(reading.problems());
        }
        let root = Section::root(root.get_ref());
        root.only(&["server", "on_request", "webhook", "mcp"], &mut reading);
        let mut config = Self::default();
        if let Some(server) = root.section("server", &mut reading) {
            config.read_server(&server, &mut reading);
        }
        if let Some(section) = root.section("on_request", &mut reading) {
            section.only(&["command"], &mut reading);
            config.on_request = read_command(&section, &mut reading);
        }
        if let Some(section) = root.section("mcp", &mut reading) {
            section.only(&["dialogs"], &mut reading);
            let names = section.texts("dialogs", &mut reading).unwrap_or_default();
            for found in names.into_iter().flatten() {
                if found.text.trim().is_empty() {
                    let expected = "what a client calls itself, such as \"claude-code\"";
                    reading.refuse(&found.place, "this names no client", expected);
                }
                config.dialogs.push(found.text.to_owned());
            }
        }
        let hooks = root.sections("webhook", &mut reading);
        if let Some(excess) = hooks.get(HOOKS) {
            reading.refuse(&excess.place, format!("there are {} webhooks", hooks.len()), &format!("at most {HOOKS}"));
        }
        let mut names: Vec<Name> = Vec::new();
        for section in &hooks {
            let (name, hook) = hook::read(section, folder, &names, &mut reading);
            names.extend(name);
            config.hooks.extend(hook.map(Arc::new));
        }
        let problems = reading.problems();
        if problems.is_empty() { Ok(config) } else { Err(problems) }
    }

    fn read_server(&mut self, server: &Section<'_>, reading: &mut Reading<'_>) {
        server.only(&["listen", "public_url", "attended_for"], reading);
        self.listen = server.text("listen", reading).and_then(|found| {
            let expected = "an address of this machine with a port, such as \"127.0.0.1:4770\"";
            found.text.parse().map_err(|_| reading.refuse(&found.place, "this is no address", expected)).ok()
        });
        self.public_url = server.text("public_url", reading).and_then(|found| {
            let refuse = |expected: String| {
                let expected = expected.trim_start_matches("expected ").to_owned();
                reading.refuse(&found.place, "this is not how people reach a server", &expected);
            };
            PublicUrl::parse(found.text).map_err(refuse).ok()
        });
        self.attended_for = server.text("attended_for", reading).and_then(|found| {
            let refuse = |expected: String| {
                let expected = expected.trim_start_matches("expected ");
                reading.refuse(&found.place, "this is no duration for which an asker counts as there", expected);
            };
            seconds(found.text).map_err(refuse).ok().map(|seconds| SignedDuration::from_secs(seconds.into()))
        });
    }
}

fn read_command(section: &Section<'_>, reading: &mut Reading<'_>) -> Option<CommandLine> {
    const EXPECTED: &str =
        "the program and its arguments, such as [\"notify-send\", \"askback\", \"A question is waiting\"]";
    let Some(words) = section.texts("command", reading) else {
        section.need("command", EXPECTED, reading);
        return None;
    };
    let words: Option<Vec<String>> = words.into_iter().map(|word| Some(word?.text.to_owned())).collect();
    let line = CommandLine::parse(words?);
    if line.is_none() {
        reading.refuse(&section.at("command"), "this is nothing that can be run", EXPECTED);
    }
    line
}

#[cfg(test)]
mod tests;
