//! A message being typed to the agent. Pure: inputs go in, frames and the message come out.

use crate::editor::{Edit, Editor};
use crate::input::{Input, Key, Lines};
use crate::line::{Frame, Line, Role};
use crate::page::Page;
use crate::prompt::field::typed;
use crate::prompt::{Note, Way};
use crate::safe::safe;
use crate::wrap::{Break, wrap, wrap_after};
use askback_core::show::{Layout, Purpose};

const PLACEHOLDER: &str = "Type a message, or /help";
const LEAVING: &str = "press Ctrl+C again to quit";

/// What became of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reading {
    /// The message is not finished.
    Open,
    Entered(String),
    /// The person has no more to say.
    Closed,
    /// The person wants the shell back for a while.
    Suspend,
}

pub(crate) struct Reader<'h> {
    /// Earlier messages, the oldest first.
    history: &'h [String],
    /// Which of them is shown; past the last one, what is typed now.
    place: usize,
    /// What was typed before an earlier message was looked at.
    draft: String,
    editor: Editor,
    note: Option<Note>,
    /// Whether the last key was Ctrl+C on an empty line.
    is_leaving: bool,
}

impl<'h> Reader<'h> {
    pub(crate) fn new(history: &'h [String]) -> Self {
        Self {
            history,
            place: history.len(),
            draft: String::new(),
            editor: Editor::new("", Lines::Many),
            note: None,
            is_leaving: false,
        }
    }

    pub(crate) fn update(&mut self, input: &Input) -> Reading {
        let was_leaving = std::mem::take(&mut self.is_leaving);
        self.note = None;
        let key = match input {
            Input::Key(key) => key,
            // What is copied mostly ends with a line end that is no part of the message.
            Input::Paste(text) => return self.edit(&Input::Paste(text.trim_end_matches(['\r', '\n']).to_owned())),
            Input::Line(_) => return self.edit(input),
        };
        match key {
            Key::Interrupt if !self.editor.is_empty() => {
                self.editor.clear();
                self.place = self.history.len();
            }
            Key::Interrupt if was_leaving => return Reading::Closed,
            Key::Interrupt => {
                self.is_leaving = true;
                self.note = Some(Note::hint(LEAVING));
            }
            Key::Close if self.editor.is_empty() => return Reading::Closed,
            Key::Close => return self.edit(&Input::Key(Key::Delete)),
            Key::Suspend => return Reading::Suspend,
            Key::Enter if self.editor.text().trim().is_empty() => {}
            Key::Enter => return Reading::Entered(self.editor.text().to_owned()),
            Key::AltEnter => return self.edit(&Input::Key(Key::Enter)),
            // Where there is a line above or below, the cursor goes there.
            Key::Up if self.editor.update(input) == Edit::Ignored => self.walk(Way::Up),
            Key::Down if self.editor.update(input) == Edit::Ignored => self.walk(Way::Down),
            Key::Up | Key::Down => {}
            _ => return self.edit(input),
        }
        Reading::Open
    }

    fn edit(&mut self, input: &Input) -> Reading {
        if let Edit::Said(text) = self.editor.update(input) {
            self.note = Some(Note::hint(text));
        }
        Reading::Open
    }

    /// To an earlier message or a later one, and past the last back to what was being typed.
    fn walk(&mut self, way: Way) {
        let count = self.history.len();
        let place = match way {
            Way::Up => self.place.saturating_sub(1),
            Way::Down => (self.place + 1).min(count),
        };
        if place == self.place {
            return;
        }
        if self.place == count {
            self.draft = self.editor.text().to_owned();
        }
        self.place = place;
        self.editor = Editor::new(self.history.get(place).unwrap_or(&self.draft), Lines::Many);
    }

    pub(crate) fn view(&self, page: &Page) -> Frame {
        let height = page.height();
        let note = self.note.as_ref();
        let note = note.map(|note| safe(&note.text, Layout::Line, Purpose::Prose, note.role, page.alphabet));
        let mut note = note.map_or_else(Vec::new, |spans| wrap(&spans, page.width(), Break::Words));
        note.truncate(height - 1);
        let sign = format!("{} ", page.signs().message);
        let body = typed(&self.editor, (&sign, Role::Primary), Some(PLACEHOLDER), page);
        let body = body.clipped(height - note.len(), page);
        let lines = body.lines.into_iter().chain(note).collect();
        Frame { lines, cursor: body.cursor, ..Frame::default() }
    }
}

