//! What people are shown of what Claude Code wants to do: all of it, in the form that is read best.

use crate::ASKBACK;
use crate::hooked::{PATIENT, asking, command, permission};
use askback_testkit::home::{Home, printed, signal};
use rustix::process::Signal;
use serde_json::{Value, json};

/// The pieces of context that an event is shown with: type, title and text.
fn pieces(home: &Home, event: &Value) -> Vec<(String, String, String)> {
    let (mut hook, _) = asking(home, PATIENT, event);
    let request = home.pending().remove(0)["request"].clone();
    assert_eq!(request["questions"][0]["type"], "approval");
    let message = request["questions"][0]["message"].as_str().unwrap();
    assert!(message.starts_with("Claude Code wants to "), "{message}");
    signal(hook.id(), Signal::TERM);
    hook.wait().unwrap();
    let text = |piece: &Value, name: &str| piece[name].as_str().unwrap_or_default().to_owned();
    let context = request["context"].as_array().unwrap();
    let pieces: Vec<_> =
        context.iter().map(|piece| (text(piece, "type"), text(piece, "title"), text(piece, "text"))).collect();
    let (folder, rest) = pieces.split_last().unwrap();
    assert_eq!(*folder, piece("code", "folder", "/tmp/shop"));
    rest.to_vec()
}

fn piece(form: &str, title: &str, text: &str) -> (String, String, String) {
    (form.to_owned(), title.to_owned(), text.to_owned())
}

fn pretty(json: &Value) -> String {
    serde_json::to_string_pretty(json).unwrap()
}

// S5
#[test]
fn a_command_is_shown_with_everything_else_that_is_said_of_it() {
    let home = Home::with_hub(ASKBACK);
    assert_eq!(
        pieces(&home, &command("ls")),
        [piece("command", "command", "ls"), piece("json", "also", &pretty(&json!({"description": "Do it"})))]
    );
    assert_eq!(pieces(&home, &permission("Bash", &json!({"command": "ls"}))), [piece("command", "command", "ls")]);
    let input = json!({"command": "make", "timeout": 5, "run_in_background": true, "dangerouslyDisableSandbox": true});
    let [shown, also] = pieces(&home, &permission("Bash", &input)).try_into().unwrap();
    assert_eq!(shown, piece("command", "command", "make"));
    let rest = json!({"timeout": 5, "run_in_background": true, "dangerouslyDisableSandbox": true});
    assert_eq!(serde_json::from_str::<Value>(&also.2).unwrap(), rest);
    // What is no command is shown as it stands.
    for strange in [json!({"command": ["ls"]}), json!({"command": " "}), json!({}), json!(null), json!("ls")] {
        assert_eq!(
            pieces(&home, &permission("Bash", &strange)),
            [piece("json", "input", &pretty(&strange))],
            "{strange}"
        );
    }
}

// S5
#[test]
fn files_are_shown_as_they_will_be_and_changes_as_changes() {
    let home = Home::with_hub(ASKBACK);
    let write = json!({"file_path": "/shop/main.rs", "content": "fn main() {}\n"});
    assert_eq!(pieces(&home, &permission("Write", &write)), [piece("code", "/shop/main.rs", "fn main() {}\n")]);
    let empty = json!({"file_path": "/shop/empty", "content": ""});
    assert_eq!(pieces(&home, &permission("Write", &empty)), [piece("json", "input", &pretty(&empty))]);
    let edit = json!({"file_path": "/shop/a.txt", "old_string": "one\ntwo\nthree", "new_string": "one\n2\nthree"});
    let difference =
        "--- /shop/a.txt\n+++ /shop/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n\\ No newline at end of file\n";
    assert_eq!(pieces(&home, &permission("Edit", &edit)), [piece("diff", "/shop/a.txt", difference)]);
    let all = json!({"file_path": "/a", "old_string": "x", "new_string": "y", "replace_all": true});
    let [_, also] = pieces(&home, &permission("Edit", &all)).try_into().unwrap();
    assert_eq!(also, piece("json", "also", &pretty(&json!({"replace_all": true}))));
    // Where a difference would show nothing, or could be read in two ways, it is no difference.
    for (old, new) in [("x", "x"), ("", ""), ("a\rb", "a\r\nb")] {
        let edit = json!({"file_path": "/a", "old_string": old, "new_string": new});
        assert_eq!(pieces(&home, &permission("Edit", &edit)), [piece("json", "input", &pretty(&edit))]);
    }
    let long = json!({"file_path": format!("/{}", "a".repeat(5_000)), "content": "x"});
    assert_eq!(pieces(&home, &permission("Write", &long)), [piece("json", "input", &pretty(&long))]);
}

// S5
#[test]
fn any_other_tool_is_shown_as_it_stands() {
    let home = Home::with_hub(ASKBACK);
    let plan = json!({"plan": "# Plan\n", "planFilePath": "/plans/a.md"});
    let also = pretty(&json!({"planFilePath": "/plans/a.md"}));
    let shown = [piece("markdown", "plan", "# Plan\n"), piece("json", "also", &also)];
    assert_eq!(pieces(&home, &permission("ExitPlanMode", &plan)), shown);
    let edits = json!({"file_path": "/a", "edits": [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]});
    let query = json!({"sql": "DROP TABLE users", "nested": {"list": [1, 2.5, null, true]}});
    let fetch = json!({"url": "https://example.com/?a=b", "prompt": "Read it"});
    for (tool, input) in
        [("MultiEdit", edits), ("mcp__db__query", query), ("WebFetch", fetch), ("FutureTool", json!({}))]
    {
        assert_eq!(pieces(&home, &permission(tool, &input)), [piece("json", "input", &pretty(&input))], "{tool}");
    }
}

// S2, S5
#[test]
fn what_would_act_on_a_screen_is_kept_and_shown_as_what_it_is() {
    let home = Home::with_hub(ASKBACK);
    let hostile = "echo safe \u{1b}[2K\u{1b}[1G\u{202e}ffo drowssap\u{200b}\r# hidden \u{7f}";
    let (mut hook, id) = asking(&home, PATIENT, &command(hostile));
    assert_eq!(home.pending()[0]["request"]["context"][0]["text"], hostile, "kept as it came");
    let shown = printed(&home.run_as_person(&["show", &id]));
    assert!(shown.contains("echo safe") && shown.contains("drowssap"), "{shown}");
    for acting in ['\u{1b}', '\u{202e}', '\u{200b}', '\r', '\u{7f}'] {
        assert!(!shown.contains(acting), "{shown:?}");
    }
    signal(hook.id(), Signal::TERM);
    hook.wait().unwrap();
}
