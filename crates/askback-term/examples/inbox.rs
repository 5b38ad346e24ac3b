//! A list of questions that comes and goes while one looks at it, each of which can be opened and answered.
//!
//! `cargo run -p askback-term --example inbox` adds a question now and then, and answers one elsewhere. With arguments it does
//! these things instead, each so many milliseconds after the one before: `500:ask=Title`, `500:answer=2` elsewhere by number,
//! `500:empty`, `500:early`: the next to be opened is answered before it appears, `500:busy=400` milliseconds in which nobody looks.

use askback_core::{Limits, Request};
use askback_term::{
    Browsed, Browser, BrowserAction, BrowserItem, Caps, Live, PromptEnd, PromptStyle, Reach, TermError, Tone,
};
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until};

const STORY: [&str; 6] = [
    "2500:ask=May I delete the old migrations?",
    "2500:answer=1",
    "2500:ask=Which branch?",
    "2500:ask=Deploy to production?",
    "4000:answer=3",
    "4000:ask=What is the ticket's number?",
];

/// Everything there is, and what is still to come.
struct Inbox {
    asked: Vec<(usize, String)>,
    count: usize,
    to_come: VecDeque<String>,
    next: Option<Instant>,
    /// Whether the next to be opened is answered elsewhere before it appears.
    is_early: bool,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: VecDeque<String> = std::env::args().skip(1).collect();
    let to_come = if arguments.is_empty() { STORY.map(str::to_owned).into() } else { arguments };
    let mut inbox = Inbox { asked: Vec::new(), count: 0, to_come, next: None, is_early: false };
    for title in ["Which database?", "Which authentication method?", "Is this the right folder?"] {
        inbox.ask(title);
    }
    inbox.plan();
    let mut live = Live::open(Caps::from_environment())?;
    let mut browser =
        Browser::new([BrowserAction::on_item('d', "dismiss"), BrowserAction::on_list('x', "dismiss all")]);
    browser.set_empty_text("Nothing is waiting for you.");
    inbox.show(&mut browser);
    loop {
        let browsed = tokio::select! {
            browsed = live.browse(&mut browser) => browsed?,
            () = until(inbox.next) => {
                if let Some((_, said)) = inbox.happen().await {
                    live.print(Tone::Success, &said);
                }
                inbox.show(&mut browser);
                continue;
            }
        };
        match browsed {
            Browsed::Opened(id) => open(&mut live, &mut inbox, &id).await?,
            Browsed::Acted { id: Some(id), .. } => {
                inbox.asked.retain(|(number, _)| number.to_string() != id);
                browser.say(Tone::Info, format!("dismissed {id}"));
            }
            Browsed::Acted { .. } => inbox.asked.clear(),
            _ => break,
        }
        inbox.show(&mut browser);
    }
    drop(live);
    println!("over");
    Ok(())
}

/// Asks what was opened, while it may be answered elsewhere.
async fn open(live: &mut Live, inbox: &mut Inbox, id: &str) -> Result<(), TermError> {
    let Some((_, title)) = inbox.asked.iter().find(|(number, _)| number.to_string() == id).cloned() else {
        return Ok(());
    };
    let json = format!(r#"{{"type": "text", "message": "{title}"}}"#);
    let Ok(request) = Request::parse(json.as_bytes(), &Limits::DEFAULT) else {
        return Ok(());
    };
    let reach = Reach::new();
    let remote = reach.remote();
    if inbox.is_early {
        remote.print("somebody was faster").await;
        remote.withdraw("answered by reviewer (page)");
        inbox.asked.retain(|(number, _)| number.to_string() != id);
    }
    let elsewhere = async {
        loop {
            until(inbox.next).await;
            match inbox.happen().await {
                Some((number, _)) if number.to_string() == id => remote.withdraw("answered by reviewer (page)"),
                Some((_, said)) => remote.print(said).await,
                None => {}
            }
        }
    };
    let ended = tokio::select! {
        ended = live.ask_reachably(&request, PromptStyle::Question, reach) => ended?,
        never = elsewhere => never,
    };
    if matches!(ended, PromptEnd::Decided(_)) {
        inbox.asked.retain(|(number, _)| number.to_string() != id);
    }
    Ok(())
}

impl Inbox {
    fn ask(&mut self, title: &str) {
        self.count += 1;
        self.asked.push((self.count, title.to_owned()));
    }

    /// When the next thing happens.
    fn plan(&mut self) {
        let millis = self.to_come.front().and_then(|event| event.split_once(':')?.0.parse().ok());
        self.next = millis.map(|millis| Instant::now() + Duration::from_millis(millis));
    }

    /// Lets the next thing happen, and says what was answered.
    async fn happen(&mut self) -> Option<(usize, String)> {
        let event = self.to_come.pop_front()?;
        let (_, event) = event.split_once(':')?;
        let (name, value) = event.split_once('=').unwrap_or((event, ""));
        let mut said = None;
        match name {
            "ask" => self.ask(value),
            "busy" => sleep(Duration::from_millis(value.parse().unwrap_or(0))).await,
            "empty" => self.asked.clear(),
            "early" => self.is_early = true,
            _ => {
                let place = self.asked.iter().position(|(number, _)| number.to_string() == value);
                let answered = place.map(|place| self.asked.remove(place));
                said = answered.map(|(number, title)| (number, format!("✔ {title} answered by reviewer (page)")));
            }
        }
        self.plan();
        said
    }

    fn show(&self, browser: &mut Browser) {
        browser.set_heading(format!("{} pending", self.asked.len()));
        browser.set_items(self.asked.iter().map(|(number, title)| BrowserItem {
            id: number.to_string(),
            title: title.clone(),
            details: vec!["shop".to_owned(), "claude-code".to_owned(), format!("number {number}")],
            warning: (number % 3 == 0).then(|| "nobody is waiting".to_owned()),
            ..BrowserItem::default()
        }));
    }
}

async fn until(instant: Option<Instant>) {
    match instant {
        Some(instant) => sleep_until(instant).await,
        None => std::future::pending().await,
    }
}
