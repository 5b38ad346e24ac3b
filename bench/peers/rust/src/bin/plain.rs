//! Lines printed to a terminal with nothing else on it.

fn main() {
    for number in 1..=3000 {
        println!("line {number} of the work that goes on meanwhile");
    }
}
