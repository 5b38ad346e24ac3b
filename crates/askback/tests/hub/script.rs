//! A gate in a script: asked without a terminal, answered from elsewhere, whatever dies meanwhile.

use crate::ASKBACK;
use askback_testkit::home::{Home, printed, said, signal};
use askback_testkit::http::Call;
use askback_testkit::proxy::FailingGateway;
use askback_testkit::wait::wait_until;
use rustix::process::Signal;
use std::io::{BufRead, BufReader};

// L1, L3
#[test]
fn what_is_asked_without_a_terminal_is_answered_from_another_one() {
    let home = Home::new(ASKBACK);
    let gate = home.start(&["choice", "Which database?", "PostgreSQL", "SQLite", "--room", "shop"]);
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    let short = &id[id.len() - 8..];
    let refused = home.run_as_person(&["answer", short, "MySQL"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(said(&refused).contains("\"MySQL\"") && said(&refused).contains("PostgreSQL"), "{}", said(&refused));
    let answered = home.run_as_person(&["answer", short, "SQLite"]);
    assert_eq!(printed(&answered), format!("answered: Which database? ({id})\n"), "{}", said(&answered));
    let output = gate.wait_with_output().unwrap();
    assert_eq!((output.status.code(), printed(&output).as_str()), (Some(0), "SQLite\n"));
    assert!(said(&output).contains(&format!("waiting for an answer to {id}")), "{}", said(&output));
    let late = home.run_as_person(&["answer", short, "PostgreSQL"]);
    assert_eq!(late.status.code(), Some(1));
    assert!(said(&late).contains("already answered by \"reviewer\" (cli)"), "{}", said(&late));
}

// L5
#[test]
fn every_end_has_its_exit_status() {
    let home = Home::with_hub(ASKBACK);
    let ends: [(&[&str], &[&str], i32, &str); 5] = [
        (&["confirm", "Go?"], &["answer", "ID", "no"], 1, "no\n"),
        (&["approve", "Go?"], &["answer", "ID", "reject"], 1, "reject\n"),
        (&["text", "Go?"], &["decline", "ID", "--reason", "which one?"], 1, ""),
        (&["text", "Go?"], &["cancel", "ID"], 130, ""),
        (&["text", "Go?", "--timeout", "1"], &["show", "ID"], 124, ""),
    ];
    for (ask, end, status, answer) in ends {
        let gate = home.start(ask);
        let [id] = home.wait_for_pending(1).try_into().unwrap();
        let end: Vec<&str> = end.iter().map(|word| if *word == "ID" { id.as_str() } else { word }).collect();
        assert!(home.run_as_person(&end).status.success(), "{end:?}");
        let output = gate.wait_with_output().unwrap();
        assert_eq!((output.status.code(), printed(&output).as_str()), (Some(status), answer), "{}", said(&output));
    }
}

// L2, L3
#[test]
fn a_hub_that_is_killed_between_any_two_steps_loses_nothing() {
    let home = Home::new(ASKBACK);
    let gate = home.start(&["choice", "Which database?", "PostgreSQL", "SQLite"]);
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    home.kill_hub();
    // Whoever waits starts it again.
    let [again] = home.wait_for_pending(1).try_into().unwrap();
    assert_eq!(again, id);
    home.kill_hub();
    let answered = home.run_as_person(&["answer", &id, "SQLite"]);
    assert!(answered.status.success(), "{}", said(&answered));
    home.kill_hub();
    let output = gate.wait_with_output().unwrap();
    assert_eq!((output.status.code(), printed(&output).as_str()), (Some(0), "SQLite\n"), "{}", said(&output));
    home.kill_hub();
    let output = home.run(&["wait", &id]);
    assert_eq!((output.status.code(), printed(&output).as_str()), (Some(0), "SQLite\n"), "{}", said(&output));
}

// L3
#[test]
fn whoever_waits_for_a_hub_that_was_stopped_goes_on_with_the_next() {
    let home = Home::new(ASKBACK);
    let gate = home.start(&["text", "Which region?"]);
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    assert!(home.run(&["hub", "stop"]).status.success());
    assert_eq!(home.run(&["hub", "status"]).status.code(), Some(1), "nobody starts what was stopped");
    assert!(home.run(&["hub", "start"]).status.success());
    assert!(home.run_as_person(&["answer", &id, "Europe"]).status.success());
    assert_eq!(printed(&gate.wait_with_output().unwrap()), "Europe\n");
}

// L3
#[test]
fn a_key_makes_asking_twice_one_request() {
    let home = Home::with_hub(ASKBACK);
    let ask = || home.start(&["text", "Which region?", "--room", "shop", "--key", "region-1"]);
    let (one, other) = (ask(), ask());
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    // Both have arrived before it is answered, or the later one finds it answered: the outcome is the same.
    assert_eq!(home.answer(&id, "Europe").0, 200);
    for gate in [one, other, ask()] {
        assert_eq!(printed(&gate.wait_with_output().unwrap()), "Europe\n");
    }
    assert_eq!(home.call("GET", "/requests", "person", "").1["items"].as_array().unwrap().len(), 1);
    let again = ask().wait_with_output().unwrap();
    assert!(said(&again).contains("asked before with the key region-1, and answered by reviewer"), "{}", said(&again));
    let other = home.run(&["text", "Another question?", "--room", "shop", "--key", "region-1"]);
    assert_eq!(other.status.code(), Some(2), "{}", said(&other));
}

// L4
#[test]
fn time_is_up_also_where_the_hub_is_away() {
    let home = Home::with_hub(ASKBACK);
    let gate = home.start(&["confirm", "Deploy?", "--timeout", "1"]);
    home.wait_for_pending(1);
    assert!(home.run(&["hub", "stop"]).status.success());
    let output = gate.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(124), "{}", said(&output));
    assert!(said(&output).contains("waiting until it is back"), "{}", said(&output));
}

// L8
#[test]
fn a_room_that_is_not_named_is_the_folder_s() {
    let home = Home::with_hub(ASKBACK);
    let mut gate = home.start(&["text", "Which region?"]);
    home.wait_for_pending(1);
    let room = home.pending()[0]["room"].as_str().unwrap().to_owned();
    let folder = home.path().file_name().unwrap().to_str().unwrap();
    assert!(room.starts_with(&format!("{folder}-")), "{room}");
    signal(gate.id(), Signal::INT);
    assert_eq!(gate.wait().unwrap().code(), Some(130));
}

// L1, L9
#[test]
fn an_interrupt_takes_the_question_away_and_another_signal_leaves_it() {
    let home = Home::with_hub(ASKBACK);
    for (kind, status, exit) in
        [(Signal::INT, "cancelled", 130), (Signal::TERM, "pending", 143), (Signal::HUP, "pending", 129)]
    {
        let gate = home.start(&["text", "Which region?"]);
        let [id] = home.wait_for_pending(1).try_into().unwrap();
        // It waits, and so it has heard what the hub said of it.
        wait_until("it waits", || {
            home.call("GET", &format!("/requests/{id}/request"), "person", "").1["lastWaitedAt"].is_null()
        });
        signal(gate.id(), kind);
        let output = gate.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(exit), "{}", said(&output));
        assert_eq!(home.outcome(&id)["status"], status);
        assert!(exit == 130 || said(&output).contains(&format!("askback wait {id}")), "{}", said(&output));
        home.run_as_person(&["cancel", &id]);
    }
}

