//! A whole conversation in a real terminal, by an example that does what its arguments say.

#![expect(clippy::unwrap_used, reason = "what fails in a test should fail it")]

use askback_screen::{Screen, Size};
use std::path::PathBuf;
use std::time::Duration;

const USUAL: Size = Size { columns: 80, rows: 24 };

fn conversation(steps: &[&str]) -> Screen {
    conversation_in(USUAL, &[], steps)
}

fn conversation_in(size: Size, variables: &[(&str, &str)], steps: &[&str]) -> Screen {
    Screen::run(size, variables, &example(), steps).unwrap()
}

/// The example, which cargo builds before it runs the tests.
fn example() -> String {
    let test = std::env::current_exe().unwrap();
    let program: PathBuf = test.ancestors().nth(2).unwrap().join("examples/conversation");
    assert!(program.exists(), "{} is not built", program.display());
    program.to_string_lossy().into_owned()
}

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// How often something was painted.
fn paintings(screen: &Screen) -> usize {
    String::from_utf8_lossy(screen.raw()).matches("\x1b[?2026l").count()
}

/// Waits for the end, and sees that the terminal is as it was.
fn end(screen: &mut Screen) {
    assert_eq!(screen.exit_status(), 0, "{}", screen.text());
    assert!(screen.is_at_rest() && screen.shows_cursor() && !screen.marks_pastes());
    assert_eq!(screen.answers(), [""; 0], "the terminal is never asked anything");
}

// Q8
#[test]
fn a_spinner_turns_and_disappears() {
    let mut screen = conversation(&["spin=Thinking", "wait=1500", "stop", "wait=100", "print=done"]);
    screen.wait_for("⠋ Thinking…  ctrl+c cancels");
    assert!(!screen.shows_cursor() && !screen.is_at_rest());
    screen.wait_for("⠹ Thinking…");
    screen.wait_for("Thinking… 1s  ctrl+c cancels");
    end(&mut screen);
    assert_eq!(screen.history(), "done\nover");
}

// Q3
#[test]
fn a_spinner_is_in_the_letters_there_are() {
    let mut screen = conversation_in(USUAL, &[("LANG", "C")], &["spin=Thinking", "wait=300"]);
    screen.wait_for("/ Thinking...  ctrl+c cancels");
    end(&mut screen);
    assert!(screen.raw().is_ascii());
}

// T3
#[test]
fn text_streams_and_stays_once() {
    let steps = [
        "text=Here is a plan.\n\n1. Read the file\n2. ",
        "piece=Change it",
        "wait=300",
        "finish",
        "text=More.\n",
        "finish",
    ];
    let mut screen = conversation(&[&steps[..], &["wait=50", "print=That is all."]].concat());
    screen.wait_for("2. Change it");
    end(&mut screen);
    assert_eq!(screen.history(), "Here is a plan.\n\n1. Read the file\n2. Change it\nMore.\nThat is all.\nover");
}

// T3
#[test]
fn many_lines_and_one_long_one_are_all_there_in_order() {
    let long: String = (1..=400).map(|number| format!("word{number} ")).collect();
    let mut screen = conversation(&["spin=Writing", "lines=40", &format!("text={long}"), "finish"]);
    end(&mut screen);
    let history = screen.history();
    let seen: Vec<&str> = history.split_whitespace().collect();
    let mut expected: Vec<String> = Vec::new();
    for number in 1..=40 {
        let line = format!("line {number} of a text that is long enough to be broken somewhere.");
        expected.extend(line.split(' ').map(str::to_owned));
    }
    expected.extend((1..=400).map(|number| format!("word{number}")));
    expected.push("over".to_owned());
    assert_eq!(seen, expected);
}

// S6, T3
#[test]
fn keys_typed_meanwhile_do_not_echo_and_answer_nothing() {
    let mut screen = conversation(&["lines=30", "busy=400", "ask", "print=and on"]);
    screen.wait_for("line 3 of");
    screen.keys("secret\r\x1b[A");
    screen.wait_for("line 30 of");
    screen.keys("more\r");
    screen.paste("a\rb\r");
    screen.wait_for("Which branch?");
    screen.settle(millis(300));
    assert!(!screen.history().contains("secret") && !screen.history().contains("more"), "{}", screen.text());
    screen.keys("main\r");
    end(&mut screen);
    assert!(screen.text().ends_with("✔ Which branch? main\nanswered\nand on\nover"), "{}", screen.text());
    assert!(!String::from_utf8_lossy(screen.raw()).contains("secret"));
}