/// What stays of a message in the scrollback.
pub(crate) fn entered(text: &str, page: &Page) -> Vec<Line> {
    let sign = Line::of(format!("{} ", page.signs().message), Role::Primary);
    let spans = safe(text, Layout::Block, Purpose::Prose, Role::Text, page.alphabet);
    wrap_after(sign, &spans, page.width(), Break::Words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Spacing;
    use crate::theme::Alphabet;
    use proptest::prelude::*;

    const PAGE: Page = Page { columns: 80, rows: 24, alphabet: Alphabet::Unicode, spacing: Spacing::Roomy };

    fn press(reader: &mut Reader<'_>, keys: &[Key]) -> Reading {
        keys.iter().fold(Reading::Open, |_, key| reader.update(&Input::Key(*key)))
    }

    fn letters(text: &str) -> Vec<Key> {
        text.chars().map(Key::Char).collect()
    }

    fn screen(reader: &Reader<'_>) -> String {
        reader.view(&PAGE).lines.iter().map(Line::text).collect::<Vec<_>>().join("\n")
    }

    // Q4
    #[test]
    fn enter_sends_and_a_blank_message_is_none() {
        let mut reader = Reader::new(&[]);
        assert_eq!(screen(&reader), "› Type a message, or /help");
        assert_eq!(reader.view(&PAGE).cursor, Some((0, 2)));
        assert_eq!(press(&mut reader, &[Key::Enter]), Reading::Open);
        assert_eq!(press(&mut reader, &[Key::Char(' '), Key::Enter]), Reading::Open);
        press(&mut reader, &[Key::Backspace]);
        press(&mut reader, &letters("hello"));
        press(&mut reader, &[Key::AltEnter]);
        press(&mut reader, &letters("you"));
        assert_eq!(screen(&reader), "› hello\n  you");
        assert_eq!(reader.view(&PAGE).cursor, Some((1, 5)));
        assert_eq!(press(&mut reader, &[Key::Enter]), Reading::Entered("hello\nyou".to_owned()));
        let plain = Page { alphabet: Alphabet::Ascii, ..PAGE };
        let kept: Vec<String> = entered("hello\nyou", &plain).iter().map(Line::text).collect();
        assert_eq!(kept, ["> hello", "  you"]);
    }

    // Q4
    #[test]
    fn a_paste_keeps_its_line_ends_and_sends_nothing() {
        let mut reader = Reader::new(&[]);
        assert_eq!(reader.update(&Input::Paste("a\r\nb\u{1b}\r".to_owned())), Reading::Open);
        assert_eq!(screen(&reader), "› a\n  b\n1 control character was not pasted");
        assert_eq!(press(&mut reader, &[Key::Enter]), Reading::Entered("a\nb".to_owned()));
    }

    // Q4
    #[test]
    fn earlier_messages_come_back_and_so_does_the_draft() {
        let history = ["one".to_owned(), "two\nlines".to_owned()];
        let mut reader = Reader::new(&history);
        press(&mut reader, &letters("draft"));
        press(&mut reader, &[Key::Up]);
        assert_eq!(screen(&reader), "› two\n  lines");
        press(&mut reader, &[Key::Up]);
        assert_eq!(screen(&reader), "› two\n  lines", "there is a line above");
        press(&mut reader, &[Key::Up, Key::Up]);
        assert_eq!(screen(&reader), "› one");
        press(&mut reader, &[Key::Down, Key::Down]);
        assert_eq!(screen(&reader), "› draft");
        assert_eq!(press(&mut reader, &[Key::Down, Key::Enter]), Reading::Entered("draft".to_owned()));
    }

    // Q4
    #[test]
    fn control_c_clears_then_asks_then_quits() {
        let mut reader = Reader::new(&[]);
        press(&mut reader, &letters("hello"));
        assert_eq!(press(&mut reader, &[Key::Interrupt]), Reading::Open);
        assert_eq!(screen(&reader), "› Type a message, or /help");
        press(&mut reader, &[Key::Interrupt]);
        assert_eq!(screen(&reader), "› Type a message, or /help\npress Ctrl+C again to quit");
        press(&mut reader, &[Key::Left]);
        assert!(!screen(&reader).contains("quit"));
        assert_eq!(press(&mut reader, &[Key::Interrupt]), Reading::Open);
        assert_eq!(press(&mut reader, &[Key::Interrupt]), Reading::Closed);
    }

    // Q4
    #[test]
    fn control_d_deletes_or_closes() {
        let mut reader = Reader::new(&[]);
        press(&mut reader, &letters("ab"));
        assert_eq!(press(&mut reader, &[Key::Home, Key::Close]), Reading::Open);
        assert_eq!(screen(&reader), "› b");
        assert_eq!(press(&mut reader, &[Key::Close]), Reading::Open);
        assert_eq!(press(&mut reader, &[Key::Close]), Reading::Closed);
    }

    proptest! {
        // Q3
        #[test]
        fn the_frame_fits_and_has_the_cursor(
            text in "[a日é👩 \n]{0,200}", ups in 0usize..12, columns in 1usize..60, rows in 1usize..12, leaving in any::<bool>(),
        ) {
            let mut reader = Reader::new(&[]);
            reader.update(&Input::Paste(text));
            press(&mut reader, &vec![Key::Up; ups]);
            if leaving {
                press(&mut reader, &[Key::Interrupt, Key::Interrupt]);
            }
            let page = Page { columns, rows, ..PAGE };
            let frame = reader.view(&page);
            prop_assert!(frame.lines.len() <= page.height());
            let (row, column) = frame.cursor.unwrap();
            prop_assert!(row < frame.lines.len() && column <= page.width(), "{row} {column}");
            prop_assert!(columns < 3 || frame.lines.iter().all(|line| line.width() <= page.width()));
        }
    }
}
