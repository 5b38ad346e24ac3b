//! Links that work once, sessions of browsers, and what becomes of both and of tokens that are taken back.

use crate::http::Answer;
use crate::process::{Given, Server};
use crate::streams::Stream;
use askback_hub::Timestamp;
use serde_json::json;
use std::time::Duration;

/// The path of a new login link.
fn link(server: &Server, token: &str) -> String {
    let link = server.call("POST", "/api/v1/login-links").token(token).send().is(201);
    let url = link["url"].as_str().unwrap();
    url.strip_prefix(&server.origin()).unwrap().to_owned()
}

/// The cookie of a browser that has just logged in.
pub(crate) fn session(server: &Server, token: &str) -> String {
    let answer = server.get(&link(server, token)).send();
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.session()
}

fn me(server: &Server, cookie: &str) -> Answer {
    server.get("/api/v1/me").cookie(cookie).send()
}

// S4
#[test]
fn a_login_link_works_once() {
    let server = Server::start();
    let path = link(&server, &server.person);
    let cookie = server.get(&path).send().session();
    server.get(&path).send().is_problem(401, "unauthenticated");
    assert_eq!(me(&server, &cookie).is(200)["purpose"], "session", "the first has not suffered");
    server.get("/login").send().is_problem(401, "unauthenticated");
    server.get("/login?code=x").send().is_problem(401, "unauthenticated");
}

// S4
#[test]
fn whoever_opens_a_used_link_is_told_how_to_get_another() {
    let server = Server::start();
    let path = link(&server, &server.person);
    server.get(&path).send().session();
    let links = |page: &str| {
        let links = page.split("<a href=\"").skip(1).map(|rest| rest.split_once('"').unwrap().0.to_owned());
        links.collect::<Vec<_>>()
    };
    for path in [&path, "/login", "/login?code=x"] {
        let page = server.get(path).header("Accept", "text/html").send();
        assert_eq!((page.status, page.header("content-type")), (401, Some("text/html; charset=utf-8")), "{page:?}");
        assert!(page.body.contains("<pre>askback open</pre>") && page.body.contains("<code>askback demo</code>"));
        assert_eq!(links(&page.body), ["/plain", "/"], "none of them is the dead link: {page:?}");
    }
    // The page of anything else that went wrong leads back to what is waiting.
    let cookie = session(&server, &server.person);
    for path in ["/plain?cursor=x", "/plain/019a8b3c-0000-7000-8000-000000000000", "/plain/x"] {
        let page = server.get(path).cookie(&cookie).send();
        assert!([400, 404].contains(&page.status), "{page:?}");
        assert_eq!(links(&page.body), ["/plain", "/plain"], "{page:?}");
    }
    let unused = link(&server, &server.person);
    let page = server.get(&format!("{unused}&to=x")).header("Accept", "text/html").send();
    assert_eq!((page.status, links(&page.body)), (400, vec!["/plain".to_owned(), "/plain".to_owned()]), "{page:?}");
    // There is something to open again where somebody logged in comes from another site.
    let page = server.get("/plain").send();
    assert_eq!((page.status, links(&page.body)), (401, vec!["/plain".to_owned(), String::new()]), "{page:?}");
}

/// Where the page leads on that somebody sees who has just logged in.
fn leads_to(page: &str) -> Option<String> {
    let (_, after) = page.split_once("content=\"0;url=")?;
    let (path, _) = after.split_once('"')?;
    assert!(page.contains(&format!("href=\"{path}\"")), "also for whoever presses it: {page}");
    Some(
        path.replace("&quot;", "\"")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&#39;", "'")
            .replace("&amp;", "&"),
    )
}