// S6
#[test]
fn keys_do_not_echo_between_the_phases() {
    let steps =
        ["busy=300", "read", "busy=300", "ask", "busy=300", "text=streamed", "busy=300", "finish", "busy=300", "read"];
    let mut screen = conversation(&steps);
    screen.wait_until("the terminal is taken", Screen::marks_pastes);
    screen.keys("\x1b[5~");
    screen.wait_for("Type a message");
    screen.keys("one\r");
    screen.wait_for("read \"one\"");
    screen.keys("\x1b[5~");
    screen.wait_for("Which branch?");
    screen.keys("main\r");
    screen.wait_for("answered");
    screen.keys("\x1b[5~");
    screen.wait_for("streamed");
    screen.keys("\x1b[5~");
    assert!(!screen.is_at_rest());
    screen.wait_for("Type a message");
    screen.keys("two\r");
    end(&mut screen);
    assert!(!screen.history().contains("^["), "{}", screen.text());
}

// T3
#[test]
fn control_c_interrupts_what_streams() {
    let mut screen = conversation(&["text=Thinking about", "attend", "text=stopped"]);
    screen.wait_for("Thinking about");
    screen.keys("abc\x1b\x04");
    screen.settle(millis(200));
    assert!(!screen.text().contains("interrupted"));
    screen.keys("\x03");
    end(&mut screen);
    assert_eq!(screen.text(), "interrupted\nThinking aboutstopped\nover");
}

// T3
#[test]
fn control_c_before_a_prompt_is_not_lost() {
    let mut screen = conversation(&["piece=working", "busy=500", "ask"]);
    screen.wait_for("working");
    screen.keys("x\x03");
    end(&mut screen);
    assert_eq!(screen.text(), "working\ninterrupted\nover");
}

// T3, T6
#[test]
fn a_prompt_stands_between_the_texts() {
    let mut screen = conversation(&["spin=Thinking", "text=Before.", "ask", "text=After.", "finish", "ask", "ask"]);
    screen.wait_for("Which branch?");
    assert!(screen.text().starts_with("Before.\n"), "{}", screen.text());
    assert!(!screen.text().contains("Thinking"), "{}", screen.text());
    screen.settle(millis(100));
    assert!(screen.shows_cursor());
    screen.keys("main\r");
    screen.wait_for("After.");
    screen.wait_for("Which branch?\n");
    screen.keys("\x03");
    screen.wait_for("interrupted");
    screen.wait_for("(type r or /reject to abort)");
    screen.keys("\x04");
    end(&mut screen);
    let expected = "Before.\n✔ Which branch? main\nanswered\nAfter.\n✘ Which branch? cancelled\ninterrupted\n\
                    ✘ Which branch? cancelled\ncancelled\nover";
    assert_eq!(screen.history(), expected);
}

// Q3
#[test]
fn a_window_dragged_while_text_streams_tears_nothing() {
    let mut screen = conversation_in(
        Size { columns: 79, rows: 24 },
        &[],
        &["print=THE TITLE", "spin=Writing", "lines=60", "finish", "stop", "wait=600", "print=THE END"],
    );
    screen.wait_for("line 2 of");
    screen.resize(Size { columns: 78, rows: 24 });
    screen.settle(millis(50));
    let before = paintings(&screen);
    for columns in (41..78).rev().chain(42..=79) {
        screen.resize(Size { columns, rows: 24 });
        screen.pump(millis(10));
    }
    assert_eq!(paintings(&screen), before, "nothing is painted while the window moves");
    end(&mut screen);
    let history = screen.history();
    let words = history.split_whitespace().collect::<Vec<_>>().join(" ");
    for number in 1..=60 {
        assert_eq!(words.matches(&format!("line {number} of")).count(), 1, "line {number}:\n{history}");
    }
    assert_eq!(words.matches("somewhere.").count(), 60, "{history}");
    assert_eq!((words.matches("THE TITLE").count(), words.matches("THE END").count()), (1, 1), "{history}");
    assert!(!words.contains("Writing"), "{history}");
}

