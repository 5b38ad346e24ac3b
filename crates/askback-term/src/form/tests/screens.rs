//! Whole screens of every prompt in windows from 30×40 to 200×50, in colour and without.

use super::*;
use crate::caps::{Caps, Manner, Resizing};
use crate::line::Frame;
use crate::painter::Painter;
use crate::theme::{Background, Colours};
use askback_core::PromptStyle;

/// Columns and rows.
const WINDOWS: [(usize, usize); 6] = [(30, 40), (40, 10), (60, 15), (80, 24), (120, 30), (200, 50)];

/// The screens of a form in every window, in one text.
fn screens(json: &str, look: PromptStyle, keys: &[Key], colours: Colours) -> String {
    let request = request(json);
    let mut text = String::new();
    for (columns, rows) in WINDOWS {
        let page = Page { columns, rows, ..PAGE };
        let mut form = Form::new(&request, look, page, TODAY);
        form.appear(Duration::ZERO);
        press(&mut form, keys);
        let title = format!("── {columns}×{rows} ");
        text.push_str(&format!("{title}{}\n", "─".repeat(columns.saturating_sub(title.chars().count()))));
        text.push_str(&painted(&form.view(LATER), colours));
    }
    text
}

/// A frame as the painter writes its rows, with the escape character spelt out.
fn painted(frame: &Frame, colours: Colours) -> String {
    let caps = Caps {
        colours,
        background: Background::Dark,
        alphabet: Alphabet::Unicode,
        manner: Manner::Painted,
        resizing: Resizing::Reflows,
    };
    let painter = Painter::new(caps);
    let rows: Vec<String> = frame.lines.iter().map(|line| painter.row(line, frame.light).bytes).collect();
    format!("{}\n", rows.join("\n").replace('\x1b', "␛"))
}

fn check(name: &str, json: &str, look: PromptStyle, keys: &[Key]) {
    insta::with_settings!({snapshot_path => "snapshots", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!(name.to_owned(), screens(json, look, keys, Colours::None));
        insta::assert_snapshot!(format!("{name}-in-colour"), screens(json, look, keys, Colours::True));
    });
}

const DATABASE: &str = r#"{"questions": [{"question": "Which database should we use for this project?", "header": "Database", "multiSelect": false,
    "options": [{"label": "PostgreSQL (Recommended)", "description": "Robust relational DB, great for complex queries"},
                {"label": "MongoDB", "description": "Document DB, flexible schema for rapid development"},
                {"label": "SQLite", "description": "Embedded DB, zero configuration, good for small apps"}]}]}"#;
const FEATURES: &str = r#"{"questions": [{"question": "Which features should we enable?", "header": "Features", "multiSelect": true,
    "options": [{"label": "TypeScript", "description": "Type safety and better IDE support"},
                {"label": "ESLint + Prettier", "description": "Code linting and formatting"},
                {"label": "Testing (Vitest)", "description": "Unit and component testing"},
                {"label": "Tailwind CSS", "description": "Utility-first CSS framework"}]}]}"#;
const AUTH: &str = r#"{"title": "Before I touch the login", "from": "claude-code", "questions": [
    {"type": "choice", "header": "Auth Method", "message": "Which authentication method should we use?", "other": true,
     "options": [{"value": "OAuth 2.0 (Recommended)", "description": "Industry standard, supports social login"},
                 {"value": "JWT", "description": "Stateless tokens, good for APIs"}]},
    {"type": "text", "header": "Client", "message": "What is the client called?", "placeholder": "web-shop"}]}"#;

// Q3
#[test]
fn choice_of_one() {
    check("choice-of-one", DATABASE, PromptStyle::Question, &[Key::Down]);
}

// Q3
#[test]
fn choice_of_many() {
    let space = Key::Char(' ');
    check("choice-of-many", FEATURES, PromptStyle::Question, &[space, Key::Down, space, Key::Down, Key::Down, space]);
}

// Q3, F13
#[test]
fn other() {
    check("other", DATABASE, PromptStyle::Question, &[Key::Char('4'), Key::Char('b'), Key::Char('u'), Key::Char('n')]);
}

// Q4
#[test]
fn filter() {
    let json = r#"{"type": "choice", "message": "Which region?", "options": ["eu-west-1", "eu-west-2", "eu-central-1", "eu-north-1",
        "us-east-1", "us-east-2", "us-west-1", "us-west-2", "ap-south-1", "ap-east-1", "sa-east-1"]}"#;
    check("filter", json, PromptStyle::Question, &letters("east"));
}

// F12
#[test]
fn preview() {
    let json = r#"{"type": "choice", "message": "Which layout?", "options": [
        {"value": "Sidebar", "preview": "┌────┬─────────┐\n│ nav│ content │\n└────┴─────────┘"},
        {"value": "Tabs", "preview": "┌──┬──┬──┐\n│  content  │"}, {"value": "None", "disabled": true}]}"#;
    check("preview", json, PromptStyle::Question, &[]);
}