// L1
#[test]
fn an_interrupt_takes_away_what_this_program_asked_and_nothing_else() {
    let home = Home::with_hub(ASKBACK);
    let ask = || {
        let mut gate = home.start(&["text", "Which region?", "--room", "shop", "--key", "region-1"]);
        // Said once the hub has answered it.
        let mut said = String::new();
        let mut words = BufReader::new(gate.stderr.take().unwrap());
        words.read_line(&mut said).unwrap();
        assert!(said.contains("waiting for an answer"), "{said}");
        (gate, words)
    };
    let ((mut first, _), (mut second, mut words)) = (ask(), ask());
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    signal(second.id(), Signal::INT);
    assert_eq!(second.wait().unwrap().code(), Some(130));
    let mut said = String::new();
    words.read_line(&mut said).unwrap();
    assert!(said.contains(&format!("askback wait {id}")), "{said}");
    assert_eq!(home.outcome(&id)["status"], "pending", "it is the other's");
    signal(first.id(), Signal::INT);
    assert_eq!(first.wait().unwrap().code(), Some(130));
    let outcome = home.outcome(&id);
    assert_eq!(outcome["status"], "cancelled", "and this is its own");
    // S9: nobody sits before it, so that the asker cancels as itself.
    assert_eq!(outcome["answeredBy"], "reviewer's agents");
}

