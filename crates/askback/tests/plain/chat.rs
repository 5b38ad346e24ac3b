//! Conversations in lines: text as it comes, questions between, and keys that end things.

use super::{ASKBACK, CONTROL_C, CONTROL_D, Folder, Plain, TALL, example, millis};
use askback_testkit::screen::Screen;
use rustix::process::Signal;

/// A conversation, its data in a folder of its own.
fn chat(folder: &Folder, agent: &str) -> Plain {
    let data = folder.0.join("data").to_string_lossy().into_owned();
    let arguments = ["chat", "--plain", "--agent", agent];
    Plain(Screen::run(TALL, &[("ASKBACK_DATA", data.as_str())], ASKBACK, &arguments).unwrap())
}

// Q10, T1, T3, T6
#[test]
fn a_program_asks_in_a_conversation() {
    let folder = Folder::new();
    let mut plain = chat(&folder, &format!("process:python3 '{}'", example("agents/agent.py")));
    plain.line("hello");
    plain.wait_for("Shall I make a plan?\na. Yes (approve)\nr. No (reject)\n");
    plain.line("a");
    plain.wait_for("How large?\n1. small\n2. large\nr. Reject\nType a number from 1 to 2, or r to reject.\n");
    plain.line("3");
    plain.line("2");
    plain.wait_for("What is it called?\nType a line of text; r or /reject alone rejects.\n");
    plain.line("Rocket");
    plain.line("2026-12-24");
    plain.wait_for("Question 2 of 2. Tell the team?");
    plain.line("y");
    plain.wait_for("Your answers:");
    plain.line("");
    plain.wait_for("\nThe plan: Rocket, large, shipped on 2026-12-24. Team told: yes.\n");
    plain.line("again");
    plain.wait_for("You said: again");
    plain.line("r");
    plain.wait_for("Rejected. Agent response cancelled.");
    plain.typed(CONTROL_D);
    plain.ends_with(0);
    let text = plain.text();
    for line in
        ["> hello\n\nYou said: hello\n\nShall I", "> 2\nok: How large? large\n\nWhat is", "ok: Tell the team? Yes\n"]
    {
        assert!(text.contains(line), "{line:?}: {text}");
    }
    assert!(text.contains("To go on with it:"), "{text}");
}

// Q10, T3
#[test]
fn a_script_asks_in_a_conversation_and_nothing_is_written_twice() {
    let folder = Folder::new();
    let mut plain = chat(&folder, &format!("scripted:{}", example("agents/greeter.toml")));
    plain.line("good morning");
    plain.wait_for("What is your name?");
    plain.line("Kim");
    plain.wait_for("Drink: Tea or coffee?");
    plain.line("2");
    plain.wait_for("One Coffee for Kim.");
    plain.line("bye");
    plain.wait_for("Goodbye, Kim.");
    plain.line("/audit");
    plain.wait_for("Drink: Tea or coffee? Coffee");
    plain.typed(CONTROL_C);
    plain.wait_for("Press Ctrl+C again to quit.\n>");
    plain.typed(CONTROL_C);
    plain.ends_with(0);
    let raw = String::from_utf8_lossy(plain.raw()).into_owned();
    for said in ["Hello! You said: good morning", "Nice to meet you, Kim.", "One Coffee for Kim.", "Goodbye, Kim."] {
        assert_eq!(raw.matches(said).count(), 1, "{said}: {raw}");
    }
    assert!(!raw.replace("\r\n", "").contains('\r'), "no row was begun again: {raw:?}");
}

/// Says a line in two pieces, and waits until somebody has seen the first.
const SLOW: &str = r#"while read -r line; do
    printf '{"type":"text_delta","text":"The first half"}\n'; while [ ! -e seen ]; do sleep 0.02; done
    printf '{"type":"text_delta","text":" and the second."}\n{"type":"done"}\n'
done"#;

