//! Events reach whoever is to be told, whatever happens on the way, and nobody here waits for them.

use crate::{answer, ask, ask_in, data_with};
use askback_testkit::receiver::{WebhookReceiver, WebhookReply};
use askback_testkit::wait::PATIENCE;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::time::{Duration, Instant};

fn hook(name: &str, receiver: &WebhookReceiver, more: &str) -> String {
    format!("[[webhook]]\nname = \"{name}\"\nurl = \"{}\"\n{more}\n", receiver.url())
}

// L6
#[test]
fn what_happens_is_told_in_order_and_signed() {
    let receiver = WebhookReceiver::accepting();
    let data = data_with(&hook("program", &receiver, "secret = \"a secret\""));
    let hub = data.serve();
    let id = ask(&hub, "Deploy?");
    answer(&hub, &id, "yes");
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
    hub.wait_for_metric("webhooks_waiting", 0);
    assert!(hub.stop());
}

// S3
#[test]
fn one_that_fails_is_tried_again_under_the_same_id() {
    let receiver = WebhookReceiver::replying(|count, _| match count {
        1 => WebhookReply::Status(500, ""),
        2 => WebhookReply::Status(302, "location: http://127.0.0.1:1/\r\n"),
        _ => WebhookReply::Status(200, ""),
    });
    let data = data_with(&hook("program", &receiver, ""));
    let hub = data.serve();
    ask(&hub, "Deploy?");
    let received = [receiver.next(), receiver.next(), receiver.next()];
    let ids = received.each_ref().map(|received| received.header("webhook-id").unwrap());
    assert!(ids[0].ends_with("-1-program") && ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(received[0].body, received[2].body);
    assert_eq!(received[0].header("webhook-signature"), None, "there is nothing to sign with");
    // Deliveries are in order: a repetition would arrive before the next event.
    ask(&hub, "And now?");
    assert_eq!(receiver.next().question(), "And now?", "it was delivered once");
}

// S3
#[test]
fn a_receiver_says_when_to_come_back_or_that_it_will_not_have_it() {
    let receiver = WebhookReceiver::replying(|count, _| match count {
        1 => WebhookReply::Status(429, "retry-after: 3\r\n"),
        2 => WebhookReply::Status(410, ""),
        _ => WebhookReply::Status(200, ""),
    });
    let data = data_with(&hook("program", &receiver, ""));
    let hub = data.serve();
    ask(&hub, "Deploy?");
    receiver.next();
    let begun = Instant::now();
    receiver.next();
    assert!(begun.elapsed() > Duration::from_millis(2_900), "{:?}", begun.elapsed());
    hub.wait_for_metric("webhooks_waiting", 0);
    ask(&hub, "And now?");
    assert_eq!(receiver.next().question(), "And now?");
}

// S3
#[test]
fn one_that_never_answers_delays_nobody() {
    let (silent, live) = (WebhookReceiver::replying(|_, _| WebhookReply::Never), WebhookReceiver::accepting());
    // Nobody listens there, so that it fails at once.
    let dead = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let config = format!(
        "{}{}[[webhook]]\nname = \"dead\"\nurl = \"http://{dead}\"\n",
        hook("silent", &silent, ""),
        hook("live", &live, "")
    );
    let data = data_with(&config);
    let hub = data.serve();
    let begun = Instant::now();
    for at in 0..20 {
        let id = ask(&hub, &format!("Question {at}"));
        answer(&hub, &id, "yes");
    }
    silent.next();
    for at in 0..20 {
        assert_eq!(live.next().question(), format!("Question {at}"));
        assert_eq!(live.next().json()["outcome"]["response"], "yes");
    }
    assert!(begun.elapsed() < Duration::from_secs(8), "no longer than one that never answers: {:?}", begun.elapsed());
    hub.wait_for_metric("webhooks_waiting", 80);
    let begun = Instant::now();
    assert!(hub.stop(), "although something is under way");
    assert!(begun.elapsed() < PATIENCE / 2, "{:?}", begun.elapsed());
}

// L2
#[test]
fn a_hub_that_is_killed_before_the_repetition_loses_nothing() {
    let receiver = WebhookReceiver::replying(|count, _| WebhookReply::Status(if count == 1 { 503 } else { 200 }, ""));
    let data = data_with(&hook("program", &receiver, ""));
    let mut hub = data.serve();
    ask(&hub, "Deploy?");
    let first = receiver.next();
    hub.kill();
    let hub = data.serve();
    let second = receiver.next();
    assert_eq!(first.header("webhook-id"), second.header("webhook-id"));
    assert_eq!((first.question(), second.question()), ("Deploy?".to_owned(), "Deploy?".to_owned()));
    ask(&hub, "And now?");
    assert_eq!(receiver.next().question(), "And now?", "it was delivered once");
    hub.wait_for_metric("webhooks_waiting", 0);
}

// S3
#[test]
fn each_is_told_what_it_wants_to_hear() {
    let receiver = WebhookReceiver::accepting();
    let wanted = "room = \"shop\"\nevents = [\"request.answered\", \"request.declined\"]";
    let data = data_with(&hook("program", &receiver, wanted));
    let hub = data.serve();
    for room in ["elsewhere", "shop"] {
        let id = ask_in(&hub, room, "Deploy?");
        answer(&hub, &id, "yes");
    }
    let told = receiver.next().json();
    assert_eq!((told["event"].as_str(), told["room"].as_str()), (Some("request.answered"), Some("shop")));
    // Other events would arrive before the next one that is wanted.
    let next = ask_in(&hub, "shop", "And now?");
    answer(&hub, &next, "yes");
    assert_eq!(receiver.next().json()["id"], next.as_str(), "nothing else was delivered");
    hub.wait_for_metric("webhooks_waiting", 0);
}

// S2
#[test]
fn a_topic_gets_a_notification_of_what_waits_and_of_nothing_else() {
    let receiver = WebhookReceiver::accepting();
    let topic = format!("name = \"phone\"\nurl = \"http://{}/my-topic\"\ntemplate = \"ntfy\"\n", receiver.address);
    let data = data_with(&format!("[[webhook]]\n{topic}"));
    let hub = data.serve();
    let id = ask(&hub, "Deploy é?");
    answer(&hub, &id, "hidden");
    let told = receiver.next();
    assert_eq!((told.line.as_str(), told.json()["topic"].as_str()), ("POST / HTTP/1.1", Some("my-topic")));
    assert_eq!(told.json()["message"], "Deploy é?");
    assert_eq!(told.json()["click"], format!("http://{}/r/{id}", hub.address));
    ask(&hub, "And now?");
    assert_eq!(receiver.next().json()["message"], "And now?", "an answer is not notified");
    hub.wait_for_metric("webhooks_waiting", 0);
}
