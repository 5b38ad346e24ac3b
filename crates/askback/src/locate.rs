//! Finds the places in a JSON text that problems' paths name, so that a report can point at them.
//!
//! The text is known to be JSON, so it is enough to skip over it: once, however many paths there are.

use askback_core::limits::JSON_DEPTH;
use askback_core::{Json, Path, Step};
use std::collections::HashMap;
use std::ops::Range;

/// The places of some paths in a text.
#[derive(Default)]
pub(crate) struct Places {
    root: Node,
}

/// A place that a path leads to or through.
#[derive(Default)]
struct Node {
    inner: HashMap<Step, Node>,
    /// The bytes of the field's name, quotes included.
    name: Option<Range<usize>>,
    value: Option<Range<usize>>,
}

impl Places {
    /// Looks for all these paths in the text.
    pub(crate) fn find<'p>(text: &str, paths: impl Iterator<Item = &'p Path>) -> Self {
        let mut places = Self::default();
        for path in paths {
            let mut node = &mut places.root;
            for step in path.steps() {
                node = node.inner.entry(step.clone()).or_default();
            }
        }
        Scanner { text, at: 0, depth: 0 }.value(Some(&mut places.root));
        places
    }

    /// The bytes of the value that `path` names, or where the nearest one around it begins.
    pub(crate) fn value(&self, path: &Path) -> Option<Range<usize>> {
        let mut node = &self.root;
        for step in path.steps() {
            match node.inner.get(step).filter(|inner| inner.value.is_some()) {
                Some(inner) => node = inner,
                None => return node.value.as_ref().map(|around| around.start..around.start + 1),
            }
        }
        node.value.clone()
    }

    /// The bytes of the name of the field that `path` ends with.
    pub(crate) fn name(&self, path: &Path) -> Option<Range<usize>> {
        let node = path.steps().iter().try_fold(&self.root, |node, step| node.inner.get(step))?;
        node.name.clone()
    }
}

/// Goes through a JSON text from left to right. On text that is none it stops early and finds less.
struct Scanner<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl Scanner<'_> {
    /// Skips a value, noting where it and what is looked for inside it stand.
    fn value(&mut self, mut node: Option<&mut Node>) {
        self.space();
        let start = self.at;
        self.depth += 1;
        match self.peek() {
            // Deeper than any request may be: there is nothing to find, and the stack is not endless.
            _ if self.depth > JSON_DEPTH + 1 => self.at = self.text.len(),
            Some(b'{') => self.object(node.as_deref_mut()),
            Some(b'[') => self.array(node.as_deref_mut()),
            Some(b'"') => self.string(),
            _ => self.skip(|byte| !matches!(byte, b',' | b']' | b'}') && !byte.is_ascii_whitespace()),
        }
        self.depth -= 1;
        // Of a field that stands twice the last counts: the one too many.
        if let Some(node) = node {
            node.value = Some(start..self.at);
        }
    }

    fn object(&mut self, mut node: Option<&mut Node>) {
        self.at += 1;
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                break;
            }
            let start = self.at;
            self.string();
            let name = start..self.at;
            self.space();
            self.at += 1;
            let inner = node.as_deref_mut().and_then(|node| {
                let path = Path::root().field(&self.decode(name.clone())?);
                node.inner.get_mut(path.steps().first()?)
            });
            match inner {
                Some(inner) => {
                    inner.name = Some(name);
                    self.value(Some(inner));
                }
                None => self.value(None),
            }
            if !self.comma() {
                break;
            }
        }
        self.at += 1;
    }

    fn array(&mut self, mut node: Option<&mut Node>) {
        self.at += 1;
        for index in 0.. {
            self.space();
            if matches!(self.peek(), None | Some(b']')) {
                break;
            }
            self.value(node.as_deref_mut().and_then(|node| node.inner.get_mut(&Step::Index(index))));
            if !self.comma() {
                break;
            }
        }
        self.at += 1;
    }

    fn string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                break;
            }
        }
    }

    /// A field's name as it is meant, its escapes resolved.
    fn decode(&self, name: Range<usize>) -> Option<String> {
        serde_json::from_str(self.text.get(name)?).ok()
    }

    fn comma(&mut self) -> bool {
        self.space();
        let is_comma = self.peek() == Some(b',');
        self.at += usize::from(is_comma);
        is_comma
    }

    fn space(&mut self) {
        self.skip(|byte| byte.is_ascii_whitespace());
    }

    fn skip(&mut self, fits: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&fits) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}

