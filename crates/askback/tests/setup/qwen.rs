//! Qwen Code's settings.

use super::home::{Home, said};
use serde_json::{Value, json};

fn server() -> Value {
    json!({"command": "askback", "args": ["mcp", "--wait", "55m"], "timeout": 3_600_000, "alwaysLoadTools": true})
}

fn settings(home: &Home) -> Value {
    serde_json::from_str(&home.read(".qwen/settings.json")).unwrap()
}

// F15
#[test]
fn setup_prints_the_entry_and_writes_the_same() {
    let home = Home::new();
    let shown = home.setup("qwen");
    assert_eq!(shown.status, 0, "{}", shown.err);
    assert_eq!(serde_json::from_str::<Value>(&shown.out).unwrap(), json!({"mcpServers": {"askback": server()}}));
    assert!(shown.err.contains("`askback setup qwen --write`"), "{}", shown.err);
    assert_eq!(home.listed(""), ["project"], "nothing is written without --write");

    assert_eq!(home.setup("qwen --write").status, 0);
    assert_eq!(home.read(".qwen/settings.json"), shown.out);
    assert_eq!(home.mode(".qwen/settings.json"), 0o600);
    assert!(home.setup("qwen --write").out.contains("nothing to be changed"));
    assert_eq!(home.listed(".qwen"), ["settings.json"]);
}

// L2, F15
#[test]
fn other_settings_stay_and_a_backup_is_kept() {
    let home = Home::new();
    let before = "{\n    \"theme\": \"x\",\n    \"mcpServers\": {\n        \"askback\": {\"command\": \"/old\", \"trust\": true}\n    }\n}\n";
    home.write(".qwen/settings.json", before);
    let written = home.setup("qwen --write");
    assert_eq!(written.status, 0, "{}", written.err);
    let mut entry = server();
    entry["trust"] = true.into();
    assert_eq!(settings(&home), json!({"theme": "x", "mcpServers": {"askback": entry}}));
    assert_eq!(home.read(".qwen/settings.json.askback-backup"), before);
    for change in ["~ mcpServers.askback.command, instead of \"/old\"", "+ mcpServers.askback.alwaysLoadTools"] {
        assert!(written.out.contains(change), "{}", written.out);
    }
}

// F15
#[test]
fn server_at_an_address_is_replaced_without_showing_its_headers() {
    let home = Home::new();
    let entry =
        r#"{"mcpServers": {"askback": {"httpUrl": "http://h/mcp", "headers": {"Authorization": "Bearer s3cret"}}}}"#;
    home.write(".qwen/settings.json", entry);
    let written = home.setup("qwen --write").out;
    assert!(written.contains("instead of the one at \"http://h/mcp\"") && !written.contains("s3cret"), "{written}");
    assert_eq!(settings(&home), json!({"mcpServers": {"askback": server()}}));
}

// F15
#[test]
fn qwen_home_moves_the_settings() {
    let home = Home::new();
    for (variable, folder) in [("~/moved", "moved"), ("relative", "project/relative"), ("", ".qwen")] {
        assert_eq!(said(home.command("qwen --write").env("QWEN_HOME", variable)).status, 0);
        assert_eq!(home.listed(folder), ["settings.json"], "QWEN_HOME={variable}");
    }
}
