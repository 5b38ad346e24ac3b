//! What is ours in Claude Code's files, and how it gets there.

use crate::setup::json_text::{JsonText, Misshapen};
use crate::setup::limits::HOOK_SECONDS;
use crate::setup::plan::{Change, Merged};
use crate::setup::program::Program;
use askback_core::show::{quote, show_json};
use askback_core::{Json, Object, Path, tool};

/// Allows every tool of the server that is called askback.
pub(super) const RULE: &str = "mcp__askback";

/// The events that the hook decides, and of which tools.
const EVENTS: [(&str, &str); 2] = [("PreToolUse", tool::NAME), ("PermissionRequest", "*")];

/// The server among the others.
pub(super) fn servers(text: &str, program: &Program) -> Result<Merged, String> {
    let entry = Object::new().put("type", "stdio").put("command", program.as_str()).put("args", vec!["mcp"]);
    merged(text, |merging| merging.server(&Path::root().field("mcpServers").field("askback"), &entry.into()))
}

/// The hook as it is called in a shell, and a rule of what is allowed, each if it is wanted.
pub(super) fn settings(text: &str, hook: Option<&str>, rule: Option<&str>) -> Result<Merged, String> {
    merged(text, |merging| {
        for (event, matcher) in EVENTS {
            hook.map_or(Ok(()), |command| merging.hook(event, matcher, command))?;
        }
        rule.map_or(Ok(()), |rule| merging.rule(rule))
    })
}

fn merged(text: &str, merge: impl FnOnce(&mut Merging) -> Result<(), Misshapen>) -> Result<Merged, String> {
    let merging = JsonText::read(text).and_then(|text| {
        let mut merging = Merging { text, changes: Vec::new() };
        merge(&mut merging).map(|()| merging)
    });
    let Merging { text, changes } = merging.map_err(|Misshapen(why)| why)?;
    Ok(Merged { text: text.into_text(), changes })
}

struct Merging {
    text: JsonText,
    changes: Vec<Change>,
}

impl Merging {
    /// A server that is started as a program: of one that is there, what somebody has added (such as variables) stays.
    fn server(&mut self, path: &Path, entry: &Json) -> Result<(), Misshapen> {
        match self.text.get(path)? {
            Some(Json::Object(fields)) if fields.iter().all(|(name, _)| name != "url") => self.fields(path, entry),
            // One at an address is another kind of server. Its address is told; what goes with it may be secret.
            found => {
                let url = found.and_then(|found| found.get("url")).and_then(Json::as_str).map(quote);
                let was =
                    found.map(|_| url.map_or_else(|| "something else".to_owned(), |url| format!("the one at {url}")));
                self.set(path, entry, was)
            }
        }
    }

    fn hook(&mut self, event: &str, matcher: &str, command: &str) -> Result<(), Misshapen> {
        let hook = Object::new().put("type", "command").put("command", command).put("timeout", HOOK_SECONDS);
        let hook = Json::from(hook);
        let path = Path::root().field("hooks").field(event);
        let groups = self.text.get(&path)?.and_then(Json::as_array).unwrap_or_default();
        if let Some((group, index)) = ours(groups) {
            return self.fields(&path.index(group).field("hooks").index(index), &hook);
        }
        let place = path.index(groups.len()).to_string();
        let group = Object::new().put("matcher", matcher).put("hooks", vec![hook]);
        self.text.push(&path, &group.into())?;
        self.changes.push(Change { place, instead_of: None });
        Ok(())
    }

    fn rule(&mut self, rule: &str) -> Result<(), Misshapen> {
        let path = Path::root().field("permissions").field("allow");
        let rules = self.text.get(&path)?.and_then(Json::as_array).unwrap_or_default();
        if rules.iter().any(|found| found.as_str() == Some(rule)) {
            return Ok(());
        }
        let place = format!("{path}: {rule}");
        self.text.push(&path, &rule.into())?;
        self.changes.push(Change { place, instead_of: None });
        Ok(())
    }

    /// Has an object have these fields. Its others stay.
    fn fields(&mut self, path: &Path, fields: &Json) -> Result<(), Misshapen> {
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

    fn set(&mut self, path: &Path, value: &Json, instead_of: Option<String>) -> Result<(), Misshapen> {
        self.text.set(path, value)?;
        self.changes.push(Change { place: path.to_string(), instead_of });
        Ok(())
    }
}

/// Where our hook is among those of an event, whatever its path and its options are.
fn ours(groups: &[Json]) -> Option<(usize, usize)> {
    let is_ours = |hook: &Json| {
        let command = hook.get("command").and_then(Json::as_str).unwrap_or_default();
        command.contains("askback") && command.contains(" hook claude-code")
    };
    groups.iter().enumerate().find_map(|(group, found)| {
        let hooks = found.get("hooks").and_then(Json::as_array)?;
        hooks.iter().position(is_ours).map(|index| (group, index))
    })
}
