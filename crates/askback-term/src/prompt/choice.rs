//! Choice (Q3, Q4): radio buttons or checkboxes, a filter where there are many, and Other with a text of one's own.

use super::field::typed;
use super::{Body, FILTER, Machine, Note, Preview, Step, Way, is_movement, list};
use crate::editor::{Edit, Editor};
use crate::input::{Input, Key, Lines};
use crate::line::{Line, Role};
use crate::page::Page;
use crate::theme::Alphabet;
use askback_core::controls;
use askback_core::kind::choice::Select;
use askback_core::{Answer, AnswerInput, ChoiceOption, OTHER_PLACEHOLDER, Options, Other, Question, Refusal};

mod filter;
mod lines;
mod other;
mod row;

use filter::Filter;

/// From so many options on, typing filters (Q4).
pub(super) const FILTER_FROM: usize = 10;
/// Options that one digit can name.
const QUICK: usize = 9;

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

impl<'q> ChoicePrompt<'q> {
    /// Shows what the asker filled in. From `filter_from` options on, typing filters.
    pub(super) fn open(
        question: &'q Question,
        options: &'q Options,
        select: Select,
        other: Other,
        filter_from: usize,
    ) -> Self {
        let custom = question.initial().and_then(Answer::custom).unwrap_or_default();
        let mut prompt = Self {
            question,
            options,
            select,
            other,
            filter: (options.len() >= filter_from).then(|| Filter::new(options)),
            focus: 0,
            picks: Vec::new(),
            custom: Editor::new(custom, Lines::One).without_tabs(),
            specifying: false,
            touched: false,
            told_from: 0,
            before_other: None,
            is_sure: false,
        };
        let picks = question.initial().map(|initial| prompt.filled_in(initial)).unwrap_or_default();
        prompt.focus = (0..prompt.count()).find(|row| picks.first() == Some(&prompt.pick(*row))).unwrap_or(0);
        if select == Select::Many {
            prompt.picks = picks;
        }
        prompt
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

    fn option(&self, pick: Pick) -> Option<&'q ChoiceOption> {
        match pick {
            Pick::Option(index) => self.options.iter().as_slice().get(index),
            Pick::Other => None,
        }
    }