// S7, T7
#[test]
fn approval_with_labels() {
    let json = r#"{"type": "approval", "message": "Delete 3 files?", "labels": ["Delete them", "Keep them"]}"#;
    check("approval-with-labels", json, PromptStyle::Question, &[Key::Char('a')]);
}

// T7, Q3
#[test]
fn approval_with_context() {
    let json = r#"{"type": "approval", "header": "Cleanup", "message": "Apply this patch and delete 3 files?", "context": [
        {"type": "diff", "title": "plan.diff", "text": "--- a/main.rs\n+++ b/main.rs\n@@ -1,2 +1,2 @@\n-fn old() {}\n+fn new() {} // a line that is much longer than the others, to see it wrapped\n"},
        {"type": "command", "text": "rm a.txt b.txt c.txt"}]}"#;
    check("approval-with-context", json, PromptStyle::Question, &[Key::Char('a')]);
}

// T7
#[test]
fn confirm() {
    check(
        "confirm",
        r#"{"type": "confirm", "message": "Deploy version 2.4 to production?"}"#,
        PromptStyle::Question,
        &[Key::Enter],
    );
}

// Q3, Q8
#[test]
fn text_refused() {
    let json = r#"{"type": "text", "header": "Commit", "message": "What should the commit message say?", "maxLength": 5, "timeout": 600}"#;
    let keys = [letters("a message that is too long for this question"), vec![Key::Enter]].concat();
    check("text-refused", json, PromptStyle::Question, &keys);
}

// Q3
#[test]
fn form_second_question() {
    check("form-second-question", AUTH, PromptStyle::Question, &[Key::Enter]);
}

// Q4
#[test]
fn form_review() {
    check("form-review", AUTH, PromptStyle::Question, &[Key::Enter, Key::Char('x'), Key::Enter]);
}

// L7
#[test]
fn question_back() {
    check(
        "question-back",
        DATABASE,
        PromptStyle::Question,
        &[vec![Key::Char('?')], letters("for how many users?")].concat(),
    );
}

// T8
#[test]
fn stream_choice() {
    let json = r#"{"prompt": "How should I go on?", "input_type": "choice", "choices": ["Fix the failing test first", "Skip it and go on with the next file"]}"#;
    check("stream-choice", json, PromptStyle::Stream, &[Key::Down, Key::Char('7')]);
}

// T9
#[test]
fn stream_text() {
    check(
        "stream-text",
        r#"{"prompt": "Which branch should I push to?", "input_type": "text"}"#,
        PromptStyle::Stream,
        &letters("main"),
    );
}

// F2, Q3
#[test]
fn multiline() {
    let json =
        r#"{"type": "multiline", "header": "Notes", "message": "What is new in this release?", "maxLength": 500}"#;
    let text = "Product pages come from a cache now, and the first visitor of the day no longer waits.";
    let keys = [letters(text), vec![Key::Enter, Key::Enter], letters("Thanks to all who tested.")].concat();
    check("multiline", json, PromptStyle::Question, &keys);
}

// F6, Q3
#[test]
fn number() {
    let json = r#"{"type": "number", "header": "Traffic", "message": "Share of traffic to start with?", "min": 0, "max": 1, "step": 0.05}"#;
    check("number", json, PromptStyle::Question, &[Key::Up, Key::Up]);
}

// F6, Q8
#[test]
fn number_refused() {
    let json = r#"{"type": "number", "message": "Port?", "min": 1, "max": 65535, "integer": true}"#;
    check("number-refused", json, PromptStyle::Question, &[letters("80.5"), vec![Key::Enter]].concat());
}

// F7, Q3
#[test]
fn email() {
    let json =
        r#"{"type": "email", "header": "Reviewer", "message": "Who should review it?", "domain": "company.com"}"#;
    check("email", json, PromptStyle::Question, &letters("ada"));
}

// F8, Q3
#[test]
fn date() {
    let json =
        r#"{"type": "date", "header": "Release", "message": "Ship on?", "min": "2026-11-01", "max": "2026-12-24"}"#;
    check("date", json, PromptStyle::Question, &[Key::Up, Key::Left, Key::Up]);
}

// F9, Q3
#[test]
fn dropdown() {
    let json = r#"{"type": "dropdown", "header": "Country", "message": "Where do you live?",
        "options": ["Netherlands", "New Caledonia", "New Zealand", "Nicaragua", "Niger", "Nigeria", "Norway", "Switzerland"]}"#;
    check("dropdown", json, PromptStyle::Question, &letters("nea"));
}

// F10, Q3
#[test]
fn rating() {
    let json = |style: &str| {
        let ends = r#"{"low": "not at all", "high": "very much"}"#;
        format!(r#"{{"type": "rating", "message": "Do you like being asked?", "style": "{style}", "ends": {ends}}}"#)
    };
    for style in ["stars", "numbers", "emoji"] {
        check(&format!("rating-{style}"), &json(style), PromptStyle::Question, &[Key::Char('4')]);
    }
}