// S6
#[test]
fn whatever_ends_it_the_terminal_is_as_it_was() {
    let mut screen = conversation(&["spin=Thinking", "text=unfinished", "oops"]);
    assert_eq!(screen.exit_status(), 1);
    assert!(screen.is_at_rest() && screen.shows_cursor() && !screen.marks_pastes());
    assert_eq!(screen.text(), "unfinished\nError: \"there is no step called oops\"");

    let mut screen = conversation(&["spin=Thinking", "text=unfinished", "panic"]);
    assert_eq!(screen.exit_status(), 101);
    assert!(screen.is_at_rest() && screen.shows_cursor() && !screen.marks_pastes());
    assert!(screen.text().contains("something went wrong"), "{}", screen.text());
}

// S6
#[test]
fn without_a_terminal_there_is_none() {
    let mut command = std::process::Command::new(example());
    let output = command.arg("text=x").stdin(std::process::Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty() && String::from_utf8_lossy(&output.stderr).contains("NoTerminal"), "{output:?}");
}

// Q10, S6, T3
#[test]
fn a_dumb_terminal_is_talked_to_in_lines() {
    let steps = ["spin=Thinking", "text=Before.", "ask", "text=After.", "finish", "stop", "print=That is all.", "read"];
    let mut screen = conversation_in(USUAL, &[("TERM", "dumb")], &steps);
    let invited = |screen: &Screen| screen.raw().ends_with(b"\n> ");
    screen.wait_until("the question", invited);
    screen.keys("main\r");
    screen.wait_for("That is all.");
    screen.wait_until("the message", invited);
    screen.keys("bye\r");
    end(&mut screen);
    let expected = "Before.\nWhich branch?\nType a line of text; r or /reject alone rejects.\n/ask asks back, Ctrl+C cancels.\n\
                    > main\nok: Which branch? main\nanswered\nAfter.\nThat is all.\n> bye\nread \"bye\"\nover";
    assert_eq!(screen.history(), expected);
    assert!(!screen.raw().contains(&0x1b));
}

// Q4
#[test]
fn messages_are_read_with_their_history() {
    let mut screen = conversation(&["read", "read", "read", "read", "read"]);
    screen.wait_for("› Type a message, or /help");
    assert!(screen.shows_cursor());
    screen.keys("hello\r");
    screen.wait_for("read \"hello\"");
    screen.wait_for("Type a message");
    screen.paste("two\rlines\r");
    screen.wait_for("› two\n  lines");
    screen.keys("\r");
    screen.wait_for("read \"two\\nlines\"");
    screen.wait_for("Type a message");
    screen.keys("draft\x1b[A\x1b[A\x1b[A");
    screen.wait_for("› hello\n");
    screen.keys("\x1b[B\x1b[B!\r");
    screen.wait_for("read \"draft!\"");
    screen.wait_for("Type a message");
    screen.keys("gone\x03");
    screen.wait_for("Type a message");
    screen.keys("\x03");
    screen.wait_for("press Ctrl+C again to quit");
    screen.keys("\x03");
    screen.wait_for("closed");
    screen.wait_for("Type a message");
    screen.keys("\x04");
    end(&mut screen);
    let expected = "› hello\nread \"hello\"\n› two\n  lines\nread \"two\\nlines\"\n› draft!\nread \"draft!\"\nclosed\nclosed\nover";
    assert_eq!(screen.history(), expected);
}

// Q4
#[test]
fn a_message_may_be_typed_before_it_is_asked_for() {
    let mut screen = conversation(&["busy=400", "read", "read"]);
    screen.wait_until("the terminal is taken", Screen::marks_pastes);
    screen.keys("one\rtwo\r");
    end(&mut screen);
    assert_eq!(screen.text(), "› one\nread \"one\"\n› two\nread \"two\"\nover");
}

