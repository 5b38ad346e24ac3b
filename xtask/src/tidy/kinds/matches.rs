//! The matches of a Rust source that have arms for kinds of question, or for their answers.

use crate::production::is_identifier;
use askback_core::kind::KINDS;
use std::collections::BTreeSet;
use std::ops::Range;

/// The file in which `Self` is one of the two enums.
const OWN_FILE: &str = "crates/askback-core/src/kind.rs";

/// A match with at least one arm for a kind.
pub(in crate::tidy) struct KindMatch<'t> {
    alternatives: Vec<Alternative<'t>>,
}

/// One alternative of an arm's pattern, without its guard.
pub(in crate::tidy) struct Alternative<'t> {
    pub(in crate::tidy) pattern: &'t str,
    pub(in crate::tidy) offset: usize,
    /// The kinds that it names, as variants.
    kinds: Vec<String>,
}

impl<'t> KindMatch<'t> {
    /// The alternatives that stand for every kind that no other names.
    pub(in crate::tidy) fn catch_alls(&self) -> impl Iterator<Item = &Alternative<'t>> {
        self.alternatives.iter().filter(|alternative| alternative.kinds.is_empty() && self.is_catch_all(alternative))
    }

    /// Whether it names every kind of the registry.
    pub(in crate::tidy) fn is_exhaustive(&self) -> bool {
        let named: BTreeSet<&String> = self.alternatives.iter().flat_map(|alternative| &alternative.kinds).collect();
        variants().iter().all(|variant| named.contains(variant))
    }

    /// Whether an alternative that names no kind could stand for one: `_`, a binding, a tuple of these, or `Some(_)` beside
    /// a `Some` with a kind. `None` could not.
    fn is_catch_all(&self, alternative: &Alternative<'_>) -> bool {
        let pattern = alternative.pattern.trim_start_matches('&');
        if !pattern.starts_with(char::is_uppercase) {
            return true;
        }
        let Some(open) = pattern.find('(') else { return false };
        let of_kinds = self.alternatives.iter().filter(|other| !other.kinds.is_empty());
        of_kinds.into_iter().any(|other| other.pattern.starts_with(&pattern[..=open]))
    }
}

/// The variants of `Kind` and `Answer`, which are the kinds' names with a capital letter.
fn variants() -> Vec<String> {
    KINDS.iter().map(|kind| format!("{}{}", kind.name[..1].to_uppercase(), &kind.name[1..])).collect()
}

/// The matches over kinds in the masked source of a file.
pub(in crate::tidy) fn kind_matches<'t>(path: &str, code: &'t str) -> Vec<KindMatch<'t>> {
    let enums: &[&str] = if path == OWN_FILE { &["Kind", "Answer", "Self"] } else { &["Kind", "Answer"] };
    let names: Vec<(String, String)> = variants()
        .into_iter()
        .flat_map(|variant| enums.iter().map(move |name| (format!("{name}::{variant}"), variant.clone())))
        .collect();
    let kinds = |pattern: &str| {
        let named = names.iter().filter(|(name, _)| has_word(pattern, name));
        named.map(|(_, variant)| variant.clone()).collect::<Vec<String>>()
    };
    let alternative = |range: Range<usize>| {
        let pattern = &code[range.clone()];
        Alternative { pattern, offset: range.start, kinds: kinds(pattern) }
    };
    let all = words(code, "match").filter_map(|start| body(code, start + "match".len()));
    let all = all.map(|body| KindMatch {
        alternatives: patterns(code, body)
            .into_iter()
            .flat_map(|arm| alternatives(code, arm))
            .map(alternative)
            .collect(),
    });
    all.filter(|found| found.alternatives.iter().any(|alternative| !alternative.kinds.is_empty())).collect()
}

/// The offsets of a word that is no part of a longer one.
fn words<'t>(code: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_apart = |start: usize| {
        !code[..start].ends_with(is_identifier)
            && !code[start + word.len()..].starts_with(|char| is_identifier(char) || char == '!')
    };
    code.match_indices(word).map(|(start, _)| start).filter(move |start| is_apart(*start))
}

fn has_word(code: &str, word: &str) -> bool {
    words(code, word).next().is_some()
}

/// The inside of the braces of a match whose scrutinee begins at an offset.
fn body(code: &str, start: usize) -> Option<Range<usize>> {
    let open = find_outside(code, start..code.len(), |char, _| char == '{')?;
    Some(open + 1..closing(code, open)?)
}

/// The offset of the bracket that closes the one at an offset.
fn closing(code: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (offset, char) in code[open..].char_indices() {
        match char {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 1 => return Some(open + offset),
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The first offset of a range, outside of the brackets in it, at which a condition holds for the character and the rest.
fn find_outside(code: &str, range: Range<usize>, holds: impl Fn(char, &str) -> bool) -> Option<usize> {
    let mut offset = range.start;
    while let Some(char) = code[offset..range.end].chars().next() {
        if holds(char, &code[offset..]) {
            return Some(offset);
        }
        let is_open = matches!(char, '(' | '[' | '{');
        offset = if is_open { closing(code, offset)? + 1 } else { offset + char.len_utf8() };
    }
    None
}

/// The pattern of each arm of a match, with its guard.
fn patterns(code: &str, body: Range<usize>) -> Vec<Range<usize>> {
    let mut patterns = Vec::new();
    let mut start = body.start;
    while let Some(arrow) = find_outside(code, start..body.end, |_, rest| rest.starts_with("=>")) {
        patterns.push(start..arrow);
        let value = arrow + "=>".len();
        let value = value + code[value..].len() - code[value..].trim_start().len();
        let end = if code[value..].starts_with('{') {
            closing(code, value)
        } else {
            find_outside(code, value..body.end, |char, _| char == ',')
        };
        let Some(end) = end else { break };
        start = end + 1;
    }
    patterns
}

/// The alternatives of a pattern, without white space and guard.
fn alternatives(code: &str, pattern: Range<usize>) -> Vec<Range<usize>> {
    let guard = find_outside(code, pattern.clone(), |_, rest| rest.starts_with(" if "));
    let end = guard.unwrap_or(pattern.end);
    let mut parts = Vec::new();
    let mut start = pattern.start;
    while start < end {
        let bar = find_outside(code, start..end, |char, _| char == '|').unwrap_or(end);
        let part = code[start..bar].trim_matches(|char: char| char.is_whitespace() || char == ',');
        if !part.is_empty() {
            let offset = start + code[start..bar].find(part).unwrap_or_default();
            parts.push(offset..offset + part.len());
        }
        start = bar + 1;
    }
    parts
}
