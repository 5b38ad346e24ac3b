//! `cargo xtask trace`: every rule of docs/rules.md that is delivered is cited by a test, and no test cites another.
//!
//! A test cites rules in the comment above its `#[test]`: `// F4, F11`.

use crate::Done;
use crate::project::{read, sources};
use std::collections::BTreeMap;

const RULES: &str = "docs/rules.md";

/// How far a rule has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Planned,
    /// In part or wholly: what there is has a test.
    Delivered,
}

/// Prints which tests cite which rule, and fails where one is missing or unknown.
pub(crate) fn run() -> Done {
    let rules = rules(&read(RULES)?);
    let mut cited: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in sources()? {
        for (rule, test) in citations(&read(&path)?) {
            cited.entry(rule).or_default().push(format!("{path}: {test}"));
        }
    }
    for (rule, tests) in &cited {
        println!("{rule:4} {} tests, such as {}", tests.len(), tests[0]);
    }
    let problems = problems(&rules, &cited);
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

fn problems(rules: &BTreeMap<String, State>, cited: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let uncited = rules.iter().filter(|(rule, state)| **state == State::Delivered && !cited.contains_key(*rule));
    let uncited = uncited.map(|(rule, _)| {
        format!("{rule} is delivered, but no test cites it: write `// {rule}` above the test that shows it")
    });
    let wrong = cited.iter().filter_map(|(rule, tests)| match rules.get(rule) {
        Some(State::Delivered) => None,
        Some(State::Planned) => {
            Some(format!("{} cites {rule}, which {RULES} calls planned: change the mark there", tests[0]))
        }
        None => Some(format!("{} cites {rule}, which is not in {RULES}", tests[0])),
    });
    uncited.chain(wrong).collect()
}

/// The rules in the text: each stands in bold once, followed by *planned* if there is nothing of it yet.
fn rules(text: &str) -> BTreeMap<String, State> {
    let mut rules = BTreeMap::new();
    for line in text.lines() {
        let Some((before, after)) = line.split_once("**").and_then(|(_, rest)| rest.split_once("**")) else { continue };
        if is_rule(before) {
            let state = if after.trim_start().starts_with("*planned*") { State::Planned } else { State::Delivered };
            rules.insert(before.to_owned(), state);
        }
    }
    rules
}

/// Every citation in a source file, with the name of its test.
fn citations(source: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let tests = lines.iter().enumerate().filter(|(_, line)| matches!(**line, "#[test]" | "#[tokio::test]"));
    tests
        .flat_map(|(at, _)| {
            let above = lines[..at].iter().rev().take_while(|line| line.starts_with("//") || line.starts_with("#["));
            let comments = above.filter_map(|line| line.strip_prefix("//"));
            let name = lines[at..].iter().find_map(|line| line.split_once("fn ")).map_or("", |(_, rest)| rest);
            let name = name.split('(').next().unwrap_or_default().to_owned();
            let words = comments.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric()));
            words.filter(|word| is_rule(word)).map(|word| (word.to_owned(), name.clone())).collect::<Vec<_>>()
        })
        .collect()
}

fn is_rule(word: &str) -> bool {
    let mut chars = word.chars();
    let (letter, digits) = (chars.next(), chars.as_str());
    letter.is_some_and(|letter| "FLTQWS".contains(letter))
        && (1..=2).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "| **F4** choice | x |\n- **L2** *planned* durable\n- **S2** hostile\nsome **bold** word";

    #[test]
    fn a_delivered_rule_needs_a_citation_and_a_citation_needs_a_delivered_rule() {
        let source = "    // F4, L2: joined\n    #[test]\n    fn joins() {}\n\n// W9\n#[test]\nfn other() {}";
        let mut cited: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (rule, test) in citations(source) {
            cited.entry(rule).or_default().push(test);
        }
        let problems = problems(&rules(TEXT), &cited);
        assert_eq!(problems.len(), 3, "{problems:?}");
        assert!(problems[0].starts_with("S2 is delivered, but no test cites it"));
        assert!(problems[1].starts_with("joins cites L2") && problems[2].starts_with("other cites W9"));
    }
}
