//! Who counts as there: people who look on, and people who are told. For nobody, a hook waits a little.

use crate::ASKBACK;
use crate::hooked::{asking, command, database, decision, nothing};
use askback_testkit::home::Home;
use askback_testkit::wait::wait_until;

/// A hook that gives up soon where nobody is there.
const IMPATIENT: &[&str] = &["hook", "claude-code", "--nobody", "1s", "--room", "shop"];

/// One that gives up a second later.
const LESS_IMPATIENT: &[&str] = &["hook", "claude-code", "--nobody", "2s", "--room", "shop"];

/// How many look on, and whether somebody is told, as an asker is told.
fn there(home: &Home, room: &str) -> (u64, bool) {
    let (status, me) = home.call("GET", &format!("/me?room={room}"), "asker", "");
    assert_eq!(status, 200, "{me}");
    (me["people"].as_u64().unwrap(), me["told"].as_bool().unwrap())
}

/// Waits until a hook that starts now, at a hub without people, has given up. An [`IMPATIENT`] one that was started before
/// would have given up, too.
fn outwait_nobody() {
    let home = Home::with_hub(ASKBACK);
    let (hook, _) = asking(&home, LESS_IMPATIENT, &command("ls"));
    nothing(&hook.wait_with_output().unwrap());
}

// L4, L9
#[test]
fn for_nobody_it_waits_a_little_and_takes_the_question_away() {
    let home = Home::with_hub(ASKBACK);
    for event in [database(), command("ls")] {
        // Another agent that looks on is nobody.
        let _agent = home.follow("asker", "");
        let (hook, id) = asking(&home, IMPATIENT, &event);
        let said = nothing(&hook.wait_with_output().unwrap());
        assert!(said.contains("nobody is there"), "{said}");
        let outcome = home.outcome(&id);
        assert_eq!(
            (&outcome["status"], &outcome["reason"]),
            (&"cancelled".into(), &"asked in Claude Code instead".into())
        );
    }
}

// L9
#[test]
fn somebody_who_looks_on_is_waited_for() {
    let home = Home::with_hub(ASKBACK);
    assert_eq!(there(&home, "shop"), (0, false));
    let elsewhere = home.follow("person", "?room=other");
    wait_until("they count there", || there(&home, "other") == (1, false));
    assert_eq!(there(&home, "shop"), (0, false), "and not here");
    let inbox = home.follow("person", "");
    wait_until("they count", || there(&home, "shop") == (1, false));
    let (hook, id) = asking(&home, IMPATIENT, &command("ls"));
    outwait_nobody();
    // A page that is loaded again is away for a moment.
    drop((inbox, elsewhere));
    wait_until("they have left", || there(&home, "shop") == (0, false));
    outwait_nobody();
    assert_eq!(home.answer(&id, "approve").0, 200);
    assert!(decision(hook).contains(r#""behavior":"allow""#));
}

// L9
#[test]
fn somebody_who_is_told_is_waited_for() {
    let told = "[on_request]\ncommand = [\"true\"]\n";
    let webhook = "[[webhook]]\nname = \"phone\"\nurl = \"http://127.0.0.1:1/\"\nroom = \"shop\"\n";
    let asked = [(told, true), (webhook, false)].map(|(config, elsewhere)| {
        let home = Home::new(ASKBACK);
        std::fs::create_dir_all(home.data()).unwrap();
        std::fs::write(home.data().join("config.toml"), config).unwrap();
        home.start_hub();
        assert_eq!(there(&home, "shop"), (0, true));
        assert_eq!(there(&home, "other"), (0, elsewhere));
        let (hook, id) = asking(&home, IMPATIENT, &command("ls"));
        (home, hook, id)
    });
    outwait_nobody();
    for (home, hook, id) in asked {
        assert_eq!(home.answer(&id, "approve").0, 200);
        assert!(decision(hook).contains(r#""behavior":"allow""#));
    }
}
