//! An answer being typed in its written form, which is what most kinds have in common: the core says whether it passes.

use super::{Body, Machine, Note, Step, Way};
use crate::editor::{Edit, Editor};
use crate::input::{Input, Key, Lines};
use crate::line::{Line, Role, Span};
use crate::page::Page;
use crate::safe::safe;
use crate::theme::Alphabet;
use crate::width::width;
use crate::wrap::{Break, wrap_after};
use askback_core::show::{Layout, Purpose};
use askback_core::{Answer, AnswerInput, Question, Refusal};

/// Before what is typed.
const SIGN: (&str, Role) = ("> ", Role::Primary);
pub(super) const INDENT: usize = SIGN.0.len();

pub(super) struct Field<'q> {
    question: &'q Question,
    pub(super) editor: Editor,
    /// Whether the person has changed or confirmed what was filled in at first: that alone is no answer.
    touched: bool,
}

impl<'q> Field<'q> {
    pub(super) fn open(question: &'q Question, lines: Lines) -> Self {
        let initial = question.initial().map(Answer::written).unwrap_or_default();
        Self { question, editor: Editor::new(&initial, lines), touched: false }
    }

    /// One line: Enter submits it, and so does its coming whole.
    pub(super) fn update(&mut self, input: &Input) -> Step {
        match input {
            Input::Key(Key::Enter | Key::AltEnter | Key::Submit) => self.submit(),
            Input::Line(line) => self.take_line(line),
            input => self.edit(input),
        }
    }

    pub(super) fn edit(&mut self, input: &Input) -> Step {
        edit(&mut self.editor, input, &mut self.touched)
    }

    /// A key other than a letter has changed it.
    pub(super) fn write(&mut self, text: &str, at: usize) -> Step {
        self.editor.write(text, at);
        self.touched = true;
        Step::Stay
    }

    /// A whole line instead of what is there; an empty one takes what is.
    fn take_line(&mut self, line: &str) -> Step {
        let before = self.editor.clone();
        if !line.is_empty() {
            self.editor.write(line, line.len());
        }
        let step = self.submit();
        if !matches!(step, Step::Answer(_)) {
            self.editor = before;
        }
        step
    }

    pub(super) fn submit(&mut self) -> Step {
        match self.judge(self.editor.text()) {
            Ok(answer) => {
                self.touched = true;
                Step::Answer(answer)
            }
            Err(refusal) if self.editor.is_empty() => {
                Step::Say(Note::error(format!("nothing is typed yet; please give {}", refusal.expected)))
            }
            Err(refusal) => Step::Say(Note::refusal(&refusal)),
        }
    }

    pub(super) fn judge(&self, text: &str) -> Result<Answer, Refusal> {
        self.question.parse_answer(&AnswerInput::from(text))
    }

    pub(super) fn leave(&self) -> Option<Answer> {
        self.touched.then(|| self.judge(self.editor.text()).ok()).flatten()
    }

    /// What is typed, or in its place what may be.
    pub(super) fn body(&self, placeholder: Option<&str>, page: &Page) -> Body {
        typed(&self.editor, SIGN, self.question.placeholder().or(placeholder), page)
    }

    /// What to type where only lines are printed, and what is typed to take the text that is there already.
    pub(super) fn told(&self, expected: &str, taking: &str, alphabet: Alphabet) -> Vec<Line> {
        let mut lines = vec![Line::of(format!("Type {expected}."), Role::Plain)];
        let mut add = |words: &str, text: &str| {
            let spans = safe(text, Layout::Block, Purpose::Prose, Role::Plain, alphabet);
            lines.extend(wrap_after(Line::of(words, Role::Plain), &spans, usize::MAX, Break::Words));
        };
        if let Some(placeholder) = self.question.placeholder() {
            add("For example: ", placeholder);
        }
        if !self.editor.is_empty() {
            add(&format!("{taking} alone answers: "), self.editor.text());
        }
        lines
    }
}

/// A kind whose answer is one line in a [`Field`], and what it adds to the field.
pub(super) trait FieldKind {
    fn update(&self, field: &mut Field<'_>, input: &Input) -> Step {
        field.update(input)
    }

    fn view(&self, field: &Field<'_>, page: &Page) -> Body {
        field.body(None, page)
    }

    /// The text to type, in words.
    fn told(&self) -> String;

    /// The hints before the one for Enter.
    fn hints(&self, _: &Field<'_>, _: &Page) -> Vec<String> {
        Vec::new()
    }

    fn page(&self, _: &mut Field<'_>, _: Way) {}
}

pub(super) struct FieldPrompt<'q, K> {
    field: Field<'q>,
    kind: K,
}

impl<'q, K: FieldKind> FieldPrompt<'q, K> {
    pub(super) fn open(question: &'q Question, kind: K) -> Self {
        Self { field: Field::open(question, Lines::One), kind }
    }
}

impl<K: FieldKind> Machine for FieldPrompt<'_, K> {
    fn update(&mut self, input: &Input) -> Step {
        self.kind.update(&mut self.field, input)
    }

    fn view(&self, page: &Page, rows: usize) -> Body {
        self.kind.view(&self.field, page).clipped(rows, page)
    }

    fn told(&self, alphabet: Alphabet) -> Vec<Line> {
        self.field.told(&self.kind.told(), "Enter", alphabet)
    }

    fn leave(&mut self, _: Option<Answer>) -> Option<Answer> {
        self.field.leave()
    }

    fn hints(&self, page: &Page) -> Vec<String> {
        self.kind.hints(&self.field, page).into_iter().chain(["enter submit".to_owned()]).collect()
    }

    fn page(&mut self, way: Way) {
        self.kind.page(&mut self.field, way);
    }
}

pub(super) fn below(text: &str, role: Role, page: &Page) -> Body {
    let lead = Line::of(if page.width() > 24 { "  " } else { "" }, role);
    Body::of(wrap_after(lead, &[Span::new(text, role)], page.width(), Break::Words))
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
