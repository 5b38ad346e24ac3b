//! Login links, sessions of browsers, and how both end with the tokens that issued them.

use crate::ASKBACK;
use askback_hub::Timestamp;
use askback_testkit::http::Reply;
use askback_testkit::hub_process::{DataDir, HubProcess, IssuedToken};
use askback_testkit::sse::EventStream;
use askback_testkit::wait::wait_until;
use serde_json::json;
use std::time::Duration;

/// The code of a new login link.
fn code(server: &HubProcess, token: &str) -> String {
    code_in(server.call("POST", "/api/v1/login-links").token(token).send().is(201)["url"].as_str().unwrap())
}

/// The code in the fragment of a link, which no browser sends to a server.
fn code_in(url: &str) -> String {
    let (_, fragment) = url.split_once("/login#code=").unwrap();
    fragment.split('&').next().unwrap().to_owned()
}

/// The page's call to log in, or to look up whose login it is.
fn redeem(server: &HubProcess, code: &str, redeem: bool) -> Reply {
    let call = server.post("/api/v1/sessions", &json!({"code": code, "redeem": redeem}));
    call.header("Origin", &server.origin()).send()
}

/// The secret of a browser that has just logged in.
pub(crate) fn session(server: &HubProcess, token: &str) -> String {
    redeem(server, &code(server, token), true).is(201)["secret"].as_str().unwrap().to_owned()
}

/// The path and the cookie of a session of the page without scripts.
pub(crate) fn plain_session(server: &HubProcess, token: &str) -> (String, String) {
    let link = server.post("/api/v1/login-links", &json!({"plain": true})).token(token).send().is(201);
    let (_, code) = link["url"].as_str().unwrap().split_once("?code=").unwrap();
    let form = server.call("POST", "/plain/login").body(format!("code={code}"));
    let answer = form.header("Origin", &server.origin()).send();
    assert_eq!(answer.status, 303, "{answer:?}");
    let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap();
    (answer.header("location").unwrap().to_owned(), cookie.to_owned())
}

fn me(server: &HubProcess, session: &str) -> Reply {
    server.get("/api/v1/me").session(session).send()
}

// S4, S7
#[test]
fn login_link_works_once_and_only_when_redeemed() {
    let server = HubProcess::start(ASKBACK);
    let code = code(&server, &server.person);
    let name = server.get("/api/v1/me").token(&server.person).send().is(200)["name"].clone();
    for _ in 0..3 {
        let login = redeem(&server, &code, false).is(200);
        assert_eq!((&login["name"], &login["secret"]), (&name, &json!(null)), "looking uses nothing up");
    }
    let session = redeem(&server, &code, true).is(201);
    assert_eq!((&session["name"], &session["room"]), (&name, &json!(null)));
    for redeems in [true, false] {
        redeem(&server, &code, redeems).is_problem(401, "unauthenticated");
    }
    let me = me(&server, session["secret"].as_str().unwrap()).is(200);
    assert_eq!((&me["purpose"], &me["expiresAt"]), (&json!("session"), &session["expiresAt"]));
}

// S7, F15
#[test]
fn only_the_own_page_logs_in() {
    let server = HubProcess::start(ASKBACK);
    let code = code(&server, &server.person);
    let call = server.post("/api/v1/sessions", &json!({"code": code, "redeem": true}));
    call.send().is_problem(403, "foreign-origin");
    let localhost = server.origin().replace("127.0.0.1", "localhost");
    for origin in ["null", "http://evil.example", "http://127.0.0.1:1", &localhost] {
        call.clone().header("Origin", origin).send().is_problem(403, "foreign-origin");
    }
    for body in [json!({}), json!({"code": code}), json!({"code": code, "redeem": 1}), json!({"code": code, "to": "/"})]
    {
        let call = server.post("/api/v1/sessions", &body).header("Origin", &server.origin());
        call.send().is_problem(400, "invalid-parameter");
    }
    redeem(&server, "nonsense", true).is_problem(401, "unauthenticated");
    redeem(&server, &code, true).is(201);
}

