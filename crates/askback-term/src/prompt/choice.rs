//! Choice (Q3, Q4): radio buttons or checkboxes, a filter where there are many, and Other with a text of one's own.

use super::field::typed;
use super::{Body, Machine, Note, Step, Way, list};
use crate::editor::Editor;
use crate::input::{Input, Key, Lines};
use crate::line::{Line, Role};
use crate::page::Page;
use crate::theme::Alphabet;
use askback_core::controls;
use askback_core::kind::choice::{Choice, Select};
use askback_core::{Answer, ChoiceOption, OTHER_PLACEHOLDER, Options, Other, Question, RawAnswer};
use std::borrow::Cow;

mod filter;
mod lines;
mod other;
mod row;

use filter::{Filter, Filtered};

/// From so many options on, typing filters (Q4).
const FILTER_FROM: usize = 10;
/// Options that one digit can name.
const QUICK: usize = 9;
/// Rows that Page Up and Page Down move over.
const PAGE: usize = 10;

/// When typing looks for options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Searching {
    /// Where there are so many that it helps (Q4).
    AmongMany,
    Always,
}

/// Something that can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pick {
    Option(usize),
    Other,
}

pub(crate) struct ChoicePrompt<'q> {
    question: &'q Question,
    options: &'q Options,
    select: Select,
    other: Other,
    filter: Option<Filter<'q>>,
    /// A row of what is visible.
    focus: usize,
    /// What is chosen, in the order it was chosen in (F4).
    picks: Vec<Pick>,
    custom: Editor,
    /// Whether Other's text is being typed.
    specifying: bool,
    /// Whether the person has chosen anything: what was filled in at first is no answer.
    touched: bool,
    /// Where options are told in lines: the first row of those told last.
    told_from: usize,
    /// And what was chosen before Other's text was asked for.
    before_other: Option<Vec<Pick>>,
    /// Whether it was just said that what is in focus is not checked.
    is_sure: bool,
}

pub(super) fn open<'q>(question: &'q Question, choice: &'q Choice) -> ChoicePrompt<'q> {
    ChoicePrompt::open(question, choice.options(), choice.select(), choice.other(), Searching::AmongMany)
}

impl<'q> ChoicePrompt<'q> {
    pub(super) fn open(
        question: &'q Question,
        options: &'q Options,
        select: Select,
        other: Other,
        searching: Searching,
    ) -> Self {
        let is_searched = searching == Searching::Always || options.len() >= FILTER_FROM;
        let mut prompt = Self {
            question,
            options,
            select,
            other,
            filter: is_searched.then(|| Filter::new(options)),
            focus: 0,
            picks: Vec::new(),
            custom: Editor::new("", Lines::One),
            specifying: false,
            touched: false,
            told_from: 0,
            before_other: None,
            is_sure: false,
        };
        prompt.fill_in();
        prompt
    }

    /// Shows what the asker filled in.
    fn fill_in(&mut self) {
        let Some(initial) = self.question.initial() else {
            return;
        };
        self.picks = self.filled_in(initial);
        self.custom = Editor::new(initial.custom().unwrap_or_default(), Lines::One);
        if let Some(first) = self.picks.first().copied() {
            self.focus = (0..self.count()).find(|row| self.pick(*row) == first).unwrap_or(0);
        }
        if self.select == Select::One {
            self.picks.clear();
        }
    }

    /// What was filled in at first, as picks.
    fn filled_in(&self, initial: &Answer) -> Vec<Pick> {
        let pick = |selection: &str| match self.options.iter().position(|option| option.value() == selection) {
            Some(index) if initial.custom() != Some(selection) => Pick::Option(index),
            _ => Pick::Other,
        };
        initial.selections().into_iter().map(pick).collect()
    }

    /// The rows: the options that pass the filter, and Other.
    fn count(&self) -> usize {
        self.shown_options() + usize::from(self.other == Other::Offered)
    }

    fn shown_options(&self) -> usize {
        self.filter.as_ref().map_or(self.options.len(), Filter::count)
    }

    fn pick(&self, row: usize) -> Pick {
        if row >= self.shown_options() {
            return Pick::Other;
        }
        Pick::Option(self.filter.as_ref().map_or(row, |filter| filter.option(row)))
    }

