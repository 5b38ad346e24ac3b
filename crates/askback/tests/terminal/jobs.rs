//! Signals, background jobs, and terminals that are not ours to paint on.

use super::{ASKBACK, USUAL, askback, askback_in, shell};
use askback_testkit::screen::Screen;
use rustix::process::Signal;
use std::time::Duration;

// S6
#[test]
fn a_signal_leaves_the_terminal_as_it_was() {
    for (signal, status) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)] {
        let mut screen = askback(&["choice", "Which database?", "a", "b"]);
        screen.wait_for("ask back");
        assert!(!screen.is_at_rest() && !screen.shows_cursor());
        screen.signal(signal);
        assert_eq!(screen.exit_status(), status, "{signal:?}");
        assert!(screen.is_at_rest() && screen.shows_cursor() && !screen.marks_pastes(), "{signal:?}");
        assert_eq!(screen.text(), "", "nothing is left on the screen");
    }
}

// S6
#[test]
fn a_background_job_never_paints() {
    let mut screen = shell("set -m; echo before; askback confirm 'Deploy?' --via terminal & wait $!; echo status $?");
    screen.wait_for("status 69");
    let text = screen.text().replace('\n', "");
    assert!(text.contains("runs in the background of its terminal"), "{text}");
    assert!(!text.contains("[y]") && !screen.raw().windows(8).any(|window| window == b"\x1b[?2026h"), "{text}");
    assert!(screen.is_at_rest());
}

// S6
#[test]
fn a_session_without_a_controlling_terminal_never_paints() {
    let mut screen = shell(
        "echo before; setsid --wait ASKBACK confirm 'Deploy?' --via terminal; echo status $?"
            .replace("ASKBACK", ASKBACK)
            .as_str(),
    );
    screen.wait_for("status 69");
    assert!(!screen.text().contains("[y]"), "{}", screen.text());
}

// S6, Q10
#[test]
fn a_dumb_terminal_is_asked_in_lines() {
    let mut screen = askback_in(USUAL, &[("TERM", "dumb")], &["confirm", "Deploy?"]);
    screen.wait_until("the invitation", |screen| screen.raw().ends_with(b"\n> "));
    screen.keys("n\r");
    assert_eq!(screen.exit_status(), 1);
    assert!(screen.text().ends_with("\n> n\nok: Deploy? No\nno"), "{}", screen.text());
    assert!(!screen.raw().contains(&0x1b) && screen.is_at_rest());
}

// S6
#[test]
fn a_prompt_begins_on_a_row_of_its_own() {
    for before in ["x", "half a line"] {
        let mut screen = shell(&format!("printf '{before}'; askback text 'Name?'"));
        screen.wait_for("ask back");
        assert!(screen.text().starts_with(&format!("{before}\n│ Name?")), "{}", screen.text());
    }
    let mut screen =
        shell("for i in 1 2 3 4 5 6; do echo xxxxxxxxxxxxxxxx; done; printf '\\e[H'; askback text 'Name?'");
    screen.wait_for("ask back");
    assert!(screen.text().starts_with("│ Name?\n│\n│ >\n"), "what was below is gone:\n{}", screen.text());
}

// S6
#[test]
fn a_terminal_that_goes_away_is_no_answer() {
    let path = std::env::temp_dir().join(format!("askback-gone-{}", std::process::id()));
    let line = format!(
        "(trap '' HUP; {ASKBACK} confirm Deploy? > {0}.out 2> /dev/tty; echo $? > {0}); echo end",
        path.display()
    );
    let mut screen = Screen::run(USUAL, &[], "bash", &["--norc", "-c", &line]).unwrap();
    screen.wait_for("ask back");
    drop(screen);
    let start = std::time::Instant::now();
    let mut status = String::new();
    while !status.ends_with('\n') {
        assert!(start.elapsed() < Duration::from_secs(20), "it never ended");
        std::thread::yield_now();
        status = std::fs::read_to_string(&path).unwrap_or_default();
    }
    let out = format!("{}.out", path.display());
    assert!(["69\n", "129\n"].contains(&status.as_str()), "{status}");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "");
    std::fs::remove_file(out).unwrap();
    std::fs::remove_file(path).unwrap();
}

// S6
#[test]
fn a_stray_signal_to_go_on_changes_nothing() {
    let mut screen = askback(&["text", "What is your name?"]);
    screen.wait_for("ask back");
    screen.keys("Ada");
    screen.wait_for("> Ada");
    let before = screen.text();
    screen.signal(Signal::CONT);
    screen.settle(Duration::from_millis(200));
    assert_eq!(screen.text(), before);
    screen.keys("\r");
    assert_eq!(screen.exit_status(), 0);
}

// S6
#[test]
fn standard_error_on_another_terminal_is_left_alone() {
    let mut other = Screen::run(USUAL, &[], "bash", &["--norc", "-c", "tty; sleep 30"]).unwrap();
    other.wait_for("/dev/");
    let name = other.text();
    let mut screen = shell(&format!("askback confirm 'Deploy?' 2> {name}"));
    screen.wait_for("[y] Yes");
    other.settle(Duration::from_millis(100));
    assert_eq!(other.text(), name);
    assert!(other.is_at_rest() && !screen.is_at_rest());
}