// S7
#[test]
fn login_link_leads_to_one_origin_and_carries_its_code_in_the_fragment() {
    let server = HubProcess::start(ASKBACK);
    let id = server.ask(&server.asker, "shop");
    for (body, fragment) in [
        (json!({}), ""),
        (json!({"path": null}), ""),
        (json!({"path": "/history"}), "&to=/history"),
        (json!({"path": format!("/r/{id}")}), &format!("&to=/r/{id}")),
    ] {
        let link = server.post("/api/v1/login-links", &body).token(&server.person).send().is(201);
        let url = link["url"].as_str().unwrap();
        let expected = format!("{}/login#code={}{fragment}", server.origin(), code_in(url));
        assert_eq!(url, expected);
    }
    // Storage is per origin, so that a login under another name would be lost.
    let port = server.address.port();
    for (host, location) in
        [(format!("localhost:{port}"), true), (format!("[::1]:{port}"), true), (server.address.to_string(), false)]
    {
        for path in ["/", "/login", "/r/x?y=z", "/plain", "/plain/login?code=x"] {
            let page = server.get(path).header("Host", &host).send();
            let expected = location.then(|| format!("{}{path}", server.origin()));
            assert_eq!(page.header("location"), expected.as_deref(), "{host} {path}");
            assert_eq!(page.status == 307, location, "{page:?}");
        }
        // Programs call whichever name they like.
        server.get("/api/v1/me").token(&server.person).header("Host", &host).send().is(200);
    }
}

// S4, F15
#[test]
fn login_link_leads_nowhere_else() {
    let server = HubProcess::start(ASKBACK);
    let long = format!("/{}", "x".repeat(200));
    for path in [
        "",
        "r/1",
        "//evil.example",
        "/\\evil.example",
        "/a//b",
        "https://evil.example/",
        "/\t/evil.example",
        "/é",
        &long,
    ] {
        let link = server.post("/api/v1/login-links", &json!({"path": path})).token(&server.person).send();
        let problem = link.is_problem(400, "invalid-parameter");
        let error = &problem["errors"][0];
        assert_eq!(error["path"], "path", "{problem}");
        assert!(error["expected"].as_str().unwrap().contains("such as / or /r/ID"), "{problem}");
    }
    let unknown = server.post("/api/v1/login-links", &json!({"to": "/"})).token(&server.person).send();
    assert_eq!(unknown.is_problem(400, "invalid-parameter")["errors"][0]["path"], "to");
}

// S1, S7
#[test]
fn browser_session_answers_and_creates_no_tokens() {
    let server = HubProcess::start(ASKBACK);
    let session = session(&server, &server.person);
    assert_eq!(me(&server, &session).is(200)["role"], "answerer", "whatever role made the link");
    let give = server.post("/api/v1/tokens", &json!({"role": "admin", "name": "thief"}));
    give.clone().session(&session).send().is_problem(403, "forbidden");
    give.token(&server.person).send().is(201);
}

// S1
#[test]
fn two_askers_without_a_room_have_two_names() {
    let server = HubProcess::start(ASKBACK);
    let give = |token: serde_json::Value| server.post("/api/v1/tokens", &token).token(&server.person).send();
    give(json!({"role": "asker", "name": "agent"})).is(201);
    give(json!({"role": "asker", "name": "agent"})).is_problem(409, "name-taken");
    give(json!({"role": "asker", "name": "agent", "room": "shop"})).is_problem(409, "name-taken");
    give(json!({"role": "asker", "name": "other", "room": "shop"})).is(201);
    give(json!({"role": "asker", "name": "other", "room": "api"})).is(201);
    give(json!({"role": "answerer", "name": "agent"})).is(201);
}

// S4
#[test]
fn code_of_a_link_is_no_token() {
    let server = HubProcess::start(ASKBACK);
    let code = code(&server, &server.person);
    server.get("/api/v1/me").token(&code).send().is_problem(401, "unauthenticated");
    me(&server, &code).is_problem(401, "unauthenticated");
    redeem(&server, &code, true).is(201);
}