    fn option(&self, index: usize) -> Option<&'q ChoiceOption> {
        self.options.iter().as_slice().get(index)
    }

    fn is_picked(&self, pick: Pick) -> bool {
        self.picks.contains(&pick)
    }

    fn update_list(&mut self, input: &Input) -> Step {
        let was_sure = std::mem::take(&mut self.is_sure);
        let Input::Key(key) = input else {
            return self.update_filter(input).unwrap_or_else(|| Step::Say(Note::hint("a paste chooses nothing")));
        };
        match key {
            Key::Up => self.step(Way::Up),
            Key::Down => self.step(Way::Down),
            Key::Home if !self.is_searching() => self.focus_on(0),
            Key::End if !self.is_searching() => self.focus_on(self.count() - 1),
            Key::Enter if self.count() == 0 => Step::Say(Note::hint("nothing matches; type something else")),
            Key::Enter => self.enter(was_sure),
            Key::Char(' ') if self.select == Select::Many && self.count() > 0 => self.toggle(),
            Key::Char(digit @ '1'..='9') if self.filter.is_none() => self.quick_select(*digit),
            // Whoever begins to type on Other means to.
            Key::Char(c) if self.filter.is_none() && c.is_alphabetic() && self.pick(self.focus) == Pick::Other => {
                self.specify();
                self.update_custom(input)
            }
            _ => self.update_filter(input).unwrap_or(Step::Ignored),
        }
    }

    fn update_filter(&mut self, input: &Input) -> Option<Step> {
        match self.filter.as_mut()?.update(input) {
            Filtered::Ignored => return None,
            Filtered::Same => {}
            Filtered::Anew => self.focus = 0,
        }
        Some(Step::Stay)
    }

    fn step(&mut self, way: Way) -> Step {
        let count = self.count();
        if count == 0 {
            return Step::Stay;
        }
        self.focus = match way {
            Way::Up => (self.focus + count - 1) % count,
            Way::Down => (self.focus + 1) % count,
        };
        Step::Stay
    }

    fn focus_on(&mut self, row: usize) -> Step {
        self.focus = row;
        Step::Stay
    }

    fn quick_select(&mut self, digit: char) -> Step {
        let row = digit.to_digit(10).map_or(0, |digit| digit as usize) - 1;
        if self.select == Select::Many || self.options.len() > QUICK {
            return Step::Ignored;
        }
        if row >= self.count() {
            return Step::Say(Note::hint(format!("there are {} to choose from", self.count())));
        }
        self.focus = row;
        self.enter(false)
    }

    fn enter(&mut self, was_sure: bool) -> Step {
        let pick = self.pick(self.focus);
        let is_new = !self.is_picked(pick) && self.is_searching();
        match (self.select, pick) {
            (Select::One, Pick::Other) => self.specify(),
            (Select::One, pick) => {
                let before = std::mem::replace(&mut self.picks, vec![pick]);
                let step = self.submit();
                if !matches!(step, Step::Answer(_)) {
                    self.picks = before;
                }
                step
            }
            (Select::Many, Pick::Other) if is_new || (!self.is_picked(Pick::Other) && self.picks.is_empty()) => {
                self.specify()
            }
            (Select::Many, _) if self.picks.is_empty() => match self.toggle() {
                Step::Stay => Step::Say(Note::hint("nothing was checked, so this one is now; Enter again confirms")),
                step => step,
            },
            // Who has searched for one and not checked it may think that they have.
            (Select::Many, _) if is_new && !was_sure => {
                self.is_sure = true;
                let count = self.picks.len();
                Step::Say(Note::hint(format!(
                    "{count} checked, but not this one: Space checks it, Enter again confirms without it"
                )))
            }
            (Select::Many, _) => self.submit(),
        }
    }

    fn toggle(&mut self) -> Step {
        let pick = self.pick(self.focus);
        if let Some(at) = self.picks.iter().position(|picked| *picked == pick) {
            self.picks.remove(at);
            self.touched = true;
            return Step::Stay;
        }
        match pick {
            Pick::Other => self.specify(),
            Pick::Option(index) if self.option(index).is_some_and(ChoiceOption::disabled) => {
                Step::Say(Note::error("this option can't be chosen; choose another"))
            }
            pick => {
                self.picks.push(pick);
                self.touched = true;
                Step::Stay
            }
        }
    }

    /// Whether something is being searched for.
    fn is_searching(&self) -> bool {
        self.filter.as_ref().is_some_and(|filter| !filter.editor().is_empty())
    }

    fn submit(&mut self) -> Step {
        match self.parse() {
            Ok(answer) => {
                self.touched = true;
                Step::Answer(answer)
            }
            Err(refusal) => Step::Say(Note::refusal(&refusal)),
        }
    }

    fn parse(&self) -> Result<Answer, askback_core::Refusal> {
        let values: Vec<String> = self
            .picks
            .iter()
            .map(|pick| match pick {
                Pick::Option(index) => self.option(*index).map_or("", ChoiceOption::value).to_owned(),
                Pick::Other => OTHER_PLACEHOLDER.to_owned(),
            })
            .collect();
        let custom = self.is_picked(Pick::Other).then(|| self.custom.text());
        self.question.parse_answer(RawAnswer::Selections { selections: &values, custom })
    }

    /// What is typed besides the list: the filter above it, or Other's text below.
    fn specify_body(&self, page: &Page) -> Option<Body> {
        self.specifying.then(|| row::specify(&self.custom, page))
    }

    fn filter_body(&self, page: &Page) -> Option<Body> {
        let filter = self.filter.as_ref()?;
        let mut body = typed(filter.editor(), row::FILTER, Some("type to search"), page);
        if self.specifying {
            body.cursor = None;
        }
        // How much there is, which a short list would show; and the filter may hide what is checked.
        let found = (!filter.editor().is_empty()).then(|| format!("{} of {}", filter.count(), self.options.len()));
        let checked =
            (!self.picks.is_empty() && self.select == Select::Many).then(|| format!("{} checked", self.picks.len()));
        let said: Vec<String> = found.into_iter().chain(checked).collect();
        if let (false, Some(first)) = (said.is_empty(), body.lines.first_mut()) {
            let line = std::mem::take(first).with(format!("  ({})", said.join(", ")), Role::Muted);
            *first = line.cut(page.width(), page.signs().more);
        }
        Some(body)
    }
}

