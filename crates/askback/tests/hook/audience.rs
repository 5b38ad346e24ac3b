//! Who counts as there: people who look on, and people who are told. For nobody, a hook waits a little.

use crate::home::{Home, wait_until};
use crate::hooked::{asking, command, database, decision, nothing};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

/// A hook that gives up soon where nobody is there.
const IMPATIENT: &[&str] = &["hook", "claude-code", "--nobody", "1s", "--room", "shop"];

/// Longer than that, by far.
const LONGER: Duration = Duration::from_secs(4);

/// Follows the events as somebody, for as long as it is held.
fn follow(home: &Home, whose: &str, query: &str) -> TcpStream {
    let address = home.address();
    let mut stream = TcpStream::connect(&address).unwrap();
    let secret = home.secret(whose);
    write!(stream, "GET /api/v1/events{query} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {secret}\r\n\r\n")
        .unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    stream
}

/// How many look on, and whether somebody is told, as an asker is told.
fn there(home: &Home, room: &str) -> (u64, bool) {
    let (status, me) = home.call("GET", &format!("/me?room={room}"), "asker", "");
    assert_eq!(status, 200, "{me}");
    (me["people"].as_u64().unwrap(), me["told"].as_bool().unwrap())
}

// L4, L9
#[test]
fn for_nobody_it_waits_a_little_and_takes_the_question_away() {
    let home = Home::with_hub();
    for event in [database(), command("ls")] {
        // Another agent that looks on is nobody.
        let _agent = follow(&home, "asker", "");
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
    let home = Home::with_hub();
    assert_eq!(there(&home, "shop"), (0, false));
    let elsewhere = follow(&home, "person", "?room=other");
    wait_until("they count there", || there(&home, "other") == (1, false));
    assert_eq!(there(&home, "shop"), (0, false), "and not here");
    let inbox = follow(&home, "person", "");
    wait_until("they count", || there(&home, "shop") == (1, false));
    let (hook, id) = asking(&home, IMPATIENT, &command("ls"));
    sleep(LONGER);
    // A page that is loaded again is away for a moment.
    drop((inbox, elsewhere));
    wait_until("they have left", || there(&home, "shop") == (0, false));
    sleep(LONGER);
    home.answer(&id, "approve");
    assert!(decision(hook).contains(r#""behavior":"allow""#));
}

// L9
#[test]
fn somebody_who_is_told_is_waited_for() {
    let told = "[on_request]\ncommand = [\"true\"]\n";
    let webhook = "[[webhook]]\nname = \"phone\"\nurl = \"http://127.0.0.1:1/\"\nroom = \"shop\"\n";
    for (config, elsewhere) in [(told, true), (webhook, false)] {
        let home = Home::new();
        std::fs::create_dir_all(home.data()).unwrap();
        std::fs::write(home.data().join("config.toml"), config).unwrap();
        assert!(home.run(&["hub", "start"]).status.success());
        assert_eq!(there(&home, "shop"), (0, true));
        assert_eq!(there(&home, "other"), (0, elsewhere));
        let (hook, id) = asking(&home, IMPATIENT, &command("ls"));
        sleep(LONGER);
        home.answer(&id, "approve");
        assert!(decision(hook).contains(r#""behavior":"allow""#));
    }
}
