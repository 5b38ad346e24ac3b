//! Multiline (F2): a text of many lines, of which Enter begins the next, and how long it is.

use super::field::{Field, INDENT, below};
use super::{Body, Machine, Note, Step, Way};
use crate::editor::MOST;
use crate::input::{Input, Key, Lines};
use crate::line::{Line, Role};
use crate::page::Page;
use crate::theme::Alphabet;
use askback_core::kind::text::Multiline;
use askback_core::{Answer, Question, Rule};

/// Rows that Page Up and Page Down move over.
const PAGE: usize = 10;
/// Ends a text that comes line by line.
const END: &str = ".";
/// Begins it anew.
const CLEAR: &str = "/clear";

pub(crate) struct MultilinePrompt<'q> {
    field: Field<'q>,
    multiline: &'q Multiline,
    /// Where lines come whole: those that have, if any has.
    lines: Option<String>,
}

impl<'q> MultilinePrompt<'q> {
    pub(super) fn open(question: &'q Question, multiline: &'q Multiline) -> Self {
        Self { field: Field::open(question, Lines::Many), multiline, lines: None }
    }

    /// Whole lines are gathered up to one with a dot alone. As in mail, a line of dots loses one, so that any text can be
    /// written. What does not pass stays, for more lines to be added.
    fn take_line(&mut self, line: &str) -> Step {
        match line {
            END => self.submit_lines(),
            CLEAR => {
                self.lines = None;
                Step::Say(Note::hint("there are no lines now"))
            }
            line => {
                // What a key like an arrow leaves in a line is better found at once than at the end.
                if let Err(refusal) = self.field.judge(line)
                    && refusal.rule == Rule::Control
                {
                    return Step::Say(Note::error(format!("{}; the line is left out, type it again", refusal.message)));
                }
                let held = self.lines.as_ref().map_or(0, |lines| lines.chars().count());
                if held + line.chars().count() > MOST {
                    return Step::Say(Note::error(format!(
                        "there is no room for more than {MOST} characters; a dot ends them, {CLEAR} begins anew"
                    )));
                }
                let is_dots = !line.is_empty() && line.bytes().all(|byte| byte == b'.');
                let line = if is_dots || line.strip_prefix('/') == Some(CLEAR) { &line[1..] } else { line };
                let before = self.lines.take().map(|lines| lines + "\n").unwrap_or_default();
                self.lines = Some(before + line);
                Step::Stay
            }
        }
    }

    fn submit_lines(&mut self) -> Step {
        let before = self.field.editor.clone();
        if let Some(lines) = &self.lines {
            self.field.editor.write(lines, lines.len());
        }
        match self.field.submit() {
            Step::Say(note) => {
                self.field.editor = before;
                let kept = self.so_far().map(|so_far| format!("; so far {so_far}")).unwrap_or_default();
                Step::Say(Note { text: format!("{}{kept}", note.text), ..note })
            }
            step => {
                self.lines = None;
                step
            }
        }
    }

    fn count_line(&self, page: &Page) -> Body {
        let (count, most) = (self.field.editor.text().chars().count(), self.multiline.max_length());
        let role = if count > most { Role::Error } else { Role::Muted };
        let words = if count == 1 { "character" } else { "characters" };
        below(&format!("{count} {words} of {most}"), role, page)
    }
}

impl Machine for MultilinePrompt<'_> {
    fn update(&mut self, input: &Input) -> Step {
        match input {
            Input::Key(Key::AltEnter | Key::Submit) => self.field.submit(),
            Input::Line(line) => self.take_line(line),
            input => self.field.edit(input),
        }
    }

    fn view(&self, page: &Page, rows: usize) -> Body {
        let mut count = self.count_line(page);
        // Where there is no room at all, the count goes before the text does.
        let room = rows.saturating_sub(3);
        count.is_cut = count.lines.len() > room;
        count.lines.truncate(room);
        let mut body = self.field.body(None, page).clipped(rows - count.lines.len(), page);
        body.append(count);
        body
    }

    fn fit(&mut self, page: &Page) {
        self.field.editor.fit(page.width().saturating_sub(INDENT), page.alphabet);
    }

    fn told(&self, alphabet: Alphabet) -> Vec<Line> {
        let expected = format!(
            "any number of lines, of at most {} characters together; a line with only a dot ends them",
            self.multiline.max_length()
        );
        self.field.told(&expected, "A dot", alphabet)
    }

    fn so_far(&self) -> Option<String> {
        let lines = self.lines.as_ref()?;
        let (count, characters) = (lines.split('\n').count(), lines.chars().count());
        let words = if count == 1 { "line" } else { "lines" };
        Some(format!("{count} {words} of {characters} characters, to which more are added; {CLEAR} begins anew"))
    }

    fn leave(&mut self, _: Option<Answer>) -> Option<Answer> {
        self.field.leave()
    }

    fn hints(&self, _: &Page) -> Vec<String> {
        ["alt+enter or ctrl+s submit", "enter new line"].map(str::to_owned).to_vec()
    }

    fn page(&mut self, way: Way) {
        self.field.editor.walk(way, PAGE);
    }
}
