//! What the server refuses, each beside the same call with the one thing put right.

use crate::ASKBACK;
use askback_testkit::hub_process::{DataDir, HubProcess, question};
use serde_json::json;
use std::process::Command;

// S4
#[test]
fn a_name_that_is_not_its_own_is_refused() {
    let server = HubProcess::start(ASKBACK);
    let call = server.get("/api/v1/me").token(&server.person);
    let port = server.address.port();
    // A page whose name was made to lead here (DNS rebinding) calls under that name.
    for host in [format!("evil.example:{port}"), format!("127.0.0.1.evil.example:{port}"), "127.0.0.1".to_owned()] {
        call.clone().header("Host", &host).send().is_problem(421, "unknown-host");
    }
    call.clone().without("Host").send().is_problem(421, "unknown-host");
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")] {
        call.clone().header("Host", &host).send().is(200);
    }
}

// S4
#[test]
fn a_page_of_another_site_is_refused() {
    let server = HubProcess::start(ASKBACK);
    let call = server.get("/api/v1/me").token(&server.person);
    let other_port = server.address.port().wrapping_add(1).max(1);
    let neighbour = format!("http://127.0.0.1:{other_port}");
    for origin in ["http://evil.example", "null", &neighbour, &server.origin().replace("http", "https")] {
        call.clone().header("Origin", origin).send().is_problem(403, "foreign-origin");
    }
    call.header("Origin", &server.origin()).send().is(200);
}

// S4
#[test]
fn a_token_is_needed() {
    let server = HubProcess::start(ASKBACK);
    for path in ["/api/v1/me", "/api/v1/requests", "/api/v1/events", "/api/v1/audit", "/api/v1/tokens"] {
        let answer = server.get(path).send();
        answer.is_problem(401, "unauthenticated");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    }
    server.get("/api/v1/me").token(&server.person).send().is(200);
    for open in ["/healthz", "/metrics", "/api/v1/openapi.json"] {
        assert_eq!(server.get(open).send().status, 200, "{open}");
    }
}

// S4
#[test]
fn a_token_that_is_not_known_is_refused() {
    let server = HubProcess::start(ASKBACK);
    let mut other = server.person.clone();
    let last = other.pop().unwrap();
    other.push(if last == 'A' { 'B' } else { 'A' });
    for wrong in [other.as_str(), "", "x", &server.person[1..]] {
        server.get("/api/v1/me").token(wrong).send().is_problem(401, "unauthenticated");
    }
    let basic = format!("Basic {}", server.person);
    server.get("/api/v1/me").header("Authorization", &basic).send().is_problem(401, "unauthenticated");
    server.get("/api/v1/me").token(&server.person).send().is(200);
}

// S1
#[test]
fn an_asker_never_answers_nor_declines() {
    let server = HubProcess::start(ASKBACK);
    let [one, other] = ["shop", "shop"].map(|room| server.ask(&server.asker, room));
    server.answer(&server.asker, &one, "Ada").is_problem(403, "forbidden");
    let decline = server.post(&format!("/api/v1/requests/{other}/decline"), &json!({}));
    decline.clone().token(&server.asker).send().is_problem(403, "forbidden");
    for id in [&one, &other] {
        let state = server.get(&format!("/api/v1/requests/{id}")).token(&server.asker).send().is(200);
        assert_eq!(state["status"], "pending");
    }
    assert_eq!(server.answer(&server.person, &one, "Ada").is(200)["status"], "answered");
    assert_eq!(decline.token(&server.person).send().is(200)["status"], "declined");
}

// S1, L6
#[test]
fn an_asker_reads_no_audit_log() {
    let server = HubProcess::start(ASKBACK);
    server.ask(&server.asker, "shop");
    let audit = server.get("/api/v1/audit");
    audit.clone().token(&server.asker).send().is_problem(403, "forbidden");
    let page = audit.token(&server.person).send().is(200);
    assert_eq!(page["items"][0]["event"], "request.created");
}

// S1
#[test]
fn tokens_are_an_admins_alone() {
    let server = HubProcess::start(ASKBACK);
    let answerer = server.issue(&json!({"role": "answerer", "name": "grace"}));
    let calls = [
        (server.get("/api/v1/tokens"), 200),
        (server.post("/api/v1/tokens", &json!({"role": "asker", "name": "ci"})), 201),
        (server.call("DELETE", &format!("/api/v1/tokens/{}", answerer.number)), 204),
    ];
    for (call, _) in &calls {
        for secret in [&server.asker, &answerer.secret] {
            call.clone().token(secret).send().is_problem(403, "forbidden");
        }
    }
    for (call, status) in calls {
        call.token(&server.person).send().is(status);
    }
}

// F15
#[test]
fn token_that_has_expired_is_not_issued() {
    let server = HubProcess::start(ASKBACK);
    let issue = |expires_at: &str| {
        let body = json!({"role": "asker", "name": "ci", "expiresAt": expires_at});
        server.post("/api/v1/tokens", &body).token(&server.person).send()
    };
    for past in ["0574-05-08T03:39:36.5Z", "2020-01-01T00:00:00Z"] {
        let problem = issue(past).is_problem(400, "invalid-parameter");
        let error = &problem["errors"][0];
        assert_eq!((&error["message"], &error["rule"]), (&json!("this time has passed"), &json!("range")), "{error}");
        assert!(error["expected"].as_str().unwrap().starts_with("a time after 20"), "{error}");
    }
    issue("9999-01-01T00:00:00Z").is(201);
}