// S4
#[test]
fn a_login_link_leads_on_to_a_place_of_the_page() {
    let server = Server::start();
    let id = server.ask(&server.asker, "shop");
    let request = format!("/r/{id}");
    let hostile = "/r/\"><script>alert('&amp;')</script>;url=x+y%20#?a=b";
    for (body, path) in [
        (json!({}), "/"),
        (json!({"path": null}), "/"),
        (json!({"path": "/history"}), "/history"),
        (json!({"path": request}), &request),
        (json!({"path": hostile}), hostile),
    ] {
        let link = server.post("/api/v1/login-links", &body).token(&server.person).send().is(201);
        let link = link["url"].as_str().unwrap().strip_prefix(&server.origin()).unwrap().to_owned();
        assert_eq!(link.contains("&to=/"), path != "/", "{link}");
        let page = server.get(&link).header("Accept", "text/html").send();
        assert_eq!((page.status, leads_to(&page.body).as_deref()), (200, Some(path)), "{page:?}");
        assert!(!page.body.contains("<script>"), "{page:?}");
        me(&server, &page.session()).is(200);
    }
}

// S4, F15
#[test]
fn a_login_link_leads_nowhere_else() {
    let server = Server::start();
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
        // Nor where somebody has changed the link, which is then not used up.
        let link = self::link(&server, &server.person);
        let to: String = form_urlencoded::byte_serialize(path.as_bytes()).collect();
        let refused = server.get(&format!("{link}&to={to}")).send().is_problem(400, "invalid-parameter");
        assert_eq!(refused["errors"][0]["path"], "to", "{refused}");
        assert_eq!(leads_to(&server.get(&link).send().body).as_deref(), Some("/"));
    }
    let unknown = server.post("/api/v1/login-links", &json!({"to": "/"})).token(&server.person).send();
    assert_eq!(unknown.is_problem(400, "invalid-parameter")["errors"][0]["path"], "to");
}

// S1, S4
#[test]
fn a_browser_answers_and_makes_no_tokens() {
    let server = Server::start();
    let cookie = session(&server, &server.person);
    assert_eq!(me(&server, &cookie).is(200)["role"], "answerer", "whoever made the link");
    let give = server.post("/api/v1/tokens", &json!({"role": "admin", "name": "thief"}));
    give.clone().cookie(&cookie).header("Origin", &server.origin()).send().is_problem(403, "forbidden");
    give.token(&server.person).send().is(201);
    server.get("/api/v1/me").token(&cookie).send().is_problem(401, "unauthenticated");
    me(&server, &server.person).is_problem(401, "unauthenticated");
}

