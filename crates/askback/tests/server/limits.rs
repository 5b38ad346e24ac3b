//! Resources that all callers share: what one token takes keeps nobody else from theirs, and people come before askers.

use crate::ASKBACK;
use crate::conditions::command_with_few_files;
use askback_testkit::http::{Call, Connection};
use askback_testkit::hub_process::{DataDir, HubProcess, question};
use askback_testkit::sse::EventStream;
use askback_testkit::wait::wait_until;
use serde_json::json;
use std::process::Stdio;
use std::time::{Duration, Instant};

const MIB: usize = 1 << 20;

/// Allows the tests as many open files as the system does: a thousand connections are more than it allows at first.
pub(crate) fn allow_open_files() {
    askback_server::allowed_files();
}

/// A call whose body stops arriving when all but its last sixteenth has.
fn half_sent(call: &Call, bytes: usize) -> Connection {
    call.clone().header("Content-Length", &bytes.to_string()).body(" ".repeat(bytes - bytes / 16)).open()
}

/// Asks, and answers with a text that is more than the bytes which need no share.
fn ask_and_answer(server: &HubProcess, asker: &str) {
    let id = server.ask(asker, "shop");
    server.answer(&server.person, &id, &"x".repeat(9_000)).is(200);
}

// S3, S8
#[cfg(target_os = "linux")]
#[test]
fn half_sent_bodies_of_one_asker_take_a_bounded_amount_of_memory_and_give_it_back() {
    allow_open_files();
    let server = HubProcess::start(ASKBACK);
    let other = server.issue(&json!({"role": "asker", "name": "other", "room": "shop"})).secret;
    for (path, bytes, count) in [("/api/v1/requests", 8 * MIB, 300), ("/mcp", 16 * MIB, 100)] {
        let call = server.call("POST", path).token(&server.asker).header("Content-Type", "application/json");
        ask_and_answer(&server, &other);
        // Connections take memory, too, which the allocator keeps for the next ones.
        drop((0..count).map(|_| half_sent(&call, 60_000)).collect::<Vec<_>>());
        server.wait_for_metric("connections", 1);
        let before = server.resident_bytes().0;
        let mut connections: Vec<Connection> = (0..count).map(|_| half_sent(&call, bytes)).collect();
        let refused = connections.pop().unwrap().reply().unwrap();
        let detail = refused.is_problem(429, "too-many")["detail"].clone();
        assert!(detail.as_str().unwrap().contains("64 MiB"), "{detail}");
        assert_eq!(refused.header("retry-after"), Some("1"));
        ask_and_answer(&server, &other);
        let highest = server.resident_bytes().1;
        assert!(highest < 400 * MIB, "{path}: {} MiB at its highest", highest / MIB);
        drop(connections);
        let dropped_at = Instant::now();
        wait_until(&format!("{path}: the memory is near {} MiB again", before / MIB), || {
            server.resident_bytes().0 * 5 < before * 6
        });
        assert!(dropped_at.elapsed() < Duration::from_secs(10), "{path}: {:?}", dropped_at.elapsed());
    }
}

// S3, S8
#[cfg(target_os = "linux")]
#[test]
fn unread_responses_of_one_asker_take_a_bounded_amount_of_memory_and_other_callers_are_served() {
    allow_open_files();
    let server = HubProcess::start(ASKBACK);
    let other = server.issue(&json!({"role": "asker", "name": "other", "room": "shop"})).secret;
    let text = "x".repeat(900_000);
    let contexts: Vec<_> = (0..8).map(|_| json!({"type": "code", "text": &text})).collect();
    let large = json!({"type": "text", "message": "Name?", "room": "shop", "context": contexts});
    let asked = server.post("/api/v1/requests", &large).token(&server.asker).send().is(201);
    let path = format!("/api/v1/requests/{}/request", asked["id"].as_str().unwrap());
    let read = || server.get(&path).token(&server.asker);
    let unread: Vec<Connection> = (0..60).map(|_| read().open()).collect();
    wait_until("a response is refused", || read().send().status == 429);
    let refused = read().send().is_problem(429, "too-many");
    assert!(refused["detail"].as_str().unwrap().contains("64 MiB"), "{refused}");
    ask_and_answer(&server, &other);
    server.get(&path).token(&server.person).send().is(200);
    let highest = server.resident_bytes().1;
    assert!(highest < 400 * MIB, "{} MiB at its highest", highest / MIB);
    drop(unread);
    wait_until("the share is free again", || read().send().status == 200);
}

