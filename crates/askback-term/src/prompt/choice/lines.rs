//! A choice in whole lines: the options by number, and what to type for them.

use super::{ChoicePrompt, Pick};
use crate::line::{Line, Role};
use crate::prompt::list::{TOLD_AT_ONCE, told_number};
use crate::prompt::{Note, Step, sentence};
use crate::safe::safe;
use crate::theme::Alphabet;
use crate::wrap::{Break, wrap_after};
use askback_core::controls;
use askback_core::kind::choice::Select;
use askback_core::show::{Layout, Purpose, quote};
use askback_core::{Answer, AnswerInput, ChoiceOption, Other};

impl ChoicePrompt<'_> {
    /// Options by their numbers or their names; where there are many, anything else looks for them.
    pub(super) fn take_line(&mut self, line: &str) -> Step {
        if self.specifying {
            return self.specify_line(line);
        }
        let typed = line.trim();
        if typed.is_empty() {
            return self.take_nothing();
        }
        match self.meant(typed) {
            Ok(Some(picks)) => self.take_picks(picks),
            Ok(None) => self.look_for(typed),
            Err(note) => Step::Say(note),
        }
    }

    /// The options that a line means, by number or by name. What could be both is asked about.
    fn meant(&self, typed: &str) -> Result<Option<Vec<Pick>>, Note> {
        let by_name = self.named(typed).filter(|_| !typed.starts_with('#'));
        match (self.numbered(typed), by_name) {
            (Ok(Some(numbers)), Some(names)) if numbers != names => Err(Note::error(format!(
                "{} is the name of an option, but also a number; put # before a number: the option of that name is {}",
                quote(typed),
                names.iter().map(|pick| format!("#{}", self.number(*pick))).collect::<Vec<_>>().join(" ")
            ))),
            (Ok(None) | Err(_), Some(names)) => Ok(Some(names)),
            (numbers, _) => numbers,
        }
    }

    fn take_picks(&mut self, picks: Vec<Pick>) -> Step {
        if !picks.contains(&Pick::Other) {
            return self.submit_picks(picks);
        }
        self.before_other = Some(std::mem::replace(&mut self.picks, picks));
        self.specifying = true;
        Step::Stay
    }

    /// Other's text; where several were chosen, it ends the choice like the numbers that came before it.
    fn specify_line(&mut self, line: &str) -> Step {
        if line.trim().is_empty() {
            self.back_from_other();
            return Step::Stay;
        }
        self.custom.write(line, line.len());
        let step = match self.take_custom() {
            Step::Stay => self.submit(),
            step => step,
        };
        if matches!(step, Step::Answer(_)) {
            self.before_other = None;
        }
        step
    }

    /// An empty line takes what was filled in at first, or goes on in a long list.
    fn take_nothing(&mut self) -> Step {
        if let Some(answer) = self.at_hand() {
            self.picks = self.filled_in(&answer);
            self.touched = true;
            return Step::Answer(answer);
        }
        self.told_from = match self.told_from + TOLD_AT_ONCE {
            next if next < self.count() => next,
            _ if self.is_searching() || self.told_from > 0 => 0,
            _ => return Step::Say(Note::hint(self.what_to_type())),
        };
        if self.told_from == 0
            && let Some(filter) = &mut self.filter
        {
            filter.write("");
        }
        Step::Stay
    }

    /// What is chosen already, or was filled in at first.
    fn at_hand(&self) -> Option<Answer> {
        let chosen = (self.touched && !self.picks.is_empty()).then(|| self.parse().ok()).flatten();
        chosen.or_else(|| self.question.initial().cloned())
    }

    /// The options that numbers stand for, if the line has nothing else. Where there is a search, other digits are looked for.
    fn numbered(&self, typed: &str) -> Result<Option<Vec<Pick>>, Note> {
        let words = typed.split([' ', ',', '\t']).filter(|word| !word.is_empty());
        let Some(numbers) = words.map(told_number).collect::<Option<Vec<usize>>>() else {
            return Ok(None);
        };
        if self.select == Select::One && numbers.len() > 1 {
            return Err(Note::error(format!("only one can be chosen; {}", self.what_to_type())));
        }
        let last = self.last_number();
        if let Some(beyond) = numbers.iter().find(|number| **number == 0 || **number > last) {
            if self.filter.is_some() && !typed.contains('#') {
                return Ok(None);
            }
            return Err(Note::error(format!("there is no option {beyond}; {}", self.what_to_type())));
        }
        let pick = |number: &usize| if *number > self.options.len() { Pick::Other } else { Pick::Option(number - 1) };
        Ok(Some(numbers.iter().map(pick).collect()))
    }

    fn number(&self, pick: Pick) -> usize {
        match pick {
            Pick::Option(index) => index + 1,
            Pick::Other => self.options.len() + 1,
        }
    }

    /// The options that have these names, as the person sees them or as they are written.
    fn named(&self, typed: &str) -> Option<Vec<Pick>> {
        let by_label = self.options.iter().position(|option| option.label() == typed);
        if let Some(index) = by_label {
            return Some(vec![Pick::Option(index)]);
        }
        let answer = self.question.parse_answer(&AnswerInput::from(typed)).ok()?;
        let is_own = answer.custom().is_some();
        let index = |value: &&str| self.options.iter().position(|option| option.value() == *value).map(Pick::Option);
        (!is_own).then(|| answer.selections().iter().map(index).collect()).flatten()
    }

    fn look_for(&mut self, typed: &str) -> Step {
        let Some(filter) = &mut self.filter else {
            return Step::Say(Note::error(format!("{} is none of them; {}", quote(typed), self.what_to_type())));
        };
        let before = filter.editor.text().to_owned();
        filter.write(typed);
        if filter.count() == 0 {
            filter.write(&before);
            return Step::Say(Note::error(format!("nothing matches {}; {}", quote(typed), self.what_to_type())));
        }
        self.told_from = 0;
        let (found, all) = (filter.count(), self.options.len());
        Step::Say(Note::hint(format!("{found} of {all} match {}", quote(typed))))
    }

    fn last_number(&self) -> usize {
        self.options.len() + usize::from(self.other == Other::Offered)
    }

    fn what_to_type(&self) -> String {
        let last = self.last_number();
        let search = if self.filter.is_some() { ", or some letters to search" } else { "" };
        match self.select {
            Select::One => format!("type a number from 1 to {last}{search}"),
            Select::Many => {
                format!("type the numbers of all that you choose, from 1 to {last}, with spaces between{search}")
            }
        }
    }

    pub(super) fn told_lines(&self, alphabet: Alphabet) -> Vec<Line> {
        if self.specifying {
            return vec![Line::of(
                format!("{} type your own answer; an empty line goes back to the list.", controls::SPECIFY),
                Role::Plain,
            )];
        }
        let last = (self.told_from + TOLD_AT_ONCE).min(self.count());
        let mut lines: Vec<Line> =
            (self.told_from..last).flat_map(|row| self.told_row(self.pick(row), alphabet)).collect();
        let at_hand = self.at_hand();
        match self.count() - last {
            0 => {}
            rest if at_hand.is_some() => {
                lines.push(Line::of(format!("{rest} more are found by searching."), Role::Plain));
            }
            rest => lines.push(Line::of(format!("{rest} more; Enter alone goes on."), Role::Plain)),
        }
        lines.push(Line::of(sentence(&self.what_to_type()), Role::Plain));
        if let Some(answer) = at_hand {
            let spans = crate::summary::answer_spans(self.question, &answer, alphabet);
            lines.push(Line::of("Enter alone answers: ", Role::Plain).then(Line { spans }));
        }
        lines
    }

    /// An option by its number, and below it what belongs to it.
    fn told_row(&self, pick: Pick, alphabet: Alphabet) -> Vec<Line> {
        let shown = |text: &str, layout| safe(text, layout, Purpose::Prose, Role::Plain, alphabet);
        let option = self.option(pick);
        let description = option.map_or(Some(controls::OTHER_DESCRIPTION), ChoiceOption::description);
        let label = shown(option.map_or(controls::OTHER, ChoiceOption::label), Layout::Line);
        let mut line = Line::of(format!("{}. ", self.number(pick)), Role::Plain).then(Line { spans: label });
        if !self.can_be_chosen(pick) {
            line.push(" (can't be chosen)", Role::Plain);
        }
        let mut lines = vec![line];
        for text in [description, option.and_then(ChoiceOption::preview)].into_iter().flatten() {
            let indent = Line::of("   ", Role::Plain);
            lines.extend(wrap_after(indent, &shown(text, Layout::Block), usize::MAX, Break::Words));
        }
        lines
    }
}
