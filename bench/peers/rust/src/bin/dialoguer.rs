//! dialoguer's list.

fn main() {
    let options = ["PostgreSQL", "SQLite", "MongoDB"];
    if let Ok(index) = dialoguer::Select::new().with_prompt("Which database?").items(options).default(0).interact() {
        println!("{}", options[index]);
    }
}
