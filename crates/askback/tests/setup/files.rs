//! What holds for every file, whatever its format.

use super::home::{Home, said};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::process::Command;

// F15, L2
#[test]
fn what_can_not_be_merged_is_left_alone_and_said_why() {
    for (name, text, arguments, says) in [
        (".claude.json", "{\"a\": 1,}", "claude-code", "no comma before a closing bracket"),
        (".claude.json", "{\"mcpServers\": []}", "claude-code", "mcpServers is no object: `{…}` would pass"),
        (".claude.json", "[]", "claude-code", "$ is no object"),
        (
            ".claude/settings.json",
            "{\"hooks\": {\"PreToolUse\": {}}}",
            "claude-code --hook",
            "hooks.PreToolUse is no list: `[…]` would pass",
        ),
        (
            ".claude/settings.json",
            "{\"permissions\": {\"allow\": \"x\"}}",
            "claude-code --allow",
            "permissions.allow is no list",
        ),
        (".qwen/settings.json", "// mine\n{}", "qwen", "no comments"),
        (".qwen/settings.json", "{\"mcpServers\": 1}", "qwen", "mcpServers is no object: `{…}` would pass"),
        (".codex/config.toml", "a = \n", "codex", "this is no TOML"),
        (
            ".codex/config.toml",
            "mcp_servers = []\n",
            "codex",
            "mcp_servers is no table: `[mcp_servers.askback]` would pass",
        ),
        (".codex/config.toml", "[[mcp_servers]]\na = 1\n", "codex", "mcp_servers is no table"),
        (".codex/config.toml", "[mcp_servers]\naskback = 1\n", "codex", "mcp_servers.askback is no table"),
        (
            ".codex/config.toml",
            "[mcp_servers.askback]\nenv_vars = 1\n",
            "codex",
            "mcp_servers.askback.env_vars is no list",
        ),
    ] {
        let home = Home::new();
        home.write(name, text);
        let written = home.setup(&format!("{arguments} --write"));
        assert_eq!(written.status, 2, "{text}: {}", written.out);
        assert!(written.err.contains(says) && written.err.contains(name), "{text}: {}", written.err);
        assert!(written.err.contains("nothing was written"), "{}", written.err);
        assert_eq!(home.read(name), text);
        let all: Vec<String> =
            ["", ".claude", ".codex", ".qwen"].iter().flat_map(|folder| home.listed(folder)).collect();
        let own = name.rsplit('/').next().unwrap();
        assert!(all.iter().all(|file| file == own || !file.contains("json") && !file.contains("toml")), "{all:?}");
        // What would be there is shown all the same: it can be put there by hand.
        let shown = home.setup(arguments);
        assert_eq!(shown.status, 2);
        assert!(shown.err.contains(says) && shown.out.contains("askback"), "{}", shown.err);
    }
}

