//! Habits of a single file: it says what it is for, it is not too long, and it names nothing outside the project.

use super::Complaint;

/// Past this, ask what the second idea in the file is.
const LINES: usize = 450;

pub(super) fn check(tree: &[(String, String)]) -> Vec<Complaint> {
    let sources = tree.iter().filter(|(path, _)| path.ends_with(".rs"));
    let habits = sources.flat_map(|(path, text)| [purpose(path, text), length(path, text)]).flatten();
    let outside = tree.iter().filter(|(path, _)| !path.ends_with(".lock")).flat_map(|(path, text)| outside(path, text));
    habits.chain(outside).collect()
}

fn purpose(path: &str, text: &str) -> Option<Complaint> {
    (!text.starts_with("//! "))
        .then(|| format!("{path}: begin with `//! ` and a sentence that says what the file is for"))
}

fn length(path: &str, text: &str) -> Option<Complaint> {
    let lines = text.lines().count();
    (lines > LINES)
        .then(|| format!("{path}: {lines} lines; more than {LINES} hold a second idea: give it its own file"))
}

/// Paths of one machine and of the planning material; put together here so that this file does not name them.
fn outside(path: &str, text: &str) -> Vec<Complaint> {
    let words = [["../sha", "red"].concat(), ["/wo", "rk/"].concat(), ["/ho", "me/"].concat(), ["/ro", "ot/"].concat()];
    let lines = text.lines().enumerate();
    lines
        .flat_map(|(number, line)| {
            words.iter().filter(move |word| line.contains(word.as_str())).map(move |word| (number, word))
        })
        .map(|(number, word)| {
            format!("{path}:{}: `{word}` is outside the project: say it in the project's own words", number + 1)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::tree;

    #[test]
    fn each_habit_has_a_complaint() {
        let long = format!("//! Long.\n{}", "\n".repeat(500));
        let found =
            check(&tree(&[("a.rs", "fn main() {}"), ("b.rs", &long), ("c.md", &["see ../sha", "red/x"].concat())]));
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(check(&tree(&[("a.rs", "//! Fine.\n")])).is_empty());
    }
}
