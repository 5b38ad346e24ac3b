//! The input requests of a stream, one after the other, in their own look; `panic` as an argument fails in the middle.

use askback_core::{Answer, Limits, Request};
use askback_term::{PromptStyle, Settings};

const REQUESTS: [&str; 3] = [
    r#"{"prompt": "The agent wants to delete 3 files. Proceed?", "input_type": "approval", "choices": ["Approve", "Reject"]}"#,
    r#"{"prompt": "How should it go on?", "input_type": "choice", "choices": ["Fix the test first", "Skip it"]}"#,
    r#"{"prompt": "Which branch?", "input_type": "text"}"#,
];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let panics = std::env::args().nth(1).is_some_and(|word| word == "panic");
    let settings = Settings { look: PromptStyle::Stream, ..Settings::default() };
    for json in REQUESTS {
        let request = Request::parse(json.as_bytes(), &Limits::DEFAULT)?;
        let failing = async {
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            assert!(!panics, "something else went wrong");
            std::future::pending().await
        };
        let resolution = tokio::select! {
            resolution = askback_term::ask(&request, settings) => resolution?,
            never = failing => never,
        };
        let answers = resolution.answers().into_iter().flat_map(|answers| answers.iter()).map(Answer::written);
        println!("{}: {:?}", resolution.status().name(), answers.collect::<Vec<_>>());
    }
    Ok(())
}
