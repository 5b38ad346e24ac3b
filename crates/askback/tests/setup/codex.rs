//! Codex's file.

use super::home::{Home, said};

const OURS: &str = r#"[mcp_servers.askback]
command = "askback"
args = ["mcp", "--wait", "55m"]
tool_timeout_sec = 3600
env_vars = ["ASKBACK_DATA", "ASKBACK_HUB", "ASKBACK_TOKEN", "XDG_DATA_HOME"]
"#;

#[track_caller]
fn merged(before: &str) -> (String, String) {
    let home = Home::new();
    home.write(".codex/config.toml", before);
    let said = home.setup("codex --write");
    assert_eq!(said.status, 0, "{}", said.err);
    assert_eq!(home.read(".codex/config.toml.askback-backup"), before);
    let after = home.read(".codex/config.toml");
    assert!(home.setup("codex --write").out.contains("nothing to be changed"), "{after}");
    assert_eq!(home.listed(".codex"), ["config.toml", "config.toml.askback-backup"]);
    (after, said.out)
}

// F15
#[test]
fn what_is_shown_is_what_is_written() {
    let home = Home::new();
    let shown = home.setup("codex");
    assert_eq!((shown.status, shown.out.as_str()), (0, OURS), "{}", shown.err);
    assert_eq!(home.listed(""), ["project"]);
    assert_eq!(home.setup("codex --write").status, 0);
    assert_eq!(home.read(".codex/config.toml"), OURS);
    assert_eq!(home.mode(".codex/config.toml"), 0o600);
    assert_eq!(said(home.command("codex --write").env("CODEX_HOME", home.path("moved"))).status, 0);
    assert_eq!(home.listed("moved"), ["config.toml"]);
    assert_eq!(said(home.command("codex --write").env("CODEX_HOME", "")).status, 0, "empty is unset to Codex");
    assert_eq!(home.listed(".codex"), ["config.toml"], "and there it is already");
}

// L2, F15
#[test]
fn comments_and_order_stay() {
    let before = "# mine\nmodel = \"x\" # the best\n\n[mcp_servers.other] # a server\ncommand = 'y'\nnumber = 1_000.50\n\n[tui]\ntheme = \"dark\"\n# the end\n";
    let (after, said) = merged(before);
    let expected = before.replace("\n[tui]", &format!("\n{OURS}\n[tui]"));
    assert_eq!(after, expected);
    assert!(said.contains("+ mcp_servers.askback\n"), "{said}");

    let (after, _) = merged("model = \"x\"\n[tui]\na = 1\n");
    assert_eq!(after, format!("model = \"x\"\n[tui]\na = 1\n\n{OURS}"));
}

// F15
#[test]
fn an_entry_of_the_name_is_changed_and_said_so() {
    let before = "[mcp_servers.askback] # ours\nargs = [\n  \"mcp\", # no wait\n] # args\ncommand = \"askback\"\nenabled = true\ntool_timeout_sec = 3600.0\nenv_vars = [\"X\", \"ASKBACK_DATA\"]\n\n[mcp_servers.askback.env]\nA = \"b\"\n";
    let (after, said) = merged(before);
    let expected = before
        .replace("[\n  \"mcp\", # no wait\n] #", "[\"mcp\", \"--wait\", \"55m\"] #")
        .replace("\"ASKBACK_DATA\"]", "\"ASKBACK_DATA\", \"ASKBACK_HUB\", \"ASKBACK_TOKEN\", \"XDG_DATA_HOME\"]");
    assert_eq!(after, expected);
    assert!(said.contains("~ mcp_servers.askback.args, instead of [\"mcp\"]\n"), "{said}");
    assert!(said.contains("~ mcp_servers.askback.env_vars, instead of [\"X\", \"ASKBACK_DATA\"]\n"), "{said}");
    assert!(!said.contains("tool_timeout_sec"), "{said}");

    let (after, said) =
        merged("[mcp_servers.askback]\nurl = \"http://h/mcp\"\nhttp_headers = { Authorization = \"Bearer s3cret\" }\n");
    assert_eq!(after, OURS);
    assert!(said.contains("instead of the one at \"http://h/mcp\"") && !said.contains("s3cret"), "{said}");
}

// F15
#[test]
fn tables_may_be_written_in_any_way() {
    for before in [
        "mcp_servers = { other = { command = \"x\" } }\n",
        "mcp_servers = { askback = { command = \"x\" } }\n",
        "[mcp_servers]\nother = { command = \"x\" }\nlast.command = \"y\"\n",
        "[mcp_servers]\naskback.command = \"x\"\n",
        "mcp_servers.other.command = \"x\"\nmodel = \"x\"\n",
        "mcp_servers.askback.command = \"x\"\n",
        "[mcp_servers.askback]\n",
        "\u{feff}model = \"x\"\r\n",
    ] {
        let (after, _) = merged(before);
        let text = after.strip_prefix('\u{feff}').unwrap_or(&after);
        let ours: toml::Table = OURS.parse().unwrap();
        let read: toml::Table = text.parse().unwrap();
        assert_eq!(read["mcp_servers"]["askback"], ours["mcp_servers"]["askback"], "{after}");
        let kept: toml::Table = before.trim_start_matches('\u{feff}').parse().unwrap();
        let others = |table: &toml::Table| {
            let mut table = table.clone();
            let servers = table.remove("mcp_servers").and_then(|servers| servers.try_into::<toml::Table>().ok());
            let mut servers = servers.unwrap_or_default();
            servers.remove("askback");
            (table, servers)
        };
        assert_eq!(others(&read), others(&kept), "{after}");
        assert_eq!(after.starts_with('\u{feff}'), before.starts_with('\u{feff}'));
    }
}
