//! The pages of the real hub. On that without scripts a person with a link answers everything, and nobody else does; the live
//! one is served as it was built.

#![expect(clippy::panic, clippy::unwrap_used, reason = "what fails in a test should fail it")]

mod browser;
mod built;
mod form;

use askback_testkit::hub_process::HubProcess;
use browser::{Browser, plain_link};
use form::{Form, Token, forms, tokens};
use serde_json::{Value, json};

const ASKBACK: &str = env!("CARGO_BIN_EXE_askback");

/// The state of a request, as its asker sees it.
fn state(hub: &HubProcess, id: &str) -> Value {
    hub.get(&format!("/api/v1/requests/{id}")).token(&hub.asker).send().json()
}

/// The path of a request's page, relative to that of the session.
fn path(id: &str) -> String {
    id.to_owned()
}

/// The form of a request's answers; the first of every page is that of logging out.
fn answer_form(page: &str) -> Form {
    forms(page).swap_remove(1)
}

fn question(kind: &str, more: &Value) -> Value {
    let mut question = json!({"type": kind, "message": format!("A {kind}?")});
    question.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    question
}

/// A request with every kind there is.
fn everything() -> Value {
    let options = json!(["One", {"value": "2", "label": "Two"}, "Three"]);
    json!({"title": "Everything", "room": "shop", "questions": [
        question("approval", &json!({"labels": ["Ship", "Stop"]})),
        question("text", &json!({})),
        question("multiline", &json!({})),
        question("choice", &json!({"options": options})),
        question("choice", &json!({"options": options, "multiSelect": true, "other": true})),
        question("confirm", &json!({})),
        question("number", &json!({"min": 1, "max": 9})),
        question("email", &json!({})),
        question("date", &json!({"max": "2026-12-31"})),
        question("dropdown", &json!({"options": ["Red", {"value": "g", "label": "Green"}]})),
        question("rating", &json!({"style": "numbers"})),
    ]})
}

fn fill(form: &mut Form) {
    form.choose("Ship");
    form.type_in("q1", "a & b = <c>");
    form.type_in("q2", "one\ntwo");
    // The first that has this label.
    form.choose("Two");
    form.type_in("q4.other", "Four");
    form.choose("Yes");
    form.type_in("q6", "7");
    form.type_in("q7", "me@example.com");
    form.type_in("q8", "2026-02-28");
    form.choose("Green");
    form.choose("5");
}

// F0, F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F13
#[test]
fn every_kind_is_answered_in_a_browser() {
    let hub = HubProcess::start(ASKBACK);
    let id = hub.ask_request(&everything());
    let browser = Browser::log_in(&hub);
    let list = browser.get("");
    assert_eq!(list.status, 200);
    assert!(
        list.body.contains("Everything") && list.body.contains(&format!("href=\"{}\"", path(&id))),
        "{}",
        list.body
    );
    assert!(list.body.contains("<meta http-equiv=\"refresh\" content=\"15\">"));
    let page = browser.get(&path(&id));
    let mut form = answer_form(&page.body);
    fill(&mut form);
    let sent = browser.post(&path(&id), &form.posted());
    assert_eq!((sent.status, sent.header("location")), (303, Some(path(&id).as_str())), "{}", sent.body);
    let outcome = state(&hub, &id);
    assert_eq!((&outcome["status"], &outcome["surface"]), (&json!("answered"), &json!("page")), "{outcome}");
    let responses: Vec<&str> =
        outcome["answers"].as_array().unwrap().iter().map(|answer| answer["response"].as_str().unwrap()).collect();
    assert_eq!(
        responses,
        ["approve", "a & b = <c>", "one\ntwo", "2", "Four", "yes", "7", "me@example.com", "2026-02-28", "g", "5"]
    );
    let after = browser.get(&path(&id));
    assert!(after.body.contains("Answered by you") && after.body.contains("Green"), "{}", after.body);
    assert!(!browser.get("").body.contains("Everything"));
}

