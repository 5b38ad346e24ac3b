//! A few questions with typed answers: `cargo run -p askback-term --example questions`.

use askback_term::blocking::{choice, choices, confirm, date, dropdown, email, multiline, number, rating, text};

fn main() -> Result<(), askback_term::NoAnswer> {
    let name = text("What is the project called?")?;
    let database = choice("Which database?", ["PostgreSQL (Recommended)", "SQLite", "MongoDB"])?;
    let features = choices("Which features?", ["Dark mode", "Offline", "Push"])?;
    if confirm(&format!("Create {name} with {database} and {}?", features.join(", ")))? {
        println!("creating {name}");
    }
    let notes = multiline("What is it about?")?;
    let city = dropdown("Where does it run?", ["Oslo", "Osaka", "Ottawa", "Oxford"])?;
    let (visitors, start, owner) = (number("How many visitors?")?, date("From which day on?")?, email("Whose is it?")?);
    println!(
        "{} lines; {visitors} visitors in {city} from {} on, for {owner}",
        notes.lines().count(),
        start.strftime("%d.%m.%Y")
    );
    println!("{} of 5", rating("How was it to be asked?")?);
    Ok(())
}
