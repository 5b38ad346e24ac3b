//! Programs as agents: good ones, and those that misbehave.

use super::{CONTROL_C, DOWN, Folder, READY, decide, example, say};

// T1, T2, T4
#[test]
fn an_agent_of_twenty_lines_asks_for_an_approval_a_choice_a_text_and_a_form() {
    let source = std::fs::read_to_string(example("agent.py")).unwrap();
    let code = source.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("\"\"\"")).count();
    assert!(code <= 20, "{code} lines");
    let folder = Folder::new();
    let mut screen = folder.chat(&["--agent", &format!("process:python3 '{}'", example("agent.py"))]);
    say(&mut screen, "hello");
    screen.wait_for("[a] Yes (approve)\n[r] No (reject)");
    decide(&mut screen, "a");
    screen.wait_for("▸ 1) small");
    screen.keys(DOWN);
    screen.keys("\r");
    screen.wait_for("What is it called?");
    screen.keys("Rocket\r");
    screen.wait_for("Ship on?");
    screen.keys("2026-12-24\r");
    screen.wait_for("Tell the team?");
    decide(&mut screen, "y");
    screen.wait_for("> Submit");
    screen.settle(super::CALM);
    screen.keys("\r");
    screen.wait_for("The plan: Rocket, large, shipped on 2026-12-24. Team told: yes.");
    say(&mut screen, "again");
    screen.wait_for("You said: again");
    screen.wait_for("[a] Yes (approve)\n[r] No (reject)");
    decide(&mut screen, "r");
    screen.wait_for("Rejected. Agent response cancelled.");
    say(&mut screen, "third");
    screen.wait_for("You said: third");
}

// T1, T4
#[test]
fn an_agent_in_shell_asks_too() {
    let folder = Folder::new();
    let mut screen = folder.chat(&["--agent", &format!("process:sh '{}'", example("agent.sh"))]);
    say(&mut screen, "hello");
    screen.wait_for("[a] Empty it (approve)\n[r] Keep it (reject)");
    decide(&mut screen, "1");
    screen.wait_for("Done: it is empty.");
    screen.wait_for(READY);
}

// S4
#[test]
fn process_agent_inherits_its_provider_key_and_no_token() {
    let folder = Folder::new();
    let agent = "read -r l; echo \"<$ANTHROPIC_API_KEY|$ASKBACK_TOKEN>\"; echo '{\"type\":\"done\"}'; sleep 60";
    let variables = [("ANTHROPIC_API_KEY", "a-key"), ("ASKBACK_TOKEN", "a-token")];
    let mut screen = folder.chat_with(&variables, &["--agent", &format!("process:{agent}")]);
    say(&mut screen, "begin");
    screen.wait_for("<a-key|>");
}

// S3, S2
#[test]
fn an_agent_that_prints_garbage_and_dies_leaves_the_session_alive() {
    let folder = Folder::new();
    let agent =
        "read -r l; printf 'hello\\033[2J\\n\\377\\376\\n{\"type\":\"riddle\"}\\n'; echo last words >&2; exit 3";
    let mut screen = folder.chat(&["--agent", &format!("process:{agent}")]);
    say(&mut screen, "begin");
    screen.wait_for("hello<U+001B>[2J");
    screen.wait_for("\"riddle\" is no type");
    screen.wait_for("exit status: 3");
    screen.wait_for("last words");
    say(&mut screen, "/agent scripted:nowhere.toml");
    screen.wait_for("can't be read");
    say(&mut screen, "again");
    screen.wait_until("it was started anew", |screen| screen.history().matches("exit status: 3").count() == 2);
}

// T6, S3
#[test]
fn an_agent_that_floods_or_never_finishes_is_stopped_by_control_c() {
    for agent in ["yes '{\"type\":\"text_delta\",\"text\":\"flood \"}'", "sleep 1000"] {
        let folder = Folder::new();
        let mut screen = folder.chat(&["--agent", &format!("process:{agent}")]);
        say(&mut screen, "begin");
        screen.wait_for(if agent.starts_with("yes") { "flood flood" } else { "ctrl+c cancels" });
        screen.keys(CONTROL_C);
        screen.wait_for("Cancelled.");
        screen.wait_for(READY);
        say(&mut screen, "/quit");
        assert_eq!(screen.exit_status(), 0);
    }
}

// T3
#[test]
fn an_agent_that_dies_while_its_question_is_open_takes_it_with_it() {
    let folder = Folder::new();
    let agent = "read -r l; echo '{\"type\":\"input_request\",\"id\":\"1\",\"prompt\":\"Quick?\",\"choices\":[\"a\",\"b\"]}'; sleep 0.5";
    let mut screen = folder.chat(&["--agent", &format!("process:{agent}")]);
    say(&mut screen, "begin");
    screen.wait_for("Quick?");
    screen.wait_for("The agent took its question back: Quick?");
    screen.wait_for("was not done when it ended");
    screen.wait_for(READY);
    assert!(!screen.text().contains("[a] a"), "{}", screen.text());
}

// S3
#[test]
fn an_agent_that_ends_is_noticed_even_if_something_holds_its_output() {
    let folder = Folder::new();
    let mut screen = folder.chat(&["--agent", "process:read -r l; sleep 60 & echo oops >&2; exit 3"]);
    say(&mut screen, "begin");
    screen.wait_for("exit status: 3");
    screen.wait_for("It last wrote:");
    screen.wait_for(READY);
}

// T6
#[test]
fn an_agent_that_ends_its_cancelled_turn_twice_does_not_end_the_next() {
    let folder = Folder::new();
    let path = folder.file(
        "agent.sh",
        "while read -r line; do case \"$line\" in *user*) echo '{\"type\":\"input_request\",\"id\":\"1\",\"prompt\":\"Go?\",\"choices\":[\"a\",\"b\"]}';; \
         *) echo '{\"type\":\"done\"}';; esac; done",
    );
    let mut screen = folder.chat(&["--agent", &format!("process:sh {path}")]);
    for message in ["one", "two", "three"] {
        say(&mut screen, message);
        screen.wait_for("[a] a (approve)\n[r] b (reject)");
        decide(&mut screen, "r");
        let told = "Rejected. Agent response cancelled.";
        let count = ["one", "two", "three"].iter().position(|other| *other == message).unwrap() + 1;
        screen.wait_until("it is rejected", |screen| screen.history().matches(told).count() == count);
    }
}
