//! Claude Code's files.

use super::home::{Home, said};
use serde_json::{Value, json};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

fn server() -> Value {
    json!({"type": "stdio", "command": "askback", "args": ["mcp"], "alwaysLoad": true})
}

fn hook() -> Value {
    json!({"type": "command", "command": "askback hook claude-code", "timeout": 660})
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

// F15
#[test]
fn what_would_be_written_is_shown_and_nothing_is_written() {
    let home = Home::new();
    let said = home.setup("claude-code");
    assert_eq!(said.status, 0, "{}", said.err);
    assert_eq!(value(&said.out), json!({"mcpServers": {"askback": server()}}));
    assert!(said.err.contains(home.path(".claude.json").to_str().unwrap()), "{}", said.err);
    assert!(said.err.contains("`askback setup claude-code --write`"), "{}", said.err);
    assert!(said.err.contains("askback inbox") && said.err.contains("askback open"), "{}", said.err);
    assert_eq!(home.listed(""), ["project"]);
    let both = home.setup("claude-code --hook --allow");
    let parts: Vec<Value> = serde_json::Deserializer::from_str(&both.out).into_iter().map(Result::unwrap).collect();
    assert_eq!(parts[0]["mcpServers"]["askback"], server());
    assert_eq!(parts[1]["permissions"]["allow"], json!(["mcp__askback"]));
}

// F15
#[test]
fn what_is_shown_is_what_is_written() {
    let home = Home::new();
    let shown = home.setup("claude-code --hook --allow").out;
    let written = home.setup("claude-code --hook --allow --write");
    assert_eq!(written.status, 0, "{}", written.err);
    assert_eq!(home.read(".claude.json") + &home.read(".claude/settings.json"), shown);
    assert_eq!((home.mode(".claude.json"), home.mode(".claude/settings.json")), (0o600, 0o600));
    let hooks = &value(&home.read(".claude/settings.json"))["hooks"];
    assert_eq!(hooks["PreToolUse"], json!([{"matcher": "AskUserQuestion", "hooks": [hook()]}]));
    assert_eq!(hooks["PermissionRequest"], json!([{"matcher": "*", "hooks": [hook()]}]));
    assert_eq!(home.listed(""), [".claude", ".claude.json", "project"], "no backup of nothing");
}

// L3
#[test]
fn doing_it_twice_is_doing_it_once() {
    let home = Home::new();
    home.write(".claude.json", "{\n  \"mcpServers\": {\n    \"askback\": {\"args\": [\"mcp\"], \"env\": {}, \"command\": \"askback\", \"type\": \"stdio\", \"alwaysLoad\": true}\n  }\n}");
    for arguments in ["claude-code --write", "claude-code --write --hook --allow", "claude-code --hook --allow --write"]
    {
        let said = home.setup(arguments);
        assert_eq!(said.status, 0, "{}", said.err);
        assert!(said.out.contains(".claude.json has it already: nothing to be changed"), "{}", said.out);
    }
    let last = home.setup("claude-code --hook --allow");
    assert!(last.err.contains("There is nothing to be changed."), "{}", last.err);
    assert_eq!(home.listed(".claude"), ["settings.json"], "written once");
    assert_eq!(home.listed(""), [".claude", ".claude.json", "project"]);
}

/// A file as people have them, with things in it that only they and their programs know.
const FULL: &str = "{\n\t\"numStartups\": 12345678901234567890,\n\t\"cost\": 1.50e-7,\n\t\"mcpServers\": {\n\t\t\"other\": {\"command\": \"x\", \"args\": []}\n\t},\n\n\t\"projects\": {\"/a\\/b\": {\"h\": \"\\u00e9\"}}\n}\n";

// L2, F15
#[test]
fn all_that_is_not_ours_stays_to_the_byte() {
    let home = Home::new();
    home.write(".claude.json", FULL);
    let said = home.setup("claude-code --write");
    assert_eq!(said.status, 0, "{}", said.err);
    let ours = ",\n\t\t\"askback\": {\n\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \"askback\",\n\t\t\t\"args\": [\n\t\t\t\t\"mcp\"\n\t\t\t],\n\t\t\t\"alwaysLoad\": true\n\t\t}";
    let expected = FULL.replace("\"args\": []}", &format!("\"args\": []}}{ours}"));
    assert_eq!(home.read(".claude.json"), expected);
    assert_eq!(home.read(".claude.json.askback-backup"), FULL);
    assert!(said.out.contains(".claude.json.askback-backup"), "{}", said.out);
    assert!(said.out.contains("+ mcpServers.askback"), "{}", said.out);
}

// F15
#[test]
fn another_entry_of_the_name_is_replaced_and_said_so() {
    let home = Home::new();
    home.write(".claude.json", r#"{"mcpServers": {"askback": {"command": "/old/askback", "args": ["mcp", "--room", "x"], "env": {"ASKBACK_HUB": "u"}}}}"#);
    let shown = home.setup("claude-code").err;
    let said = home.setup("claude-code --write").out;
    for told in ["~ mcpServers.askback.command, instead of \"/old/askback\"", "instead of [\"mcp\",\"--room\",\"x\"]"] {
        assert!(said.contains(told) && shown.contains(told), "{said}\n{shown}");
    }
    let entry = &value(&home.read(".claude.json"))["mcpServers"]["askback"];
    assert_eq!(
        *entry,
        json!({"type": "stdio", "command": "askback", "args": ["mcp"], "alwaysLoad": true, "env": {"ASKBACK_HUB": "u"}})
    );

    home.write(".claude.json", r#"{"mcpServers": {"askback": {"type": "http", "url": "http://h/mcp", "headers": {"Authorization": "Bearer s3cret"}}}}"#);
    let said = home.setup("claude-code --write").out;
    assert!(said.contains("instead of the one at \"http://h/mcp\"") && !said.contains("s3cret"), "{said}");
    assert_eq!(value(&home.read(".claude.json")), json!({"mcpServers": {"askback": server()}}));
    assert_eq!(home.listed("").iter().filter(|name| name.contains("askback-backup")).count(), 2);
}

// L2, F15
#[test]
fn hooks_and_permissions_of_others_stay() {
    let home = Home::new();
    let others = json!({
        "permissions": {"allow": ["Bash(ls:*)"], "deny": ["Read(.env)"]},
        "hooks": {
            "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "check"}]}],
            "PermissionRequest": [
                {"matcher": "Bash", "hooks": [
                    {"type": "command", "command": "first"},
                    {"type": "command", "command": "'/old path/askback' hook claude-code --timeout 30m", "timeout": 2000},
                ]},
            ],
            "Stop": [],
        },
        "model": "x",
    });
    home.write(".claude/settings.json", &serde_json::to_string_pretty(&others).unwrap());
    let said = home.setup("claude-code --hook --allow --write");
    assert_eq!(said.status, 0, "{}", said.err);
    let mut expected = others;
    expected["permissions"]["allow"] = json!(["Bash(ls:*)", "mcp__askback"]);
    let own = json!({"matcher": "AskUserQuestion", "hooks": [hook()]});
    expected["hooks"]["PreToolUse"].as_array_mut().unwrap().push(own);
    expected["hooks"]["PermissionRequest"][0]["hooks"][1] = hook();
    assert_eq!(value(&home.read(".claude/settings.json")), expected);
    assert!(said.out.contains("~ hooks.PermissionRequest[0].hooks[1].timeout, instead of 2000"), "{}", said.out);
}

// S3
#[test]
fn scopes_and_variables_lead_where_claude_code_looks() {
    let home = Home::new();
    let write = "claude-code --hook --write";
    assert_eq!(said(home.command(write).env("CLAUDE_CONFIG_DIR", home.path("moved"))).status, 0);
    assert_eq!(home.listed("moved"), [".claude.json", "settings.json"]);
    assert_eq!(said(home.command(write).env("CLAUDE_CONFIG_DIR", "relative")).status, 0);
    assert_eq!(home.listed("project/relative"), [".claude.json", "settings.json"]);
    let empty = said(home.command(write).env("CLAUDE_CONFIG_DIR", ""));
    assert_eq!(empty.status, 2);
    assert!(empty.err.contains("CLAUDE_CONFIG_DIR is empty"), "{}", empty.err);
    assert_eq!(home.listed(""), ["moved", "project"]);

    let project = home.setup("claude-code --hook --write --scope project");
    assert_eq!(project.status, 0, "{}", project.err);
    assert_eq!(home.listed("project"), [".claude", ".mcp.json", "relative"]);
    assert_eq!(home.listed("project/.claude"), ["settings.json"]);
    assert_ne!(home.mode("project/.mcp.json"), 0o600, "others are to read it");

    // Where the file of older versions is, that one counts.
    home.write(".claude/.config.json", "{}");
    assert_eq!(home.setup("claude-code --write").status, 0);
    assert_eq!(value(&home.read(".claude/.config.json"))["mcpServers"]["askback"], server());
    assert!(!home.path(".claude.json").exists());
}

// S3
#[test]
fn the_program_is_named_so_that_it_is_found() {
    let home = Home::new();
    let program = home.install("a place/it's").canonicalize().unwrap();
    let setup = |path: &Path| {
        let mut command = Command::new(&program);
        command.args(["setup", "claude-code", "--hook"]).env("HOME", home.path("")).env("PATH", path);
        let said = said(&mut command);
        let parts: Vec<Value> = serde_json::Deserializer::from_str(&said.out).into_iter().map(Result::unwrap).collect();
        let hook = parts[1]["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap().to_owned();
        (parts[0]["mcpServers"]["askback"]["command"].as_str().unwrap().to_owned(), hook)
    };
    let (command, hook) = setup(Path::new("/nowhere"));
    assert_eq!(command, program.to_str().unwrap());
    // A shell finds it, and the hook says that Claude Code should ask by itself, since it is told nothing.
    let ran = said(Command::new("sh").args(["-c", &hook]).stdin(std::process::Stdio::null()));
    assert!(ran.status == 0 && ran.err.contains("Claude Code asks by itself"), "{hook}: {} {}", ran.status, ran.err);

    let links = home.path("links");
    std::fs::create_dir(&links).unwrap();
    symlink(&program, links.join("askback")).unwrap();
    assert_eq!(setup(&links), ("askback".to_owned(), "askback hook claude-code".to_owned()));

    std::fs::remove_file(links.join("askback")).unwrap();
    std::fs::write(links.join("askback"), "").unwrap();
    std::fs::set_permissions(links.join("askback"), std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(setup(&links).0, program.to_str().unwrap(), "another program has the name");
}
