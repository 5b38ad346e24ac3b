//! A conversation with an agent that repeats what one says: `cargo run -p askback-term --example conversation`.
//!
//! With arguments it does these steps instead: `read`, `ask`, `text=…`, `piece=…`, `finish`, `spin=…`, `stop`, `print=…`,
//! `wait=` milliseconds, `attend` until Ctrl+C, `lines=` a number of lines that stream in, `busy=` milliseconds in which
//! nobody attends, `panic`.

use askback_core::{Limits, Request};
use askback_term::{Caps, Entered, Live, PromptEnd, PromptStyle, TermError, Tone};
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut live = Live::open(Caps::from_environment())?;
    let mut history = Vec::new();
    let mut steps = std::env::args().skip(1).peekable();
    if steps.peek().is_none() {
        live.print(Tone::Muted, "Ctrl+D ends the conversation.");
        while let Entered::Line(message) = live.read_line(&history).await? {
            live.start_spinner("Thinking");
            wait(&mut live, 1_500).await?;
            live.stop_spinner();
            stream(&mut live, &format!("You said: {message}")).await?;
            live.finish_text();
            history.push(message);
        }
        return Ok(());
    }
    for step in steps {
        let (name, value) = step.split_once('=').unwrap_or((&step, ""));
        match name {
            "read" => match live.read_line(&history).await? {
                Entered::Line(message) => {
                    live.print(Tone::Muted, &format!("read {message:?}"));
                    history.push(message);
                }
                _ => live.print(Tone::Muted, "closed"),
            },
            "ask" => {
                let request = Request::parse(br#"{"type": "text", "message": "Which branch?"}"#, &Limits::DEFAULT)?;
                match live.ask(&request, PromptStyle::Stream).await? {
                    PromptEnd::Interrupted => live.print(Tone::Warning, "interrupted"),
                    PromptEnd::Decided(resolution) => live.print(Tone::Plain, resolution.status().name()),
                    ended => live.print(Tone::Plain, &format!("{ended:?}")),
                }
            }
            "text" => stream(&mut live, value).await?,
            "piece" => live.text(value),
            "lines" => {
                for number in 1..=value.parse::<usize>()? {
                    let line = format!("line {number} of a text that is long enough to be broken somewhere.\n");
                    stream(&mut live, &line).await?;
                }
            }
            "finish" => live.finish_text(),
            "spin" => live.start_spinner(value),
            "stop" => live.stop_spinner(),
            "print" => live.print(Tone::Info, value),
            "wait" => wait(&mut live, value.parse()?).await?,
            "busy" => sleep(Duration::from_millis(value.parse()?)).await,
            "attend" => {
                live.attend().await?;
                live.print(Tone::Warning, "interrupted");
            }
            "panic" => assert!(value == "never", "something went wrong"),
            other => return Err(format!("there is no step called {other}").into()),
        }
    }
    drop(live);
    println!("over");
    Ok(())
}

/// Text in pieces of three letters, with a moment between them.
async fn stream(live: &mut Live, text: &str) -> Result<(), TermError> {
    let letters: Vec<char> = text.chars().collect();
    for piece in letters.chunks(3) {
        live.text(&piece.iter().collect::<String>());
        wait(live, 1).await?;
    }
    Ok(())
}

async fn wait(live: &mut Live, millis: u64) -> Result<(), TermError> {
    let end = Instant::now() + Duration::from_millis(millis);
    tokio::select! {
        attention = live.attend() => {
            attention?;
            live.print(Tone::Warning, "interrupted");
            Ok(())
        }
        () = sleep_until(end) => Ok(()),
    }
}
