//! Standard input, output and error that are no terminals.

use super::{ASKBACK, Folder, Plain, Way};
use askback_testkit::command::piped;

// Q10, S6
#[test]
fn the_answer_alone_goes_to_standard_output() {
    let folder = Folder::new();
    let path = folder.file("answer", "");
    let mut plain = Plain::shell(&format!("askback text 'Name?' > '{path}'"));
    plain.line("Ada  ");
    plain.ends_with(0);
    assert!(plain.text().ends_with("\n> Ada\nok: Name? Ada"), "{}", plain.text());
    assert_eq!(std::fs::read_to_string(path).unwrap(), "Ada  \n");
}

// Q10, S6
#[test]
fn one_of_standard_input_and_standard_error_is_enough() {
    let mut plain = Plain::shell("seq 11 13 | askback choice 'Which number?' | tr 1-3 a-c; echo end");
    plain.line("2");
    plain.wait_for("\nok: Which number? 12\nab\nend");
    let mut plain = Plain::shell("askback choice 'Which number?' 11 12 2> /dev/null; echo status $?");
    plain.line("2");
    plain.wait_for("\nok: Which number? 12\n12\nstatus 0");
    let mut plain =
        Plain::shell("seq 11 13 | askback choice 'Which number?' --via terminal 2> /dev/null; echo status $?");
    plain.wait_for("status 69");
    assert_eq!(plain.text(), "status 69", "nothing is told where nobody can answer");
    let mut plain = Plain::shell("echo '{\"type\": \"date\", \"message\": \"When?\"}' | askback ask -");
    plain.line("2026-02-28");
    plain.ends_with(0);
}

// Q10, S6
#[test]
fn without_a_terminal_nobody_can_be_asked() {
    for arguments in [
        &["confirm", "Go?", "--plain", "--via", "terminal"][..],
        &["text", "Go?", "--plain", "--via", "terminal"],
        &["rating", "Go?", "--plain", "--via", "terminal"],
        &["demo", "--plain"],
    ] {
        let output = piped(ASKBACK, arguments, b"y\n5\n");
        assert_eq!(output.status.code(), Some(69), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("nobody can be asked: there is no terminal here"), "{arguments:?}: {said}");
    }
}

// Q10, S6
#[test]
fn a_question_begins_where_the_cursor_is() {
    let mut plain = Plain::shell("echo before; askback confirm 'Deploy?' && echo after");
    plain.line("y");
    plain.ends_with(0);
    let expected = "before\nDeploy?\ny. Yes\nn. No\nType y or 1 for yes, n or 2 for no, then Enter.\n\
                    /ask asks back, Ctrl+C cancels.\n> y\nok: Deploy? Yes\nyes\nafter";
    assert_eq!(plain.text(), expected);
}

// Q10, F15
#[test]
fn a_wrong_request_is_explained_without_colours() {
    for way in [Way::Flag, Way::Variable, Way::DumbTerminal] {
        let mut plain = Plain::answered(way, &["number", "Port?", "--min", "5", "--max", "1"]);
        plain.wait_for("`max` is below `min`");
        plain.wait_for("status 2 <>");
    }
}
