//! The exact bodies of webhooks, which never contain an answer.

use super::*;
use askback_core::{Limits, Name, Request, Surface};
use askback_hub::{Ask, Hub, HubOptions, Room, Signature};
use serde_json::{Value, json};

const LINK: &str = "https://ask.example.com/";

/// The events of a request that is made, and then answered with this.
async fn events(request: &str, answer: &str) -> [Event; 2] {
    let hub = Hub::in_memory(HubOptions::default()).await.unwrap();
    let mut events = hub.events(0).await.unwrap();
    let request = Request::parse(request.as_bytes(), &Limits::DEFAULT).unwrap();
    let asker = Name::parse("release-agent").unwrap();
    let asked = hub.ask(Ask::new(request, asker, Room::parse("shop").unwrap())).await.unwrap();
    let created = events.next().await.unwrap();
    hub.answer(asked.id(), &[answer.into()], Signature::new(Name::parse("Ada <ada>").unwrap(), Surface::Page))
        .await
        .unwrap();
    [created, events.next().await.unwrap()]
}

fn topic() -> Template {
    Template::Ntfy { topic: "my-topic".to_owned() }
}

fn read(body: &str) -> Value {
    serde_json::from_str(body).unwrap()
}

const DEPLOY: &str = r#"{"type": "text", "message": "Deploy é?", "title": "Release 1.2"}"#;

/// Where the request of an event can be answered.
fn page(event: &Event) -> String {
    format!("{LINK}r/{}", event.record.id)
}

// L6
#[tokio::test]
async fn programs_get_the_line_of_the_audit_log_and_a_link() {
    let [created, answered] = events(DEPLOY, "yes").await;
    for event in [created, answered] {
        let line = serde_json::to_string(&audit_event(&event)).unwrap();
        let expected = format!("{},\"link\":\"{}\"}}", line.strip_suffix('}').unwrap(), page(&event));
        assert_eq!(Template::Json.body(&event, LINK), expected);
    }
}

// S2
#[tokio::test]
async fn ntfy_says_who_asks_what() {
    let [created, answered] = events(DEPLOY, "hidden").await;
    assert_eq!(
        topic().body(&created, LINK).replace(&page(&created), LINK),
        "{\"topic\":\"my-topic\",\"title\":\"Release 1.2\",\"message\":\"Deploy é?\\n\\nQuestion from release-agent in shop\",\
         \"click\":\"https://ask.example.com/\",\"tags\":[\"question\"],\"priority\":4}"
    );
    assert_eq!(
        topic().body(&answered, LINK).replace(&page(&answered), LINK),
        "{\"topic\":\"my-topic\",\"message\":\"Ada <ada> answered release-agent in shop\",\
         \"click\":\"https://ask.example.com/\",\"tags\":[\"white_check_mark\"],\"priority\":2}"
    );
}

// S2
#[tokio::test]
async fn slack_says_it_too() {
    let [created, answered] = events(r#"{"type": "text", "message": "Deploy?"}"#, "hidden").await;
    assert_eq!(
        Template::Slack.body(&created, LINK).replace(&page(&created), LINK),
        "{\"text\":\"Question from release-agent in shop: Deploy?\",\"blocks\":[\
         {\"type\":\"section\",\"text\":{\"type\":\"plain_text\",\"text\":\"Question from release-agent in shop\",\"emoji\":false}},\
         {\"type\":\"section\",\"text\":{\"type\":\"plain_text\",\"text\":\"Deploy?\",\"emoji\":false}},\
         {\"type\":\"context\",\"elements\":[{\"type\":\"mrkdwn\",\"text\":\"<https://ask.example.com/|Answer>\"}]}],\
         \"unfurl_links\":false,\"unfurl_media\":false}"
    );
    let told = Template::Slack.body(&answered, LINK);
    assert!(told.contains("\"text\":\"Ada &lt;ada&gt; answered release-agent in shop\""), "{told}");
}

// S2
#[tokio::test]
async fn people_are_never_told_what_somebody_answered_or_once_more_what_was_asked() {
    let [_, answered] = events(DEPLOY, "a secret answer").await;
    for template in [topic(), Template::Slack] {
        let told = template.body(&answered, LINK);
        assert!(!["secret", "Deploy", "Release"].iter().any(|word| told.contains(word)), "{told}");
    }
    assert!(Template::Json.body(&answered, LINK).contains("a secret answer"), "programs are");
}

// S2, S3
#[tokio::test]
async fn hostile_text_neither_acts_nor_hides_nor_floods() {
    let hostile = format!("<!channel> <https://evil.example|ok> \u{202e}& {}", "&".repeat(5_000));
    let request = json!({"type": "text", "message": hostile, "title": "<@U0> \u{200b}".repeat(20)});
    let [created, _] = events(&request.to_string(), "x").await;
    let slack = Template::Slack.body(&created, LINK);
    assert!(!slack.contains("<!") && !slack.contains("<@") && !slack.contains("<https://evil"), "{slack}");
    assert!(slack.contains("&lt;!channel&gt;") && slack.contains("&lt;U+202E&gt;"), "{slack}");
    for text in read(&slack)["blocks"].as_array().unwrap().iter().filter_map(|block| block["text"]["text"].as_str()) {
        assert!(text.chars().count() <= 3_000, "what Slack takes: {}", text.chars().count());
    }
    let ntfy = read(&topic().body(&created, LINK));
    let message = ntfy["message"].as_str().unwrap();
    assert!(message.len() < 4_096 && message.contains("<U+202E>"), "what ntfy takes: {}", message.len());
    let title = ntfy["title"].as_str().unwrap();
    assert!(title.contains("<U+200B>") && title.ends_with('…') && title.chars().count() <= 100, "{title}");
}

// S3
#[tokio::test]
async fn of_many_questions_the_first_is_told() {
    let request = r#"{"questions": [{"type": "confirm", "message": "One?"}, {"type": "confirm", "message": "Two?"}, {"type": "confirm", "message": "Three?"}]}"#;
    let hub = Hub::in_memory(HubOptions::default()).await.unwrap();
    let mut events = hub.events(0).await.unwrap();
    let request = Request::parse(request.as_bytes(), &Limits::DEFAULT).unwrap();
    hub.ask(Ask::new(request, Name::parse("agent").unwrap(), Room::parse("shop").unwrap())).await.unwrap();
    let told = topic().body(&events.next().await.unwrap(), LINK);
    assert!(told.contains(r#""message":"One?\n(and 2 more questions)""#), "{told}");
}