// L2
#[test]
fn links_stay_links_and_permissions_stay() {
    let home = Home::new();
    home.write("dotfiles/claude.json", "{}");
    fs::set_permissions(home.path("dotfiles/claude.json"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("dotfiles", home.path("more")).unwrap();
    symlink("more/claude.json", home.path(".claude.json")).unwrap();
    // A link to what is not there yet: a folder of dotfiles that is being set up.
    fs::create_dir(home.path(".codex")).unwrap();
    symlink("../dotfiles/codex.toml", home.path(".codex/config.toml")).unwrap();
    for agent in ["claude-code", "codex"] {
        let said = home.setup(&format!("{agent} --write"));
        assert_eq!(said.status, 0, "{}", said.err);
    }
    assert_eq!(fs::read_link(home.path(".claude.json")).unwrap().to_str(), Some("more/claude.json"));
    assert!(home.path(".codex/config.toml").symlink_metadata().unwrap().is_symlink());
    assert!(home.read("dotfiles/claude.json").contains("mcpServers"));
    assert_eq!(home.mode("dotfiles/claude.json"), 0o640);
    assert_eq!(home.mode("dotfiles/claude.json.askback-backup"), 0o640);
    assert_eq!(home.listed("dotfiles"), ["claude.json", "claude.json.askback-backup", "codex.toml"]);
}

// S4
#[test]
fn link_of_a_project_that_leads_out_of_it_is_not_followed() {
    for (link, to) in [
        (".mcp.json", "../victim.json"),
        (".mcp.json", "missing/../../new.json"),
        (".mcp.json", "../not-there/new.json"),
        (".claude/settings.json", "../../victim.json"),
        (".claude", "../elsewhere"),
    ] {
        let home = Home::new();
        home.write("victim.json", "{}");
        home.write("elsewhere/settings.json", "{}");
        let link = home.path("project").join(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(to, &link).unwrap();
        let said = home.setup("claude-code --scope project --hook --write");
        assert_eq!(said.status, 2, "{to}: {}", said.out);
        assert!(said.err.contains("out of it, to ") && said.err.contains("--scope user"), "{to}: {}", said.err);
        assert_eq!((home.read("victim.json").as_str(), home.read("elsewhere/settings.json").as_str()), ("{}", "{}"));
        assert_eq!(home.listed(""), ["elsewhere", "project", "victim.json"], "{to}");
        let shown = home.setup("claude-code --scope project --hook");
        assert!(shown.status == 2 && shown.err.contains("out of it, to "), "{to}: {}", shown.err);
    }
}

// L2
#[test]
fn link_of_a_project_that_stays_in_it_is_followed() {
    let home = Home::new();
    home.write("project/config/mcp.json", "{}");
    symlink("config/mcp.json", home.path("project/.mcp.json")).unwrap();
    let said = home.setup("claude-code --scope project --write");
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(home.read("project/config/mcp.json").contains("askback"));
    assert!(home.path("project/.mcp.json").symlink_metadata().unwrap().is_symlink());
}

// L2, S3
#[test]
fn what_can_not_be_written_is_as_it_was() {
    let home = Home::new();
    home.write(".claude", "a file, where Claude Code has a folder");
    let said_of = |arguments: &str, name: &str| {
        let said = home.setup(arguments);
        assert_eq!(said.status, 2, "{}", said.out);
        assert!(said.err.contains(name), "{}", said.err);
        said.err
    };
    said_of("claude-code --hook --write", ".claude/settings.json can't be read");
    assert!(!home.path(".claude.json").exists(), "nothing is written where not everything can be");
    fs::create_dir(home.path(".codex")).unwrap();
    fs::create_dir(home.path(".codex/config.toml")).unwrap();
    assert!(said_of("codex --write", ".codex/config.toml can't be read").contains("it is no file"));
    fs::remove_file(home.path(".claude")).unwrap();
    fs::write(home.path(".claude.json"), b"{\"a\": \"\xff\"}").unwrap();
    said_of("claude-code --write", ".claude.json is not text: line 1");
    let none = said(home.command("codex").env_remove("HOME"));
    assert!(none.status == 2 && none.err.contains("set HOME"), "{}", none.err);
}

// L2
#[test]
fn a_file_or_a_folder_that_is_read_only_is_not_replaced() {
    let home = Home::new();
    home.write(".codex/config.toml", "a = 1\n");
    // Nothing is read-only to root, so somebody else does it then.
    let somebody = fs::metadata(home.path("")).unwrap().uid();
    let somebody = if somebody == 0 { 65_534 } else { somebody };
    let program = home.install("");
    for name in ["", ".codex", ".codex/config.toml"] {
        chown(home.path(name), Some(somebody), None).unwrap();
    }
    for (name, mode) in [(".codex/config.toml", 0o444), (".codex", 0o555)] {
        let usual = home.mode(name);
        fs::set_permissions(home.path(name), fs::Permissions::from_mode(mode)).unwrap();
        let mut command = Command::new(&program);
        command.args(["setup", "codex", "--write"]).env("HOME", home.path("")).env_remove("CODEX_HOME").uid(somebody);
        let said = said(command.current_dir(home.path("")));
        fs::set_permissions(home.path(name), fs::Permissions::from_mode(usual)).unwrap();
        assert!(said.status == 2 && said.err.contains("can't be written, and is as it was"), "{}", said.err);
        assert_eq!((home.read(".codex/config.toml").as_str(), home.listed(".codex").len()), ("a = 1\n", 1));
    }
}

// F15
#[test]
fn an_empty_file_is_one_without_settings() {
    let home = Home::new();
    for (name, agent) in [(".claude.json", "claude-code"), (".codex/config.toml", "codex")] {
        home.write(name, " \n");
        assert_eq!(home.setup(&format!("{agent} --write")).status, 0);
        assert_eq!(home.read(name).trim(), home.setup(agent).out.trim());
    }
    home.write(".claude.json", "\u{feff}{}");
    assert_eq!(home.setup("claude-code --write").status, 0);
    assert!(home.read(".claude.json").starts_with("\u{feff}{\n  \"mcpServers\""), "what is before it stays");
}