// S4, S7
#[test]
fn session_counts_from_the_own_page_and_never_as_a_cookie_or_in_an_address() {
    let server = HubProcess::start(ASKBACK);
    let session = session(&server, &server.person);
    let id = server.ask(&server.asker, "shop");
    let answer = server.post(&format!("/api/v1/requests/{id}/answer"), &json!({"responses": ["Ada"]}));
    answer.clone().token(&session).send().is_problem(403, "foreign-origin");
    let from = |origin: &str| answer.clone().token(&session).header("Origin", origin).send();
    from("http://evil.example").is_problem(403, "foreign-origin");
    from(&server.origin().replace("127.0.0.1", "localhost")).is_problem(403, "foreign-origin");
    for name in ["askback_session", "askback_plain"] {
        let cookie = format!("{name}={session}");
        let forged = answer.clone().header("Cookie", &cookie).header("Origin", &server.origin());
        forged.send().is_problem(401, "unauthenticated");
        for path in
            ["/api/v1/me", "/api/v1/requests", "/api/v1/events", "/api/v1/audit", &format!("/api/v1/requests/{id}")]
        {
            server.get(path).header("Cookie", &cookie).send().is_problem(401, "unauthenticated");
        }
    }
    let outcome = answer.session(&session).send().is(200);
    assert_eq!((&outcome["status"], &outcome["surface"]), (&json!("answered"), &json!("page")));
}

// S7
#[test]
fn cookie_of_earlier_versions_is_expired() {
    let server = HubProcess::start(ASKBACK);
    for path in ["/", "/api/v1/me", "/nothing"] {
        let answer = server.get(path).header("Cookie", "a=b; askback_session=x").send();
        let cookie = answer.header("set-cookie").unwrap();
        assert!(cookie.starts_with("askback_session=; Path=/; Max-Age=0"), "{cookie}");
        assert_eq!(server.get(path).header("Cookie", "a=b").send().header("set-cookie"), None);
    }
}

// S4
#[test]
fn logging_out_ends_a_session_and_nothing_else() {
    let server = HubProcess::start(ASKBACK);
    let [gone, other] = [(); 2].map(|()| session(&server, &server.person));
    let logout = server.call("POST", "/api/v1/logout");
    logout.clone().token(&server.person).send().is_problem(403, "forbidden");
    logout.clone().token(&gone).send().is_problem(403, "foreign-origin");
    assert_eq!(logout.session(&gone).send().status, 204);
    me(&server, &gone).is_problem(401, "unauthenticated");
    me(&server, &other).is(200);
    server.get("/api/v1/me").token(&server.person).send().is(200);
}

// S7
#[test]
fn hub_that_loses_its_port_revokes_its_sessions() {
    let data = DataDir::new(ASKBACK);
    let start = |port: u16| data.serve_with(&["--listen", &format!("127.0.0.1:{port}")]);
    let first = start(0);
    let (port, kept) = (first.address.port(), session(&first, &first.person));
    drop(first);
    let again = start(port);
    me(&again, &kept).is(200);
    drop(again);
    // A program that listens there is the same origin to a browser.
    let other = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
    let refused = data.command(&["--listen", &format!("127.0.0.1:{port}")]).output().unwrap();
    assert!(String::from_utf8_lossy(&refused.stderr).contains("can't listen on"), "{refused:?}");
    drop(other);
    let back = start(port);
    me(&back, &kept).is_problem(401, "unauthenticated");
    // The same where it moves to another port by itself.
    let kept = session(&back, &back.person);
    drop(back);
    let moved = start(0);
    assert_ne!(moved.address.port(), port);
    me(&moved, &kept).is_problem(401, "unauthenticated");
    moved.get("/api/v1/me").token(&moved.person).send().is(200);
    // And where its port stays, and browsers know it by another origin.
    let (port, kept) = (moved.address.port(), session(&moved, &moved.person));
    drop(moved);
    let listen = format!("127.0.0.1:{port}");
    let public = data.serve_with(&["--listen", &listen, "--public-url", &format!("http://localhost:{port}")]);
    public.get("/api/v1/me").token(&kept).send().is_problem(401, "unauthenticated");
}