/// Where a text stops being JSON.
pub(crate) fn syntax_error(text: &str) -> Option<Range<usize>> {
    let error = serde_json::from_str::<Json>(text).err()?;
    let line_start = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    // serde_json counts columns in bytes from 1, and 0 stands for the line break before.
    let mut at = (line_start + error.column()).saturating_sub(1).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let length = text[at..].chars().next().map_or(0, char::len_utf8);
    Some(at..at + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "{\n  \"questions\": [{\"step\": -0.5, \"é\": [1, \"]\\\"}\", 22]}, {\"a\": 1, \"a\" :{}}], \"b\\\\\\\"c\": true}";

    fn find(path: &Path) -> (Option<&'static str>, Option<&'static str>) {
        let places = Places::find(TEXT, std::iter::once(path));
        (places.name(path).map(|range| &TEXT[range]), places.value(path).map(|range| &TEXT[range]))
    }

    // F15
    #[test]
    fn a_path_leads_to_its_name_and_value() {
        let questions = Path::root().field("questions");
        assert_eq!(find(&questions.index(0).field("step")), (Some("\"step\""), Some("-0.5")));
        assert_eq!(find(&questions.index(0).field("é").index(2)), (None, Some("22")));
        assert_eq!(find(&questions.index(1).field("a")), (Some("\"a\""), Some("{}")), "the second of two");
        assert_eq!(find(&questions.index(0).field("message")), (None, Some("{")), "where its object begins");
        assert_eq!(find(&Path::root().field("b\\\"c")), (Some("\"b\\\\\\\"c\""), Some("true")));
        assert_eq!(find(&Path::root()), (None, Some(TEXT)));
    }

    // F15
    #[test]
    fn many_paths_are_found_at_once() {
        let step = Path::root().field("questions").index(0).field("step");
        let last = Path::root().field("questions").index(1);
        let places = Places::find(TEXT, [&step, &last].into_iter());
        assert_eq!(places.value(&step).map(|range| &TEXT[range]), Some("-0.5"));
        assert_eq!(places.value(&last).map(|range| &TEXT[range]), Some("{\"a\": 1, \"a\" :{}}"));
    }

    // F15
    #[test]
    fn a_name_too_long_for_a_path_is_found_all_the_same() {
        let text = format!("{{\"{}\": 1}}", "k".repeat(1_000));
        let path = Path::root().field(&"k".repeat(1_000));
        assert_eq!(Places::find(&text, std::iter::once(&path)).name(&path), Some(1..1_003));
    }

    // S3
    #[test]
    fn what_is_no_json_is_no_trouble() {
        let path = Path::root().field("a").index(0);
        Places::find(&"[".repeat(1_000_000), std::iter::once(&path));
        for text in ["", "{", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":[", "[,,]", "\"\\", "{\"a\":[\"\\", "]}"] {
            Places::find(text, std::iter::once(&path));
        }
    }

    // F15
    #[test]
    fn a_syntax_error_is_found_even_after_wide_characters() {
        let at = |text: &str| syntax_error(text).map(|range| range.start);
        assert_eq!(at("{}"), None);
        assert_eq!(at(""), Some(0));
        assert_eq!(at("{\"é\": x}"), Some(7));
        assert_eq!(at("{\n  'a': 1}"), Some(4));
        assert_eq!(at("[1,\n"), Some(3), "the line break before the end");
        assert_eq!(at("[\"a\nb\"]"), Some(3), "the line break inside the text");
    }
}
