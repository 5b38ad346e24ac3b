//! The choice of an input request (T8): numbered, with a way to reject below.

use super::{Body, Machine, Note, Step, Way, list, sentence};
use crate::editor::{Edit, Editor};
use crate::input::{Input, Key, Lines};
use crate::line::{Line, Role, Span, Style};
use crate::page::Page;
use crate::safe::safe;
use crate::theme::Alphabet;
use crate::wrap::{Break, wrap_after};
use askback_core::controls::imitated;
use askback_core::kind::approval::Decision;
use askback_core::show::{Layout, Purpose};
use askback_core::{AnswerInput, ChoiceOption, Options, Question};

/// Up to so many choices, one digit names one and takes it at once.
const AT_ONCE: usize = 9;
/// Columns of the row between the choices and the way to reject.
const RULE: usize = 6;
/// In fewer rows every one is needed for what can be chosen.
const ROOM_FOR_RULE: usize = 5;

pub(crate) struct StreamChoice<'q> {
    question: &'q Question,
    options: &'q [ChoiceOption],
    /// A choice, or past the last one the way to reject.
    focus: usize,
    typed: Editor,
}

impl<'q> StreamChoice<'q> {
    pub(super) fn open(question: &'q Question, options: &'q Options) -> Self {
        Self { question, options: options.iter().as_slice(), focus: 0, typed: Editor::new("", Lines::One) }
    }

    fn hint(&self) -> String {
        match self.options.len() {
            1 => "type 1, or r to reject".to_owned(),
            count if count <= AT_ONCE => format!("type a number from 1 to {count}, or r to reject"),
            count => format!("type a number from 1 to {count}, or r to reject, then Enter"),
        }
    }

    fn take(&self, index: usize) -> Step {
        let Some(option) = self.options.get(index) else {
            return Step::Decline;
        };
        match self.question.parse_answer(&AnswerInput::from(option.value())) {
            Ok(answer) => Step::Answer(answer),
            Err(refusal) => Step::Say(Note::refusal(&refusal)),
        }
    }

    fn take_typed(&mut self) -> Step {
        let typed = self.typed.text().trim().to_owned();
        self.typed.clear();
        if typed.eq_ignore_ascii_case("r") {
            return Step::Decline;
        }
        match typed.parse::<usize>() {
            Ok(number @ 1..) if number <= self.options.len() => self.take(number - 1),
            _ => Step::Say(Note::hint(self.hint())),
        }
    }

    fn press(&mut self, key: Key) -> Step {
        match key {
            Key::Up | Key::Down => {
                self.focus = list::walked(key, self.focus, self.options.len() + 1).unwrap_or(self.focus);
                self.typed.clear();
                Step::Stay
            }
            Key::Enter if !self.typed.is_empty() => self.take_typed(),
            Key::Enter => self.take(self.focus),
            Key::Char('?') if self.typed.is_empty() => Step::Ignored,
            Key::Char(_) if self.options.len() <= AT_ONCE => {
                self.typed.update(&Input::Key(key));
                self.take_typed()
            }
            key => match self.typed.update(&Input::Key(key)) {
                Edit::Ignored => Step::Ignored,
                Edit::Done | Edit::Said(_) => Step::Stay,
            },
        }
    }

    /// The rows of an item, and before the way to reject a rule that tells it from the agent's last choice.
    fn item(&self, index: usize, room: usize, page: &Page) -> Vec<Line> {
        let is_focused = index == self.focus;
        let style = |role: Role| if is_focused { Style::bold(role) } else { role.into() };
        let pointer = if is_focused { page.signs().pointer } else { " " };
        let (number, role) = match index < self.options.len() {
            true => ((index + 1).to_string(), Role::Info),
            false => ("r".to_owned(), Role::Error),
        };
        let widest = self.options.len().to_string().len();
        let number = format!("{number:>widest$})");
        let lead = Line::of(pointer, style(Role::Primary))
            .with(" ", Role::Plain)
            .with(number, style(role))
            .with(" ", Role::Plain);
        let spans = match self.options.get(index) {
            Some(option) => choice_spans(option, style(Role::Plain), page.alphabet),
            None => vec![Span::new(Decision::Reject.default_label(), style(Role::Error))],
        };
        let mut lines = wrap_after(lead, &spans, page.width(), Break::Words);
        if index == self.options.len() && room >= ROOM_FOR_RULE {
            lines.insert(0, Line::of(page.signs().rule.repeat(RULE), Role::Muted).cut(page.width(), ""));
        }
        lines
    }
}