// F15
#[test]
fn what_would_not_pass_comes_back_with_what_was_typed() {
    let hub = HubProcess::start(ASKBACK);
    let id = hub.ask_request(&json!({"room": "shop", "questions": [
        question("number", &json!({"min": 1, "max": 9})), question("text", &json!({})), question("confirm", &json!({})),
    ]}));
    let browser = Browser::log_in(&hub);
    let mut form = answer_form(&browser.get(&path(&id)).body);
    form.type_in("q0", "12");
    form.type_in("q1", "still <here>");
    let refused = browser.post(&path(&id), &form.posted());
    assert_eq!(refused.status, 422);
    for part in ["12 is too large", "a number from 1 to 9", "Nothing is chosen", "Yes or No"] {
        assert!(refused.body.contains(part), "{part}: {}", refused.body);
    }
    assert_eq!(state(&hub, &id)["status"], "pending");
    let mut form = answer_form(&refused.body);
    form.type_in("q0", "9");
    form.choose("No");
    assert_eq!(browser.post(&path(&id), &form.posted()).status, 303);
    assert_eq!(state(&hub, &id)["answers"][1]["response"], "still <here>");
}

// F15
#[test]
fn what_the_page_never_offered_is_no_answer() {
    let hub = HubProcess::start(ASKBACK);
    let options = json!({"options": ["A", "B"], "other": true, "room": "shop"});
    let id = hub.ask_request(&question("choice", &options));
    let browser = Browser::log_in(&hub);
    for body in ["form=answer&q0=2", "form=answer&q0=A"] {
        let refused = browser.post(&path(&id), body);
        assert_eq!(refused.status, 400, "{body}");
        assert!(refused.body.contains("This did not work") && refused.body.contains("Send answer"), "{}", refused.body);
    }
    assert_eq!(browser.post(&path(&id), "form=answer&q9=1").status, 400);
    assert_eq!(state(&hub, &id)["status"], "pending");
}

fn ask_name(hub: &HubProcess) -> String {
    hub.ask_request(&json!({"type": "text", "message": "Name?", "room": "shop"}))
}

// L1
#[test]
fn who_comes_too_late_is_told_what_counts() {
    let hub = HubProcess::start(ASKBACK);
    let id = ask_name(&hub);
    let browser = Browser::log_in(&hub);
    let mut form = answer_form(&browser.get(&path(&id)).body);
    form.type_in("q0", "late");
    let first = json!({"responses": ["first"], "surface": "terminal"});
    assert_eq!(hub.post(&format!("/api/v1/requests/{id}/answer"), &first).token(&hub.person).send().status, 200);
    let late = browser.post(&path(&id), &form.posted());
    assert_eq!(late.status, 409);
    for part in ["too late", "Answered by", "in a terminal", "first"] {
        assert!(late.body.contains(part), "{part}: {}", late.body);
    }
    assert!(!late.body.contains("Send answer"));
    assert_eq!(state(&hub, &id)["answers"][0]["response"], "first");
}

// L7, F0
#[test]
fn a_person_declines_or_asks_back() {
    let hub = HubProcess::start(ASKBACK);
    let browser = Browser::log_in(&hub);
    let id = ask_name(&hub);
    let mut decline = forms(&browser.get(&path(&id)).body).swap_remove(2);
    decline.type_in("reason", &"x".repeat(10_001));
    let refused = browser.post(&path(&id), &decline.posted());
    assert_eq!(refused.status, 422);
    let mut decline = forms(&refused.body).swap_remove(2);
    decline.type_in("reason", "Whose\nname?");
    assert_eq!(browser.post(&path(&id), &decline.posted()).status, 303);
    let outcome = state(&hub, &id);
    assert_eq!((&outcome["status"], &outcome["reason"]), (&json!("declined"), &json!("Whose\nname?")), "{outcome}");
    let id = hub.ask_request(&json!({"type": "approval", "message": "Ship?", "room": "shop"}));
    let mut form = answer_form(&browser.get(&path(&id)).body);
    form.choose("Reject");
    assert_eq!(browser.post(&path(&id), &form.posted()).status, 303);
    assert_eq!(state(&hub, &id)["status"], "declined");
}

