//! dialoguer's list with its filter, over the options in a file.

fn main() {
    let path = std::env::args().nth(1).expect("the file of options is named");
    let options = std::fs::read_to_string(path).expect("the file of options is read");
    let options: Vec<&str> = options.lines().collect();
    let prompt = dialoguer::FuzzySelect::new().with_prompt("Which file?").items(&options).default(0);
    if let Ok(index) = prompt.interact() {
        println!("{}", options[index]);
    }
}