impl Machine for ChoicePrompt<'_> {
    fn update(&mut self, input: &Input) -> Step {
        match input {
            Input::Line(line) => self.take_line(line),
            input if self.specifying => self.update_custom(input),
            input => self.update_list(input),
        }
    }

    fn told(&self, alphabet: Alphabet) -> Vec<Line> {
        self.told_lines(alphabet)
    }

    fn view(&self, page: &Page, rows: usize) -> Body {
        let specify = self.specify_body(page);
        let filter = self.filter_body(page).filter(|_| rows >= 3 || specify.is_none());
        let specify = specify.map(|body| body.clipped(rows.saturating_sub(2).max(1), page));
        let filter = filter.map(|body| body.clipped(rows.saturating_sub(2).max(1), page));
        let fixed: usize = [&filter, &specify].iter().copied().flatten().map(|body| body.lines.len()).sum();
        let mut body = filter.unwrap_or_default();
        let room = rows.saturating_sub(fixed);
        body.append(match self.count() {
            0 if room > 0 => Body::of(vec![row::nothing(page)]),
            count => list::window(count, self.focus, room, page, |row| self.item(row, page)),
        });
        if let Some(specify) = specify {
            body.append(specify);
        }
        body.clipped(rows, page)
    }

    fn leave(&mut self) -> Option<Answer> {
        // What was typed for Other is not lost because nobody pressed Enter.
        if self.specifying && !self.custom.is_empty() {
            self.take_custom();
        }
        if self.before_other.is_some() {
            self.back_from_other();
        }
        (self.touched && !self.picks.is_empty()).then(|| self.parse().ok()).flatten()
    }

    fn hints(&self, page: &Page) -> Vec<String> {
        if self.specifying {
            return vec!["enter select".to_owned(), "esc back to the list".to_owned()];
        }
        let mut hints = vec![format!("{} navigate", page.signs().up_down), "enter select".to_owned()];
        if self.select == Select::Many {
            hints.push("space toggle".to_owned());
        }
        hints
    }

    fn takes_letters(&self) -> bool {
        self.specifying || self.filter.is_some()
    }

    fn remark(&self) -> Option<&'static str> {
        (self.select == Select::Many).then_some(controls::SELECT_MULTIPLE)
    }

    fn preview(&self) -> Option<Cow<'_, str>> {
        let Pick::Option(index) = self.pick(self.focus) else {
            return None;
        };
        let option = self.option(index).filter(|_| self.count() > 0)?;
        // A description too long for its row can be scrolled here.
        match (option.description().filter(|description| row::is_long(description)), option.preview()) {
            (Some(description), Some(preview)) => Some(format!("{description}\n\n{preview}").into()),
            (description, preview) => description.or(preview).map(Cow::Borrowed),
        }
    }

    fn page(&mut self, way: Way) {
        if !self.specifying {
            self.focus = match way {
                Way::Up => self.focus.saturating_sub(PAGE),
                Way::Down => (self.focus + PAGE).min(self.count().saturating_sub(1)),
            };
        }
    }
}
