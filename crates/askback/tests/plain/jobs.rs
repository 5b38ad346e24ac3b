//! Signals, background jobs, and terminals that are not ours to write on.

use super::{ASKBACK, Folder, Plain, TALL, millis};
use askback_testkit::screen::Screen;
use askback_testkit::wait::wait_for;
use rustix::process::Signal;

// Q10, S6
#[test]
fn a_signal_leaves_the_terminal_as_it_was() {
    for (signal, status) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130), (Signal::QUIT, 131)] {
        let mut plain = Plain::askback(&["choice", "Which database?", "a", "b"]);
        plain.invited();
        assert!(!plain.is_at_rest());
        plain.signal(signal);
        plain.ends_with(status);
        assert!(!plain.text().contains("ok:") && !plain.text().contains("no:"), "{}", plain.text());
        let cursor = plain.cursor();
        assert_eq!(cursor, (plain.text().lines().count(), 0), "whoever comes next begins on a row of their own");
    }
    // In the quiet moment nothing is echoed, which must not stay so.
    let mut plain = Plain::askback(&["approve", "Delete 3 files?"]);
    plain.wait_for("/ask asks back");
    plain.signal(Signal::TERM);
    plain.ends_with(143);
}

// Q10, S6
#[test]
fn a_background_job_never_writes_and_never_reads() {
    let mut plain = Plain::shell(
        "set -m; askback confirm 'Deploy?' --via terminal & wait $!; echo status $?; read -r line; echo \"<$line>\"",
    );
    plain.wait_for("status 69");
    plain.keys("y\r");
    plain.wait_for("<y>");
    plain.ends_with(0);
    let text = plain.text();
    assert!(text.contains("runs in the background of its terminal") && !text.contains("y. Yes"), "{text}");
}

// Q10, S6
#[test]
fn a_session_without_a_controlling_terminal_never_writes() {
    let mut plain =
        Plain::shell(&format!("setsid --wait {ASKBACK} confirm 'Deploy?' --plain --via terminal; echo status $?"));
    plain.wait_for("status 69");
    assert!(!plain.text().contains("Deploy?"), "{}", plain.text());
}

// Q10, S6
#[test]
fn a_stray_signal_to_go_on_changes_nothing() {
    let mut plain = Plain::askback(&["text", "What is your name?"]);
    plain.typed("Ada");
    plain.wait_for("> Ada");
    let before = plain.text();
    plain.signal(Signal::CONT);
    plain.settle(millis(200));
    assert_eq!(plain.text(), before);
    plain.keys("\r");
    plain.ends_with(0);
    assert!(plain.text().ends_with("\nok: What is your name? Ada\nAda"), "{}", plain.text());
}

// Q10, S6
#[test]
fn a_terminal_that_goes_away_is_no_answer() {
    let folder = Folder::new();
    let (status, answer) = (folder.file("status", ""), folder.file("answer", ""));
    // Without the signal, what is left of the terminal reads like Ctrl+D.
    let line =
        format!("(trap '' HUP; {ASKBACK} text 'Name?' --plain > {answer} 2> /dev/tty; echo $? > {status}); echo end");
    let mut screen = Screen::run(TALL, &[], "bash", &["--norc", "-c", &line]).unwrap();
    screen.wait_until("the invitation", |screen| screen.raw().ends_with(super::INVITATION));
    screen.keys("half");
    screen.wait_for("> half");
    drop(screen);
    let ended = wait_for("the end of the program", || {
        std::fs::read_to_string(&status).ok().filter(|status| status.ends_with('\n'))
    });
    assert!(["69\n", "129\n"].contains(&ended.as_str()), "{ended}");
    assert_eq!(std::fs::read_to_string(&answer).unwrap(), "");
}
