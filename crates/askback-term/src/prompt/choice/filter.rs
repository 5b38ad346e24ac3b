//! Searching as one types: the options in which what is typed can be found, the best first, and where it was found.

use crate::editor::Editor;
use crate::input::Lines;
use crate::search::pattern;
use askback_core::{ChoiceOption, Options};
use nucleo_matcher::pattern::{AtomKind, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str, Utf32String};
use std::cell::RefCell;
use std::cmp::Reverse;

pub(super) struct Filter<'q> {
    options: &'q [ChoiceOption],
    pub(super) editor: Editor,
    /// What is typed: letters in their order, the words in any.
    pattern: Pattern,
    visible: Vec<usize>,
    /// Made by the first search: the label and the description of every option, and memory that matching needs.
    texts: Vec<(Utf32String, Option<Utf32String>)>,
    matcher: RefCell<Option<Matcher>>,
}

impl<'q> Filter<'q> {
    pub(super) fn new(options: &'q Options) -> Self {
        let options = options.iter().as_slice();
        Self {
            options,
            editor: Editor::new("", Lines::One).without_tabs(),
            pattern: Pattern::default(),
            visible: (0..options.len()).collect(),
            texts: Vec::new(),
            matcher: RefCell::new(None),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.visible.len()
    }

    pub(super) fn option(&self, row: usize) -> usize {
        self.visible.get(row).copied().unwrap_or_default()
    }

    /// Looks for something else altogether.
    pub(super) fn write(&mut self, text: &str) {
        let before = self.editor.text().to_owned();
        self.editor.write(text, text.len());
        self.search(&before);
    }

    /// Finds the options for what is typed now, `before` having been typed before.
    pub(super) fn search(&mut self, before: &str) {
        let typed = self.editor.text();
        self.pattern = pattern(typed, AtomKind::Fuzzy);
        if self.pattern.atoms.is_empty() {
            self.visible = (0..self.options.len()).collect();
            return;
        }
        if self.texts.is_empty() {
            let text = |option: &ChoiceOption| (option.label().into(), option.description().map(Utf32String::from));
            self.texts = self.options.iter().map(text).collect();
        }
        let (labels, descriptions) = (&self.pattern, pattern(typed, AtomKind::Substring));
        let mut matcher = self.matcher.borrow_mut();
        let matcher = matcher.get_or_insert_with(|| Matcher::new(Config::DEFAULT));
        let mut score = |index: usize| {
            let (label, description) = &self.texts[index];
            let found = labels.score(label.slice(..), matcher);
            // What only the description says comes last.
            found.or_else(|| descriptions.score(description.as_ref()?.slice(..), matcher).map(|_| 0))
        };
        // A longer text finds less: what was not found before need not be looked at again.
        let all: Vec<usize> = match typed.starts_with(before) && !before.is_empty() {
            true => std::mem::take(&mut self.visible),
            false => (0..self.options.len()).collect(),
        };
        let mut found: Vec<(Reverse<u32>, usize)> =
            all.into_iter().filter_map(|index| score(index).map(|score| (Reverse(score), index))).collect();
        found.sort_unstable();
        self.visible = found.into_iter().map(|(_, index)| index).collect();
    }

    /// Which of a label's characters were found, in order.
    pub(super) fn found_in(&self, label: &str) -> Vec<u32> {
        let mut found = Vec::new();
        if self.pattern.atoms.is_empty() {
            return found;
        }
        let mut matcher = self.matcher.borrow_mut();
        let matcher = matcher.get_or_insert_with(|| Matcher::new(Config::DEFAULT));
        if self.pattern.indices(Utf32Str::new(label, &mut Vec::new()), matcher, &mut found).is_none() {
            found.clear();
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Input, Key};
    use askback_core::{Kind, Limits, Request};

    fn found(options: &str, typed: &str) -> Vec<String> {
        let json = format!(r#"{{"type": "dropdown", "message": "?", "options": {options}}}"#);
        let request = Request::parse(json.as_bytes(), &Limits::DEFAULT).unwrap();
        let Kind::Dropdown(dropdown) = request.questions()[0].kind() else {
            panic!("a dropdown was asked for");
        };
        let mut filter = Filter::new(dropdown.options());
        // Key by key, as a person does; what is found must not depend on it.
        for c in typed.chars() {
            let before = filter.editor.text().to_owned();
            filter.editor.update(&Input::Key(Key::Char(c)));
            filter.search(&before);
        }
        let by_keys = filter.visible.clone();
        filter.write("");
        filter.write(typed);
        assert_eq!(filter.visible, by_keys);
        by_keys.iter().map(|index| filter.options[*index].label().to_owned()).collect()
    }

    // F9
    #[test]
    fn letters_are_found_in_their_order_and_the_best_come_first() {
        let countries = r#"["Norway", "New Zealand", "Niger", "Nigeria", "Côte d'Ivoire", "Northern Ireland"]"#;
        assert_eq!(found(countries, "nze"), ["New Zealand"]);
        assert_eq!(found(countries, "niger"), ["Niger", "Nigeria"]);
        assert_eq!(found(countries, "COTE"), ["Côte d'Ivoire"], "case and accents don't matter");
        assert_eq!(found(countries, "land new"), ["New Zealand"], "words in any order");
        assert_eq!(found(countries, "xyz"), [""; 0]);
        assert_eq!(found(countries, " "), found(countries, ""));
        assert_eq!(found(r#"["a\\ b", "a b"]"#, "a\\ b"), ["a\\ b"], "a backslash is one");
        assert_eq!(found(r#"["^a", "!a", "a"]"#, "!a"), ["!a"]);
    }

    // F9, F12
    #[test]
    fn a_description_is_found_after_every_label() {
        let options = r#"[{"value": "a", "description": "the fastest"}, {"value": "fast"}, {"value": "c"}]"#;
        assert_eq!(found(options, "fast"), ["fast", "a"]);
        assert_eq!(found(options, "tfs"), [""; 0], "in a sentence, letters can be found anywhere");
    }

    // F9
    #[test]
    fn what_was_found_is_known_by_its_place() {
        let json = br#"{"type": "dropdown", "message": "?", "options": ["New Zealand", "Caf\u00e9 bar"]}"#;
        let request = Request::parse(json, &Limits::DEFAULT).unwrap();
        let Kind::Dropdown(dropdown) = request.questions()[0].kind() else {
            panic!("a dropdown was asked for");
        };
        let mut filter = Filter::new(dropdown.options());
        filter.write("nze");
        assert_eq!(filter.found_in("New Zealand"), [0, 4, 5]);
        filter.write("eb");
        assert_eq!(filter.found_in("Café bar"), [3, 5]);
        assert_eq!(filter.found_in("nothing"), [0; 0]);
    }
}
