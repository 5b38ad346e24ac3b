//! Code takes the whole window, and prose stays readable.

use super::*;

/// The rows of a request in a wide window.
fn rows(json: &str, columns: usize) -> Vec<String> {
    let request = request(json);
    let mut form = Form::new(&request, PromptStyle::Question, Page { columns, rows: 50, ..PAGE }, TODAY);
    form.appear(Duration::ZERO);
    screen(&form).lines().map(str::to_owned).collect()
}

fn approval(form: &str, text: &str) -> String {
    format!(r#"{{"type": "approval", "message": "Apply it?", "context": [{{"type": "{form}", "text": "{text}"}}]}}"#)
}

// Q3
#[test]
fn context_line_of_120_columns_is_one_row_in_a_window_of_200() {
    let line = format!("+{}.", "x".repeat(118));
    for form in ["diff", "code", "command", "json"] {
        let seen = rows(&approval(form, &line), 200);
        assert!(seen.iter().any(|row| row.ends_with(&line)), "{form}:\n{}", seen.join("\n"));
        let narrow = rows(&approval(form, &line), 80);
        assert!(narrow.iter().all(|row| row.chars().count() < 80), "{form}:\n{}", narrow.join("\n"));
    }
}

// F12
#[test]
fn preview_takes_the_whole_window() {
    let sample = "─".repeat(150);
    let json = format!(
        r#"{{"type": "choice", "message": "Which?", "options": [{{"value": "a", "preview": "{sample}"}}, "b"]}}"#
    );
    assert!(rows(&json, 200).iter().any(|row| row.contains(&sample)), "{}", rows(&json, 200).join("\n"));
}

// Q3
#[test]
fn prose_keeps_its_measure_in_a_wide_window() {
    let prose = "word ".repeat(100);
    let prose = prose.trim();
    let long = format!(
        r#"{{"type": "choice", "message": "{prose}", "options": [{{"value": "a", "description": "{prose}"}}, "b"]}}"#
    );
    for json in [long, approval("markdown", prose)] {
        let seen = rows(&json, 200);
        let widest = seen.iter().filter(|row| row.contains("word")).map(|row| row.chars().count()).max().unwrap();
        assert!((60..=74).contains(&widest), "{widest} columns:\n{}", seen.join("\n"));
        assert!(!seen.iter().any(|row| row.ends_with("wor")), "words are not torn apart:\n{}", seen.join("\n"));
    }
}