// S2
#[test]
fn hostile_text_is_inert() {
    let hub = HubProcess::start(ASKBACK);
    let attack = "</title></pre></textarea><script>alert(1)</script>\" onclick=\"alert(1)\u{202e}";
    let id = hub.ask_request(&json!({
        "title": attack, "from": attack, "room": "shop", "context": [{"type": "command", "text": attack}],
        "questions": [{"type": "text", "message": attack, "placeholder": attack, "initial": attack}],
    }));
    let browser = Browser::log_in(&hub);
    for path in ["", &path(&id)] {
        let page = browser.get(path);
        assert!(page.body.contains("&lt;script&gt;"), "{}", page.body);
        assert!(page.body.contains("<span class=\"mark\">&lt;U+202E&gt;</span>"), "what hides is marked");
        let scripts = tokens(&page.body).into_iter().any(|token| match token {
            Token::Open { tag, attributes } => {
                tag == "script" || attributes.iter().any(|(name, _)| name.starts_with("on"))
            }
            _ => false,
        });
        assert!(!scripts, "{}", page.body);
        let policy = page.header("content-security-policy").unwrap();
        assert!(
            policy.starts_with("default-src 'none'; style-src 'self';") && !policy.contains("script-src"),
            "{policy}"
        );
        assert!(policy.contains("form-action 'self'"));
        // Under no-referrer a browser would post with `Origin: null`.
        assert_eq!(page.header("referrer-policy"), Some("same-origin"));
        assert_eq!(page.header("x-dns-prefetch-control"), Some("off"));
    }
    let form = answer_form(&browser.get(&path(&id)).body);
    assert_eq!(browser.post(&path(&id), &form.posted()).status, 303);
    assert_eq!(state(&hub, &id)["answers"][0]["response"], attack, "to the last character");
}

#[test]
fn a_form_of_another_site_does_nothing() {
    let hub = HubProcess::start(ASKBACK);
    let id = ask_name(&hub);
    let browser = Browser::log_in(&hub);
    let mut form = answer_form(&browser.get(&path(&id)).body);
    form.type_in("q0", "forged");
    for origin in [None, Some("null"), Some("http://evil.example"), Some("http://localhost:1")] {
        assert_eq!(browser.post_from(origin, &path(&id), &form.posted()).status, 403, "{origin:?}");
        assert_eq!(browser.post_from(origin, "logout", "").status, 403, "{origin:?}");
    }
    assert_eq!(state(&hub, &id)["status"], "pending");
    assert_eq!(browser.get("").status, 200, "still logged in");
}

// S1, S7
#[test]
fn page_needs_its_own_session_and_nothing_else_counts() {
    let hub = HubProcess::start(ASKBACK);
    let id = ask_name(&hub);
    let browser = Browser::log_in(&hub);
    let answer = "form=answer&q0=me";
    for path in ["", &id] {
        assert_eq!(browser.get(path).status, 200);
        let path = format!("{}{path}", browser.home);
        let nobody = hub.get(&path).send();
        assert_eq!(nobody.status, 401);
        assert!(nobody.body.contains("askback open --plain") && !nobody.body.contains("Name?"), "{}", nobody.body);
        // The tokens of programs, be it an admin's, are for the API.
        for token in [&hub.asker, &hub.person] {
            assert_eq!(hub.get(&path).token(token).send().status, 401);
            assert_eq!(
                hub.call("POST", &path).token(token).body(answer).send().status,
                if path == browser.home { 405 } else { 401 }
            );
        }
    }
    // The cookie counts below its own path, and that path with its own cookie.
    let other = Browser::log_in(&hub);
    assert_ne!(browser.home, other.home);
    let with = |path: &str, cookie: &str| hub.get(path).header("cookie", cookie).send().status;
    assert_eq!(with(&other.home, browser.pair()), 401);
    assert_eq!(with("/plain/AAAAAAAAAAAAAAAAAAAAAA/", browser.pair()), 401);
    assert_eq!(with("/api/v1/me", browser.pair()), 401);
    let secret = browser.pair().split_once('=').unwrap().1;
    assert_eq!(hub.get("/api/v1/me").token(secret).send().status, 401, "nor is it a token");
    // Another port of this host can set a cookie of the same name, before or after ours.
    let planted = format!("askback_plain=planted; {}; askback_plain=", browser.pair());
    assert_eq!(with(&browser.home, &planted), 200);
    assert_eq!(state(&hub, &id)["status"], "pending");
}

