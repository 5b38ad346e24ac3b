//! The prompts: one machine for each way of answering, without any I/O. Keys go in, rows come out.

use crate::input::{Input, Key};
use crate::line::{Line, Role, Span};
use crate::page::Page;
use crate::safe::safe;
use crate::theme::Alphabet;
use crate::width::width;
use crate::wrap::{Break, wrap};
use askback_core::kind::choice::Select;
use askback_core::show::{Layout, Purpose};
use askback_core::{Answer, Kind, Other, PromptStyle, Question, Refusal};
use choice::ChoicePrompt;
use decision::DecisionPrompt;
use field::FieldPrompt;
use jiff::civil::Date;
use std::time::Duration;

mod choice;
mod date;
pub(crate) mod decision;
mod email;
pub(crate) mod field;
pub(crate) mod list;
mod multiline;
mod number;
mod rating;
mod stream_choice;
mod stream_text;
mod text;

/// How long keys are ignored when an approval or a confirm appears (T7), or when another item gets the focus of a list by
/// itself.
pub(crate) const CALM: Duration = Duration::from_millis(250);
/// The sign before a filter that is typed.
pub(crate) const FILTER: (&str, Role) = ("/ ", Role::Primary);
/// Where not everything fits, one row in so many may be spent on hints.
pub(crate) const ROWS_PER_HINT: usize = 6;

/// Whether something was not on the screen yet, or has only just come there.
pub(crate) fn is_fresh(seen: Option<Duration>, now: Duration) -> bool {
    seen.is_none_or(|since| now.saturating_sub(since) < CALM)
}

/// One question on the screen.
pub(crate) trait Machine {
    /// Takes an input, or leaves it to the form.
    fn update(&mut self, input: &Input) -> Step;
    /// What it shows in at most so many rows, the focus among them.
    fn view(&self, page: &Page, rows: usize) -> Body;
    /// How it is asked where nothing can be painted: what there is to choose from and what to type, in lines of any length.
    fn told(&self, alphabet: Alphabet) -> Vec<Line>;
    /// What was typed line by line and is not yet an answer, in words.
    fn so_far(&self) -> Option<String> {
        None
    }
    /// It is shown on another page from now on.
    fn fit(&mut self, _: &Page) {}
    /// The person goes elsewhere: the answer that stands, after one that was perhaps given before.
    fn leave(&mut self, given: Option<Answer>) -> Option<Answer> {
        given
    }
    /// What the keys do here that a person can't do without, for the footer.
    fn hints(&self, _: &Page) -> Vec<String> {
        vec!["enter submit".to_owned()]
    }
    /// Whether letters are text here, so that `?` is one too.
    fn takes_letters(&self) -> bool {
        true
    }
    /// Whether keys are to be ignored in the moment it appears (T7).
    fn needs_calm(&self) -> bool {
        false
    }
    /// Whether Enter would give consent now.
    fn would_consent(&self) -> bool {
        false
    }
    /// Whether a key only moves the focus here, and changes nothing that could become an answer.
    fn only_moves(&self, _: Key) -> bool {
        false
    }
    /// What stands after the message.
    fn remark(&self) -> Option<&'static str> {
        None
    }
    /// What to look at while the focus is where it is.
    fn preview(&self) -> Option<Preview<'_>> {
        None
    }
    /// Moves the focus by whole screens, if there is something to move over.
    fn page(&mut self, _: Way) {}
}

/// What is shown below a list for the option in focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Preview<'t> {
    /// Its description, where that is too long to stand under it: prose.
    pub(crate) description: Option<&'t str>,
    /// What it would look like: every column counts.
    pub(crate) sample: Option<&'t str>,
}

impl Preview<'_> {
    /// All of it, to be compared.
    pub(crate) fn text(&self) -> String {
        [self.description, self.sample].into_iter().flatten().collect::<Vec<_>>().join("\n\n")
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Up,
    Down,
}

/// Whether a key moves the focus or changes the question where nothing is edited.
pub(crate) fn is_movement(key: Key) -> bool {
    matches!(key, Key::Up | Key::Down | Key::Left | Key::Right | Key::Home | Key::End)
}

/// What a prompt made of an input.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// It used it.
    Stay,
    /// It used it, and something is to be said.
    Say(Note),
    Answer(Answer),
    Decline,
    /// It has no use for it.
    Ignored,
}

/// Something said below the question until the next key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) text: String,
    pub(crate) role: Role,
}

impl Note {
    pub(crate) fn hint(text: impl Into<String>) -> Self {
        Self { text: text.into(), role: Role::Warning }
    }

    pub(crate) fn error(text: impl Into<String>) -> Self {
        Self { text: text.into(), role: Role::Error }
    }

    /// Why an answer does not pass, and what would.
    pub(crate) fn refusal(refusal: &Refusal) -> Self {
        Self::error(format!("{}; please give {}", refusal.message, refusal.expected))
    }

    pub(crate) fn rows(&self, columns: usize, alphabet: Alphabet) -> Vec<Line> {
        wrap(&safe(&self.text, Layout::Line, Purpose::Prose, self.role, alphabet), columns, Break::Words)
    }
}

/// What is said, as a sentence of its own.
pub(crate) fn sentence(said: &str) -> String {
    let mut letters = said.chars();
    letters.next().map(|first| format!("{}{}.", first.to_uppercase(), letters.as_str())).unwrap_or_default()
}

/// Rows of a prompt, where in them the person types, and whether some of its rows are left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Body {
    pub(crate) lines: Vec<Line>,
    pub(crate) cursor: Option<(usize, usize)>,
    pub(crate) is_cut: bool,
}