// S5, S8
#[test]
fn answer_is_not_lost_while_the_share_of_responses_is_used_up() {
    allow_open_files();
    let server = HubProcess::start(ASKBACK);
    let text = "x".repeat(900_000);
    let contexts: Vec<_> = (0..8).map(|_| json!({"type": "code", "text": &text})).collect();
    let large = json!({"type": "text", "message": "Name?", "room": "shop", "context": contexts});
    let ask = || server.post("/api/v1/requests?attach=true", &large).token(&server.asker).send();
    let id = ask().is(201)["id"].as_str().unwrap().to_owned();
    server.answer(&server.person, &id, "Ada").is(200);
    let path = format!("/api/v1/requests/{id}/request");
    let read = || server.get(&path).token(&server.asker);
    let _unread: Vec<Connection> = (0..20).map(|_| read().open()).collect();
    wait_until("a response is refused", || read().send().status == 429);
    // The outcome counts as delivered from here on: it must arrive, or stay undelivered.
    let found = std::iter::repeat_with(ask).find(|reply| reply.status != 429).unwrap().is(200);
    assert_eq!((&found["id"], &found["outcome"]["response"]), (&json!(id), &json!("Ada")));
}

// S3
#[test]
fn body_of_a_call_without_a_token_has_at_most_4_kib() {
    let server = HubProcess::start(ASKBACK);
    let login = server.call("POST", "/api/v1/sessions").header("Origin", &server.origin());
    let body = |length: usize| format!("{{\"code\": \"{}\", \"redeem\": true}}", "x".repeat(length));
    login.clone().body(body(3_000)).send().is_problem(401, "unauthenticated");
    login.body(body(4_096)).send().is_problem(413, "too-large");
    let form = server.call("POST", "/plain/login").header("Origin", &server.origin());
    assert_eq!(form.body(format!("code={}", "x".repeat(4_096))).send().status, 413);
}

// S3, S8
#[test]
fn login_links_of_one_answerer_leave_login_links_to_others() {
    let server = HubProcess::start(ASKBACK);
    let greedy = server.issue(&json!({"role": "answerer", "name": "grace"})).secret;
    let link = server.call("POST", "/api/v1/login-links");
    for _ in 0..100 {
        link.clone().token(&greedy).send().is(201);
    }
    let refused = link.clone().token(&greedy).send().is_problem(429, "too-many");
    assert!(refused["detail"].as_str().unwrap().contains("100"), "{refused}");
    link.token(&server.person).send().is(201);
}

// S3, S8
#[test]
fn calls_of_an_asker_have_a_rate_and_a_person_is_served_beside_it() {
    let server = HubProcess::start(ASKBACK);
    let list = server.get("/api/v1/requests").token(&server.asker);
    let refused = (0..10_000).map(|_| list.send()).find(|reply| reply.status != 200).unwrap();
    refused.is_problem(429, "too-many");
    assert_eq!(refused.header("retry-after"), Some("1"));
    server.get("/api/v1/requests").token(&server.person).send().is(200);
    let id = server.post("/api/v1/requests", &question("shop")).token(&server.asker).send().is(201)["id"].clone();
    server.answer(&server.person, id.as_str().unwrap(), "Ada").is(200);
}

/// A hub that may have 18 connections over TCP: 9 of one token, 14 of all askers, and 4 that have shown no token.
fn hub_with_few_connections() -> (DataDir, HubProcess) {
    let data = DataDir::new(ASKBACK);
    let hub = data.spawn(command_with_few_files(&data).stderr(Stdio::null()));
    (data, hub)
}

// S3, S8
#[test]
fn connections_of_askers_leave_some_to_a_person_and_past_their_share_are_closed() {
    let (_data, server) = hub_with_few_connections();
    let other = server.issue(&json!({"role": "asker", "name": "other"})).secret;
    let events = |asker: &str| server.get("/api/v1/events?after=0").token(asker);
    let id = server.ask(&server.asker, "shop");
    let mut streams: Vec<EventStream> = (0..9).map(|_| EventStream::open(&events(&server.asker))).collect();
    let refused = events(&server.asker).send().is_problem(429, "too-many");
    assert!(refused["detail"].as_str().unwrap().contains("its share of the connections (9)"), "{refused}");
    streams.extend((0..5).map(|_| EventStream::open(&events(&other))));
    let refused = events(&other).send().is_problem(429, "too-many");
    assert!(refused["detail"].as_str().unwrap().contains("all askers together"), "{refused}");

    // These would stay open after the response, and keep the person out.
    let call = format!("GET /api/v1/me HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {other}\r\n\r\n", server.address);
    for _ in 0..8 {
        let mut connection = Connection::open(server.address).unwrap();
        connection.send(call.as_bytes()).unwrap();
        let refused = connection.reply().unwrap();
        assert_eq!((refused.status, refused.header("connection")), (429, Some("close")));
    }
    server.answer(&server.person, &id, "Ada").is(200);
    drop(streams);
}

// S3, S8
#[test]
fn idle_connections_without_a_token_make_place_for_a_person() {
    let (_data, server) = hub_with_few_connections();
    let idle: Vec<Connection> = (0..12).map(|_| Connection::open(server.address).unwrap()).collect();
    server.get("/api/v1/me").token(&server.person).send().is(200);
    let mut idle = idle.into_iter();
    assert!(idle.next().unwrap().reply().is_none(), "the longest idle one is closed");
}
