//! Events reach whoever is to be told, whatever happens on the way, and nobody here waits for them.

use crate::hub::Data;
use crate::receiver::{Answer, Receiver};
use crate::{PATIENCE, eventually};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::time::{Duration, Instant};

fn hook(name: &str, receiver: &Receiver, more: &str) -> String {
    format!("[[webhook]]\nname = \"{name}\"\nurl = \"{}\"\n{more}\n", receiver.url())
}

// L6
#[test]
fn what_happens_is_told_in_order_and_signed() {
    let receiver = Receiver::willing();
    let data = Data::with(&hook("program", &receiver, "secret = \"a secret\""));
    let hub = data.serve();
    let id = hub.ask("Deploy?");
    hub.answer(&id, "yes");
    let (created, answered) = (receiver.next(), receiver.next());
    assert_eq!(created.line, "POST /hook HTTP/1.1");
    assert_eq!((created.json()["event"].as_str(), created.question().as_str()), (Some("request.created"), "Deploy?"));
    assert_eq!(created.json()["link"], format!("http://{}/r/{id}", hub.address));
    assert_eq!(answered.json()["event"], "request.answered");
    assert_eq!(answered.json()["outcome"]["response"], "yes");
    for received in [&created, &answered] {
        let header = |name| received.header(name).unwrap();
        assert_eq!(header("content-type"), "application/json");
        assert_eq!(header("host"), receiver.address);
        assert_eq!(header("user-agent"), concat!("askback/", env!("CARGO_PKG_VERSION")));
        let signed = format!("{}.{}.{}", header("webhook-id"), header("webhook-timestamp"), received.body);
        let mut mac = Hmac::<Sha256>::new_from_slice(b"a secret").unwrap();
        mac.update(signed.as_bytes());
        let expected = format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()));
        assert_eq!(header("webhook-signature"), expected);
    }
    assert_ne!(created.header("webhook-id"), answered.header("webhook-id"));
    eventually("an empty outbox", || (hub.metric("askback_webhooks_waiting") == 0).then_some(()));
    assert!(hub.stop());
}

// S3
#[test]
fn one_that_fails_is_tried_again_under_the_same_id() {
    let receiver = Receiver::that(|count, _| match count {
        1 => Answer::Status(500, ""),
        2 => Answer::Status(302, "location: http://127.0.0.1:1/\r\n"),
        _ => Answer::Status(200, ""),
    });
    let data = Data::with(&hook("program", &receiver, ""));
    let hub = data.serve();
    hub.ask("Deploy?");
    let received = [receiver.next(), receiver.next(), receiver.next()];
    let ids = received.each_ref().map(|received| received.header("webhook-id").unwrap());
    assert!(ids[0].ends_with("-1-program") && ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(received[0].body, received[2].body);
    assert_eq!(received[0].header("webhook-signature"), None, "there is nothing to sign with");
    receiver.nothing_for(Duration::from_millis(300));
}

// S3
#[test]
fn a_receiver_says_when_to_come_back_or_that_it_will_not_have_it() {
    let receiver = Receiver::that(|count, _| match count {
        1 => Answer::Status(429, "retry-after: 3\r\n"),
        2 => Answer::Status(410, ""),
        _ => Answer::Status(200, ""),
    });
    let data = Data::with(&hook("program", &receiver, ""));
    let hub = data.serve();
    hub.ask("Deploy?");
    receiver.next();
    let begun = Instant::now();
    receiver.next();
    assert!(begun.elapsed() > Duration::from_millis(2_900), "{:?}", begun.elapsed());
    eventually("an empty outbox", || (hub.metric("askback_webhooks_waiting") == 0).then_some(()));
    hub.ask("And now?");
    assert_eq!(receiver.next().question(), "And now?");
}

// S3
#[test]
fn one_that_never_answers_delays_nobody() {
    let (silent, live) = (Receiver::that(|_, _| Answer::Never), Receiver::willing());
    // Nobody listens there, so that it fails at once.
    let dead = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let config = format!(
        "{}{}[[webhook]]\nname = \"dead\"\nurl = \"http://{dead}\"\n",
        hook("silent", &silent, ""),
        hook("live", &live, "")
    );
    let data = Data::with(&config);
    let hub = data.serve();
    let begun = Instant::now();
    for at in 0..20 {
        let id = hub.ask(&format!("Question {at}"));
        hub.answer(&id, "yes");
    }
    silent.next();
    for at in 0..20 {
        assert_eq!(live.next().question(), format!("Question {at}"));
        assert_eq!(live.next().json()["outcome"]["response"], "yes");
    }
    assert!(begun.elapsed() < Duration::from_secs(8), "no longer than one that never answers: {:?}", begun.elapsed());
    eventually("a full outbox", || (hub.metric("askback_webhooks_waiting") == 80).then_some(()));
    let begun = Instant::now();
    assert!(hub.stop(), "although something is under way");
    assert!(begun.elapsed() < PATIENCE / 2, "{:?}", begun.elapsed());
}

// L2
#[test]
fn a_hub_that_is_killed_before_the_repetition_loses_nothing() {
    let receiver = Receiver::that(|count, _| Answer::Status(if count == 1 { 503 } else { 200 }, ""));
    let data = Data::with(&hook("program", &receiver, ""));
    let hub = data.serve();
    hub.ask("Deploy?");
    let first = receiver.next();
    // Most likely after it was written down that it failed, and well before the repetition; sooner would be no different.
    std::thread::sleep(Duration::from_millis(100));
    hub.kill();
    let hub = data.serve();
    let second = receiver.next();
    assert_eq!(first.header("webhook-id"), second.header("webhook-id"));
    assert_eq!((first.question(), second.question()), ("Deploy?".to_owned(), "Deploy?".to_owned()));
    eventually("an empty outbox", || (hub.metric("askback_webhooks_waiting") == 0).then_some(()));
    receiver.nothing_for(Duration::from_millis(300));
}

// S3
#[test]
fn each_is_told_what_it_wants_to_hear() {
    let receiver = Receiver::willing();
    let wanted = "room = \"shop\"\nevents = [\"request.answered\", \"request.declined\"]";
    let data = Data::with(&hook("program", &receiver, wanted));
    let hub = data.serve();
    for room in ["elsewhere", "shop"] {
        let id = hub.ask_in(room, "Deploy?");
        hub.answer(&id, "yes");
    }
    let told = receiver.next().json();
    assert_eq!((told["event"].as_str(), told["room"].as_str()), (Some("request.answered"), Some("shop")));
    eventually("an empty outbox", || (hub.metric("askback_webhooks_waiting") == 0).then_some(()));
    receiver.nothing_for(Duration::from_millis(300));
}

// S2
#[test]
fn a_topic_gets_a_notification_of_what_waits_and_of_nothing_else() {
    let receiver = Receiver::willing();
    let topic = format!("name = \"phone\"\nurl = \"http://{}/my-topic\"\ntemplate = \"ntfy\"\n", receiver.address);
    let data = Data::with(&format!("[[webhook]]\n{topic}"));
    let hub = data.serve();
    let id = hub.ask("Deploy é?");
    hub.answer(&id, "hidden");
    let told = receiver.next();
    assert_eq!((told.line.as_str(), told.json()["topic"].as_str()), ("POST / HTTP/1.1", Some("my-topic")));
    assert_eq!(told.json()["message"], "Deploy é?");
    assert_eq!(told.json()["click"], format!("http://{}/r/{id}", hub.address));
    eventually("an empty outbox", || (hub.metric("askback_webhooks_waiting") == 0).then_some(()));
    receiver.nothing_for(Duration::from_millis(300));
}
