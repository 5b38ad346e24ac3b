//! A prompt that is reached from outside while it is up: lines are printed above it, and in the end it is taken away.
//!
//! `cargo run -p askback-term --example live -- 300` prints 300 lines; with `forever` as a second argument the prompt stays.

use askback_core::{Limits, Request};
use askback_term::{Prompt, PromptEnd, Settings};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let lines: usize = arguments.next().map_or(Ok(20), |count| count.parse())?;
    let stays = arguments.next().is_some_and(|word| word == "forever");

    let question =
        br#"{"type": "choice", "header": "Database", "message": "Which one?", "options": ["PostgreSQL", "SQLite"]}"#;
    let request = Request::parse(question, &Limits::DEFAULT)?;
    let prompt = Prompt::new(&request, Settings::default());
    let remote = prompt.remote();
    let work = async move {
        for number in 1..=lines {
            remote.print(format!("line {number} of the work that goes on meanwhile")).await;
        }
        if !stays {
            remote.withdraw("answered by reviewer on the page");
        }
        std::future::pending().await
    };
    let ended: PromptEnd = tokio::select! {
        ended = prompt.ask() => ended?,
        never = work => never,
    };
    println!("{ended:?}");
    Ok(())
}