// S1
#[test]
fn two_askers_without_a_room_have_two_names() {
    let server = Server::start();
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
fn looking_at_a_login_link_does_not_use_it_up() {
    let server = Server::start();
    let path = link(&server, &server.person);
    for _ in 0..2 {
        let looked = server.call("HEAD", &path).send();
        assert_eq!((looked.status, looked.header("set-cookie")), (204, None));
    }
    assert_eq!(server.get(&path).send().status, 200);
}

// S4
#[test]
fn the_secret_of_a_link_is_no_token() {
    let server = Server::start();
    let path = link(&server, &server.person);
    let secret = path.split('=').nth(1).unwrap();
    server.get("/api/v1/me").token(secret).send().is_problem(401, "unauthenticated");
    me(&server, secret).is_problem(401, "unauthenticated");
    assert_eq!(server.get(&path).send().status, 200);
}

// S4
#[test]
fn a_cookie_changes_something_only_from_a_page_of_the_server() {
    let server = Server::start();
    let cookie = session(&server, &server.person);
    let id = server.ask(&server.asker, "shop");
    let answer = server.post(&format!("/api/v1/requests/{id}/answer"), &json!({"responses": ["Ada"]})).cookie(&cookie);
    answer.send().is_problem(403, "foreign-origin");
    answer.clone().header("Origin", "http://evil.example").send().is_problem(403, "foreign-origin");
    let outcome = answer.header("Origin", &server.origin()).send().is(200);
    assert_eq!((&outcome["status"], &outcome["surface"]), (&json!("answered"), &json!("page")));
}

// S4
#[test]
fn logging_out_ends_a_session_and_nothing_else() {
    let server = Server::start();
    let [cookie, other] = [(); 2].map(|()| session(&server, &server.person));
    let logout = server.call("POST", "/api/v1/logout");
    logout.clone().token(&server.person).send().is_problem(403, "forbidden");
    logout.clone().cookie(&cookie).send().is_problem(403, "foreign-origin");
    let gone = logout.cookie(&cookie).header("Origin", &server.origin()).send();
    assert_eq!((gone.status, gone.session().as_str()), (204, ""));
    me(&server, &cookie).is_problem(401, "unauthenticated");
    me(&server, &other).is(200);
    server.get("/api/v1/me").token(&server.person).send().is(200);
}

// S1, S4
#[test]
fn what_has_expired_counts_no_more() {
    let server = Server::start();
    let give = |expires_at: Timestamp| {
        server.give(&json!({"role": "answerer", "name": "grace", "expiresAt": expires_at.to_string()}))
    };
    let now = Timestamp::now();
    let long = give(now + Duration::from_secs(3_600));
    // Long enough for a busy machine to do what follows in time.
    let end = now + Duration::from_millis(3_000);
    let short = give(end);
    // Neither a link nor a session outlives the token that it comes from.
    let links = [&long, &short].map(|token| link(&server, &token.secret));
    let cookies = [&long, &short].map(|token| session(&server, &token.secret));
    let mut stream = Stream::open(&server.get("/api/v1/events").cookie(&cookies[1]));
    let left = end.duration_since(Timestamp::now());
    std::thread::sleep(Duration::try_from(left).unwrap_or_default() + Duration::from_millis(5));
    server.get("/api/v1/me").token(&short.secret).send().is_problem(401, "unauthenticated");
    me(&server, &cookies[1]).is_problem(401, "unauthenticated");
    server.get(&links[1]).send().is_problem(401, "unauthenticated");
    assert_eq!(stream.next(), None, "what was open is closed");
    server.get("/api/v1/me").token(&long.secret).send().is(200);
    me(&server, &cookies[0]).is(200);
    assert_eq!(server.get(&links[0]).send().status, 200);
}

// S1
#[test]
fn a_revoked_token_is_good_for_nothing() {
    let server = Server::start();
    let [gone, kept] = ["gone", "kept"].map(|name| server.give(&json!({"role": "answerer", "name": name})));
    let links = [&gone, &kept].map(|token| link(&server, &token.secret));
    let cookies = [&gone, &kept].map(|token| session(&server, &token.secret));
    server.revoke(&gone);
    server.get("/api/v1/me").token(&gone.secret).send().is_problem(401, "unauthenticated");
    me(&server, &cookies[0]).is_problem(401, "unauthenticated");
    server.get(&links[0]).send().is_problem(401, "unauthenticated");
    server.get("/api/v1/me").token(&kept.secret).send().is(200);
    me(&server, &cookies[1]).is(200);
    assert_eq!(server.get(&links[1]).send().status, 200);
    let again = server.call("DELETE", &format!("/api/v1/tokens/{}", gone.number)).token(&server.person).send();
    again.is_problem(404, "not-found");
}

// S1
#[test]
fn whoever_waits_with_a_token_that_is_revoked_is_sent_away() {
    let server = Server::start();
    let [gone, kept] =
        ["gone", "kept"].map(|name| server.give(&json!({"role": "asker", "name": name, "room": "shop"})));
    let id = server.ask(&gone.secret, "shop");
    let wait = |token: &Given| server.get(&format!("/api/v1/requests/{id}?wait=60")).token(&token.secret).open();
    let (ended, waiting) = (wait(&gone), wait(&kept));
    server.until("waiting_calls", 2);
    let mut streams = [&gone, &kept].map(|token| Stream::open(&server.get("/api/v1/events").token(&token.secret)));
    server.revoke(&gone);
    Answer::read(ended).unwrap().is_problem(401, "unauthenticated");
    assert_eq!(streams[0].next(), None);
    server.answer(&server.person, &id, "Ada").is(200);
    assert_eq!(Answer::read(waiting).unwrap().is(200)["status"], "answered");
    assert_eq!(streams[1].next().unwrap().name, "request.answered");
}
