//! What is ours in Claude Code's files, and how it gets there.

use crate::setup::limits::HOOK_SECONDS;
use crate::setup::merging::{ConfigEdit, merged, merged_server};
use crate::setup::plan::Merged;
use crate::setup::program::Program;
use askback_core::{Json, Object, Path, tool};

/// Allows every tool of the server that is called askback.
pub(super) const RULE: &str = "mcp__askback";

/// The events that the hook decides, and of which tools.
const EVENTS: [(&str, &str); 2] = [("PreToolUse", tool::NAME), ("PermissionRequest", "*")];

/// The server among the others. Without `alwaysLoad` Claude Code sends the model only the names of its tools.
pub(super) fn servers(text: &str, program: &Program) -> Result<Merged, String> {
    let entry = Object::new().put("type", "stdio").put("command", program.as_str()).put("args", vec!["mcp"]);
    merged_server(text, &["url"], &entry.put("alwaysLoad", true).into())
}

/// The hook as it is called in a shell, and a rule of what is allowed, each if it is wanted.
pub(super) fn settings(text: &str, hook: Option<&str>, rule: Option<&str>) -> Result<Merged, String> {
    merged(text, |edit| {
        for (event, matcher) in EVENTS {
            hook.map_or(Ok(()), |command| put_hook(edit, event, matcher, command))?;
        }
        rule.map_or(Ok(()), |rule| put_rule(edit, rule))
    })
}

fn put_hook(edit: &mut ConfigEdit, event: &str, matcher: &str, command: &str) -> Result<(), String> {
    let hook = Object::new().put("type", "command").put("command", command).put("timeout", HOOK_SECONDS);
    let hook = Json::from(hook);
    let path = Path::root().field("hooks").field(event);
    let groups = edit.list(&path)?;
    if let Some((group, index)) = ours(groups) {
        return edit.fields(&path.index(group).field("hooks").index(index), &hook);
    }
    let place = path.index(groups.len()).to_string();
    let group = Object::new().put("matcher", matcher).put("hooks", vec![hook]);
    edit.push(&path, &group.into(), place)
}

fn put_rule(edit: &mut ConfigEdit, rule: &str) -> Result<(), String> {
    let path = Path::root().field("permissions").field("allow");
    if edit.list(&path)?.iter().any(|found| found.as_str() == Some(rule)) {
        return Ok(());
    }
    let place = format!("{path}: {rule}");
    edit.push(&path, &rule.into(), place)
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