impl Body {
    /// Rows without a cursor, all there are.
    pub(crate) fn of(lines: Vec<Line>) -> Self {
        Self { lines, ..Self::default() }
    }

    /// So many rows of it, the one with the cursor among them; what is above and below is said.
    pub(crate) fn clipped(mut self, rows: usize, page: &Page) -> Self {
        let total = self.lines.len();
        if total <= rows {
            return self;
        }
        self.is_cut = true;
        let focus = self.cursor.map_or(0, |(row, _)| row);
        let first = (focus + 1).saturating_sub(rows).max(focus.saturating_sub(rows / 2)).min(total - rows);
        let last = first + rows;
        self.lines = self.lines.drain(first..last).collect();
        self.cursor = self.cursor.map(|(row, column)| (row - first, column));
        let here = focus - first;
        if first > 0 && here > 0 {
            self.lines[0] = more(page.signs().above, first + 1, "rows", page);
        }
        if last < total && here + 1 < rows {
            self.lines[rows - 1] = more(page.signs().below, total - last + 1, "rows", page);
        }
        self
    }

    pub(crate) fn append(&mut self, other: Self) {
        let above = self.lines.len();
        self.lines.extend(other.lines);
        self.cursor = other.cursor.map(|(row, column)| (row + above, column)).or(self.cursor);
        self.is_cut |= other.is_cut;
    }
}

/// "↓ 12 more".
pub(crate) fn more(sign: &str, count: usize, what: &str, page: &Page) -> Line {
    let what = if what.is_empty() { String::new() } else { format!(" {what}") };
    Line::of(format!("{sign} {count} more{what}"), Role::Warning).cut(page.width(), "")
}

/// At most so many rows; the last of them says that there are more.
pub(crate) fn shortened(mut lines: Vec<Line>, rows: usize, page: &Page) -> Vec<Line> {
    if lines.len() > rows {
        lines.truncate(rows);
        if let Some(last) = lines.pop() {
            lines.push(with_more(last, page));
        }
    }
    lines
}

/// A row and the sign that more belongs to it. Where the row is full, the sign takes the free column at the edge.
fn with_more(line: Line, page: &Page) -> Line {
    let sign = page.signs().more;
    if line.spans.last().is_some_and(|span| span.text.ends_with(sign)) {
        return line;
    }
    let room = page.columns.saturating_sub(width(sign));
    line.cut(room, "").with(sign, Role::Warning).cut(page.columns.max(1), "")
}

/// The footer: what the keys do, in as many rows as that takes. A hint is not torn apart.
pub(crate) fn hint_lines(hints: Vec<String>, page: &Page) -> Vec<Line> {
    let dot = format!(" {} ", page.signs().dot);
    let mut lines: Vec<String> = Vec::new();
    for hint in hints {
        match lines.last_mut() {
            Some(line) if width(line) + width(&dot) + width(&hint) <= page.full_width() => {
                line.push_str(&dot);
                line.push_str(&hint);
            }
            _ => lines.push(hint),
        }
    }
    lines.into_iter().flat_map(|line| wrap(&[Span::new(line, Role::Muted)], page.full_width(), Break::Words)).collect()
}

/// Whether the prompt of a kind shows days relative to today.
pub(crate) fn needs_today(kind: &Kind) -> bool {
    match kind {
        Kind::Date(_) => true,
        Kind::Approval(_)
        | Kind::Text(_)
        | Kind::Multiline(_)
        | Kind::Choice(_)
        | Kind::Confirm(_)
        | Kind::Number(_)
        | Kind::Email(_)
        | Kind::Dropdown(_)
        | Kind::Rating(_) => false,
    }
}

/// The prompt for a question: every kind has its own, and one that has none does not compile.
pub(crate) fn open<'q>(question: &'q Question, look: PromptStyle, today: Date) -> Box<dyn Machine + Send + 'q> {
    match (question.kind(), look) {
        (Kind::Approval(approval), _) => Box::new(DecisionPrompt::approval(question, approval)),
        (Kind::Confirm(_), _) => Box::new(DecisionPrompt::confirm(question)),
        (Kind::Choice(choice), PromptStyle::Stream)
            if choice.select() == Select::One && choice.other() == Other::Absent =>
        {
            Box::new(stream_choice::StreamChoice::open(question, choice.options()))
        }
        (Kind::Text(_), PromptStyle::Stream) => Box::new(stream_text::StreamText::open(question)),
        (Kind::Choice(choice), _) => {
            let (select, other) = (choice.select(), choice.other());
            Box::new(ChoicePrompt::open(question, choice.options(), select, other, choice::FILTER_FROM))
        }
        // A dropdown is found by searching (F9), however few its options are.
        (Kind::Dropdown(dropdown), _) => {
            Box::new(ChoicePrompt::open(question, dropdown.options(), Select::One, Other::Absent, 0))
        }
        (Kind::Text(text), _) => Box::new(FieldPrompt::open(question, text)),
        (Kind::Multiline(multiline), _) => Box::new(multiline::MultilinePrompt::open(question, multiline)),
        (Kind::Number(number), _) => Box::new(FieldPrompt::open(question, number)),
        (Kind::Email(email), _) => Box::new(FieldPrompt::open(question, email)),
        (Kind::Date(date), _) => Box::new(FieldPrompt::open(question, date::DateField { date, today })),
        (Kind::Rating(rating), _) => Box::new(rating::RatingPrompt::open(question, rating)),
    }
}
