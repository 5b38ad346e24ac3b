//! The look of a question (Q3) and its last line.

use super::*;

// Q5
#[test]
fn answer_line_cuts_the_question_and_not_the_answer() {
    let question =
        "Which of all these databases should we use for the orders of the new shop, now that there are three?";
    let answer = "PostgreSQL with logical replication (Recommended)";
    let json = format!(r#"{{"type": "choice", "message": "{question}", "options": ["{answer}", "SQLite"]}}"#);
    let request = request(&json);
    let Verdict::Resolved(resolution) = press(&mut open(&request), &[Key::Enter]) else { panic!("it is answered") };
    let line = |columns: usize| {
        let page = Page { columns, ..PAGE };
        let lines = crate::summary::of(&request, &resolution, "cancelled", &page);
        assert!(lines.len() == 1 && lines[0].width() < columns, "{lines:?}");
        lines[0].text()
    };
    assert_eq!(line(200), format!("✔ {question} {answer}"));
    assert_eq!(line(80), format!("✔ Which of all these databas… {answer}"));
    assert_eq!(line(69), format!("✔ Which of all th… {answer}"));
    assert!(line(40).starts_with("✔ Which of al… PostgreSQL with") && line(40).ends_with('…'), "{}", line(40));
}
