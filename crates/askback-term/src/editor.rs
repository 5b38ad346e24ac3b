//! A text being typed: the cursor moves by what people take for characters, and nothing typed is ever out of sight.

use crate::input::{Input, Key, Lines};
use crate::line::Line;
use crate::prompt::Way;
use crate::theme::Alphabet;
use crate::width::clusters;
use askback_core::limits::FREE_TEXT_LENGTH;
use rows::Rows;

mod rows;

/// Code points held at most: twice what any rule lets pass, so that a slip can still be seen and mended.
pub(crate) const MOST: usize = 2 * FREE_TEXT_LENGTH;

/// A text and the place in it where typing goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Editor {
    text: String,
    at: usize,
    lines: Lines,
    tabs: Tabs,
    /// How it is laid out: by rows, not by lines, the cursor moves up and down.
    columns: usize,
    alphabet: Alphabet,
    /// The column that the cursor came from when it went up or down through shorter rows.
    goal: Option<usize>,
}

/// What becomes of a tab that is pasted; typed, it is a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tabs {
    Kept,
    /// It becomes a space, as a line end does where there is one line.
    Spaces,
}

/// What became of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Edit {
    /// It changed the text or moved the cursor.
    Done,
    /// It did, and something about it should be said.
    Said(String),
    /// It is no editing key, or had nothing to do.
    Ignored,
}

impl Editor {
    pub(crate) fn new(text: &str, lines: Lines) -> Self {
        let (columns, alphabet) = (usize::MAX, Alphabet::Unicode);
        Self { text: text.to_owned(), at: text.len(), lines, tabs: Tabs::Kept, columns, alphabet, goal: None }
    }

    /// The same for a text that may have no tabs: one that is pasted becomes a space.
    pub(crate) fn without_tabs(mut self) -> Self {
        self.tabs = Tabs::Spaces;
        self
    }

