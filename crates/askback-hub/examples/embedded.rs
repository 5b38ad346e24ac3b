//! A program with a hub inside: one task asks, another answers, and the answer would survive both.

use askback_core::{Asker, Limits, Name, Request, Surface};
use askback_hub::{HubOptions, Signature};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let hub = askback_sqlite::open_hub("hub.sqlite", HubOptions::default()).await?;
    let reviewer = Signature::new(Name::parse("reviewer")?, Surface::Page);
    let mut events = hub.events(hub.last_event()).await?;
    let answering = tokio::spawn({
        let hub = hub.clone();
        async move {
            let asked = events.next().await?.record;
            hub.answer(&asked.id, &["yes".into()], reviewer).await
        }
    });
    let request = br#"{"type": "confirm", "message": "Deploy?", "from": "release-agent", "timeout": 600}"#;
    let outcome = Asker::ask(&hub, Request::parse(request, &Limits::DEFAULT)?).await?;
    println!("{} {:?} by {}", outcome.status().name(), outcome.responses(), outcome.by());
    answering.await??;
    Ok(hub.close().await?)
}
