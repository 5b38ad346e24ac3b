//! inquire's list.

fn main() {
    let options = vec!["PostgreSQL", "SQLite", "MongoDB"];
    if let Ok(answer) = inquire::Select::new("Which database?", options).prompt() {
        println!("{answer}");
    }
}
