//! A few questions with typed answers: `cargo run -p askback-term --example questions`.

use askback_term::blocking::{choice, choices, confirm, text};

fn main() -> Result<(), askback_term::NoAnswer> {
    let name = text("What is the project called?")?;
    let database = choice("Which database?", ["PostgreSQL (Recommended)", "SQLite", "MongoDB"])?;
    let features = choices("Which features?", ["Dark mode", "Offline", "Push"])?;
    if confirm(&format!("Create {name} with {database} and {}?", features.join(", ")))? {
        println!("creating {name}");
    }
    Ok(())
}
