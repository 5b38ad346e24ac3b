//! inquire's list with its filter, over the options in a file.

fn main() {
    let path = std::env::args().nth(1).expect("the file of options is named");
    let options = std::fs::read_to_string(path).expect("the file of options is read");
    if let Ok(answer) = inquire::Select::new("Which file?", options.lines().collect()).prompt() {
        println!("{answer}");
    }
}