    /// Is shown in so many columns from now on.
    pub(crate) fn fit(&mut self, columns: usize, alphabet: Alphabet) {
        (self.columns, self.alphabet) = (columns, alphabet);
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The byte at which typing goes on.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Replaces everything; typing goes on at a byte of it, or at its end.
    pub(crate) fn write(&mut self, text: &str, at: usize) {
        text.clone_into(&mut self.text);
        self.at = if text.is_char_boundary(at) { at } else { text.len() };
        self.goal = None;
    }

    pub(crate) fn clear(&mut self) {
        self.write("", 0);
    }

    pub(crate) fn update(&mut self, input: &Input) -> Edit {
        match input {
            Input::Paste(text) => self.paste(text),
            Input::Key(key) => self.press(*key),
            Input::Line(_) => Edit::Ignored,
        }
    }

    /// So many rows up or down, as far as there are any.
    pub(crate) fn walk(&mut self, way: Way, count: usize) -> Edit {
        let rows = Rows::new(&self.text, self.columns, self.alphabet);
        let (row, column) = rows.place(self.at);
        let goal = self.goal.unwrap_or(column);
        let steps = (1..=count).rev();
        let target = |step: usize| match way {
            Way::Up => row.checked_sub(step),
            Way::Down => Some(row + step),
        };
        let Some(at) = steps.filter_map(target).find_map(|row| rows.under(row, goal)) else {
            return Edit::Ignored;
        };
        self.at = at;
        self.goal = Some(goal);
        Edit::Done
    }

    fn press(&mut self, key: Key) -> Edit {
        match key {
            Key::Up if self.lines == Lines::Many => return self.walk(Way::Up, 1),
            Key::Down if self.lines == Lines::Many => return self.walk(Way::Down, 1),
            _ => self.goal = None,
        }
        let target = match key {
            Key::Char(c) if !c.is_control() => return self.insert(c.encode_utf8(&mut [0; 4])),
            Key::Enter if self.lines == Lines::Many => return self.insert("\n"),
            Key::Left => self.before(),
            Key::Right => self.after(),
            Key::WordLeft => self.word_before(),
            Key::WordRight => self.word_after(),
            Key::Home => self.line_start(),
            Key::End => self.line_end(),
            Key::Backspace => return self.remove(self.before(), self.at),
            Key::Delete => return self.remove(self.at, self.after()),
            Key::KillWord => return self.remove(self.word_before(), self.at),
            // Where nothing is left of a line on this side, the line end there goes.
            Key::KillToStart if self.at == self.line_start() => return self.remove(self.before(), self.at),
            Key::KillToStart => return self.remove(self.line_start(), self.at),
            Key::KillToEnd if self.at == self.line_end() => return self.remove(self.at, self.after()),
            Key::KillToEnd => return self.remove(self.at, self.line_end()),
            _ => return Edit::Ignored,
        };
        if target == self.at {
            return Edit::Ignored;
        }
        self.at = target;
        Edit::Done
    }

    /// What is pasted becomes text, whatever is in it: a line end in it is no Enter.
    fn paste(&mut self, pasted: &str) -> Edit {
        let text = pasted.replace("\r\n", "\n").replace('\r', "\n");
        let mut said = Vec::new();
        let mut text = match self.lines {
            Lines::One => text.trim_end_matches('\n').to_owned(),
            Lines::Many => text,
        };
        let mut spaced = Vec::new();
        if self.lines == Lines::One && text.contains('\n') {
            text = text.replace('\n', " ");
            spaced.push("line ends");
        }
        if self.tabs == Tabs::Spaces && text.contains('\t') {
            text = text.replace('\t', " ");
            spaced.push("tabs");
        }
        if !spaced.is_empty() {
            said.push(format!("{} were pasted as spaces", spaced.join(" and ")));
        }
        let before = text.chars().count();
        text.retain(|c| !c.is_control() || matches!(c, '\n' | '\t'));
        match before - text.chars().count() {
            0 => {}
            1 => said.push("1 control character was not pasted".to_owned()),
            many => said.push(format!("{many} control characters were not pasted")),
        }
        match (self.insert(&text), said.is_empty()) {
            (Edit::Done, false) => Edit::Said(said.join("; ")),
            (edit, _) => edit,
        }
    }

    fn insert(&mut self, text: &str) -> Edit {
        if self.text.chars().count() + text.chars().count() > MOST {
            return Edit::Said(format!("there is no room for more than {MOST} characters"));
        }
        self.goal = None;
        self.text.insert_str(self.at, text);
        self.at += text.len();
        Edit::Done
    }

    fn remove(&mut self, start: usize, end: usize) -> Edit {
        if start == end {
            return Edit::Ignored;
        }
        self.text.replace_range(start..end, "");
        self.at = start;
        Edit::Done
    }

    fn before(&self) -> usize {
        clusters(&self.text[..self.at]).next_back().map_or(0, |cluster| self.at - cluster.len())
    }

    fn after(&self) -> usize {
        clusters(&self.text[self.at..]).next().map_or(self.at, |cluster| self.at + cluster.len())
    }

    fn word_before(&self) -> usize {
        let spaced = self.text[..self.at].trim_end_matches(|c: char| !c.is_alphanumeric());
        spaced.trim_end_matches(char::is_alphanumeric).len()
    }

    fn word_after(&self) -> usize {
        let rest = self.text[self.at..].trim_start_matches(|c: char| !c.is_alphanumeric());
        self.text.len() - rest.trim_start_matches(char::is_alphanumeric).len()
    }

    fn line_start(&self) -> usize {
        self.text[..self.at].rfind('\n').map_or(0, |at| at + 1)
    }

    fn line_end(&self) -> usize {
        self.text[self.at..].find('\n').map_or(self.text.len(), |at| self.at + at)
    }

    /// The rows of the text, and the row and column of the cursor.
    pub(crate) fn view(&self, columns: usize, alphabet: Alphabet) -> (Vec<Line>, (usize, usize)) {
        let rows = Rows::new(&self.text, columns, alphabet);
        let cursor = rows.place(self.at);
        (rows.into_lines(), cursor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn typed(keys: &[Key]) -> Editor {
        let mut editor = Editor::new("", Lines::One);
        keys.iter().for_each(|key| drop(editor.update(&Input::Key(*key))));
        editor
    }

    // Q4
    #[test]
    fn words_and_clusters_are_moved_over_and_killed_whole() {
        let mut editor = Editor::new("one two 👩\u{200d}💻", Lines::One);
        editor.press(Key::Backspace);
        assert_eq!(editor.text(), "one two ", "an emoji is one character");
        editor.press(Key::KillWord);
        assert_eq!(editor.text(), "one ");
        editor.press(Key::WordLeft);
        editor.press(Key::Char('x'));
        assert_eq!(editor.text(), "xone ");
        editor.press(Key::KillToEnd);
        assert_eq!(editor.text(), "x");
        assert_eq!(typed(&[Key::Char('a'), Key::Home, Key::Char('b'), Key::End, Key::Char('c')]).text(), "bac");
    }

    // Q4
    #[test]
    fn a_paste_is_text_and_says_what_it_changed() {
        let mut editor = Editor::new("", Lines::One);
        assert_eq!(editor.paste("2\r"), Edit::Done);
        assert_eq!(editor.text(), "2");
        assert_eq!(
            editor.paste("a\nb\u{1b}"),
            Edit::Said("line ends were pasted as spaces; 1 control character was not pasted".to_owned())
        );
        assert_eq!(editor.text(), "2a b");
        assert_eq!(editor.paste("\tc"), Edit::Done);
        assert_eq!(editor.text(), "2a b\tc", "a text may have tabs");
        let mut other = Editor::new("", Lines::One).without_tabs();
        assert_eq!(other.paste("a\tb\n"), Edit::Said("tabs were pasted as spaces".to_owned()));
        assert_eq!(other.paste("\n\tc"), Edit::Said("line ends and tabs were pasted as spaces".to_owned()));
        assert_eq!(other.text(), "a b  c");
        let mut many = Editor::new("", Lines::Many);
        assert_eq!(many.paste("a\r\nb\n\n"), Edit::Done);
        assert_eq!(many.text(), "a\nb\n\n");
    }

    // F2, Q4
    #[test]
    fn rows_are_moved_over_and_a_column_is_kept() {
        let mut editor = Editor::new("one two three\n\nfour five", Lines::Many);
        editor.fit(9, Alphabet::Unicode);
        let rows: Vec<String> = editor.view(9, Alphabet::Unicode).0.iter().map(Line::text).collect();
        assert_eq!(rows, ["one two ", "three", "", "four ", "five"]);
        let mut places = vec![editor.view(9, Alphabet::Unicode).1];
        for _ in 0..5 {
            editor.press(Key::Up);
            places.push(editor.view(9, Alphabet::Unicode).1);
        }
        assert_eq!(places, [(4, 4), (3, 4), (2, 0), (1, 4), (0, 4), (0, 4)]);
        assert_eq!(editor.walk(Way::Down, 3), Edit::Done);
        assert_eq!(editor.view(9, Alphabet::Unicode).1, (3, 4));
        editor.press(Key::Home);
        editor.press(Key::Char('x'));
        assert_eq!(editor.text(), "one two three\n\nxfour five");
    }

    // S3
    #[test]
    fn there_is_an_end_to_what_is_held() {
        let mut editor = Editor::new("", Lines::One);
        assert!(matches!(editor.paste(&"x".repeat(MOST + 1)), Edit::Said(_)));
        assert!(editor.is_empty());
    }

    proptest! {
        // Q3
        #[test]
        fn the_cursor_is_always_on_the_screen(
            text in "[a日é👩\u{200d}💻\u{301} \n\t]{0,40}", steps in proptest::collection::vec(0usize..8, 0..30), columns in 1usize..30,
        ) {
            const KEYS: [Key; 8] = [Key::Left, Key::Right, Key::WordLeft, Key::WordRight, Key::Up, Key::Down, Key::Delete, Key::KillWord];
            let mut editor = Editor::new(&text, Lines::Many);
            editor.fit(columns, Alphabet::Unicode);
            for step in steps {
                editor.press(KEYS[step]);
                prop_assert!(editor.text.is_char_boundary(editor.at));
                let (lines, (row, column)) = editor.view(columns, Alphabet::Unicode);
                prop_assert!(row < lines.len() && column < columns.max(2), "{row} {column} {columns}");
                prop_assert!(lines.iter().all(|line| line.width() <= columns.max(2)));
            }
        }
    }
}