    fn can_be_chosen(&self, pick: Pick) -> bool {
        !self.option(pick).is_some_and(ChoiceOption::disabled)
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
            Key::Up | Key::Down => self.walk(*key),
            Key::Home | Key::End if !self.is_searching() => self.walk(*key),
            Key::Enter if self.count() == 0 => Step::Say(Note::hint("nothing matches; type something else")),
            Key::Enter => self.enter(was_sure),
            Key::Char(' ') if self.select == Select::Many && self.count() > 0 => self.toggle(),
            Key::Char(digit @ '1'..='9') if self.filter.is_none() => self.quick_select(*digit),
            // A letter that is typed on Other begins its text.
            Key::Char(c) if self.filter.is_none() && c.is_alphabetic() && self.pick(self.focus) == Pick::Other => {
                self.specify();
                self.update_custom(input)
            }
            _ => self.update_filter(input).unwrap_or(Step::Ignored),
        }
    }

    fn update_filter(&mut self, input: &Input) -> Option<Step> {
        let filter = self.filter.as_mut()?;
        let before = filter.editor.text().to_owned();
        if filter.editor.update(input) == Edit::Ignored {
            return None;
        }
        if filter.editor.text() != before {
            filter.search(&before);
            self.focus = 0;
        }
        Some(Step::Stay)
    }

    fn walk(&mut self, key: Key) -> Step {
        self.focus = list::walked(key, self.focus, self.count()).unwrap_or(self.focus);
        Step::Stay
    }

    /// Whether a digit takes a row at once.
    fn has_quick_select(&self) -> bool {
        self.select == Select::One && self.filter.is_none() && self.options.len() <= QUICK
    }

    fn quick_select(&mut self, digit: char) -> Step {
        let row = digit.to_digit(10).map_or(0, |digit| digit as usize) - 1;
        if !self.has_quick_select() {
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
            (Select::One, pick) => self.submit_picks(vec![pick]),
            (Select::Many, Pick::Other) if is_new || (!self.is_picked(Pick::Other) && self.picks.is_empty()) => {
                self.specify()
            }
            (Select::Many, _) if self.picks.is_empty() => match self.toggle() {
                Step::Stay => Step::Say(Note::hint("nothing was checked, so this one is now; Enter again confirms")),
                step => step,
            },
            // A person that has searched for one and not checked it may think that they have.
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
            pick if !self.can_be_chosen(pick) => Step::Say(Note::error("this option can't be chosen; choose another")),
            pick => {
                self.picks.push(pick);
                self.touched = true;
                Step::Stay
            }
        }
    }

    fn is_searching(&self) -> bool {
        self.filter.as_ref().is_some_and(|filter| !filter.editor.is_empty())
    }

    /// Answers with these picks; where that is refused, the picks stay as they were.
    fn submit_picks(&mut self, picks: Vec<Pick>) -> Step {
        let before = std::mem::replace(&mut self.picks, picks);
        let step = self.submit();
        if !matches!(step, Step::Answer(_)) {
            self.picks = before;
        }
        step
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

    fn parse(&self) -> Result<Answer, Refusal> {
        let value = |pick: &Pick| self.option(*pick).map_or(OTHER_PLACEHOLDER, ChoiceOption::value).to_owned();
        let selections = self.picks.iter().map(value).collect();
        let custom = self.is_picked(Pick::Other).then(|| self.custom.text().to_owned());
        self.question.parse_answer(&AnswerInput::Selections { selections, custom })
    }

    fn filter_body(&self, page: &Page) -> Option<Body> {
        let filter = self.filter.as_ref()?;
        let mut body = typed(&filter.editor, FILTER, Some("type to search"), page);
        if self.specifying {
            body.cursor = None;
        }
        // How much there is, which a short list would show; and the filter may hide what is checked.
        let found = (!filter.editor.is_empty()).then(|| format!("{} of {}", filter.count(), self.options.len()));
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
        let most = rows.saturating_sub(2).max(1);
        let specify = if self.specifying { self.specify_body(page) } else { Body::default() };
        let specify = specify.clipped(most, page);
        let filter = self.filter_body(page).filter(|_| rows >= 3 || !self.specifying);
        let mut body = filter.map(|body| body.clipped(most, page)).unwrap_or_default();
        let room = rows.saturating_sub(body.lines.len() + specify.lines.len());
        body.append(match self.count() {
            0 if room > 0 => Body::of(vec![Line::of("  nothing matches", Role::Muted).cut(page.width(), "")]),
            count => list::window(count, self.focus, room, page, |row| self.item(row, page)),
        });
        body.append(specify);
        body.clipped(rows, page)
    }

    fn leave(&mut self, _: Option<Answer>) -> Option<Answer> {
        // What was typed for Other is kept without Enter.
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
        let navigate = format!("{} navigate", page.signs().up_down);
        match self.select {
            Select::One => vec![navigate, "enter select".to_owned()],
            Select::Many => vec![navigate, "space toggle".to_owned(), "enter confirm".to_owned()],
        }
    }

    fn takes_letters(&self) -> bool {
        self.specifying || self.filter.is_some()
    }

    fn only_moves(&self, key: Key) -> bool {
        is_movement(key)
    }

    fn remark(&self) -> Option<&'static str> {
        (self.select == Select::Many).then_some(controls::SELECT_MULTIPLE)
    }

    fn preview(&self) -> Option<Preview<'_>> {
        let option = self.option(self.pick(self.focus)).filter(|_| self.count() > 0)?;
        let description = option.description().filter(|description| row::is_long(description));
        let preview = Preview { description, sample: option.preview() };
        (preview.description.is_some() || preview.sample.is_some()).then_some(preview)
    }

    fn page(&mut self, way: Way) {
        if !self.specifying {
            self.walk(if way == Way::Up { Key::PageUp } else { Key::PageDown });
        }
    }
}
