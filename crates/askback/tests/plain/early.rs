//! Lines that come before their question are no answers to it.

use super::{CONTROL_C, Folder, Plain, millis};
use std::time::Instant;

// Q10, T7
#[test]
fn what_was_typed_before_a_question_was_told_never_answers_it() {
    for ask in ["confirm Deploy?", "approve Deploy?", "choice Deploy? yes no", "text Deploy?", "rating Deploy?"] {
        let mut plain = Plain::shell(&format!("echo ready; sleep 0.5; askback {ask}; echo status $?"));
        plain.wait_for("ready");
        // The last of them has no end yet: it must not become the beginning of an answer either.
        plain.keys("\ry\ra\r1\r\r2");
        plain.invited();
        plain.settle(millis(200));
        assert!(!plain.text().contains("status"), "{ask} was answered by what came before it:\n{}", plain.text());
        plain.keys(CONTROL_C);
        plain.wait_for("status 130");
        assert!(plain.text().contains("\n> ^C\nno: Deploy? cancelled\n"), "{}", plain.text());
    }
}

/// Types a line when the question is told, and before it can be answered.
fn answer_too_early(plain: &mut Plain, told: &str) -> bool {
    let start = Instant::now();
    plain.wait_until("the question", |screen| String::from_utf8_lossy(screen.raw()).contains(told));
    plain.keys("a\ry\r");
    // Where the machine was so busy that the moment had passed, the line was not too early.
    let is_early = start.elapsed() < millis(200);
    plain.invited();
    is_early
}

// Q10, T7
#[test]
fn a_line_before_the_invitation_decides_nothing() {
    for command in ["approve", "confirm"] {
        let was_shown = (0..20).any(|_| {
            let mut plain = Plain::askback(&[command, "Delete 3 files?"]);
            if !answer_too_early(&mut plain, "/ask asks back, Ctrl+C cancels.") {
                return false;
            }
            plain.settle(millis(400));
            assert!(plain.raw().ends_with(b"cancels.\r\n> "), "neither an answer nor an echo:\n{}", plain.text());
            plain.line(if command == "approve" { "r" } else { "n" });
            plain.ends_with(1);
            true
        });
        assert!(was_shown, "the machine is too busy for this test");
    }
}

// Q10, T7
#[test]
fn a_decision_within_a_form_has_its_quiet_moment_too() {
    let folder = Folder::new();
    let form = r#"{"questions": [{"type": "text", "message": "Which folder?"}, {"type": "approval", "message": "Delete it?"}]}"#;
    let path = folder.file("form.json", form);
    let was_shown = (0..20).any(|_| {
        let mut plain = Plain::askback(&["ask", &path]);
        plain.line("cache");
        if !answer_too_early(&mut plain, "r or 2 to reject, then Enter.") {
            return false;
        }
        plain.settle(millis(400));
        assert!(plain.raw().ends_with(b"then Enter.\r\n> "), "{}", plain.text());
        plain.line("a");
        plain.wait_for("2. Delete it? Approve");
        true
    });
    assert!(was_shown, "the machine is too busy for this test");
}

// Q10
#[test]
fn control_c_counts_also_before_the_invitation() {
    let mut plain = Plain::askback(&["approve", "Delete 3 files?"]);
    plain.wait_for("/ask asks back");
    plain.keys(CONTROL_C);
    plain.ends_with(130);
}