// S2
#[test]
fn hostile_text_in_pieces_moves_nothing() {
    let steps =
        ["print=first", "piece=\x1b", "wait=30", "piece=[2", "piece=J\x1b[1;1H", "piece=\u{202e}abc\u{9b}", "wait=30"];
    let more =
        ["piece=5n\x07", "piece=over\rwritten\r", "wait=30", "piece=\nnext\x1b]0;title\x07", "wait=30", "finish"];
    let mut screen = conversation(&[&steps[..], &more[..], &["print=\x1b[2Jlast", "spin=\x1b[5n", "wait=50"]].concat());
    end(&mut screen);
    let expected = "first\n\
                    <U+001B>[2J<U+001B>[1;1H<U+202E>abc<U+009B>5n<U+0007>over<U+000D>written\n\
                    next<U+001B>]0;title<U+0007>\n<U+001B>[2Jlast\nover";
    assert_eq!(screen.text(), expected);
}

// Q8
#[test]
fn a_flood_is_painted_at_a_pace() {
    let pieces: Vec<String> = (0..400).map(|number| format!("piece={}\u{20}", number % 10)).collect();
    let steps: Vec<&str> = pieces.iter().map(String::as_str).collect();
    let mut screen = conversation(&steps);
    end(&mut screen);
    let paintings = paintings(&screen);
    assert!(paintings < 40, "{paintings} paintings for 400 pieces");
}

// S6
#[test]
fn the_shell_may_have_the_terminal_for_a_while() {
    has_the_terminal_for_a_while(&[]);
}

// S6, Q10
#[test]
fn the_shell_may_have_it_in_plain_mode_too() {
    has_the_terminal_for_a_while(&[("ACCESSIBLE", "1")]);
}

fn has_the_terminal_for_a_while(variables: &[(&str, &str)]) {
    let program = example();
    let line = format!(
        "set -m; {program} print=THE-TITLE spin=Writing lines=60 finish stop print=THE-END; \
         echo STOPPED; bg; sleep 0.8; echo FRONT; fg; echo status $?"
    );
    let mut screen = Screen::run(USUAL, variables, "bash", &["--norc", "-c", &line]).unwrap();
    screen.wait_for("line 3 of");
    screen.keys("\x1a");
    screen.wait_for("STOPPED");
    assert!(screen.is_at_rest() && screen.shows_cursor());
    screen.wait_for("status 0");
    let history = screen.history();
    let words = history.split_whitespace().collect::<Vec<_>>().join(" ");
    for number in 1..=60 {
        assert_eq!(words.matches(&format!("line {number} of")).count(), 1, "line {number}:\n{history}");
    }
    assert_eq!(words.matches("somewhere.").count(), 60, "{history}");
    assert_eq!((words.matches("THE-END over").count(), words.matches("ctrl+c").count()), (1, 0), "{history}");
    let (stopped, front) = (words.find("STOPPED").unwrap(), words.find("FRONT").unwrap());
    assert!(!words[stopped..front].contains("text that is long"), "another program was in front:\n{history}");
    assert!(screen.is_at_rest() && screen.shows_cursor() && !screen.marks_pastes());
}

// S6
#[test]
fn nothing_is_painted_over_others_even_if_nobody_attends() {
    let file = std::env::temp_dir().join(format!("askback-live-{}", std::process::id()));
    let (file, program) = (file.display(), example());
    let line = format!(
        "set -m; (sleep 0.5; kill -STOP $(cat {file}); rm {file}) & \
         bash -c 'echo $$ > {file}; exec {program} piece=one busy=1200 piece=two busy=800 wait=500 finish'; \
         echo STOPPED; bg %2; sleep 1.4; echo FRONT; fg %2; echo status $?"
    );
    let mut screen = Screen::run(USUAL, &[], "bash", &["--norc", "-c", &line]).unwrap();
    screen.wait_for("status 0");
    let text = screen.text();
    let raw = String::from_utf8_lossy(screen.raw());
    let (stopped, front) = (raw.find("STOPPED").unwrap(), raw.find("FRONT").unwrap());
    assert!(!raw[stopped..front].contains('\x1b'), "another program was in front:\n{text}");
    let front = text.find("FRONT").unwrap();
    assert_eq!(text[front..].matches("onetwo").count(), 1, "{text}");
}
