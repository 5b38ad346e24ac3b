//! The reader against an exhaustive one, and the ambiguity check against an exhaustive search.

use super::*;
use crate::options::Other;
use proptest::prelude::*;

fn read(options: &[&str], text: &str, other: Other) -> Option<Vec<String>> {
    let stretches = Joined::new(options.iter().copied()).read(text, other)?;
    Some(
        stretches
            .into_iter()
            .map(|stretch| match stretch {
                Stretch::Option(index) => options[index].to_owned(),
                Stretch::Other(text) => format!("<{text}>"),
            })
            .collect(),
    )
}

// F11
#[test]
fn options_only_come_before_other() {
    let options = ["a", "b, c", "c"];
    assert_eq!(read(&options, "a, b, c", Other::Offered).unwrap(), ["a", "b, c"]);
    assert_eq!(read(&options, "a, b", Other::Offered).unwrap(), ["a", "<b>"]);
    assert_eq!(read(&options, "a, b", Other::Absent), None);
}

// F11
#[test]
fn the_shortest_other_counts_then_the_first() {
    let options = ["x, yy", "yy, z"];
    assert_eq!(
        read(&options, "x, yy, z", Other::Offered).unwrap(),
        ["<x>", "yy, z"],
        "both have one character: the first"
    );
    let options = ["x, y", "y, zz"];
    assert_eq!(read(&options, "x, y, zz", Other::Offered).unwrap(), ["<x>", "y, zz"]);
    let options = ["xx, y", "y, z"];
    assert_eq!(read(&options, "xx, y, z", Other::Offered).unwrap(), ["xx, y", "<z>"]);
}

// F11
#[test]
fn other_may_hold_commas_and_stand_anywhere() {
    assert_eq!(read(&["a", "b"], "my, own, b, a", Other::Offered).unwrap(), ["<my, own>", "b", "a"]);
    assert_eq!(read(&["a", "b"], "a, , b", Other::Offered).unwrap(), ["a", "<>", "b"]);
    assert_eq!(read(&["a", "b"], "a, x, a", Other::Offered).unwrap(), ["<a, x>", "a"], "no option twice");
}

// F11
#[test]
fn ambiguous_options_are_found() {
    let ambiguous = |options: &[&str]| Joined::new(options.iter().copied()).ambiguity().is_some();
    assert!(ambiguous(&["a", "b", "a, b"]));
    assert!(ambiguous(&["a", "a, b", "b, c", "c"]), "a · b, c = a, b · c");
    assert!(ambiguous(&["a", "a, a"]));
    assert!(!ambiguous(&["a", "a, b", "b, b"]), "the a before an odd run of b belongs to it");
    assert!(!ambiguous(&["a, b", "b"]));
    assert!(!ambiguous(&["a", "b", "a,b"]), "without a space it is no separator");
}

/// Options over two letters, so that they collide often.
fn options() -> impl Strategy<Value = Vec<String>> {
    let word =
        prop::collection::vec(prop::sample::select(vec!["a", "b"]), 1..4).prop_map(|parts| parts.join(SEPARATOR));
    prop::collection::btree_set(word, 1..5).prop_map(|words| words.into_iter().collect())
}

/// Every way to read `parts` as options, by trying them all.
fn readings(options: &[String], parts: &[&str]) -> Vec<Vec<String>> {
    if parts.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for option in options {
        let word: Vec<&str> = option.split(SEPARATOR).collect();
        if parts.starts_with(&word) {
            for rest in readings(options, &parts[word.len()..]) {
                all.push([vec![option.clone()], rest].concat());
            }
        }
    }
    all
}

proptest! {
    // F11
    #[test]
    fn ambiguity_is_what_an_exhaustive_search_finds(options in options()) {
        let ambiguous = Joined::new(options.iter().map(String::as_str)).ambiguity().is_some();
        // Words of at most three parts over two letters: an ambiguity shows within ten parts.
        let found = (1..=10u32).any(|length| (0..1u32 << length).any(|bits| {
            let parts: Vec<&str> = (0..length).map(|at| if bits >> at & 1 == 0 { "a" } else { "b" }).collect();
            readings(&options, &parts).len() > 1
        }));
        prop_assert_eq!(ambiguous, found);
    }

    // F11
    #[test]
    fn the_reader_reads_as_an_exhaustive_one(
        options in options(),
        parts in prop::collection::vec(prop::sample::select(vec!["a", "b", "ccc"]), 1..7),
    ) {
        let refs: Vec<&str> = options.iter().map(String::as_str).collect();
        if Joined::new(refs.iter().copied()).ambiguity().is_some() {
            return Ok(()); // Such options are refused before anybody answers.
        }
        let text = parts.join(SEPARATOR);
        let mut expected = readings(&options, &parts).pop();
        if expected.is_none() {
            let mut best = usize::MAX;
            for start in 0..parts.len() {
                for end in start + 1..=parts.len() {
                    let other = parts[start..end].join(SEPARATOR);
                    let (Some(left), Some(right)) =
                        (readings(&options, &parts[..start]).pop(), readings(&options, &parts[end..]).pop()) else { continue };
                    let reading = [left.clone(), right.clone()].concat();
                    let distinct: HashSet<_> = reading.iter().collect();
                    if distinct.len() == reading.len() && other.chars().count() < best {
                        best = other.chars().count();
                        expected = Some([left, vec![format!("<{other}>")], right].concat());
                    }
                }
            }
        }
        prop_assert_eq!(read(&refs, &text, Other::Offered), expected);
    }
}