// S1
#[test]
fn a_person_never_asks() {
    let server = HubProcess::start(ASKBACK);
    let ask = server.post("/api/v1/requests", &question("shop"));
    ask.clone().token(&server.person).send().is_problem(403, "forbidden");
    ask.token(&server.asker).send().is(201);
}

// S1
#[test]
fn only_people_log_in() {
    let server = HubProcess::start(ASKBACK);
    let link = server.call("POST", "/api/v1/login-links");
    link.clone().token(&server.asker).send().is_problem(403, "forbidden");
    link.token(&server.person).send().is(201);
}

// S3
#[test]
fn a_body_that_is_too_large_is_refused() {
    const MOST: usize = 8 << 20;
    let server = HubProcess::start(ASKBACK);
    let ask = server.call("POST", "/api/v1/requests").token(&server.asker);
    // Whoever says so beforehand need not send it, and whoever does not is found out.
    let announced = ask.clone().header("Content-Length", &(MOST + 1).to_string());
    announced.send().is_problem(413, "too-large");
    let chunk = format!("{:x}\r\n{}\r\n", MOST + 1, " ".repeat(MOST + 1));
    ask.clone().header("Transfer-Encoding", "chunked").body(chunk).send().is_problem(413, "too-large");
    let mut largest = question("shop").to_string();
    largest.push_str(&" ".repeat(MOST - largest.len()));
    ask.body(largest).send().is(201);
}

// S3
#[test]
fn failures_are_slowed_down_and_a_good_token_passes_all_the_same() {
    let server = HubProcess::start(ASKBACK);
    let wrong = server.get("/api/v1/me").token("wrong");
    let slowed = (0..5_000).map(|_| wrong.send()).find(|answer| answer.status != 401).unwrap();
    slowed.is_problem(429, "too-many");
    assert_eq!(slowed.header("retry-after"), Some("1"));
    server.get("/api/v1/me").token(&server.person).send().is(200);
}

// S4
#[test]
fn a_server_listens_beyond_this_machine_only_when_told_so() {
    let data = DataDir::new(ASKBACK);
    let output = data.command(&["--listen", "0.0.0.0:0"]).output().unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("--beyond-loopback"), "{said}");
    let server = data.serve_with(&["--listen", "0.0.0.0:0", "--beyond-loopback"]);
    server.get("/healthz").send().is(200);
}

// L2
#[test]
fn a_folder_has_one_server() {
    let data = DataDir::new(ASKBACK);
    let server = data.serve();
    let output = data.loopback_command().output().unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("a hub is running"), "{said}");
    server.get("/healthz").send().is(200);
    let other = HubProcess::start(ASKBACK);
    other.get("/healthz").send().is(200);
}

// F15
#[test]
fn what_a_path_does_not_do_is_refused_with_what_it_does() {
    let server = HubProcess::start(ASKBACK);
    let answer = server.call("PUT", "/api/v1/requests").token(&server.asker).send();
    answer.is_problem(405, "method-not-allowed");
    let mut allowed: Vec<&str> = answer.header("allow").unwrap().split(',').collect();
    allowed.sort_unstable();
    assert_eq!(allowed, ["GET", "HEAD", "POST"]);
    server.get("/api/v1/requests").token(&server.asker).send().is(200);
    server.call("HEAD", "/api/v1/requests").token(&server.asker).send().is(200);
    server.get("/api/v1/nothing").token(&server.asker).send().is_problem(404, "not-found");
}

// F15
#[test]
fn parameters_and_bodies_are_what_they_should_be() {
    let server = HubProcess::start(ASKBACK);
    let list = |query: &str| server.get(&format!("/api/v1/requests?{query}")).token(&server.asker).send();
    for query in ["colour=red", "limit=1&limit=2", "limit=0", "limit=99999999999999999999", "limit=+1", "cursor=%00"] {
        list(query).is_problem(400, "invalid-parameter");
    }
    let blank = list("room=%20").is_problem(400, "invalid-parameter");
    assert_eq!((&blank["errors"][0]["path"], &blank["errors"][0]["rule"]), (&json!("room"), &json!("blank")));
    list("limit=1").is(200);
    let ask = server.call("POST", "/api/v1/requests").token(&server.asker);
    for body in [&b"\xff\xfe"[..], b"{", b"[]", b"\0"] {
        ask.clone().body(body).send().is_problem(422, "invalid-request");
    }
    ask.send().is_problem(422, "invalid-request");
    let unknown = server.get("/api/v1/requests/%ff").token(&server.asker).send();
    unknown.is_problem(404, "not-found");
}

// S4
#[test]
fn the_description_needs_no_server() {
    let server = HubProcess::start(ASKBACK);
    let printed = Command::new(ASKBACK).args(["serve", "--openapi"]).output().unwrap();
    let served = server.get("/api/v1/openapi.json").send();
    assert_eq!(String::from_utf8(printed.stdout).unwrap().trim_end(), served.body);
}
