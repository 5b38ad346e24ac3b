//! Whole forms in lines: the way back, the review, and the question back.

use super::{Folder, Plain, Way, example};

/// A form whose questions can be told apart.
const FORM: &str = r#"{"title": "Setup", "from": "an agent", "questions": [
    {"type": "choice", "header": "Database", "message": "Which one?", "options": ["SQLite", "PostgreSQL"], "other": true},
    {"type": "number", "header": "Port", "message": "Which port?", "min": 1, "max": 65535, "integer": true},
    {"type": "confirm", "message": "Create it now?"}]}"#;

// Q10, Q4, Q5
#[test]
fn a_form_goes_back_and_ends_on_a_review_that_can_be_changed() {
    let folder = Folder::new();
    let mut plain = Plain::answered(Way::Flag, &["ask", &folder.file("form.json", FORM)]);
    plain.line("2");
    plain.wait_for("Question 2 of 3. Port: Which port?");
    plain.line("/back");
    plain.wait_until("the first question again", |screen| screen.text().matches("Question 1 of 3.").count() == 2);
    plain.line("1");
    plain.line("99999");
    plain.wait_for("99999 is too large; please give a whole number from 1 to 65535.");
    plain.line("8080");
    plain.wait_for("Question 3 of 3. Create it now?");
    plain.line("y");
    plain
        .wait_for("Your answers:\n1. Database: SQLite\n2. Port: 8080\n3. Create it now? Yes\nEnter alone submits them");
    plain.line("4");
    plain.wait_for("Press Enter to submit, or type a number from 1 to 3.");
    plain.line("1");
    plain.line("3");
    plain.wait_for("Please specify: type your own answer; an empty line goes back to the list.");
    plain.line("Redis");
    plain.wait_for("1. Database: Redis\n2. Port: 8080\n3. Create it now? Yes");
    plain.line("");
    plain.wait_for("status 0 <Redis\n8080\nyes>");
    plain.ends_with(0);
    let text = plain.text();
    assert!(
        text.starts_with(
            "Setup | asker calls itself \"an agent\"\n\nQuestion 1 of 3. Database: Which one?\n1. SQLite\n"
        ),
        "{text}"
    );
    assert!(text.contains("\nok: Database: Redis\nok: Port: 8080\nok: Create it now? Yes\n"), "{text}");
    assert_eq!(text.matches("/ask asks back, /back goes back, Ctrl+C cancels.").count(), 1, "{text}");
}

// Q10, S5
#[test]
fn what_there_is_to_see_is_told_before_it_is_approved() {
    let mut plain = Plain::askback(&["approve", "Apply it?", "--context", &example("plan.diff")]);
    plain.invited();
    let (text, diff) = (plain.text(), std::fs::read_to_string(example("plan.diff")).unwrap());
    let diff: String = diff.lines().map(|line| format!("| {line}").trim_end().to_owned() + "\n").collect();
    assert!(text.starts_with(&format!("Beginning of plan.diff:\n{diff}End of plan.diff.\n\nApply it?\n")), "{text}");
    plain.line("a");
    plain.ends_with(0);
}

// Q10, L5, L7
#[test]
fn a_question_back_declines_with_a_reason() {
    for (command, line) in [("approve", "?"), ("approve", "/ask"), ("text", "/ask")] {
        let mut plain = Plain::answered(Way::Flag, &[command, "Delete 3 files?", "--header", "Cleanup", "--json"]);
        plain.line(line);
        plain.wait_for("Type your question to the one who asks; an empty line goes back.");
        plain.line("");
        plain.line(line);
        plain.line("which ones?");
        plain.wait_for("status 1 <{");
        plain.ends_with(0);
        let text = plain.text();
        assert!(text.contains("\nno: Cleanup: asked back: which ones?\n"), "{text}");
        let json = text.split_once("status 1 <").unwrap().1.replace('\n', "");
        assert!(json.contains(r#""status":"declined""#) && json.contains(r#""reason":"which ones?""#), "{json}");
    }
}

// Q10, F1
#[test]
fn a_command_can_be_a_text_and_a_question_mark_is_one() {
    for (line, answer) in [("//ask", "/ask"), ("//back", "/back"), ("?", "?"), ("/path", "/path")] {
        let mut plain = Plain::answered(Way::Flag, &["text", "What?"]);
        plain.line(line);
        plain.wait_for(&format!("status 0 <{answer}>"));
    }
}

// Q10, Q4
#[test]
fn several_lines_at_once_answer_one_question_of_a_form() {
    let folder = Folder::new();
    let mut plain = Plain::askback(&["ask", &folder.file("form.json", FORM)]);
    plain.typed("1\r80\ry\r\r");
    plain.wait_for("Question 2 of 3.");
    plain.settle(super::millis(300));
    assert!(plain.raw().ends_with(super::INVITATION), "{}", plain.text());
    assert!(!plain.text().contains("Question 3 of 3."), "{}", plain.text());
}