impl StreamChoice<'_> {
    /// As many choices around the focus as fit above the way to reject, which is always there.
    fn in_rows(&self, rows: usize, page: &Page) -> Body {
        let mut reject = self.item(self.options.len(), rows, page);
        reject.drain(..(reject.len() + 1).saturating_sub(rows));
        let focus = self.focus.min(self.options.len() - 1);
        let room = rows - reject.len();
        let mut body = list::window(self.options.len(), focus, room, page, |index| self.item(index, room, page));
        body.lines.append(&mut reject);
        body
    }

    /// What has the focus, and beside it the way to reject if there is room.
    fn in_one_row(&self, page: &Page) -> Body {
        let row = |index: usize| self.item(index, 1, page).into_iter().next().unwrap_or_default();
        let reject = Line::of(" ", Role::Plain).then(row(self.options.len()));
        let line = match page.width().saturating_sub(reject.width()) {
            room if room >= reject.width() && self.focus < self.options.len() => {
                row(self.focus).cut(room, page.signs().more).then(reject)
            }
            _ => row(self.focus),
        };
        Body { is_cut: true, ..Body::of(vec![line]) }
    }
}

/// The text of a choice; one that imitates a control of ours is quoted, to be seen as the agent's text.
fn choice_spans(option: &ChoiceOption, style: Style, alphabet: Alphabet) -> Vec<Span> {
    let spans = safe(option.label(), Layout::Line, Purpose::Prose, style, alphabet);
    if imitated(option.label()).is_none() {
        return spans;
    }
    let quote = || [Span::new("\"", style)];
    quote().into_iter().chain(spans).chain(quote()).collect()
}

impl Machine for StreamChoice<'_> {
    fn update(&mut self, input: &Input) -> Step {
        match input {
            Input::Paste(_) => Step::Say(Note::hint(format!("a paste chooses nothing; {}", self.hint()))),
            Input::Key(key) => self.press(*key),
            Input::Line(line) => {
                self.typed.write(line, line.len());
                self.take_typed()
            }
        }
    }

    fn told(&self, alphabet: Alphabet) -> Vec<Line> {
        let option = |(index, option): (usize, &ChoiceOption)| {
            let spans = choice_spans(option, Role::Plain.into(), alphabet);
            Line::of(format!("{}. ", index + 1), Role::Plain).then(Line { spans })
        };
        let options = self.options.iter().enumerate().map(option);
        options.chain(["r. Reject", &sentence(&self.hint())].map(|text| Line::of(text, Role::Plain))).collect()
    }

    fn view(&self, page: &Page, rows: usize) -> Body {
        let typed = (!self.typed.is_empty()).then(|| super::field::typed(&self.typed, ("? ", Role::Info), None, page));
        let room = rows.saturating_sub(typed.as_ref().map_or(0, |body| body.lines.len())).max(1);
        let mut body = if room == 1 { self.in_one_row(page) } else { self.in_rows(room, page) };
        body.append(typed.unwrap_or_default());
        body.clipped(rows, page)
    }

    fn hints(&self, page: &Page) -> Vec<String> {
        let number = if self.options.len() <= AT_ONCE { "number selects" } else { "number, then enter" };
        vec![format!("{} navigate", page.signs().up_down), "enter select".to_owned(), number.to_owned()]
    }

    fn takes_letters(&self) -> bool {
        !self.typed.is_empty()
    }

    fn page(&mut self, way: Way) {
        self.focus = match way {
            Way::Up => self.focus.saturating_sub(AT_ONCE),
            Way::Down => (self.focus + AT_ONCE).min(self.options.len()),
        };
    }
}
