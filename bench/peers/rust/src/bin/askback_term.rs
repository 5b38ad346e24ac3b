//! Our own list, used as a library like the others.

fn main() {
    if let Ok(answer) = askback_term::blocking::choice("Which database?", ["PostgreSQL", "SQLite", "MongoDB"]) {
        println!("{answer}");
    }
}