// L9
#[test]
fn what_nobody_waits_for_is_dismissed_in_bulk_and_what_a_live_asker_asked_stays() {
    let home = Home::with_config(ASKBACK, "[server]\nattended_for = \"10s\"\n");
    let token = |name: &str| {
        let made = home.run_as_person(&["token", "create", "--role", "asker", "--name", name]);
        printed(&made).trim().to_owned()
    };
    let (gone, busy) = (token("gone"), token("busy"));
    let ask = |token: &str, room: &str| {
        let body = format!(r#"{{"type": "text", "message": "Which region?", "room": "{room}"}}"#);
        let reply = Call::new(&home.address(), "POST", "/api/v1/requests").token(token).body(body).send();
        reply.json()["id"].as_str().unwrap().to_owned()
    };
    let (one, other, elsewhere) = (ask(&gone, "shop"), ask(&gone, "shop"), ask(&gone, "api"));
    let by_live_asker = ask(&busy, "shop");
    // Asked with the token of this machine's commands: one that waits for another answer does not attend to this.
    let by_ended_command = home.ask(r#"{"type": "text", "message": "Which port?", "room": "shop"}"#);
    let gate = home.start(&["text", "Who waits?", "--room", "shop"]);
    let waited_for = home.wait_for_pending(6).remove(0);
    let record = |id: &str| home.call("GET", &format!("/requests/{id}/request"), "person", "").1;
    wait_until("it waits", || record(&waited_for)["lastWaitedAt"].is_null());
    let dismiss = |seconds: u32| {
        let body = format!(r#"{{"room": "shop", "unwaitedFor": {seconds}, "reason": "nobody was waiting"}}"#);
        home.call("POST", "/requests/dismiss", "person", &body).1["dismissed"].as_u64().unwrap()
    };
    assert_eq!(dismiss(3_600), 0, "they are too young");
    assert_eq!(dismiss(1), 0, "their askers called just now");
    assert_eq!(record(&one)["waiting"], true);
    let dismissed = std::cell::Cell::new(0);
    wait_until("10 seconds have passed", || {
        assert_eq!(Call::new(&home.address(), "GET", "/api/v1/me").token(&busy).send().status, 200);
        dismissed.set(dismissed.get() + dismiss(1));
        dismissed.get() == 3
    });
    for id in [&one, &other, &by_ended_command] {
        let outcome = home.outcome(id);
        assert_eq!((&outcome["status"], &outcome["reason"]), (&"cancelled".into(), &"nobody was waiting".into()));
    }
    for id in [&elsewhere, &by_live_asker, &waited_for] {
        assert_eq!(home.outcome(id)["status"], "pending", "of another room, or of an asker that is there");
    }
    let refused = home.call("POST", "/requests/dismiss", "asker", r#"{"unwaitedFor": 1}"#);
    assert_eq!(refused.0, 403);
    signal(gate.id(), Signal::INT);
    assert_eq!(gate.wait_with_output().unwrap().status.code(), Some(130));
}

// S5
#[test]
fn the_end_of_an_id_that_is_used_again_is_not_enough() {
    let home = Home::with_hub(ASKBACK);
    let ask = |id: &str, message: &str| {
        let body = format!(r#"{{"type": "confirm", "message": "{message}", "room": "shop"}}"#);
        let (status, record) = home.call("POST", &format!("/requests?id={id}"), "asker", &body);
        assert_eq!(status, 201, "{record}");
    };
    ask("01a1e3e8-dfc4-7143-a0bc-0000aaaabbbb", "Format the code?");
    home.run(&["cancel", "01a1e3e8-dfc4-7143-a0bc-0000aaaabbbb"]);
    ask("01a1e3e8-dfc4-7143-a0bc-0001aaaabbbb", "Drop production?");
    let output = home.run_as_person(&["answer", "aaaabbbb", "yes"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("the end of several ids"), "{}", said(&output));
    assert_eq!(home.outcome("01a1e3e8-dfc4-7143-a0bc-0001aaaabbbb")["status"], "pending");
}

// L2, L3
#[test]
fn whoever_waits_through_a_proxy_waits_out_its_trouble() {
    let home = Home::with_hub(ASKBACK);
    let gateway = FailingGateway::before(home.address());
    let mut gate = home.command(&["text", "Which region?", "--room", "shop", "--hub", &gateway.url]);
    let gate = gate.env("ASKBACK_TOKEN", home.secret("asker")).spawn().unwrap();
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    home.answer(&id, "Europe");
    let output = gate.wait_with_output().unwrap();
    assert_eq!(printed(&output), "Europe\n", "{}", said(&output));
}

// S1, S6
#[test]
fn an_agent_without_a_terminal_is_nobody_who_could_answer() {
    let home = Home::with_hub(ASKBACK);
    let id = home.ask(r#"{"type": "approval", "message": "Delete everything?", "room": "shop"}"#);
    for command in
        [&["answer", &id, "approve"][..], &["decline", &id], &["token", "list"], &["open"], &["log"], &["inbox"]]
    {
        let output = home.run(command);
        assert_eq!(output.status.code(), Some(69), "{command:?}");
        assert!(said(&output).contains("nobody here can be taken for a person"), "{command:?}: {}", said(&output));
        // Nor with the token that it asks with.
        let output = home.command(command).env("ASKBACK_TOKEN", home.secret("asker")).output().unwrap();
        assert!(!output.status.success(), "{command:?}");
    }
    assert_eq!(home.outcome(&id)["status"], "pending");
    assert!(home.run_as_person(&["answer", &id, "approve"]).status.success(), "a person can");
}
