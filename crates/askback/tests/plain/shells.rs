//! Under a shell with jobs, in tmux: Ctrl+Z, `fg` and `bg`.

use crate::ASKBACK;
use askback_testkit::tmux::Tmux;

// Q10, S6
#[test]
fn control_z_gives_the_shell_back_and_fg_tells_the_question_again() {
    let tmux = Tmux::new(ASKBACK, "plain-jobs", 80, 40);
    tmux.type_line("clear; before=$(stty -g); askback text 'What is your na''me?' --plain");
    tmux.wait_for("cancels.\n>");
    tmux.keys(&["-l", "half"]);
    tmux.wait_for("> half");
    tmux.keys(&["C-z"]);
    tmux.wait_for("Stopped");
    tmux.type_line("test \"$before\" = \"$(stty -g)\"; echo the settings differ: $?");
    tmux.wait_for("the settings differ: 0");
    tmux.type_line("fg");
    tmux.wait_for("--plain\nWhat is your name?\nType a line of text, of at most 10000 characters.\n>");
    tmux.keys(&["-l", "Ada"]);
    tmux.keys(&["Enter"]);
    // What was half typed before went with the terminal.
    tmux.wait_for("\nok: What is your name? Ada\nAda\n$");
}

// Q10, S6, T7
#[test]
fn a_decision_that_was_stopped_has_its_quiet_moment_again() {
    let tmux = Tmux::new(ASKBACK, "plain-decision", 80, 40);
    tmux.type_line("clear; askback approve 'Dep''loy?' --plain");
    tmux.wait_for("cancels.\n>");
    tmux.keys(&["C-z"]);
    tmux.wait_for("Stopped");
    // What is typed right behind `fg` is for the shell, or for nobody.
    tmux.keys(&["-l", "fg"]);
    tmux.keys(&["Enter", "a", "Enter"]);
    tmux.wait_for("then Enter.\n>");
    assert_eq!(tmux.text().matches("Deploy?").count(), 2, "{}", tmux.text());
    tmux.type_line("r");
    tmux.wait_for("\nno: Deploy? Reject\nreject\n$");
}

// Q10, S6
#[test]
fn a_prompt_in_the_background_waits_until_it_is_in_front() {
    let tmux = Tmux::new(ASKBACK, "plain-background", 80, 40);
    tmux.type_line("clear; askback text 'What is your na''me?' --plain");
    tmux.wait_for("cancels.\n>");
    tmux.keys(&["C-z"]);
    tmux.wait_for("Stopped");
    tmux.type_line("clear; bg; sleep 0.5; read -r line; echo \"it is <$line>\"");
    // Until then the shell's editor may still read the keys, in which Enter ends no line for `read`.
    tmux.wait_for("--plain &");
    tmux.type_line("Ada");
    tmux.wait_for("it is <Ada>");
    assert!(!tmux.text().contains("your name?"), "it wrote from the background:\n{}", tmux.text());
    tmux.type_line("fg");
    tmux.wait_for("What is your name?\nType a line of text, of at most 10000 characters.\n>");
    tmux.type_line("Kim");
    tmux.wait_for("\nok: What is your name? Kim\nKim\n$");
}

// Q10, S6, L4
#[test]
fn a_prompt_in_the_background_still_expires() {
    let tmux = Tmux::new(ASKBACK, "plain-expiry", 80, 40);
    tmux.type_line("clear; askback text 'What is your na''me?' --plain --timeout 2s");
    tmux.wait_for("cancels.\n>");
    tmux.keys(&["C-z"]);
    tmux.wait_for("Stopped");
    tmux.type_line("clear; bg; wait %1; echo status $?");
    tmux.wait_for("status 124");
    assert!(!tmux.text().contains("your name?"), "it wrote from the background:\n{}", tmux.text());
}

// Q10, S6, T7
#[test]
fn a_decision_that_was_stopped_in_its_quiet_moment_expires_in_the_background() {
    let tmux = Tmux::new(ASKBACK, "plain-quiet", 80, 40);
    tmux.type_line("clear; askback approve 'Dep''loy?' --plain --timeout 3s");
    tmux.wait_for("Deploy?");
    tmux.keys(&["C-z"]);
    tmux.wait_for("Stopped");
    tmux.type_line("clear; bg; wait %1; echo status $?");
    tmux.wait_for("status 124");
    assert!(!tmux.text().contains("\n> "), "it wrote from the background:\n{}", tmux.text());
}
