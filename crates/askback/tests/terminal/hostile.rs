//! Agents that try to take over the terminal, or to hide what is approved.

use super::{askback, calm};

/// Moves, clears, colours, titles, links, queries; then text that reorders and hides.
const NASTY: &str = "\x1b[2J\x1b[H\x1b[31mred\x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b[6n\x1b[c\u{9b}2J\u{9d}0;t\u{9c}\
                     \u{202e}evil\u{202c}\u{2066}x\u{2069}\u{200b}\u{feff}\u{e0041}\r\u{8}\u{7f}";

fn is_harmless(screen: &askback_testkit::screen::Screen) {
    assert!(screen.answers().is_empty(), "the terminal was asked something: {:?}", screen.answers());
    let raw = String::from_utf8_lossy(screen.raw()).into_owned();
    for sequence in [
        "\x1b[2J", "\x1b[H", "\x1b[31m", "\x1b]", "\u{9b}", "\u{9d}", "\u{202e}", "\u{2066}", "\u{200b}", "\x07",
        "\x08",
    ] {
        assert!(!raw.contains(sequence), "{sequence:?} reached the terminal");
    }
}

fn request(kind: &str, rest: &str) -> String {
    let text: String = NASTY
        .chars()
        .map(|c| if c.is_control() || c == '\\' { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() })
        .collect();
    format!(
        r#"{{"title": "a\u202eb", "from": "x\u200by", "context": [{{"type": "command", "title": "t\u202e", "text": "rm -rf {text} #\u2066safe"}}],
            "questions": [{{"type": "{kind}", "message": "Run {text}?"{rest}}}]}}"#
    )
}

// S2
#[test]
fn an_approval_and_its_context_hide_nothing() {
    let path = std::env::temp_dir().join(format!("askback-hostile-{}", std::process::id()));
    std::fs::write(&path, request("approval", r#", "labels": ["Go\u202e", "No\u200b"]"#)).unwrap();
    let mut screen = askback(&["ask", &path.to_string_lossy()]);
    screen.wait_for("ask back");
    is_harmless(&screen);
    let text = screen.text();
    for mark in [
        "<U+001B>[2J",
        "<U+202E>evil",
        "<U+200B>",
        "<U+FEFF>",
        "<U+E0041>",
        "<U+009B>2J",
        "<U+2066>safe",
        "Go<U+202E>",
        "No<U+200B>",
        "a<U+202E>b",
        "x<U+200B>y",
    ] {
        let joined: String = text.lines().map(|line| line.trim_start_matches(['│', '┆', ' '])).collect();
        assert!(joined.contains(mark), "{mark} is not visible:\n{text}");
    }
    calm(&mut screen);
    screen.keys("r\r");
    assert_eq!(screen.exit_status(), 1);
    is_harmless(&screen);
    std::fs::remove_file(path).unwrap();
}

// S2
#[test]
fn options_and_answers_are_harmless_too() {
    let option = "b\u{202e}\u{200b}c";
    let mut screen = askback(&["choice", "Which \u{202e}?", "a", option, "--header", "H\u{202e}"]);
    screen.wait_for("ask back");
    is_harmless(&screen);
    screen.keys("2");
    assert_eq!(screen.exit_status(), 0);
    is_harmless(&screen);
    assert!(screen.text().contains("b<U+202E>"), "{}", screen.text());
}