// Q10, T3
#[test]
fn text_is_on_the_screen_as_it_comes() {
    let folder = Folder::new();
    let seen = folder.0.join("seen");
    let path = folder.file("agent.sh", &SLOW.replace("seen", &seen.to_string_lossy()));
    let mut plain = chat(&folder, &format!("process:sh '{path}'"));
    plain.line("begin");
    plain.wait_for("\nThe first half");
    assert!(!plain.text().contains("second"), "{}", plain.text());
    // Nobody is asked, so that nothing is echoed and nothing is kept.
    plain.keys("yes\rand half a line");
    plain.settle(millis(100));
    assert!(plain.text().ends_with("\nThe first half"), "{}", plain.text());
    std::fs::write(seen, "").unwrap();
    plain.wait_for("\nThe first half and the second.\n\n>");
    plain.invited();
    plain.line("/audit");
    plain.wait_for("Nothing was asked");
    assert!(!plain.text().contains("yes") && !plain.text().contains("half a line"), "{}", plain.text());
}

// Q10, T6
#[test]
fn control_c_stops_what_streams_and_the_conversation_goes_on() {
    let folder = Folder::new();
    let agent =
        r#"read -r line; while sleep 0.02; do printf '%s\n' '{"type":"text_delta","text":"more and more\n"}'; done"#;
    let mut plain = chat(&folder, &format!("process:{agent}"));
    for message in ["begin", "once more"] {
        plain.line(message);
        plain.wait_until("text streams in", |screen| {
            screen.text().ends_with("more and more\nmore and more\nmore and more")
        });
        plain.keys(CONTROL_C);
        plain.invited();
        assert!(plain.text().ends_with("\n\nCancelled.\n\n>"), "{}", plain.text());
    }
    plain.typed(CONTROL_D);
    plain.ends_with(0);
}

// Q10, T6
#[test]
fn control_c_and_control_d_in_a_question_cancel_it_alone() {
    for key in [CONTROL_C, CONTROL_D] {
        let folder = Folder::new();
        let mut plain = chat(&folder, &format!("process:sh '{}'", example("agents/agent.sh")));
        plain.line("hello");
        plain.wait_for("Empty the cache?\na. Empty it (approve)\nr. Keep it (reject)\n");
        plain.typed(key);
        plain.wait_for("no: Empty the cache? cancelled\n\nRejected. Agent response cancelled.\n\n>");
        plain.line("hello again");
        plain.wait_until("it asks again", |screen| screen.text().matches("a. Empty it").count() == 2);
        plain.line("a");
        plain.wait_for("Done: it is empty.");
        plain.typed(CONTROL_D);
        plain.ends_with(0);
    }
}

// Q10, S2
#[test]
fn what_an_agent_streams_can_not_act_on_the_terminal() {
    let folder = Folder::new();
    let agent = r#"read -r line; for piece in '\u001b' '[2J' '\u202eevil\u009b1A' 'one\rtwo\u0007'; do echo '{"type":"text_delta","text":"'"$piece"'"}'; done; echo '{"type":"done"}'"#;
    let path = folder.file("agent.sh", agent);
    let mut plain = chat(&folder, &format!("process:bash '{path}'"));
    plain.line("begin");
    plain.wait_for("\n<U+001B>[2J<U+202E>evil<U+009B>1Aone<U+000D>two<U+0007>\n");
    plain.invited();
    let raw = String::from_utf8_lossy(plain.raw()).replace("\r\n", "");
    assert!(!raw.contains(char::is_control), "{raw:?}");
}

// Q10, S6
#[test]
fn a_signal_ends_a_conversation_and_leaves_the_terminal_as_it_was() {
    let folder = Folder::new();
    let agent = r#"read -r line; echo '{"type":"text_delta","text":"At work"}'; sleep 1000"#;
    for message in ["begin", ""] {
        let mut plain = chat(&folder, &format!("process:{agent}"));
        plain.invited();
        if !message.is_empty() {
            // Nothing is echoed while the agent is at work, which must not stay so.
            plain.line(message);
            plain.wait_for("At work");
        }
        plain.signal(Signal::TERM);
        plain.ends_with(143);
    }
}
