//! A program with a hub inside: one task asks, another answers, and the answer would survive both.

use askback_core::{Asker, Limits, Name, Path, RawAnswer, Request, Surface};
use askback_hub::{Hub, HubOptions, Signature};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let hub = Hub::open("hub.sqlite".as_ref(), HubOptions::default()).await?;
    let mut events = hub.events(hub.last_event());
    let answering = tokio::spawn({
        let hub = hub.clone();
        async move {
            let asked = events.next().await?.record;
            let answers = asked.request.parse_answers(&[RawAnswer::Response("yes")], &Path::root());
            let reviewer = Signature::new(Name::parse("reviewer").expect("one line"), Surface::Page);
            hub.answer(&asked.id, answers.expect("a yes is an answer"), reviewer).await
        }
    });
    let request = br#"{"type": "confirm", "message": "Deploy?", "from": "release-agent", "timeout": 600}"#;
    let outcome = Asker::ask(&hub, Request::parse(request, &Limits::DEFAULT)?).await?;
    println!("{} by {} ({})", outcome.resolution().status().name(), outcome.by(), outcome.surface().name());
    answering.await??;
    Ok(hub.close().await?)
}
