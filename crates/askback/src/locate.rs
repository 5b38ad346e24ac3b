//! Finds the place in a JSON text that a problem's path names, so that a report can point at it.

use askback_core::{Json, Path, Step};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::ops::Range;

/// The bytes of `text` that `path` names: the value itself, or the nearest one around it if it isn't there.
pub(crate) fn locate(text: &str, path: &Path) -> Option<Range<usize>> {
    let mut found: &RawValue = serde_json::from_str(text).ok()?;
    for step in path.steps() {
        let inner = match step {
            // Of a field that stands twice, the map keeps the last: the one too many.
            Step::Field(name) => serde_json::from_str::<BTreeMap<String, &RawValue>>(found.get())
                .ok()
                .and_then(|fields| fields.get(name).copied()),
            Step::Index(index) => {
                serde_json::from_str::<Vec<&RawValue>>(found.get()).ok().and_then(|items| items.get(*index).copied())
            }
        };
        match inner {
            Some(inner) => found = inner,
            None => {
                // The field is missing: point at where its object begins.
                let start = offset(text, found);
                return Some(start..start + 1);
            }
        }
    }
    let start = offset(text, found);
    Some(start..start + found.get().len())
}

/// Where a text stops being JSON.
pub(crate) fn locate_syntax_error(text: &str) -> Option<Range<usize>> {
    let error = serde_json::from_str::<Json>(text).err()?;
    let line_start = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    // serde_json counts columns in bytes from 1, and 0 stands for the end of the line before.
    let mut at = (line_start + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let length = text[at..].chars().next().map_or(0, char::len_utf8);
    Some(at..at + length)
}

/// Raw values borrow from the text they were read from, so the distance of their addresses is their offset.
fn offset(text: &str, inner: &RawValue) -> usize {
    inner.get().as_ptr() as usize - text.as_ptr() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "{\n  \"questions\": [{\"step\": 0, \"é\": [1, 22]}, {\"a\": 1, \"a\": 2}]\n}";

    fn found(path: &Path) -> &'static str {
        &TEXT[locate(TEXT, path).unwrap()]
    }

    // F15
    #[test]
    fn a_path_leads_to_its_value_or_to_the_nearest_around_it() {
        let questions = Path::root().field("questions");
        assert_eq!(found(&questions.index(0).field("step")), "0");
        assert_eq!(found(&questions.index(0).field("é").index(1)), "22");
        assert_eq!(found(&questions.index(1).field("a")), "2", "the second of two");
        assert_eq!(found(&questions.index(0).field("message")), "{");
        assert_eq!(found(&Path::root()), TEXT);
    }

    // F15
    #[test]
    fn a_syntax_error_is_found_even_after_wide_characters() {
        let at = |text: &str| locate_syntax_error(text).map(|range| range.start);
        assert_eq!(at("{}"), None);
        assert_eq!(at(""), Some(0));
        assert_eq!(at("{\"é\": x}"), Some(7));
        assert_eq!(at("{\n  'a': 1}"), Some(4));
        assert_eq!(at("[1,\n"), Some(4));
    }
}
