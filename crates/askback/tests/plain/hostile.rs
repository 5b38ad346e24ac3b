//! Agents that try to take over the terminal, or to hide what is approved, by what is told in lines.

use super::{Folder, Plain};

/// Moves, clears, colours, titles, links, queries; then text that reorders and hides.
const NASTY: &str = "\x1b[2J\x1b[H\x1b[31mred\x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b[6n\x1b[c\u{9b}2J\u{9d}0;t\u{9c}\
                     \u{202e}evil\u{202c}\u{2066}x\u{2069}\u{200b}\u{feff}\u{e0041}\u{8}\u{7f}";

/// What is never written, whatever an agent says. The end of a row is the only control there is.
fn is_harmless(plain: &Plain) {
    let raw = String::from_utf8_lossy(plain.raw());
    let acts = |c: char| c.is_control() && !matches!(c, '\r' | '\n');
    let hides = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let found: Vec<char> = raw.chars().filter(|&c| acts(c) || hides(c) || c == '\u{feff}' || c > '\u{e0000}').collect();
    assert!(found.is_empty(), "{found:?} reached the terminal: {raw:?}");
    assert!(!raw.replace("\r\n", "").contains('\r'), "a row was begun again: {raw:?}");
    assert!(plain.shows_cursor() && !plain.marks_pastes());
}

fn as_json(text: &str) -> String {
    let escaped = |c: char| match c {
        '\\' | '"' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    text.chars().map(escaped).collect()
}

// Q10, S2
#[test]
fn an_approval_and_its_context_hide_nothing() {
    let (folder, text) = (Folder::new(), as_json(NASTY));
    let request = format!(
        r#"{{"title": "a\u202eb", "from": "x\u200by", "context": [{{"type": "command", "title": "t\u202e\u200b",
             "text": "rm -rf {text} #\u2066safe\r> a\r\nEnd of it.\r\n"}}],
            "questions": [{{"type": "approval", "message": "Run {text}?", "header": "h\u202e", "labels": ["Go\u202e", "No\u200b"]}}]}}"#
    );
    let mut plain = Plain::askback(&["ask", &folder.file("request.json", &request)]);
    plain.invited();
    is_harmless(&plain);
    let text = plain.text().replace('\n', "");
    for mark in [
        "<U+001B>[2J<U+001B>[H<U+001B>[31mred<U+001B>]0;title<U+0007>",
        "<U+001B>[6n<U+001B>[c<U+009B>2J<U+009D>0;t<U+009C><U+202E>evil",
        "<U+200B><U+FEFF><U+E0041><U+0008><U+007F>",
        "#<U+2066>safe<U+000D>> a",
        "Beginning of t<U+202E><U+200B>:",
        "End of t<U+202E><U+200B>.",
        "a. Go<U+202E>",
        "r. No<U+200B>",
        "h<U+202E>: Run ",
        "a<U+202E>b | asker calls itself \"x<U+200B>y\"",
    ] {
        assert!(text.contains(mark), "{mark} is not told:\n{}", plain.text());
    }
    plain.line("r");
    plain.ends_with(1);
    is_harmless(&plain);
}

// Q10, S2
#[test]
fn options_and_answers_are_harmless_too() {
    let folder = Folder::new();
    let option = format!(
        r#"{{"value": "b", "label": "l\u202e\u200b", "description": "d{0}", "preview": "p{0}\n> "}}"#,
        as_json(NASTY)
    );
    let choice = format!(
        r#"{{"type": "choice", "message": "Which \u202e\u001b[2J?", "options": ["a", {option}], "other": true}}"#
    );
    let mut plain = Plain::askback(&["ask", &folder.file("request.json", &choice)]);
    plain.wait_for("Type a number from 1 to 3.");
    plain.line("2");
    plain.ends_with(0);
    is_harmless(&plain);
    let text = plain.text();
    for mark in ["Which <U+202E><U+001B>[2J?", "2. l<U+202E><U+200B>", "   d<U+001B>[2J", "   p<U+001B>[2J"] {
        assert!(text.contains(mark), "{mark} is not told:\n{text}");
    }
    assert!(text.ends_with("? l<U+202E><U+200B>\nb"), "{text}");
}

// Q10, S2
#[test]
fn what_is_filled_in_at_first_is_harmless_too() {
    let folder = Folder::new();
    for (question, mark) in [
        (r#"{"type": "text", "message": "m\u001b[1A", "placeholder": "p\u202e"}"#, "For example: p<U+202E>"),
        (r#"{"type": "text", "message": "m\u009b1A", "initial": "i\u202e\u200b"}"#, "answers: i<U+202E><U+200B>"),
        (r#"{"type": "multiline", "message": "m\u0007", "initial": "i\u202e\nj\u2066"}"#, "j<U+2066>"),
        (r#"{"type": "rating", "message": "m\u0008", "ends": {"low": "l\u202e", "high": "h"}}"#, "1 is l<U+202E>"),
    ] {
        let mut plain = Plain::askback(&["ask", &folder.file("request.json", question)]);
        plain.invited();
        is_harmless(&plain);
        assert!(plain.text().starts_with("m<U+00") && plain.text().contains(mark), "{mark}: {}", plain.text());
    }
}
