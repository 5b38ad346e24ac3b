//! A text being typed: the cursor moves by what people take for characters, and nothing typed is ever out of sight.

use crate::input::{Input, Key, Lines};
use crate::line::{Line, Role, Span};
use crate::safe::safe;
use crate::theme::Alphabet;
use crate::width::{clusters, width};
use crate::wrap::{Break, wrap};
use askback_core::limits::FREE_TEXT_LENGTH;
use askback_core::show::{Layout, Purpose};

/// Code points held at most: twice what any rule lets pass, so that a slip can still be seen and mended.
const MOST: usize = 2 * FREE_TEXT_LENGTH;

/// A text and the place in it where typing goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Editor {
    text: String,
    at: usize,
    lines: Lines,
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
        Self { text: text.to_owned(), at: text.len(), lines }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.at = 0;
    }

    pub(crate) fn update(&mut self, input: &Input) -> Edit {
        match input {
            Input::Paste(text) => self.paste(text),
            Input::Key(key) => self.press(*key),
        }
    }

    fn press(&mut self, key: Key) -> Edit {
        let target = match key {
            Key::Char(c) if !c.is_control() => return self.insert(c.encode_utf8(&mut [0; 4])),
            Key::Enter if self.lines == Lines::Many => return self.insert("\n"),
            Key::Left => self.before(self.at),
            Key::Right => self.after(self.at),
            Key::WordLeft => self.word_before(self.at),
            Key::WordRight => self.word_after(self.at),
            Key::Home => self.line_start(),
            Key::End => self.line_end(),
            Key::Up if self.lines == Lines::Many => self.line_above(),
            Key::Down if self.lines == Lines::Many => self.line_below(),
            Key::Backspace => return self.remove(self.before(self.at), self.at),
            Key::Delete => return self.remove(self.at, self.after(self.at)),
            Key::KillWord => return self.remove(self.word_before(self.at), self.at),
            Key::KillToStart => return self.remove(self.line_start(), self.at),
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
        let mut text = text.trim_end_matches('\n').to_owned();
        if self.lines == Lines::One && text.contains('\n') {
            text = text.replace('\n', " ");
            said.push("line ends were pasted as spaces".to_owned());
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

    fn before(&self, at: usize) -> usize {
        clusters(&self.text[..at]).next_back().map_or(0, |cluster| at - cluster.len())
    }

    fn after(&self, at: usize) -> usize {
        clusters(&self.text[at..]).next().map_or(at, |cluster| at + cluster.len())
    }

    fn word_before(&self, at: usize) -> usize {
        let spaced = self.text[..at].trim_end_matches(|c: char| !c.is_alphanumeric());
        spaced.trim_end_matches(char::is_alphanumeric).len()
    }

    fn word_after(&self, at: usize) -> usize {
        let rest = self.text[at..].trim_start_matches(|c: char| !c.is_alphanumeric());
        self.text.len() - rest.trim_start_matches(char::is_alphanumeric).len()
    }

    fn line_start(&self) -> usize {
        self.text[..self.at].rfind('\n').map_or(0, |at| at + 1)
    }

    fn line_end(&self) -> usize {
        self.text[self.at..].find('\n').map_or(self.text.len(), |at| self.at + at)
    }

    fn line_above(&self) -> usize {
        let start = self.line_start();
        if start == 0 {
            return self.at;
        }
        let above = self.text[..start - 1].rfind('\n').map_or(0, |at| at + 1);
        self.in_line(above, width(&self.text[start..self.at]))
    }

    fn line_below(&self) -> usize {
        let end = self.line_end();
        if end == self.text.len() {
            return self.at;
        }
        self.in_line(end + 1, width(&self.text[self.line_start()..self.at]))
    }

    /// The place in the line from `start` that stands under a column.
    fn in_line(&self, start: usize, column: usize) -> usize {
        let line = self.text[start..].split('\n').next().unwrap_or_default();
        let mut used = 0;
        let mut at = start;
        for cluster in clusters(line) {
            used += width(cluster);
            if used > column {
                break;
            }
            at += cluster.len();
        }
        at
    }

    /// The rows of the text, and the row and column of the cursor.
    pub(crate) fn view(&self, columns: usize, alphabet: Alphabet) -> (Vec<Line>, (usize, usize)) {
        // One column is kept for the cursor behind the last character.
        let columns = columns.saturating_sub(1).max(1);
        let spans = |text: &str| safe(text, Layout::Block, Purpose::Prose, Role::Text, alphabet);
        let lines = wrap(&spans(&self.text), columns, Break::Anywhere);
        let before: Vec<Span> = spans(&self.text[..self.at]);
        let above = wrap(&before, columns, Break::Anywhere);
        let cursor = (above.len() - 1, above.last().map_or(0, Line::width));
        (lines, cursor)
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
        let mut many = Editor::new("", Lines::Many);
        assert_eq!(many.paste("a\r\nb"), Edit::Done);
        assert_eq!(many.text(), "a\nb");
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
            for step in steps {
                editor.press(KEYS[step]);
                prop_assert!(editor.text.is_char_boundary(editor.at));
                let (lines, (row, column)) = editor.view(columns, Alphabet::Unicode);
                prop_assert!(row < lines.len() && column < columns.max(2), "{row} {column} {columns}");
            }
        }
    }
}