// S1
#[test]
fn page_shows_the_rooms_of_its_reader_only() {
    let hub = HubProcess::start(ASKBACK);
    let id = ask_name(&hub);
    let other = json!({"role": "answerer", "name": "eve", "room": "other"});
    let other = hub.issue(&other);
    let link = hub.post("/api/v1/login-links", &json!({"plain": true})).token(&other.secret).send().json();
    let (_, link) = link["url"].as_str().unwrap().split_once(&hub.address.to_string()).unwrap();
    let browser = Browser::log_in_with(&hub, link);
    let list = browser.get("");
    assert!(list.status == 200 && !list.body.contains("Name?"), "{}", list.body);
    assert_eq!(browser.get(&id).status, 404);
    assert_eq!(browser.post(&id, "form=answer&q0=eve").status, 404);
    assert_eq!(state(&hub, &id)["status"], "pending");
}

// S7
#[test]
fn opening_a_plain_link_shows_a_form_and_sending_it_logs_in_once() {
    let hub = HubProcess::start(ASKBACK);
    let id = ask_name(&hub);
    let link = plain_link(&hub, &json!({"path": format!("/r/{id}")}));
    for _ in 0..3 {
        let page = hub.get(&link).send();
        assert_eq!((page.status, page.header("set-cookie")), (200, None));
        assert!(page.body.contains("Log in as"), "{}", page.body);
    }
    let page = hub.get(&link).send();
    let posted = forms(&page.body).swap_remove(0).posted();
    for origin in ["null", "http://evil.example", "http://127.0.0.1:1"] {
        assert_eq!(hub.call("POST", "/plain/login").header("origin", origin).body(posted.as_str()).send().status, 403);
    }
    assert_eq!(hub.call("POST", "/plain/login").body(posted.as_str()).send().status, 403, "without an Origin");
    let browser = Browser::log_in_with(&hub, &link);
    assert_eq!(browser.start, format!("{}{id}", browser.home), "it leads to the request");
    let attributes = format!("Path={}; Max-Age=2592000; HttpOnly; SameSite=Strict", browser.home);
    assert_eq!(browser.cookie.split_once("; ").unwrap().1, attributes);
    let key = browser.home.strip_prefix("/plain/").unwrap().trim_end_matches('/');
    assert_eq!(key.len(), 22, "128 bits: {key}");
    let used = hub.get(&link).send();
    assert_eq!(used.status, 401);
    assert!(used.body.contains("no longer works") && used.body.contains("askback open --plain"), "{}", used.body);
    // The fragment of the page's own links never gets here, and without a code there is nothing to redeem.
    assert_eq!(hub.get("/plain/login").send().status, 401);
    let start = hub.get("/plain").send();
    assert!(start.status == 200 && start.body.contains("askback open --plain"), "{}", start.body);
}

#[test]
fn logging_out_ends_the_session() {
    let hub = HubProcess::start(ASKBACK);
    let browser = Browser::log_in(&hub);
    let form = forms(&browser.get("").body).swap_remove(0);
    let out = browser.post("logout", &form.posted());
    assert_eq!((out.status, out.header("location")), (303, Some("/plain")));
    let cookie = out.header("set-cookie").unwrap();
    assert!(cookie.starts_with("askback_plain=; ") && cookie.contains("Max-Age=0") && cookie.contains(&browser.home));
    assert_eq!(browser.get("").status, 401);
}

/// The address behind a link's text.
fn link(browser: &Browser<'_>, path: &str, text: &str) -> Option<String> {
    let page = browser.get(path).body;
    let (before, _) = page.split_once(&format!(">{text}</a>"))?;
    let (_, address) = before.rsplit_once("href=\"")?;
    Some(address.strip_suffix('"').unwrap().replace("&amp;", "&"))
}

// S3
#[test]
fn a_long_list_has_pages() {
    let hub = HubProcess::start(ASKBACK);
    let first = ask_name(&hub);
    for _ in 0..50 {
        ask_name(&hub);
    }
    let browser = Browser::log_in(&hub);
    assert!(!browser.get("").body.contains(&first), "the newest come first");
    let older = link(&browser, "", "Older ones").unwrap();
    assert!(browser.get(&older).body.contains(&first));
    assert_eq!(link(&browser, &older, "Older ones"), None);
    assert_eq!(browser.get("?cursor=nonsense").status, 400);
    let style = hub.get("/plain.css").send();
    assert_eq!((style.status, style.header("content-type")), (200, Some("text/css; charset=utf-8")));
}