// S1, S4
#[test]
fn what_has_expired_counts_no_more() {
    let server = HubProcess::start(ASKBACK);
    let give = |expires_at: Timestamp| {
        server.issue(&json!({"role": "answerer", "name": "grace", "expiresAt": expires_at.to_string()}))
    };
    let now = Timestamp::now();
    let long = give(now + Duration::from_secs(3_600));
    // Long enough for a busy machine to do what follows in time.
    let end = now + Duration::from_millis(3_000);
    let short = give(end);
    // Neither a link nor a session outlives the token that it comes from.
    let codes = [&long, &short].map(|token| code(&server, &token.secret));
    let sessions = [&long, &short].map(|token| session(&server, &token.secret));
    let mut stream = EventStream::open(&server.get("/api/v1/events").session(&sessions[1]));
    wait_until("the token has expired", || server.get("/api/v1/me").token(&short.secret).send().status == 401);
    assert!(Timestamp::now() >= end, "no sooner than it says");
    server.get("/api/v1/me").token(&short.secret).send().is_problem(401, "unauthenticated");
    me(&server, &sessions[1]).is_problem(401, "unauthenticated");
    redeem(&server, &codes[1], true).is_problem(401, "unauthenticated");
    assert_eq!(stream.next(), None, "what was open is closed");
    server.get("/api/v1/me").token(&long.secret).send().is(200);
    me(&server, &sessions[0]).is(200);
    redeem(&server, &codes[0], true).is(201);
}

// S1
#[test]
fn a_revoked_token_is_good_for_nothing() {
    let server = HubProcess::start(ASKBACK);
    let [gone, kept] = ["gone", "kept"].map(|name| server.issue(&json!({"role": "answerer", "name": name})));
    let codes = [&gone, &kept].map(|token| code(&server, &token.secret));
    let sessions = [&gone, &kept].map(|token| session(&server, &token.secret));
    server.revoke(&gone);
    server.get("/api/v1/me").token(&gone.secret).send().is_problem(401, "unauthenticated");
    me(&server, &sessions[0]).is_problem(401, "unauthenticated");
    redeem(&server, &codes[0], true).is_problem(401, "unauthenticated");
    server.get("/api/v1/me").token(&kept.secret).send().is(200);
    me(&server, &sessions[1]).is(200);
    redeem(&server, &codes[1], true).is(201);
    let again = server.call("DELETE", &format!("/api/v1/tokens/{}", gone.number)).token(&server.person).send();
    again.is_problem(404, "not-found");
}

// S1
#[test]
fn whoever_waits_with_a_token_that_is_revoked_is_sent_away() {
    let server = HubProcess::start(ASKBACK);
    let [gone, kept] =
        ["gone", "kept"].map(|name| server.issue(&json!({"role": "asker", "name": name, "room": "shop"})));
    let id = server.ask(&gone.secret, "shop");
    let wait = |token: &IssuedToken| server.get(&format!("/api/v1/requests/{id}?wait=60")).token(&token.secret).open();
    let (ended, waiting) = (wait(&gone), wait(&kept));
    server.wait_for_metric("waiting_calls", 2);
    let mut streams = [&gone, &kept].map(|token| EventStream::open(&server.get("/api/v1/events").token(&token.secret)));
    server.revoke(&gone);
    ended.reply().unwrap().is_problem(401, "unauthenticated");
    assert_eq!(streams[0].next(), None);
    server.answer(&server.person, &id, "Ada").is(200);
    assert_eq!(waiting.reply().unwrap().is(200)["status"], "answered");
    assert_eq!(streams[1].next().unwrap().name, "request.answered");
}
