//! Text, and every kind that is typed in its written form: the core says whether it passes.

use super::{Body, Machine, Note, Step};
use crate::editor::{Edit, Editor};
use crate::input::{Input, Key, Lines};
use crate::line::{Line, Role};
use crate::page::Page;
use crate::safe::safe;
use crate::width::width;
use askback_core::show::{Layout, Purpose};
use askback_core::{Answer, Kind, Question, RawAnswer};

pub(crate) struct TextPrompt<'q> {
    question: &'q Question,
    editor: Editor,
    lines: Lines,
    /// What would pass, where that is more than some text.
    expected: Option<String>,
    /// Whether the person has changed or confirmed what was filled in at first: that alone is no answer.
    touched: bool,
}

impl<'q> TextPrompt<'q> {
    pub(super) fn open(question: &'q Question, lines: Lines) -> Self {
        let initial = question.initial().map(Answer::written).unwrap_or_default();
        let is_text = matches!(question.kind(), Kind::Text(_) | Kind::Multiline(_));
        let refusal = question.parse_answer(RawAnswer::Response("")).err().filter(|_| !is_text);
        let expected = refusal.map(|refusal| refusal.expected);
        Self { question, editor: Editor::new(&initial, lines), lines, expected, touched: false }
    }

    fn submit(&mut self) -> Step {
        match self.question.parse_answer(RawAnswer::Response(self.editor.text())) {
            Ok(answer) => {
                self.touched = true;
                Step::Answer(answer)
            }
            Err(refusal) if self.editor.is_empty() => {
                Step::Say(Note::error(format!("please give {}", refusal.expected)))
            }
            Err(refusal) => Step::Say(Note::refusal(&refusal)),
        }
    }
}

impl Machine for TextPrompt<'_> {
    fn update(&mut self, input: &Input) -> Step {
        match (input, self.lines) {
            (Input::Key(Key::Enter), Lines::One) | (Input::Key(Key::AltEnter), _) => self.submit(),
            _ => edit(&mut self.editor, input, &mut self.touched),
        }
    }

    fn view(&self, page: &Page, rows: usize) -> Body {
        let placeholder = self.question.placeholder().or(self.expected.as_deref());
        typed(&self.editor, ("> ", Role::Primary), placeholder, page).clipped(rows, page)
    }

    fn leave(&mut self) -> Option<Answer> {
        self.touched.then(|| self.question.parse_answer(RawAnswer::Response(self.editor.text())).ok()).flatten()
    }

    fn hints(&self, _: &Page) -> Vec<String> {
        match self.lines {
            Lines::One => vec!["enter submit".to_owned()],
            Lines::Many => vec!["alt+enter submit".to_owned(), "enter new line".to_owned()],
        }
    }

    fn takes_letters(&self) -> bool {
        true
    }
}

/// Lets an editor have an input, and says what it says.
pub(super) fn edit(editor: &mut Editor, input: &Input, touched: &mut bool) -> Step {
    let before = editor.text().len();
    let step = match editor.update(input) {
        Edit::Ignored => return Step::Ignored,
        Edit::Done => Step::Stay,
        Edit::Said(text) => Step::Say(Note::hint(text)),
    };
    *touched |= before != editor.text().len();
    step
}

/// A text being typed after a sign, or what may be typed there.
pub(crate) fn typed(editor: &Editor, (sign, role): (&str, Role), placeholder: Option<&str>, page: &Page) -> Body {
    let lead = if page.width() > width(sign) + 2 { sign } else { "" };
    let indent = width(lead);
    let (rows, (row, column)) = editor.view(page.width() - indent, page.alphabet);
    let mut lines = Vec::with_capacity(rows.len());
    for (index, typed) in rows.into_iter().enumerate() {
        let lead = if index == 0 { Line::of(lead, role) } else { Line::of(" ".repeat(indent), Role::Plain) };
        lines.push(lead.then(typed));
    }
    if let (true, Some(placeholder)) = (editor.is_empty(), placeholder) {
        let spans = safe(placeholder, Layout::Line, Purpose::Prose, Role::Muted, page.alphabet);
        lines[0] = std::mem::take(&mut lines[0]).then(Line { spans }).cut(page.width(), page.signs().more);
    }
    Body { cursor: Some((row, column + indent)), ..Body::of(lines) }
}
